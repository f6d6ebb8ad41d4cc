//! The files `expect.toml`: what is known about the programs beside them.
//!
//! A file is a list of tables, one a program: `[name]`, then `property = "verdict"` lines and, where
//! it has been settled, `states = N` for the number of states that the reference exploration visits
//! for `reach`. Only this much of TOML is read.

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
    /// In the order of the file.
    pub programs: Vec<Expectation>,
}

impl Expectations {
    /// Reads the text of a file; an error names the line.
    pub fn parse(text: &str) -> Result<Expectations, String> {
        let mut programs: Vec<Expectation> = Vec::new();
        for (at, line) in text.lines().enumerate() {
            let line = line.split('#').next().unwrap_or("").trim();
            let wrong = |what: &str| format!("line {}: {what}: `{line}`", at + 1);
            if line.is_empty() {
                continue;
            }
            if let Some(name) = line.strip_prefix('[').and_then(|l| l.strip_suffix(']')) {
                if programs.iter().any(|known| known.name == name) {
                    return Err(wrong("this program came before"));
                }
                programs.push(Expectation {
                    name: name.into(),
                    verdicts: vec![],
                    states: None,
                });
                continue;
            }
            let current = programs
                .last_mut()
                .ok_or_else(|| wrong("before the first program"))?;
            let (key, value) = line
                .split_once('=')
                .ok_or_else(|| wrong("not `key = value`"))?;
            current.set(key.trim(), value.trim()).map_err(wrong)?;
        }
        Ok(Expectations { programs })
    }
}

impl Expectation {
    fn set(&mut self, key: &str, value: &str) -> Result<(), &'static str> {
        if key == "states" {
            self.states = Some(value.parse().map_err(|_| "not a number")?);
            return Ok(());
        }
        let verdict = value
            .strip_prefix('"')
            .and_then(|value| value.strip_suffix('"'));
        match verdict {
            Some("safe" | "unsafe" | "unknown") => {
                let verdict = verdict.unwrap_or_default();
                self.verdicts.push((key.to_owned(), verdict.to_owned()));
                Ok(())
            }
            _ => Err("a verdict is \"safe\", \"unsafe\" or \"unknown\""),
        }
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
        let verdicts = [("reach", "safe"), ("race", "unsafe")];
        let verdicts: Vec<_> = verdicts.map(|(p, v)| (p.to_owned(), v.to_owned())).into();
        assert_eq!(read.programs[0].verdicts, verdicts);
    }

    #[test]
    fn refuses_what_it_does_not_know() {
        for (text, line) in [
            ("reach = \"safe\"", 1),
            ("[a]\nreach = \"maybe\"", 2),
            ("[a]\n[a]", 2),
        ] {
            let error = Expectations::parse(text).expect_err("an invalid file");
            assert!(error.starts_with(&format!("line {line}:")), "{error}");
        }
    }
}
