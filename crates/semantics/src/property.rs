//! What is checked.

use crate::{MemoryParts, Violation};
use serde::{Deserialize, Serialize};
use std::{fmt, str::FromStr};
use xcfa::ErrorKind;

/// A property of all executions.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(into = "&'static str", try_from = "String")]
pub enum Property {
    /// No error function is called and no assertion fails.
    Reach,
    /// No two threads access one cell, one of them writing, without order and not both atomic.
    Race,
    /// Some thread can always move until all have ended.
    Deadlock,
    /// No signed operation leaves the range of its type.
    Overflow,
    /// Every access and every `free` is valid, and no memory is lost; or a part of that.
    MemSafety(MemoryParts),
    /// Every execution ends.
    Termination,
    /// The functions for threads, locks and the like are used as they must be.
    Usage,
    /// Every execution that the memory model allows is sequentially consistent.
    Robust,
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
    /// A property file that asks for more than one property.
    #[error("the property file asks for {0} and for {1}: only one can be checked at a time")]
    Several(Property, Property),
    /// A property file with something else than checks.
    #[error("the property file has `{0}` where `CHECK( init(main()), LTL(...) )` is expected")]
    Text(String),
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
    /// What the verification competition calls it.
    competition: Option<&'static str>,
    demands: &'static str,
    holds: &'static str,
    formulas: &'static [&'static str],
    error: Option<ErrorKind>,
}

impl Property {
    /// All of them, in the order of the manual.
    pub const ALL: [Property; 8] = [
        Property::Reach,
        Property::Race,
        Property::Deadlock,
        Property::Overflow,
        Property::MEMSAFETY,
        Property::Termination,
        Property::Usage,
        Property::Robust,
    ];

    /// Memory safety, all of it.
    pub const MEMSAFETY: Property = Property::MemSafety(MemoryParts::ALL);

    /// Their short names, separated by commas.
    pub fn names() -> String {
        Property::ALL.map(Property::name).join(", ")
    }

    /// What is different about each property: the only list of this kind.
    const fn facts(self) -> Facts {
        match self {
            Property::Reach => Facts {
                name: "reach",
                competition: Some("unreach-call"),
                demands: "no error function is called and no assertion fails",
                holds: "no error can be reached",
                formulas: &["G ! call(reach_error())"],
                error: Some(ErrorKind::Reached),
            },
            Property::Race => Facts {
                name: "race",
                competition: Some("no-data-race"),
                demands: "no two threads use the same memory at once, one of them writing",
                holds: "there is no data race",
                formulas: &["G ! data-race"],
                error: None,
            },
            Property::Deadlock => Facts {
                name: "deadlock",
                competition: None,
                demands: "some thread can always go on until all have ended",
                holds: "there is no deadlock",
                formulas: &["G ! deadlock"],
                error: None,
            },
            Property::Overflow => Facts {
                name: "overflow",
                competition: Some("no-overflow"),
                demands: "no signed arithmetic leaves the range of its type",
                holds: "no signed operation overflows",
                formulas: &["G ! overflow"],
                error: Some(ErrorKind::Overflow),
            },
            Property::MemSafety(parts) => Facts {
                name: parts.name(),
                competition: parts.competition(),
                demands: parts.holds(),
                holds: parts.holds(),
                formulas: parts.formulas(),
                error: None,
            },
            Property::Termination => Facts {
                name: "termination",
                competition: None,
                demands: "every execution ends",
                holds: "every execution ends",
                formulas: &["F end"],
                error: None,
            },
            Property::Usage => Facts {
                name: "usage",
                competition: None,
                demands: "threads, locks, condition variables, semaphores and barriers are used as the library demands",
                holds: "the threading library is not misused",
                formulas: &["G ! misuse"],
                error: Some(ErrorKind::Misuse),
            },
            Property::Robust => Facts {
                name: "robust",
                competition: None,
                demands: "under the memory model, every execution is sequentially consistent",
                holds: "every execution is sequentially consistent",
                formulas: &["G robust"],
                error: None,
            },
        }
    }

    /// The short name used on the command line.
    pub const fn name(self) -> &'static str {
        self.facts().name
    }

    /// Its other name, if the verification competition has one for it.
    pub const fn competition_name(self) -> Option<&'static str> {
        self.facts().competition
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

    /// Its parts, each a property of its own; most have only one.
    pub(crate) fn parts(self) -> Vec<Property> {
        match self {
            Property::MemSafety(all) => {
                let single = [MemoryParts::DEREF, MemoryParts::FREE, MemoryParts::MEMTRACK];
                let parts = single.into_iter().filter(|&part| all.include(part));
                parts.map(Property::MemSafety).collect()
            }
            other => vec![other],
        }
    }

    /// Is this memory safety, or a part of it?
    pub const fn is_memsafety(self) -> bool {
        matches!(self, Property::MemSafety(_))
    }

    /// Is it a question at all under sequential consistency?
    pub const fn is_about_weak_memory(self) -> bool {
        matches!(self, Property::Robust)
    }

    /// Does an execution that ends so violate it?
    pub fn is_violated_by(self, violation: Violation) -> bool {
        match (self, violation.property()) {
            (Property::MemSafety(checked), Property::MemSafety(part)) => checked.include(part),
            (checked, violated) => checked == violated,
        }
    }

    /// The kind of error location that violates it in a model where every check of memory is a branch
    /// of its own (`abstraction::Program`): the same as [`Property::error`], and one for all violations
    /// of memory safety.
    pub const fn target(self) -> Option<ErrorKind> {
        match self {
            Property::MemSafety(_) => Some(ErrorKind::InvalidDeref),
            other => other.error(),
        }
    }

    /// All properties that pass a test.
    pub fn all_where(test: impl Fn(Property) -> bool) -> Vec<Property> {
        Property::ALL.into_iter().filter(|&it| test(it)).collect()
    }
}

impl fmt::Display for Property {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for Property {
    type Err = PropertyError;

    fn from_str(text: &str) -> Result<Property, PropertyError> {
        let parts = MemoryParts::sets().map(Property::MemSafety);
        let mut known = Property::ALL.into_iter().chain(parts);
        let unknown = || PropertyError::Unknown(text.to_owned());
        let is_meant = |p: &Property| p.name() == text || p.facts().competition == Some(text);
        known.find(is_meant).ok_or_else(unknown)
    }
}

impl From<Property> for &'static str {
    fn from(property: Property) -> &'static str {
        property.name()
    }
}

impl TryFrom<String> for Property {
    type Error = PropertyError;

    fn try_from(text: String) -> Result<Property, PropertyError> {
        text.parse()
    }
}
