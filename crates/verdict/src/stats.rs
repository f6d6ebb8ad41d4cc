//! Figures that an engine counts, by name, in the order they were first set.

use serde::{Serialize, Serializer, ser::SerializeMap};

/// Named counters.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Stats {
    figures: Vec<(&'static str, u64)>,
}

impl Stats {
    /// Sets a figure.
    pub fn set(&mut self, name: &'static str, value: u64) {
        match self.figures.iter_mut().find(|(known, _)| *known == name) {
            Some((_, old)) => *old = value,
            None => self.figures.push((name, value)),
        }
    }

    /// The figure of that name.
    pub fn get(&self, name: &str) -> Option<u64> {
        self.figures
            .iter()
            .find(|(known, _)| *known == name)
            .map(|(_, value)| *value)
    }

    /// All figures.
    pub fn iter(&self) -> impl Iterator<Item = (&'static str, u64)> + '_ {
        self.figures.iter().copied()
    }
}

impl Serialize for Stats {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(Some(self.figures.len()))?;
        for (name, value) in self.iter() {
            map.serialize_entry(name, &value)?;
        }
        map.end()
    }
}
