//! What has been measured so far, kept in a file so that an interrupted run can go on.

use crate::{Id, Seen};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::fs::File;
use std::io::{self, BufRead, BufReader, Write};
use std::path::Path;

/// One run.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Record {
    /// Where it belongs.
    pub id: Id,
    /// The how many-th run of its cell.
    pub run: u32,
    /// The fingerprint of the program.
    pub program: String,
    /// Processor time in seconds.
    pub cpu_s: f64,
    /// What it has shown.
    pub seen: Seen,
}

/// Under which circumstances everything in a file was measured. The first line of the file.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Head {
    /// Changes with whatever makes results incomparable: the build, the limits, the options.
    pub key: String,
    /// The command line that asks for it.
    pub command: String,
    /// The limits, in words.
    pub limits: String,
    /// The machine, and how busy it was at the beginning.
    pub machine: String,
}

/// The results of an experiment.
#[derive(Debug)]
pub struct Results {
    /// How they came about.
    pub head: Head,
    records: BTreeMap<(Id, u32), Record>,
    file: Option<File>,
}

impl Results {
    /// Nothing yet, and nothing is kept.
    pub fn unkept(head: Head) -> Results {
        Results {
            head,
            records: BTreeMap::new(),
            file: None,
        }
    }

    /// What a file holds from an earlier run under the same circumstances, and what will be added.
    /// Results under other circumstances are put aside, under the same name with `.old`.
    pub fn kept(head: Head, path: &Path) -> io::Result<Results> {
        let mut results = match read(path) {
            Some((old, records)) if old.key == head.key => {
                let records = records.into_iter();
                Results {
                    head: old,
                    records: records.map(|r| ((r.id.clone(), r.run), r)).collect(),
                    file: None,
                }
            }
            _ => {
                if path.exists() {
                    std::fs::rename(path, path.with_extension("jsonl.old"))?;
                }
                Results::unkept(head)
            }
        };
        // Written anew, so that a last line that was cut off is no harm, and beside the old file, so
        // that nothing is lost on the way.
        let new = path.with_extension("jsonl.new");
        let mut file = File::create(&new)?;
        line(&mut file, &results.head)?;
        for record in results.records.values() {
            line(&mut file, record)?;
        }
        std::fs::rename(&new, path)?;
        results.file = Some(file);
        Ok(results)
    }

    /// Takes a result in.
    pub fn add(&mut self, record: Record) -> io::Result<()> {
        if let Some(file) = &mut self.file {
            line(file, &record)?;
        }
        self.records.insert((record.id.clone(), record.run), record);
        Ok(())
    }

    /// Has this run been done, with this program?
    pub fn has(&self, id: &Id, run: u32, program: &str) -> bool {
        let known = self.records.get(&(id.clone(), run));
        known.is_some_and(|record| record.program == program)
    }

    /// All runs of a cell.
    pub fn runs(&self, table: &str, row: &str, column: &str) -> Vec<&Record> {
        let id = Id::new(table, row, column);
        let runs = self.records.range((id.clone(), 0)..=(id, u32::MAX));
        runs.map(|(_, record)| record).collect()
    }

    /// Everything.
    pub fn iter(&self) -> impl Iterator<Item = &Record> {
        self.records.values()
    }
}

fn line(file: &mut File, value: &impl Serialize) -> io::Result<()> {
    let mut text = serde_json::to_vec(value)?;
    text.push(b'\n');
    file.write_all(&text)
}

/// The head and the records up to the first that is damaged.
fn read(path: &Path) -> Option<(Head, Vec<Record>)> {
    let mut lines = BufReader::new(File::open(path).ok()?).lines();
    let head = serde_json::from_str(&lines.next()?.ok()?).ok()?;
    let records = lines.map_while(|line| serde_json::from_str(&line.ok()?).ok());
    Some((head, records.collect()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::RunResult;

    fn head(key: &str) -> Head {
        Head {
            key: key.into(),
            command: String::new(),
            limits: String::new(),
            machine: String::new(),
        }
    }

    fn record(row: &str, run: u32) -> Record {
        Record {
            id: Id::new("t", row, "c"),
            run,
            program: "p".into(),
            cpu_s: 1.5,
            seen: Seen::ended(RunResult::Right),
        }
    }

    #[test]
    fn what_is_kept_comes_back() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("3.results.jsonl");
        let mut results = Results::kept(head("a"), &path).unwrap();
        results.add(record("r", 0)).unwrap();
        results.add(record("r", 1)).unwrap();
        results.add(record("s", 0)).unwrap();
        drop(results);
        // As if the last line had been cut off by a crash.
        let text = std::fs::read_to_string(&path).unwrap();
        std::fs::write(&path, &text[..text.len() - 9]).unwrap();
        let results = Results::kept(head("a"), &path).unwrap();
        assert_eq!(results.runs("t", "r", "c").len(), 2);
        assert_eq!(results.runs("t", "s", "c").len(), 0);
        assert!(results.has(&Id::new("t", "r", "c"), 1, "p"));
        assert!(!results.has(&Id::new("t", "r", "c"), 1, "another program"));
    }

    #[test]
    fn times_come_back_to_the_last_digit() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("3.results.jsonl");
        let mut results = Results::kept(head("a"), &path).unwrap();
        for run in 0..1000 {
            let cpu_s = f64::from(run).sqrt() / 7.0;
            let record = Record {
                cpu_s,
                ..record("r", run)
            };
            results.add(record).unwrap();
        }
        let read = Results::kept(head("a"), &path).unwrap();
        assert!(results.iter().eq(read.iter()));
    }

    #[test]
    fn other_circumstances_begin_anew_and_lose_nothing() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("3.results.jsonl");
        let mut results = Results::kept(head("a"), &path).unwrap();
        results.add(record("r", 0)).unwrap();
        let results = Results::kept(head("b"), &path).unwrap();
        assert_eq!(results.iter().count(), 0);
        let aside = folder.path().join("3.results.jsonl.old");
        assert!(std::fs::read_to_string(aside).unwrap().contains("\"r\""));
    }
}
