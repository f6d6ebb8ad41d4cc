//! Tables in Markdown, with columns that can also be read on a terminal.

use std::fmt;

/// A table under construction; the first column is text, the others are numbers.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Table {
    head: Vec<String>,
    rows: Vec<Vec<String>>,
}

impl Table {
    /// With the names of its columns.
    pub fn new<S: Into<String>>(head: impl IntoIterator<Item = S>) -> Table {
        Table {
            head: head.into_iter().map(Into::into).collect(),
            rows: Vec::new(),
        }
    }

    /// Adds a row, one text for each column.
    pub fn row<S: Into<String>>(&mut self, cells: impl IntoIterator<Item = S>) {
        let row: Vec<String> = cells.into_iter().map(Into::into).collect();
        assert_eq!(row.len(), self.head.len(), "one cell for each column");
        self.rows.push(row);
    }

    /// Has it no rows?
    pub fn is_empty(&self) -> bool {
        self.rows.is_empty()
    }
}

impl fmt::Display for Table {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let all = || self.rows.iter().chain([&self.head]);
        let widest = |column: usize| all().map(|row| row[column].chars().count()).max();
        let widths: Vec<usize> = (0..self.head.len())
            .map(|column| widest(column).unwrap_or(0).max(3))
            .collect();
        let line = |row: &[String], f: &mut fmt::Formatter<'_>| {
            for (column, (cell, &width)) in row.iter().zip(&widths).enumerate() {
                match column {
                    0 => write!(f, "| {cell:<width$} ")?,
                    _ => write!(f, "| {cell:>width$} ")?,
                }
            }
            writeln!(f, "|")
        };
        line(&self.head, f)?;
        for (column, &width) in widths.iter().enumerate() {
            match column {
                0 => write!(f, "| {} ", "-".repeat(width))?,
                _ => write!(f, "| {}: ", "-".repeat(width - 1))?,
            }
        }
        writeln!(f, "|")?;
        self.rows.iter().try_for_each(|row| line(row, f))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_are_aligned() {
        let mut table = Table::new(["program", "n"]);
        table.row(["a", "12,000"]);
        table.row(["longer name", "±1"]);
        let expected = "\
| program     |      n |
| ----------- | -----: |
| a           | 12,000 |
| longer name |     ±1 |
";
        assert_eq!(table.to_string(), expected);
    }
}
