//! Figures that an engine counts, by name, in the order they were first set.

use serde::de::{MapAccess, Visitor};
use serde::{Deserialize, Deserializer, Serialize, Serializer, ser::SerializeMap};
use std::borrow::Cow;
use std::fmt;

/// Named counters.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Stats {
    figures: Vec<(Cow<'static, str>, u64)>,
}

impl Stats {
    /// Sets a figure.
    pub fn set(&mut self, name: &'static str, value: u64) {
        match self.figures.iter_mut().find(|(known, _)| *known == name) {
            Some((_, old)) => *old = value,
            None => self.figures.push((Cow::Borrowed(name), value)),
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
    pub fn iter(&self) -> impl Iterator<Item = (&str, u64)> + '_ {
        self.figures.iter().map(|(name, value)| (&**name, *value))
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

impl<'de> Deserialize<'de> for Stats {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Stats, D::Error> {
        deserializer.deserialize_map(InOrder)
    }
}

/// Reads figures in the order in which they were written.
struct InOrder;

impl<'de> Visitor<'de> for InOrder {
    type Value = Stats;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("named figures")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Stats, A::Error> {
        let mut figures = Vec::new();
        while let Some((name, value)) = map.next_entry::<String, u64>()? {
            figures.push((Cow::Owned(name), value));
        }
        Ok(Stats { figures })
    }
}

/// `1234567` as `1,234,567`.
pub fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut out = String::new();
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            out.push(',');
        }
        out.push(digit);
    }
    out
}

#[cfg(test)]
mod tests {
    #[test]
    fn grouped() {
        assert_eq!(super::grouped(0), "0");
        assert_eq!(super::grouped(999), "999");
        assert_eq!(super::grouped(1_234_567), "1,234,567");
    }
}
