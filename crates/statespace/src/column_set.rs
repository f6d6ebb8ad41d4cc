//! Columns in the order in which they were noted, each once.

/// A set of columns that is cleared often.
#[derive(Default)]
pub struct ColumnSet {
    list: Vec<u32>,
    /// By column: the round in which it was noted last.
    noted: Vec<u64>,
    round: u64,
}

impl ColumnSet {
    /// Nothing is noted any more.
    pub fn clear(&mut self) {
        self.list.clear();
        self.round += 1;
    }

    /// Notes a column.
    pub fn add(&mut self, column: u32) {
        let at = column as usize;
        if self.noted.len() <= at {
            self.noted.resize(at + 1, 0);
        }
        if self.noted[at] != self.round {
            self.noted[at] = self.round;
            self.list.push(column);
        }
    }

    /// Was it noted?
    pub fn contains(&self, column: u32) -> bool {
        self.noted.get(column as usize) == Some(&self.round)
    }

    /// All of them.
    pub fn iter(&self) -> impl Iterator<Item = u32> {
        self.list.iter().copied()
    }
}

impl Extend<u32> for ColumnSet {
    fn extend<I: IntoIterator<Item = u32>>(&mut self, columns: I) {
        columns.into_iter().for_each(|column| self.add(column));
    }
}

#[cfg(test)]
mod tests {
    use super::ColumnSet;

    #[test]
    fn each_column_once_until_it_is_cleared() {
        let mut set = ColumnSet::default();
        set.clear();
        set.extend([4, 2, 4]);
        assert_eq!(set.iter().collect::<Vec<_>>(), [4, 2]);
        assert!(set.contains(2) && !set.contains(3) && !set.contains(9));
        set.clear();
        assert!(!set.contains(2));
        assert_eq!(set.iter().count(), 0);
    }
}
