//! Words and what they mean.

use crate::{BadOption, OptionSpec, Options, Value, Values};

/// The words that an option may be, what each means, and how it is explained. The first is the
/// default.
///
/// Both the help text and the meaning of an option come from one such table.
#[derive(Clone, Copy, Debug)]
pub struct Choices<T: 'static> {
    /// The option's name.
    pub option: &'static str,
    /// What stands for its value in help texts.
    pub value_name: &'static str,
    /// What it decides.
    pub help: &'static str,
    /// Word, meaning, explanation.
    pub words: &'static [(&'static str, T, &'static str)],
}

impl<T: Copy> Choices<T> {
    /// The option as others see it.
    pub fn spec(&self) -> OptionSpec {
        let words = self.words.iter();
        let words = words.map(|&(name, _, help)| Value { name, help });
        let values = Values::OneOf(words.collect());
        OptionSpec::new(self.option, self.value_name, self.help, values).or(self.words[0].0)
    }

    /// What a word means.
    pub fn meaning(&self, word: &str) -> Option<T> {
        let known = self.words.iter().find(|(name, ..)| *name == word);
        known.map(|&(_, meaning, _)| meaning)
    }

    /// The word for a meaning; the default if there is none.
    pub fn word(&self, wanted: T) -> &'static str
    where
        T: PartialEq,
    {
        let mut words = self.words.iter();
        let known = words.find(|(_, meaning, _)| *meaning == wanted);
        known.unwrap_or(&self.words[0]).0
    }

    /// What was chosen.
    pub fn chosen(&self, options: &Options) -> Result<T, BadOption> {
        let Some(given) = options.get(self.option) else {
            return Ok(self.words[0].1);
        };
        self.meaning(given).ok_or_else(|| {
            let names: Vec<&str> = self.words.iter().map(|&(name, ..)| name).collect();
            let why = format!("`{given}` is none of {}", names.join(", "));
            BadOption::new(self.option, why)
        })
    }
}

/// A table of [`Choices`]: its name and type, the option, what stands for its value, what it decides;
/// then the words, each with its meaning and an explanation.
#[macro_export]
macro_rules! choices {
    ($(#[$doc:meta])* $vis:vis $name:ident: $type:ty = $option:literal $value:literal $help:literal {
        $($word:literal => $meaning:expr, $text:literal;)+
    }) => {
        $(#[$doc])*
        $vis const $name: $crate::Choices<$type> = $crate::Choices {
            option: $option,
            value_name: $value,
            help: $help,
            words: &[$(($word, $meaning, $text)),+],
        };
    };
}
