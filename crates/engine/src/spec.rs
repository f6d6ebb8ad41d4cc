//! Options as data, so that help, completion, the manual and random settings come from one place.

/// An option of an engine.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OptionSpec {
    /// Its name, without dashes.
    pub name: &'static str,
    /// What stands for its value in help texts.
    pub value_name: &'static str,
    /// What it decides, in one sentence.
    pub help: &'static str,
    /// What it may be.
    pub values: Values,
    /// Its value if it is not given; empty if there is none or it depends.
    pub default: &'static str,
}

/// What an option may be.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Values {
    /// One of these words.
    OneOf(Vec<Value>),
    /// A number in this range, both ends included.
    Number {
        /// The least.
        least: u64,
        /// The largest.
        most: u64,
        /// Numbers worth trying when settings are drawn at random.
        samples: &'static [u64],
    },
    /// Any text.
    Text,
    /// Any number of texts; the option is repeated for each.
    Texts,
    /// The path of a file to write.
    File,
    /// No value: it is given or not.
    Flag,
}

/// A word that an option may be.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Value {
    /// The word.
    pub name: &'static str,
    /// What it means.
    pub help: &'static str,
}

impl OptionSpec {
    /// An option without a default.
    pub fn new(
        name: &'static str,
        value_name: &'static str,
        help: &'static str,
        values: Values,
    ) -> OptionSpec {
        OptionSpec {
            name,
            value_name,
            help,
            values,
            default: "",
        }
    }

    /// With a default.
    pub fn or(self, default: &'static str) -> OptionSpec {
        OptionSpec { default, ..self }
    }

    /// Values worth trying when settings are drawn at random, the default first.
    pub fn samples(&self) -> Vec<String> {
        let default = Some(self.default.to_owned()).filter(|word| !word.is_empty());
        let others: Vec<String> = match &self.values {
            Values::OneOf(words) => words.iter().map(|word| word.name.to_owned()).collect(),
            Values::Number { samples, .. } => samples.iter().map(u64::to_string).collect(),
            Values::Text | Values::Texts | Values::File | Values::Flag => return Vec::new(),
        };
        let others = others
            .into_iter()
            .filter(|word| Some(word) != default.as_ref());
        match others.clone().next() {
            Some(_) => default.iter().cloned().chain(others).collect(),
            None => Vec::new(),
        }
    }
}
