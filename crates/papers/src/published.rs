//! The figures that the papers give, as tables of text.
//!
//! They are in `data/`, one file for each table, with the words of the paper (`T/O`, `NT`) where
//! it has no number.

/// A table of a paper.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Published {
    columns: Vec<&'static str>,
    rows: Vec<Vec<&'static str>>,
}

impl Published {
    /// Reads the text of a table: names of columns, then one line a row, the name of the row first.
    pub fn read(text: &'static str) -> Published {
        let mut lines = text.lines().filter(|line| !line.starts_with('#'));
        let split = |line: &'static str| line.split(',').map(str::trim).collect::<Vec<_>>();
        let columns = lines.next().map(split).unwrap_or_default();
        let rows: Vec<_> = lines.map(split).collect();
        for row in &rows {
            assert_eq!(
                row.len(),
                columns.len(),
                "{row:?} has a cell too many or too few"
            );
        }
        Published { columns, rows }
    }

    /// The names of its rows.
    pub fn names(&self) -> impl Iterator<Item = &'static str> {
        self.rows.iter().map(|row| row[0])
    }

    /// One cell; nothing if the paper has no such row.
    pub fn get(&self, row: &str, column: &str) -> Option<&'static str> {
        let place = self.columns.iter().position(|name| *name == column);
        let place = place.unwrap_or_else(|| panic!("no column `{column}`"));
        let row = self.rows.iter().find(|cells| cells[0] == row)?;
        Some(row[place])
    }

    /// One cell, or a dash.
    pub fn text(&self, row: &str, column: &str) -> &'static str {
        self.get(row, column).unwrap_or("-")
    }

    /// One cell as a number, where it is one.
    pub fn number(&self, row: &str, column: &str) -> Option<f64> {
        self.get(row, column)?.parse().ok()
    }
}
