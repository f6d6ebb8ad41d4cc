//! Records laid side by side: tasks by configurations, with all repetitions in one cell.

use crate::{Record, Status};
use std::collections::BTreeMap;

/// All records of a comparison.
#[derive(Clone, Debug, Default)]
pub struct Results {
    /// The names of the configurations, in the order in which they came.
    pub configs: Vec<String>,
    /// A row for each task and property, in the order of their names.
    pub rows: Vec<Row>,
}

/// What was asked, and a cell for each configuration.
#[derive(Clone, Debug)]
pub struct Row {
    /// The folder of the task.
    pub family: String,
    /// Its name.
    pub task: String,
    /// The name of the property.
    pub property: String,
    /// `true`, `false`, or empty.
    pub expected: String,
    /// What each configuration made of it; nothing if it was not run.
    pub cells: Vec<Option<Cell>>,
}

/// The repetitions of one task with one configuration; never none.
#[derive(Clone, Debug)]
pub struct Cell(Vec<Record>);

impl Results {
    /// Lays records side by side.
    pub fn new(records: impl IntoIterator<Item = Record>) -> Results {
        let mut configs: Vec<String> = Vec::new();
        let mut rows: BTreeMap<(String, String, String), Vec<Vec<Record>>> = BTreeMap::new();
        for record in records {
            let known = configs.iter().position(|name| *name == record.config);
            let column = known.unwrap_or_else(|| {
                configs.push(record.config.clone());
                configs.len() - 1
            });
            let (family, task, property) = record.about();
            let about = (family.to_owned(), task.to_owned(), property.to_owned());
            let cells = rows.entry(about).or_default();
            cells.resize_with(cells.len().max(column + 1), Vec::new);
            cells[column].push(record);
        }
        let row = |((family, task, property), mut cells): ((_, _, _), Vec<Vec<Record>>)| {
            cells.resize_with(configs.len(), Vec::new);
            let first = cells.iter().flatten().next();
            Row {
                family,
                task,
                property,
                expected: first.map_or_else(String::new, |record| record.expected.clone()),
                cells: cells.into_iter().map(Cell::new).collect(),
            }
        };
        Results {
            rows: rows.into_iter().map(row).collect(),
            configs,
        }
    }

    /// The cells of one configuration.
    pub fn column(&self, config: usize) -> impl Iterator<Item = &Cell> {
        self.rows
            .iter()
            .filter_map(move |row| row.cells[config].as_ref())
    }

    /// Every cell, with its row and the name of its configuration.
    pub fn cells(&self) -> impl Iterator<Item = (&Row, &str, &Cell)> {
        self.rows.iter().flat_map(|row| {
            let named = row.cells.iter().zip(&self.configs);
            named.filter_map(move |(cell, name)| Some((row, name.as_str(), cell.as_ref()?)))
        })
    }

    /// How many verdicts are wrong.
    pub fn wrong(&self) -> usize {
        let worst = self.cells().map(|(_, _, cell)| cell.worst().status);
        worst.filter(|status| *status == Status::Wrong).count()
    }

    /// How often the most repeated task was run.
    pub fn repetitions(&self) -> usize {
        let counts = self.cells().map(|(_, _, cell)| cell.0.len());
        counts.max().unwrap_or(0)
    }

    /// The names of what engines have counted, those that most rows have first.
    pub fn counted(&self) -> Vec<String> {
        let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
        for (_, _, cell) in self.cells() {
            for (name, _) in &cell.0[0].stats {
                *counts.entry(name).or_default() += 1;
            }
        }
        let mut names: Vec<(&str, usize)> = counts.into_iter().collect();
        names.sort_by_key(|&(_, count)| std::cmp::Reverse(count));
        names.into_iter().map(|(name, _)| name.to_owned()).collect()
    }
}

impl Row {
    /// `family/task (property)`.
    pub fn name(&self) -> String {
        format!("{}/{} ({})", self.family, self.task, self.property)
    }
}

impl Cell {
    fn new(mut records: Vec<Record>) -> Option<Cell> {
        records.sort_by_key(|record| record.run);
        (!records.is_empty()).then_some(Cell(records))
    }

    /// The repetitions, the first one first.
    pub fn records(&self) -> &[Record] {
        &self.0
    }

    /// The one that counts: of several the worst, so that luck is not rewarded.
    pub fn worst(&self) -> &Record {
        let worst = self.0.iter().rev().max_by_key(|record| record.status);
        worst.expect("a cell has at least one record")
    }

    /// Is it solved in every repetition?
    pub fn solved(&self) -> bool {
        matches!(self.worst().status, Status::Correct | Status::Unrated)
    }

    /// Do the repetitions differ? Then how often each verdict came, as text.
    pub fn unstable(&self) -> Option<String> {
        let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
        for record in &self.0 {
            *counts.entry(&record.verdict).or_default() += 1;
        }
        let told = |(verdict, count): (&&str, &usize)| format!("{count} {verdict}");
        let told: Vec<String> = counts.iter().map(told).collect();
        (told.len() > 1).then(|| told.join(", "))
    }

    /// The least, the median and the most of a figure, over the repetitions that have it.
    pub fn spread(&self, figure: impl Fn(&Record) -> Option<f64>) -> Option<[f64; 3]> {
        let mut values: Vec<f64> = self.0.iter().filter_map(figure).collect();
        values.sort_by(f64::total_cmp);
        let (first, last) = (*values.first()?, *values.last()?);
        let middle = values.len() / 2;
        let median = match values.len() % 2 {
            1 => values[middle],
            _ => (values[middle - 1] + values[middle]) / 2.0,
        };
        Some([first, median, last])
    }

    /// The median of a figure.
    pub fn median(&self, figure: impl Fn(&Record) -> Option<f64>) -> Option<f64> {
        self.spread(figure).map(|[_, median, _]| median)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::tests::record;

    fn with(config: &str, run: u32, cpu_s: f64, row: Record) -> Record {
        Record {
            config: config.into(),
            run,
            cpu_s,
            ..row
        }
    }

    #[test]
    fn tasks_by_configurations() {
        let results = Results::new([
            with("x", 1, 1.0, record("b", Status::Correct)),
            with("y", 1, 1.0, record("a", Status::Unknown)),
            with("x", 2, 4.0, record("b", Status::Correct)),
            with("x", 3, 2.0, record("b", Status::Unknown)),
        ]);
        assert_eq!(results.configs, ["x", "y"]);
        let tasks = results.rows.iter().map(|row| row.task.as_str());
        assert_eq!(tasks.collect::<Vec<_>>(), ["a", "b"]);
        assert!(results.rows[0].cells[0].is_none());
        let cell = results.rows[1].cells[0].as_ref().unwrap();
        assert_eq!(cell.worst().status, Status::Unknown);
        assert!(!cell.solved());
        assert_eq!(cell.unstable().unwrap(), "2 safe, 1 unknown");
        assert_eq!(cell.spread(|row| Some(row.cpu_s)), Some([1.0, 2.0, 4.0]));
        assert_eq!(cell.spread(|_| None), None);
        assert_eq!(results.repetitions(), 3);
        assert_eq!(results.counted(), ["solver calls", "states"]);
    }

    #[test]
    fn the_median_of_an_even_number() {
        let two = vec![
            with("x", 2, 3.0, record("b", Status::Correct)),
            with("x", 1, 1.0, record("b", Status::Correct)),
        ];
        let cell = Cell::new(two).unwrap();
        assert_eq!(cell.median(|row| Some(row.cpu_s)), Some(2.0));
        assert_eq!(cell.records()[0].run, 1);
        assert_eq!(cell.unstable(), None);
    }
}
