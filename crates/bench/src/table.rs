//! Results as text: what is wrong comes first.

use crate::score::{Counts, most_points};
use crate::{Results, Status};
use std::collections::BTreeMap;
use std::fmt::{self, Write};

/// The table of a comparison; prints itself. A single configuration is counted by family, several
/// are compared with each other.
#[derive(Clone, Debug)]
pub struct Table {
    wrong: Vec<String>,
    unstable: Vec<String>,
    first: &'static str,
    rows: Vec<(String, Counts)>,
    /// Below a line: the sum, where there is one.
    total: Option<Counts>,
    most: i64,
    repeated: bool,
}

/// A title, and what is below it.
type Column = (&'static str, fn(&Counts) -> String);

impl Table {
    /// Counts.
    pub fn new(results: &Results) -> Table {
        let one = results.configs.len() <= 1;
        let mut rows: BTreeMap<(usize, &str), Counts> = BTreeMap::new();
        let mut total = Counts::default();
        for row in &results.rows {
            for (at, cell) in row.cells.iter().enumerate() {
                let Some(cell) = cell else { continue };
                let name = if one {
                    &row.family
                } else {
                    &results.configs[at]
                };
                rows.entry((at, name)).or_default().add_cell(cell);
                total.add_cell(cell);
            }
        }
        let unstable = results.cells().filter_map(|(row, config, cell)| {
            let told = cell.unstable()?;
            Some(format!("{}, {config}: {told}", row.name()))
        });
        let expected = results.rows.iter().map(|row| most_points(&row.expected));
        Table {
            wrong: wrong(results),
            unstable: unstable.collect(),
            first: if one { "family" } else { "configuration" },
            rows: rows
                .into_iter()
                .map(|((_, name), counts)| (name.to_owned(), counts))
                .collect(),
            total: one.then_some(total),
            most: expected.sum(),
            repeated: results.repetitions() > 1,
        }
    }

    /// The columns after the name.
    fn columns(&self) -> Vec<Column> {
        let mut columns: Vec<Column> = vec![
            ("correct", |counts| counts.correct.to_string()),
            ("wrong", |counts| counts.wrong.to_string()),
            ("unknown", |counts| counts.unknown.to_string()),
        ];
        if self.rows.iter().any(|(_, counts)| counts.unrated > 0) {
            columns.push(("unrated", |counts| counts.unrated.to_string()));
        }
        columns.push(("score", |counts| counts.score.to_string()));
        columns.push(("    cpu s", |counts| format!("{:.1}", counts.cpu_s[1])));
        if self.repeated {
            columns.push(("    least", |counts| format!("{:.1}", counts.cpu_s[0])));
            columns.push(("     most", |counts| format!("{:.1}", counts.cpu_s[2])));
        }
        columns
    }

    fn row(&self, name: &str, counts: &Counts) -> String {
        let width = self.name_width();
        let mut text = format!("{name:<width$}");
        for (title, value) in self.columns() {
            let _ = write!(text, "  {:>1$}", value(counts), title.len());
        }
        text
    }

    fn name_width(&self) -> usize {
        let names = self.rows.iter().map(|(name, _)| name.chars().count());
        names.max().unwrap_or(0).max(self.first.len())
    }
}

/// What must not be overlooked.
fn wrong(results: &Results) -> Vec<String> {
    let several = results.configs.len() > 1;
    let mut lines = Vec::new();
    for (row, config, cell) in results.cells() {
        let record = cell.worst();
        if record.status == Status::Wrong {
            let who = if several {
                format!(", {config}")
            } else {
                String::new()
            };
            let mut line = format!(
                "{}{who}: expected {}, got {}",
                row.name(),
                record.expected,
                record.verdict
            );
            if !record.reason.is_empty() {
                line += &format!(": {}", record.reason);
            }
            lines.push(line);
        }
    }
    lines
}

impl fmt::Display for Table {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let lists = [
            ("WRONG VERDICTS", &self.wrong),
            ("VERDICTS THAT DIFFER BETWEEN REPETITIONS", &self.unstable),
        ];
        for (title, lines) in lists.iter().filter(|(_, lines)| !lines.is_empty()) {
            writeln!(f, "{title}")?;
            lines.iter().try_for_each(|line| writeln!(f, "  {line}"))?;
            writeln!(f)?;
        }
        let width = self.name_width();
        let mut head = format!("{:<width$}", self.first);
        for (title, _) in self.columns() {
            let _ = write!(head, "  {title}");
        }
        writeln!(f, "{head}")?;
        for (name, counts) in &self.rows {
            writeln!(f, "{}", self.row(name, counts))?;
        }
        if let Some(total) = &self.total {
            writeln!(f, "{}", "-".repeat(head.chars().count()))?;
            writeln!(f, "{}", self.row("total", total))?;
        }
        writeln!(f, "maximum score: {}", self.most)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Record;
    use crate::record::tests::record;
    use expect_test::{Expect, expect};

    fn check(records: Vec<Record>, expected: Expect) {
        expected.assert_eq(&Table::new(&Results::new(records)).to_string());
    }

    #[test]
    fn wrong_verdicts_come_first() {
        let of = |family: &str, task: &str, status| Record {
            family: family.into(),
            ..record(task, status)
        };
        check(
            vec![
                of("pthread", "a", Status::Correct),
                of("pthread", "b", Status::Unknown),
                of("long-family-name", "c", Status::Wrong),
            ],
            expect![[r#"
                WRONG VERDICTS
                  long-family-name/c (unreach-call): expected true, got unsafe: a, b

                family            correct  wrong  unknown  score      cpu s
                long-family-name        0      1        0    -16        0.5
                pthread                 1      0        1      2        1.0
                -----------------------------------------------------------
                total                   1      1        1    -14        1.5
                maximum score: 6
            "#]],
        );
    }

    #[test]
    fn configurations_side_by_side_with_repetitions() {
        let of = |config: &str, run, cpu_s, status| Record {
            config: config.into(),
            run,
            cpu_s,
            ..record("a", status)
        };
        check(
            vec![
                of("fast one", 1, 1.0, Status::Correct),
                of("fast one", 2, 3.0, Status::Correct),
                of("slow", 1, 10.0, Status::Correct),
                of("slow", 2, 30.0, Status::Unknown),
            ],
            expect![[r#"
                VERDICTS THAT DIFFER BETWEEN REPETITIONS
                  litmus/a (unreach-call), slow: 1 safe, 1 unknown

                configuration  correct  wrong  unknown  score      cpu s      least       most
                fast one             1      0        0      2        2.0        1.0        3.0
                slow                 0      0        1      0       20.0       10.0       30.0
                maximum score: 2
            "#]],
        );
    }
}
