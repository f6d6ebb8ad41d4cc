//! What is known after a run, and the file that keeps it.

use crate::csv;
use std::fs::{File, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

/// Is the verdict the expected one?
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Status {
    /// It is.
    Correct,
    /// It is the opposite, or blames another part of the property.
    Wrong,
    /// There is no verdict.
    Unknown,
    /// There is a verdict, but the task does not say which one is right.
    Unrated,
}

impl Status {
    const ALL: [Status; 4] = [
        Status::Correct,
        Status::Wrong,
        Status::Unknown,
        Status::Unrated,
    ];

    /// The word in the file.
    pub fn name(self) -> &'static str {
        match self {
            Status::Correct => "correct",
            Status::Wrong => "wrong",
            Status::Unknown => "unknown",
            Status::Unrated => "unrated",
        }
    }
}

/// One row: a task, a property, and how the run ended.
#[derive(Clone, Debug, PartialEq)]
pub struct Record {
    /// The folder of the task, below the folder of the suite.
    pub family: String,
    /// The name of the task definition without its ending.
    pub task: String,
    /// The name of the property file without its ending.
    pub property: String,
    /// `true`, `false`, or empty; `false(valid-deref)` where the task names the part.
    pub expected: String,
    /// `safe`, `unsafe` or `unknown`.
    pub verdict: String,
    /// Whether that is right.
    pub status: Status,
    /// Seconds on the clock.
    pub wall_s: f64,
    /// Seconds of processor time, of the child and what it started.
    pub cpu_s: f64,
    /// Largest resident memory.
    pub rss_kb: u64,
    /// Why there is no verdict, or what was violated.
    pub reason: String,
}

const HEADER: [&str; 10] = [
    "family", "task", "property", "expected", "verdict", "status", "wall_s", "cpu_s", "rss_kb",
    "reason",
];

impl Record {
    /// What tells this row from every other.
    pub fn key(&self) -> (&str, &str, &str) {
        (&self.family, &self.task, &self.property)
    }

    fn to_line(&self) -> String {
        let wall = format!("{:.2}", self.wall_s);
        let cpu = format!("{:.2}", self.cpu_s);
        let rss = self.rss_kb.to_string();
        csv::line([
            self.family.as_str(),
            &self.task,
            &self.property,
            &self.expected,
            &self.verdict,
            self.status.name(),
            &wall,
            &cpu,
            &rss,
            &self.reason,
        ])
    }

    fn from_line(line: &str) -> Option<Record> {
        let fields: [String; 10] = csv::fields(line)?.try_into().ok()?;
        let [
            family,
            task,
            property,
            expected,
            verdict,
            status,
            wall,
            cpu,
            rss,
            reason,
        ] = fields;
        Some(Record {
            family,
            task,
            property,
            expected,
            verdict,
            status: Status::ALL
                .into_iter()
                .find(|known| known.name() == status)?,
            wall_s: wall.parse().ok()?,
            cpu_s: cpu.parse().ok()?,
            rss_kb: rss.parse().ok()?,
            reason,
        })
    }
}

/// A file of records that we cannot use.
#[derive(Debug, thiserror::Error)]
pub enum RecordError {
    /// Reading or writing failed.
    #[error("{}: {error}", path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// Why.
        error: io::Error,
    },
    /// A line of it is not a record.
    #[error("{}:{line}: this is not a record of `mazurka bench`", path.display())]
    Malformed {
        /// The file.
        path: PathBuf,
        /// Which line, from 1.
        line: usize,
    },
}

/// The file of records, open for adding; every row is written out at once.
#[derive(Debug)]
pub struct RecordFile {
    path: PathBuf,
    file: File,
}

impl RecordFile {
    /// A new, empty file; an old one is overwritten.
    pub fn create(path: &Path) -> Result<RecordFile, RecordError> {
        let failed = |error| RecordError::Io {
            path: path.to_owned(),
            error,
        };
        let mut file = File::create(path).map_err(failed)?;
        file.write_all(csv::line(HEADER).as_bytes())
            .map_err(failed)?;
        Ok(RecordFile {
            path: path.to_owned(),
            file,
        })
    }

    /// Opens a file to go on with it, and gives back what it holds. A last line that was cut off
    /// by a crash is dropped; a file that does not exist is begun.
    pub fn resume(path: &Path) -> Result<(RecordFile, Vec<Record>), RecordError> {
        let failed = |error| RecordError::Io {
            path: path.to_owned(),
            error,
        };
        let text = match std::fs::read_to_string(path) {
            Ok(text) => text,
            Err(error) if error.kind() == io::ErrorKind::NotFound => String::new(),
            Err(error) => return Err(failed(error)),
        };
        let whole = text.rfind('\n').map_or("", |end| &text[..=end]);
        if whole.is_empty() {
            return Ok((RecordFile::create(path)?, Vec::new()));
        }
        let malformed = |at: usize| RecordError::Malformed {
            path: path.to_owned(),
            line: at + 1,
        };
        let mut records = Vec::new();
        for (at, line) in whole.lines().enumerate() {
            if at > 0 {
                records.push(Record::from_line(line).ok_or_else(|| malformed(at))?);
            } else if format!("{line}\n") != csv::line(HEADER) {
                return Err(malformed(at));
            }
        }
        let file = OpenOptions::new().append(true).open(path).map_err(failed)?;
        file.set_len(whole.len() as u64).map_err(failed)?;
        Ok((
            RecordFile {
                path: path.to_owned(),
                file,
            },
            records,
        ))
    }

    /// Adds a row.
    pub fn add(&mut self, record: &Record) -> Result<(), RecordError> {
        let written = self.file.write_all(record.to_line().as_bytes());
        let written = written.and_then(|()| self.file.flush());
        written.map_err(|error| RecordError::Io {
            path: self.path.clone(),
            error,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn record(task: &str) -> Record {
        Record {
            family: "litmus".into(),
            task: task.into(),
            property: "unreach-call".into(),
            expected: "true".into(),
            verdict: "safe".into(),
            status: Status::Correct,
            wall_s: 0.25,
            cpu_s: 0.5,
            rss_kb: 4096,
            reason: "a, b".into(),
        }
    }

    #[test]
    fn rows_survive_a_cut_last_line() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("results.csv");
        let mut file = RecordFile::create(&path).unwrap();
        file.add(&record("one")).unwrap();
        file.add(&record("two")).unwrap();
        let text = std::fs::read_to_string(&path).unwrap();
        std::fs::write(&path, &text[..text.len() - 5]).unwrap();

        let (mut file, found) = RecordFile::resume(&path).unwrap();
        assert_eq!(found, [record("one")]);
        file.add(&record("three")).unwrap();
        let (_, found) = RecordFile::resume(&path).unwrap();
        assert_eq!(found, [record("one"), record("three")]);
    }

    #[test]
    fn other_files_are_not_overwritten_by_resuming() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("notes.txt");
        std::fs::write(&path, "my notes\n").unwrap();
        let message = RecordFile::resume(&path).unwrap_err().to_string();
        assert!(message.contains("notes.txt:1"), "{message}");
        assert_eq!(std::fs::read_to_string(&path).unwrap(), "my notes\n");
    }
}
