//! What is known after a run.

use crate::csv;
use serde::Serialize;

/// Is the verdict the expected one? The worse one is the larger one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Status {
    /// The verdict is the expected one.
    Correct,
    /// There is a verdict, but the task does not say which one is right.
    Unrated,
    /// There is no verdict.
    Unknown,
    /// It is the opposite, or blames another part of the property.
    Wrong,
}

impl Status {
    /// All, in the order of display.
    pub const ALL: [Status; 4] = [
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
#[derive(Clone, Debug, PartialEq, Serialize)]
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
    /// The name of the configuration.
    pub config: String,
    /// Which repetition this is, from 1.
    pub run: u32,
    /// What the engine counted.
    #[serde(serialize_with = "as_object")]
    pub stats: Vec<(String, u64)>,
}

/// What tells a row from every other: family, task, property, configuration, repetition.
pub type Key<'a> = (&'a str, &'a str, &'a str, &'a str, u32);

const HEADER: [&str; 13] = [
    "family", "task", "property", "expected", "verdict", "status", "wall_s", "cpu_s", "rss_kb",
    "reason", "config", "run", "stats",
];

impl Record {
    /// What tells this row from every other.
    pub fn key(&self) -> Key<'_> {
        let (family, task, property) = self.about();
        (family, task, property, &self.config, self.run)
    }

    /// What was asked: family, task and property.
    pub fn about(&self) -> (&str, &str, &str) {
        (&self.family, &self.task, &self.property)
    }

    /// The first line of a file of records.
    pub fn header() -> String {
        csv::line(HEADER)
    }

    /// The row as a line.
    pub fn to_line(&self) -> String {
        let wall = format!("{:.3}", self.wall_s);
        let cpu = format!("{:.3}", self.cpu_s);
        let rss = self.rss_kb.to_string();
        let run = self.run.to_string();
        let figure = |(name, value): &(String, u64)| format!("{name}={value}");
        let stats: Vec<String> = self.stats.iter().map(figure).collect();
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
            &self.config,
            &run,
            &stats.join(";"),
        ])
    }
}

/// Which column of a file holds what. Files of others may have fewer columns and other words.
#[derive(Debug)]
pub struct Columns(Vec<String>);

impl Columns {
    /// Reads the first line of a file.
    pub fn read(line: &str) -> Option<Columns> {
        let names = csv::fields(line)?;
        let needed = ["family", "task", "property", "expected", "verdict"];
        let has = |name: &&str| names.iter().any(|known| known == name);
        needed.iter().all(has).then_some(Columns(names))
    }

    /// Reads a row; without a column for it the configuration is `config`.
    pub fn record(&self, line: &str, config: &str) -> Option<Record> {
        let fields = csv::fields(line)?;
        if fields.len() != self.0.len() {
            return None;
        }
        let get = |name: &str| {
            let at = self.0.iter().position(|known| known == name)?;
            Some(fields[at].as_str())
        };
        let number = |name: &str| get(name).map_or(Some(0.0), |text| text.parse::<f64>().ok());
        let verdict = match get("verdict")? {
            "true" => "safe",
            "false" => "unsafe",
            known @ ("safe" | "unsafe") => known,
            _ => "unknown",
        };
        let expected = get("expected")?;
        let status = match get("status") {
            Some(name) => Status::ALL.into_iter().find(|known| known.name() == name)?,
            None => status_of(verdict, expected),
        };
        Some(Record {
            family: get("family")?.to_owned(),
            task: get("task")?.to_owned(),
            property: get("property")?.to_owned(),
            expected: expected.to_owned(),
            verdict: verdict.to_owned(),
            status,
            wall_s: number("wall_s")?,
            cpu_s: number("cpu_s")?,
            rss_kb: number("rss_kb")? as u64,
            reason: get("reason").unwrap_or("").to_owned(),
            config: get("config").unwrap_or(config).to_owned(),
            run: get("run").map_or(Some(1), |text| text.parse().ok())?,
            stats: figures(get("stats").unwrap_or(""))?,
        })
    }
}

/// For rows that do not say whether they are right.
fn status_of(verdict: &str, expected: &str) -> Status {
    let says = match verdict {
        "safe" => "true",
        "unsafe" => "false",
        _ => return Status::Unknown,
    };
    match expected {
        "" => Status::Unrated,
        expected if expected.starts_with(says) => Status::Correct,
        _ => Status::Wrong,
    }
}

/// `states=12;solver calls=3`.
fn figures(text: &str) -> Option<Vec<(String, u64)>> {
    let parts = text.split(';').filter(|part| !part.is_empty());
    parts
        .map(|part| {
            let (name, value) = part.rsplit_once('=')?;
            Some((name.to_owned(), value.parse().ok()?))
        })
        .collect()
}

fn as_object<S: serde::Serializer>(
    figures: &[(String, u64)],
    serializer: S,
) -> Result<S::Ok, S::Error> {
    serializer.collect_map(figures.iter().map(|(name, value)| (name, value)))
}

#[cfg(test)]
pub mod tests {
    use super::*;

    /// A row for tests.
    pub fn record(task: &str, status: Status) -> Record {
        let verdict = match status {
            Status::Correct | Status::Unrated => "safe",
            Status::Wrong => "unsafe",
            Status::Unknown => "unknown",
        };
        Record {
            family: "litmus".into(),
            task: task.into(),
            property: "unreach-call".into(),
            expected: "true".into(),
            verdict: verdict.into(),
            status,
            wall_s: 0.25,
            cpu_s: 0.5,
            rss_kb: 4096,
            reason: "a, b".into(),
            config: "auto".into(),
            run: 1,
            stats: vec![("solver calls".into(), 3), ("states".into(), 12)],
        }
    }

    #[test]
    fn what_is_written_is_read() {
        let columns = Columns::read(&Record::header()).unwrap();
        for status in Status::ALL {
            let row = record("one", status);
            assert_eq!(columns.record(&row.to_line(), ""), Some(row));
        }
        assert_eq!(columns.record("a,b\n", ""), None);
        assert!(Columns::read("my notes\n").is_none());
    }

    #[test]
    fn rows_of_others_are_read_too() {
        let header = "family,task,property,expected,verdict,cpu_s,rss_kb\n";
        let columns = Columns::read(header).unwrap();
        let read = |line| columns.record(line, "deagle").unwrap();
        let right = read("f,t,unreach-call,false,false,0.31,19736\n");
        assert_eq!(
            (right.verdict.as_str(), right.status),
            ("unsafe", Status::Correct)
        );
        assert_eq!(
            (right.config.as_str(), right.run, right.cpu_s),
            ("deagle", 1, 0.31)
        );
        let bounded = read("f,t,unreach-call,true,bounded,3,1\n");
        assert_eq!(bounded.status, Status::Unknown);
        assert_eq!(read("f,t,p,false,true,3,1\n").status, Status::Wrong);
    }
}
