//! What the tasks are run with.

use crate::Peer;

/// A tool with its options, under the name that it has in the tables.
#[derive(Clone, Debug, PartialEq)]
pub struct Config {
    /// The name.
    pub name: String,
    /// What is run.
    pub tool: Tool,
}

/// A verifier.
#[derive(Clone, Debug, PartialEq)]
pub enum Tool {
    /// This one, with these options of `mazurka check`.
    Own(Vec<String>),
    /// Another one.
    Peer(Peer),
}

impl Config {
    /// This verifier with options of `mazurka check`.
    pub fn own(name: impl Into<String>, options: &[&str]) -> Config {
        Config {
            name: name.into(),
            tool: Tool::Own(options.iter().map(|&word| word.to_owned()).collect()),
        }
    }

    /// `NAME: --option value ...`; words with spaces are quoted as in a shell.
    pub fn parse(text: &str) -> Result<Config, String> {
        let form = "write `NAME: OPTIONS`, for instance `plain: --engine fusion --prune off`";
        let (name, options) = text.split_once(':').ok_or(form)?;
        let name = name.trim();
        let allowed = |c: char| c.is_alphanumeric() || " ._+-".contains(c);
        if name.is_empty() || !name.chars().all(allowed) {
            return Err(format!(
                "`{name}` is no name of letters, digits and ._+-; {form}"
            ));
        }
        Ok(Config {
            name: name.to_owned(),
            tool: Tool::Own(words(options)?),
        })
    }

    /// What is run, as a command.
    pub fn description(&self) -> String {
        match &self.tool {
            Tool::Own(options) => format!("mazurka check {}", options.join(" ")),
            Tool::Peer(peer) => peer.command.join(" "),
        }
    }
}

/// Splits a text into words; single and double quotes keep one together.
pub fn words(text: &str) -> Result<Vec<String>, String> {
    let mut words = Vec::new();
    let mut word: Option<String> = None;
    let mut quote = None;
    for c in text.chars() {
        match quote {
            Some(open) if c == open => quote = None,
            Some(_) => word.get_or_insert_default().push(c),
            None if c == '"' || c == '\'' => {
                quote = Some(c);
                word.get_or_insert_default();
            }
            None if c.is_whitespace() => words.extend(word.take()),
            None => word.get_or_insert_default().push(c),
        }
    }
    words.extend(word);
    match quote {
        Some(open) => Err(format!("a {open} is never closed in `{}`", text.trim())),
        None => Ok(words),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_and_options() {
        let config = Config::parse(" deep one: --engine bmc --solver-cmd 'z3 -in'").unwrap();
        assert_eq!(config.name, "deep one");
        let expected = ["--engine", "bmc", "--solver-cmd", "z3 -in"];
        assert_eq!(config, Config::own("deep one", &expected));
        assert_eq!(Config::parse("auto:").unwrap(), Config::own("auto", &[]));
    }

    #[test]
    fn mistakes_are_told() {
        for bad in ["--engine bmc", ": --engine bmc", "a/b: x"] {
            let why = Config::parse(bad).unwrap_err();
            assert!(why.contains("write `NAME: OPTIONS`"), "{why}");
        }
        assert!(Config::parse("a: 'x").unwrap_err().contains("never closed"));
    }
}
