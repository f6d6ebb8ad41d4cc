//! What is checked.

use serde::{Deserialize, Serialize};
use std::{fmt, str::FromStr};
use xcfa::ErrorKind;

/// A property of all executions.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Property {
    /// No error function is called and no assertion fails.
    Reach,
    /// No two threads access one cell, one of them writing, without order and not both atomic.
    Race,
    /// Some thread can always move until all have ended.
    Deadlock,
    /// No signed operation leaves the range of its type.
    Overflow,
    /// Every access and every `free` is valid, and no memory is lost.
    MemSafety,
    /// Every execution ends.
    Termination,
}

/// A property that we cannot read.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PropertyError {
    /// Neither a short name nor the text of a property file.
    #[error("`{0}` is not a property: use {names} or a property file", names = Property::names())]
    Unknown(String),
    /// A property file whose formula is not one of ours.
    #[error("the property file asks for `{0}`, which is not supported")]
    Formula(String),
    /// A property file without a formula.
    #[error("the property file has no line `CHECK( init(main()), LTL(...) )`")]
    Empty,
    /// A property file whose lines start in different functions.
    #[error("the property file starts in `{0}` and in `{1}`")]
    Entries(String, String),
    /// A property file for another function than `main`, where that cannot be honoured.
    #[error("the property file starts in `{0}`, not in `main`")]
    Entry(String),
}

/// What is different about a property.
struct Facts {
    name: &'static str,
    demands: &'static str,
    holds: &'static str,
    formulas: &'static [&'static str],
    error: Option<ErrorKind>,
}

impl Property {
    /// All of them, in the order of the manual.
    pub const ALL: [Property; 6] = [
        Property::Reach,
        Property::Race,
        Property::Deadlock,
        Property::Overflow,
        Property::MemSafety,
        Property::Termination,
    ];

    /// Their short names, separated by commas.
    pub fn names() -> String {
        Property::ALL.map(Property::name).join(", ")
    }

    /// What is different about each property: the only list of this kind.
    const fn facts(self) -> Facts {
        match self {
            Property::Reach => Facts {
                name: "reach",
                demands: "no error function is called and no assertion fails",
                holds: "no error can be reached",
                formulas: &["G ! call(reach_error())"],
                error: Some(ErrorKind::Reached),
            },
            Property::Race => Facts {
                name: "race",
                demands: "no two threads use the same memory at once, one of them writing",
                holds: "there is no data race",
                formulas: &["G ! data-race"],
                error: None,
            },
            Property::Deadlock => Facts {
                name: "deadlock",
                demands: "some thread can always go on until all have ended",
                holds: "there is no deadlock",
                formulas: &["G ! deadlock"],
                error: None,
            },
            Property::Overflow => Facts {
                name: "overflow",
                demands: "no signed arithmetic leaves the range of its type",
                holds: "no signed operation overflows",
                formulas: &["G ! overflow"],
                error: Some(ErrorKind::Overflow),
            },
            Property::MemSafety => Facts {
                name: "memsafety",
                demands: "every access and every free is valid, no memory is lost",
                holds: "every access and every free is valid, no memory is lost",
                formulas: &["G valid-free", "G valid-deref", "G valid-memtrack"],
                error: None,
            },
            Property::Termination => Facts {
                name: "termination",
                demands: "every execution ends",
                holds: "every execution ends",
                formulas: &["F end"],
                error: None,
            },
        }
    }

    /// The short name used on the command line.
    pub const fn name(self) -> &'static str {
        self.facts().name
    }

    /// What it demands of every execution, in words.
    pub const fn demands(self) -> &'static str {
        self.facts().demands
    }

    /// What *safe* means, in words.
    pub const fn holds(self) -> &'static str {
        self.facts().holds
    }

    /// The formulas of a property file that ask for it.
    pub const fn formulas(self) -> &'static [&'static str] {
        self.facts().formulas
    }

    /// The error locations that violate it, for a property that says only which locations are never
    /// reached. Engines that check one such property check all of them.
    pub const fn error(self) -> Option<ErrorKind> {
        self.facts().error
    }

    /// All properties that pass a test.
    pub fn all_where(test: impl Fn(Property) -> bool) -> Vec<Property> {
        Property::ALL.into_iter().filter(|&it| test(it)).collect()
    }

    /// Reads the text of a property file that starts in `main`; its name plays no part.
    pub fn from_prp(text: &str) -> Result<Property, PropertyError> {
        match Property::from_prp_with_entry(text)? {
            (property, entry) if entry == "main" => Ok(property),
            (_, entry) => Err(PropertyError::Entry(entry)),
        }
    }

    /// Reads the text of a property file, with the function that `init(...)` names.
    pub fn from_prp_with_entry(text: &str) -> Result<(Property, String), PropertyError> {
        let mut found: Option<(Property, String)> = None;
        for Check { entry, formula } in text.lines().filter_map(check_line) {
            // The old name of the error function.
            let modern = formula.replace("__VERIFIER_error", "reach_error");
            let asks = |property: &Property| {
                let mut formulas = property.formulas().iter();
                formulas.any(|known| known.replace(' ', "") == modern)
            };
            let Some(property) = Property::ALL.into_iter().find(asks) else {
                return Err(PropertyError::Formula(formula));
            };
            match &found {
                Some((before, _)) if *before != property => {
                    return Err(PropertyError::Formula(formula));
                }
                Some((_, before)) if *before != entry => {
                    return Err(PropertyError::Entries(before.clone(), entry));
                }
                _ => found = Some((property, entry)),
            }
        }
        found.ok_or(PropertyError::Empty)
    }
}

/// A line `CHECK( init(entry()), LTL(formula) )`.
struct Check {
    entry: String,
    formula: String,
}

/// The parts of a `CHECK` line, without white space.
fn check_line(line: &str) -> Option<Check> {
    let line: String = line.chars().filter(|c| !c.is_whitespace()).collect();
    let (start, inside) = line.strip_prefix("CHECK(init(")?.split_once("LTL(")?;
    let entry = start.strip_suffix("()),").unwrap_or(start);
    Some(Check {
        entry: entry.to_owned(),
        formula: inside.strip_suffix("))")?.to_owned(),
    })
}

impl fmt::Display for Property {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for Property {
    type Err = PropertyError;

    fn from_str(text: &str) -> Result<Property, PropertyError> {
        let unknown = || PropertyError::Unknown(text.to_owned());
        Property::ALL
            .into_iter()
            .find(|p| p.name() == text)
            .ok_or_else(unknown)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn property_files() {
        let check =
            |formula: &str| Property::from_prp(&format!("CHECK( init(main()), LTL({formula}) )\n"));
        assert_eq!(check("G ! call(reach_error())"), Ok(Property::Reach));
        assert_eq!(check("G ! data-race"), Ok(Property::Race));
        assert_eq!(check("F end"), Ok(Property::Termination));
        assert_eq!(check("G ! overflow"), Ok(Property::Overflow));
        assert_eq!(check("G x"), Err(PropertyError::Formula("Gx".into())));
        assert_eq!(Property::from_prp(""), Err(PropertyError::Empty));
        let three =
            "CHECK( init(main()), LTL(G valid-free) )\nCHECK( init(main()), LTL(G valid-deref) )\n";
        assert_eq!(Property::from_prp(three), Ok(Property::MemSafety));
    }

    #[test]
    fn the_function_that_a_file_starts_in() {
        let line = |entry: &str| format!("CHECK( init({entry}()), LTL(G ! overflow) )\n");
        let read = |text: &str| Property::from_prp_with_entry(text);
        assert_eq!(read(&line("f")), Ok((Property::Overflow, "f".into())));
        let entry = Err(PropertyError::Entry("f".into()));
        assert_eq!(Property::from_prp(&line("f")), entry);
        let both = Err(PropertyError::Entries("f".into(), "main".into()));
        assert_eq!(read(&(line("f") + &line("main"))), both);
    }
}
