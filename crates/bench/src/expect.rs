//! The files `expect.toml`: what is known about the programs beside them.
//!
//! A file is a list of tables, one a program: `[name]`, then `property = "verdict"` lines and, where
//! it has been settled, `states = N` for the number of states that the reference exploration visits
//! for `reach`.

use std::collections::BTreeMap;
use toml::Value;

/// What is known about one program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Expectation {
    /// Name of the program's file without its extension.
    pub name: String,
    /// Verdict by the short name of the property.
    pub verdicts: Vec<(String, String)>,
    /// States visited for the property `reach`.
    pub states: Option<u64>,
}

/// A whole file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Expectations {
    /// By name.
    pub programs: Vec<Expectation>,
}

impl Expectations {
    /// Reads the text of a file; an error says where and what.
    pub fn parse(text: &str) -> Result<Expectations, String> {
        let tables: BTreeMap<String, toml::Table> =
            toml::from_str(text).map_err(|error| error.to_string())?;
        let read = |(name, table)| Expectation::read(name, table);
        let programs = tables.into_iter().map(read).collect::<Result<_, _>>()?;
        Ok(Expectations { programs })
    }
}

impl Expectation {
    fn read(name: String, table: toml::Table) -> Result<Expectation, String> {
        let (mut verdicts, mut states) = (Vec::new(), None);
        for (key, value) in table {
            match (key.as_str(), &value) {
                ("states", &Value::Integer(count)) if count >= 0 => states = Some(count as u64),
                (_, Value::String(verdict))
                    if matches!(verdict.as_str(), "safe" | "unsafe" | "unknown") =>
                {
                    verdicts.push((key, verdict.clone()));
                }
                _ => return Err(format!("[{name}]: `{key}` is neither states nor a verdict")),
            }
        }
        Ok(Expectation {
            name,
            verdicts,
            states,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_tables() {
        let text = "# head\n[a]\nreach = \"safe\" # why\nrace = \"unsafe\"\nstates = 12\n\n[b]\n";
        let read = Expectations::parse(text).expect("a valid file");
        assert_eq!(read.programs.len(), 2);
        assert_eq!(read.programs[0].states, Some(12));
        let verdicts = [("race", "unsafe"), ("reach", "safe")];
        let verdicts: Vec<_> = verdicts.map(|(p, v)| (p.to_owned(), v.to_owned())).into();
        assert_eq!(read.programs[0].verdicts, verdicts);
    }

    #[test]
    fn refuses_what_it_does_not_know() {
        for text in [
            "reach = \"safe\"",
            "[a]\nreach = \"maybe\"",
            "[a]\n[a]",
            "[a]\nstates = \"1\"",
        ] {
            assert!(Expectations::parse(text).is_err(), "{text}");
        }
    }
}
