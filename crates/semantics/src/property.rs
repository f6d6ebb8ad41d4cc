//! What is checked.

use serde::{Deserialize, Serialize};
use std::{fmt, str::FromStr};

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
    #[error(
        "`{0}` is not a property: use reach, race, deadlock, overflow, memsafety, termination or \
         a property file"
    )]
    Unknown(String),
    /// A property file whose formula is not one of ours.
    #[error("the property file asks for `{0}`, which is not supported")]
    Formula(String),
    /// A property file without a formula.
    #[error("the property file has no line `CHECK( init(main()), LTL(...) )`")]
    Empty,
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

    /// The short name used on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Property::Reach => "reach",
            Property::Race => "race",
            Property::Deadlock => "deadlock",
            Property::Overflow => "overflow",
            Property::MemSafety => "memsafety",
            Property::Termination => "termination",
        }
    }

    /// Reads the text of a property file; its name plays no part.
    pub fn from_prp(text: &str) -> Result<Property, PropertyError> {
        let mut found = None;
        for formula in text.lines().filter_map(ltl_formula) {
            let property = match formula.as_str() {
                "G!call(reach_error())" | "G!call(__VERIFIER_error())" => Property::Reach,
                "G!data-race" => Property::Race,
                "G!deadlock" => Property::Deadlock,
                "G!overflow" => Property::Overflow,
                "Gvalid-free" | "Gvalid-deref" | "Gvalid-memtrack" => Property::MemSafety,
                "Fend" => Property::Termination,
                _ => return Err(PropertyError::Formula(formula)),
            };
            if found.is_some_and(|before| before != property) {
                return Err(PropertyError::Formula(formula));
            }
            found = Some(property);
        }
        found.ok_or(PropertyError::Empty)
    }
}

/// The formula inside `LTL( ... )` of a `CHECK` line, without white space.
fn ltl_formula(line: &str) -> Option<String> {
    let line: String = line.chars().filter(|c| !c.is_whitespace()).collect();
    let inside = line.strip_prefix("CHECK(init(")?.split_once("LTL(")?.1;
    inside.strip_suffix("))").map(str::to_owned)
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
}
