//! The options that the user has chosen.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// Options by name, as words. Each engine takes those that it knows.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Options {
    given: BTreeMap<String, Vec<String>>,
    artifacts: Option<PathBuf>,
}

/// An option that does not go.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("--{option} {why}")]
pub struct BadOption {
    /// Its name.
    pub option: String,
    /// What is wrong with it.
    pub why: String,
}

impl BadOption {
    /// Something is wrong with an option.
    pub fn new(option: impl Into<String>, why: impl Into<String>) -> BadOption {
        BadOption {
            option: option.into(),
            why: why.into(),
        }
    }
}

impl Options {
    /// Chooses a value; an option that may be given several times collects them.
    pub fn add(&mut self, name: impl Into<String>, value: impl Into<String>) {
        self.given
            .entry(name.into())
            .or_default()
            .push(value.into());
    }

    /// The same, for a chain of calls.
    pub fn with(mut self, name: impl Into<String>, value: impl Into<String>) -> Options {
        self.add(name, value);
        self
    }

    /// With a folder for evidence that is too large to be part of an answer.
    pub fn with_artifacts(mut self, folder: Option<PathBuf>) -> Options {
        self.artifacts = folder;
        self
    }

    /// Where large evidence goes, if it is wanted.
    pub fn artifacts(&self) -> Option<&Path> {
        self.artifacts.as_deref()
    }

    /// The names of the options that were given.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.given.keys().map(String::as_str)
    }

    /// The value that was given last.
    pub fn get(&self, name: &str) -> Option<&str> {
        self.all(name).last().map(String::as_str)
    }

    /// All values that were given, in order.
    pub fn all(&self, name: &str) -> &[String] {
        self.given.get(name).map_or(&[], Vec::as_slice)
    }

    /// A number, if one was given.
    pub fn number<N: TryFrom<u64>>(&self, name: &str) -> Result<Option<N>, BadOption> {
        let Some(text) = self.get(name) else {
            return Ok(None);
        };
        let number = text.parse::<u64>().ok();
        match number.and_then(|number| N::try_from(number).ok()) {
            Some(number) => Ok(Some(number)),
            None => Err(BadOption::new(
                name,
                format!("`{text}` is not a number in its range"),
            )),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Choices;

    const COLOUR: Choices<u8> = Choices {
        option: "colour",
        value_name: "COLOUR",
        help: "Which colour",
        words: &[("red", 1, "Red"), ("blue", 2, "Blue")],
    };

    #[test]
    fn the_first_word_is_the_default_and_the_last_one_given_counts() {
        let none = Options::default();
        assert_eq!(COLOUR.chosen(&none), Ok(1));
        let twice = none.with("colour", "red").with("colour", "blue");
        assert_eq!(COLOUR.chosen(&twice), Ok(2));
    }

    #[test]
    fn a_wrong_word_is_told_with_the_right_ones() {
        let wrong = Options::default().with("colour", "green");
        let error = COLOUR.chosen(&wrong).unwrap_err();
        assert_eq!(error.to_string(), "--colour `green` is none of red, blue");
    }

    #[test]
    fn numbers_have_a_size() {
        let options = Options::default().with("steps", "300");
        assert_eq!(options.number::<u32>("steps"), Ok(Some(300)));
        assert!(options.number::<u8>("steps").is_err());
        assert_eq!(options.number::<u8>("depth"), Ok(None));
    }
}
