//! Files of records: written row by row, and read again.

use crate::Record;
use crate::record::Columns;
use std::fs::{File, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

/// A file of records that we cannot use.
#[derive(Debug, thiserror::Error)]
pub enum RecordError {
    /// Reading or writing failed.
    #[error("{}: {error}", path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// The error of the system.
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

/// The file of records, open for adding; every row is on the disk before the next one begins.
#[derive(Debug)]
pub struct RecordFile {
    path: PathBuf,
    file: File,
}

fn failed(path: &Path) -> impl Fn(io::Error) -> RecordError {
    move |error| RecordError::Io {
        path: path.to_owned(),
        error,
    }
}

impl RecordFile {
    /// A new, empty file; an old one is overwritten.
    pub fn create(path: &Path) -> Result<RecordFile, RecordError> {
        let mut file = File::create(path).map_err(failed(path))?;
        file.write_all(Record::header().as_bytes())
            .map_err(failed(path))?;
        Ok(RecordFile {
            path: path.to_owned(),
            file,
        })
    }

    /// Opens a file to go on with it, and returns what it holds. A last line that was cut off
    /// by a crash is dropped; a file that does not exist is begun. Rows without the name of a
    /// configuration get this one.
    pub fn resume(path: &Path, config: &str) -> Result<(RecordFile, Vec<Record>), RecordError> {
        let text = match std::fs::read_to_string(path) {
            Ok(text) => text,
            Err(error) if error.kind() == io::ErrorKind::NotFound => String::new(),
            Err(error) => return Err(failed(path)(error)),
        };
        let whole = text.rfind('\n').map_or("", |end| &text[..=end]);
        if whole.is_empty() {
            return Ok((RecordFile::create(path)?, Vec::new()));
        }
        let records = parse(path, config, whole)?;
        if !whole.starts_with(&Record::header()) {
            // A file of an earlier version has fewer columns.
            rewrite(path, &records)?;
        } else if whole.len() < text.len() {
            let file = OpenOptions::new().write(true).open(path);
            file.and_then(|file| file.set_len(whole.len() as u64))
                .map_err(failed(path))?;
        }
        let file = OpenOptions::new().append(true).open(path);
        let file = file.map_err(failed(path))?;
        let path = path.to_owned();
        Ok((RecordFile { path, file }, records))
    }

    /// Adds a row. The line goes out in one piece, so that a crash cuts the last one at most.
    pub fn add(&mut self, record: &Record) -> Result<(), RecordError> {
        let written = self.file.write_all(record.to_line().as_bytes());
        let kept = written.and_then(|()| match self.file.sync_data() {
            // A pipe or a terminal cannot be synchronised, and needs not.
            Err(error) if error.kind() == io::ErrorKind::InvalidInput => Ok(()),
            done => done,
        });
        kept.map_err(failed(&self.path))
    }
}

/// Reads a finished file. Rows without a configuration are named after the file.
pub fn read(path: &Path) -> Result<Vec<Record>, RecordError> {
    let text = std::fs::read_to_string(path).map_err(failed(path))?;
    let name = path.file_stem().unwrap_or_default().to_string_lossy();
    parse(path, &name, &text)
}

fn parse(path: &Path, config: &str, text: &str) -> Result<Vec<Record>, RecordError> {
    let malformed = |at: usize| RecordError::Malformed {
        path: path.to_owned(),
        line: at + 1,
    };
    let mut lines = text.lines().enumerate();
    let columns = lines.next().and_then(|(_, line)| Columns::read(line));
    let columns = columns.ok_or_else(|| malformed(0))?;
    lines
        .map(|(at, line)| columns.record(line, config).ok_or_else(|| malformed(at)))
        .collect()
}

/// Replaces a file as a whole, or not at all.
fn rewrite(path: &Path, records: &[Record]) -> Result<(), RecordError> {
    let mut name = path.as_os_str().to_owned();
    name.push(".new");
    let lines = records.iter().map(Record::to_line);
    let text: String = std::iter::once(Record::header()).chain(lines).collect();
    let written = std::fs::write(&name, text);
    written
        .and_then(|()| std::fs::rename(&name, path))
        .map_err(failed(path))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Status;
    use crate::record::tests::record as row;

    fn record(task: &str) -> Record {
        row(task, Status::Correct)
    }

    #[test]
    fn rows_survive_a_cut_last_line() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("results.csv");
        let mut file = RecordFile::create(&path).unwrap();
        file.add(&record("one")).unwrap();
        file.add(&record("two")).unwrap();
        let text = std::fs::read_to_string(&path).unwrap();
        // Wherever the last line is cut, it goes and the first stays.
        let first = text.trim_end().rfind('\n').unwrap() + 1;
        for cut in first + 1..text.len() {
            std::fs::write(&path, &text[..cut]).unwrap();
            let (_, found) = RecordFile::resume(&path, "").unwrap();
            assert_eq!(found, [record("one")], "cut at {cut}");
        }
        let (mut file, _) = RecordFile::resume(&path, "").unwrap();
        file.add(&record("three")).unwrap();
        let (_, found) = RecordFile::resume(&path, "").unwrap();
        assert_eq!(found, [record("one"), record("three")]);
        assert_eq!(read(&path).unwrap(), found);
    }

    #[test]
    fn a_file_of_an_earlier_version_is_brought_up_to_date() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("old.csv");
        let text = "family,task,property,expected,verdict,status,wall_s,cpu_s,rss_kb,reason\n\
                    f,t,p,true,safe,correct,1.00,2.00,3,\n";
        std::fs::write(&path, text).unwrap();
        let (mut file, found) = RecordFile::resume(&path, "auto").unwrap();
        assert_eq!((found[0].config.as_str(), found[0].run), ("auto", 1));
        file.add(&record("one")).unwrap();
        assert_eq!(read(&path).unwrap().len(), 2);
    }

    #[test]
    fn other_files_are_not_overwritten_by_resuming() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("notes.txt");
        std::fs::write(&path, "my notes\n").unwrap();
        let message = RecordFile::resume(&path, "").unwrap_err().to_string();
        assert!(message.contains("notes.txt:1"), "{message}");
        assert_eq!(std::fs::read_to_string(&path).unwrap(), "my notes\n");
    }
}
