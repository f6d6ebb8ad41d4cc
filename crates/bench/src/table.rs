//! Records counted by family, as a person wants to see them: what is wrong comes first.

use crate::{Record, Status};
use std::collections::BTreeMap;
use std::fmt;

/// How many runs ended how.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
struct Counts {
    correct: usize,
    wrong: usize,
    unknown: usize,
    unrated: usize,
    cpu_s: f64,
}

impl Counts {
    fn add(&mut self, record: &Record) {
        *match record.status {
            Status::Correct => &mut self.correct,
            Status::Wrong => &mut self.wrong,
            Status::Unknown => &mut self.unknown,
            Status::Unrated => &mut self.unrated,
        } += 1;
        self.cpu_s += record.cpu_s;
    }
}

/// The counts of a suite; prints itself.
#[derive(Clone, Debug, Default)]
pub struct Table {
    families: BTreeMap<String, Counts>,
    total: Counts,
    wrong: Vec<String>,
}

impl Table {
    /// Counts one record.
    pub fn add(&mut self, record: &Record) {
        self.families
            .entry(record.family.clone())
            .or_default()
            .add(record);
        self.total.add(record);
        if record.status == Status::Wrong {
            let Record {
                family,
                task,
                property,
                expected,
                verdict,
                reason,
                ..
            } = record;
            let line = format!("{family}/{task} ({property}): expected {expected}, got {verdict}");
            let why = if reason.is_empty() {
                String::new()
            } else {
                format!(": {reason}")
            };
            self.wrong.push(line + &why);
        }
    }

    /// How many verdicts are wrong.
    pub fn wrong(&self) -> usize {
        self.total.wrong
    }

    /// `12 correct, 0 wrong, 3 unknown`.
    pub fn summary(&self) -> String {
        let Counts {
            correct,
            wrong,
            unknown,
            unrated,
            ..
        } = self.total;
        let unrated = if unrated > 0 {
            format!(", {unrated} unrated")
        } else {
            String::new()
        };
        format!("{correct} correct, {wrong} wrong, {unknown} unknown{unrated}")
    }

    fn row(&self, f: &mut fmt::Formatter<'_>, name: &str, counts: &Counts) -> fmt::Result {
        let width = self.name_width();
        let Counts {
            correct,
            wrong,
            unknown,
            unrated,
            cpu_s,
        } = counts;
        write!(f, "{name:<width$}  {correct:>7}  {wrong:>5}  {unknown:>7}")?;
        if self.total.unrated > 0 {
            write!(f, "  {unrated:>7}")?;
        }
        writeln!(f, "  {cpu_s:>9.1}")
    }

    fn name_width(&self) -> usize {
        let names = self.families.keys().map(|name| name.chars().count());
        names.max().unwrap_or(0).max("family".len())
    }
}

impl fmt::Display for Table {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if !self.wrong.is_empty() {
            writeln!(f, "WRONG VERDICTS")?;
            for line in &self.wrong {
                writeln!(f, "  {line}")?;
            }
            writeln!(f)?;
        }
        let width = self.name_width();
        write!(f, "{:<width$}  correct  wrong  unknown", "family")?;
        let unrated = if self.total.unrated > 0 {
            "  unrated"
        } else {
            ""
        };
        writeln!(f, "{unrated}      cpu s")?;
        for (name, counts) in &self.families {
            self.row(f, name, counts)?;
        }
        let rule = width + 36 + unrated.len();
        writeln!(f, "{}", "-".repeat(rule))?;
        self.row(f, "total", &self.total)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use expect_test::expect;

    #[test]
    fn wrong_verdicts_come_first() {
        let record = |family: &str, task: &str, status| Record {
            family: family.into(),
            task: task.into(),
            property: "unreach-call".into(),
            expected: "true".into(),
            verdict: "unsafe".into(),
            status,
            wall_s: 1.0,
            cpu_s: 1.25,
            rss_kb: 1,
            reason: "an error is reached".into(),
        };
        let mut table = Table::default();
        table.add(&record("pthread", "a", Status::Correct));
        table.add(&record("pthread", "b", Status::Unknown));
        table.add(&record("long-family-name", "c", Status::Wrong));
        expect![[r#"
            WRONG VERDICTS
              long-family-name/c (unreach-call): expected true, got unsafe: an error is reached

            family            correct  wrong  unknown      cpu s
            long-family-name        0      1        0        1.2
            pthread                 1      0        1        2.5
            ----------------------------------------------------
            total                   1      1        1        3.8
        "#]]
        .assert_eq(&table.to_string());
        assert_eq!(table.summary(), "1 correct, 1 wrong, 1 unknown");
    }
}
