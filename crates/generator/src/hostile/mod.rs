//! Random programs about what [`generate`](crate::generate) never makes: C that is undefined or
//! unspecified but does something all the same, and C beyond one file of plain functions.
//!
//! Each [`Class`] has a grammar in a file of its own. A program comes with its property and with an
//! [`Oracle`]: many of these classes were once wrong in *every* engine, because the front end, the
//! library or the machine was wrong, so that comparing engines alone would not show it.
//!
//! Programs are [`Source`]s: pieces of text, some of which may be left out without changing what is
//! known about the program.

mod attributes;
mod control;
mod files;
mod library;
mod library_calls;
mod library_threads;
mod lifetimes;
mod numbers;
mod numbers_ways;
mod reuse;
mod sizes;
mod source;
mod spinning;
mod unlocks;

pub use source::{Piece, Source};

use crate::Rng;
use semantics::Property;
use std::fmt;
use std::str::FromStr;

/// What a program is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Class {
    /// Locks of every kind that are released by a thread that does not hold them.
    Unlocks,
    /// Addresses that become numbers and numbers that become addresses.
    Numbers,
    /// Threads that spin, are cut off or get stuck right after an access.
    Spinning,
    /// Allocations of computed size.
    Sizes,
    /// Addresses and handles that are used again.
    Reuse,
    /// Attributes, and built-ins whose arguments have effects.
    Attributes,
    /// Several files with weak, strong, tentative and static symbols.
    Files,
    /// Calls of the C library and their results.
    Library,
    /// Objects that are constant, too small, or whose life is over.
    Lifetimes,
    /// Jumps: `longjmp`, computed `goto`, into loops, out of expressions; recursion.
    Control,
}

impl Class {
    /// All of them.
    pub const ALL: [Class; 10] = [
        Class::Unlocks,
        Class::Numbers,
        Class::Spinning,
        Class::Sizes,
        Class::Reuse,
        Class::Attributes,
        Class::Files,
        Class::Library,
        Class::Lifetimes,
        Class::Control,
    ];

    /// Its name on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Class::Unlocks => "unlocks",
            Class::Numbers => "numbers",
            Class::Spinning => "spinning",
            Class::Sizes => "sizes",
            Class::Reuse => "reuse",
            Class::Attributes => "attributes",
            Class::Files => "files",
            Class::Library => "library",
            Class::Lifetimes => "lifetimes",
            Class::Control => "control",
        }
    }
}

impl fmt::Display for Class {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for Class {
    type Err = String;

    fn from_str(name: &str) -> Result<Class, String> {
        let found = Class::ALL.into_iter().find(|class| class.name() == name);
        found.ok_or_else(|| format!("there is no class `{name}`"))
    }
}

/// The oracles: what is known about a program besides the engines' answers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Oracle {
    /// No oracle: a compiler makes something else of it than the machine does.
    Engines,
    /// A compiled run that goes wrong proves that the program is unsafe; others prove nothing.
    Runs,
    /// The program has one execution, which calls `check` with some values; a compiled run tells
    /// which ones. It may call `input(k)`, which is an input that is `k`.
    Values,
    /// The author: is it safe?
    Known(bool),
}

/// A program, a question about it, and the oracle for the answer.
#[derive(Clone, Debug)]
pub struct Hostile {
    /// What it is about.
    pub class: Class,
    /// The question.
    pub property: Property,
    /// The text.
    pub source: Source,
    /// The oracle that knows the answer.
    pub oracle: Oracle,
}

/// The random program of a class and a seed.
pub fn hostile(class: Class, seed: u64) -> Hostile {
    let rng = Rng::new(seed ^ (class as u64) << 56);
    let (property, oracle, source) = match class {
        Class::Unlocks => unlocks::program(rng),
        Class::Numbers => numbers::program(rng),
        Class::Spinning => spinning::program(rng),
        Class::Sizes => sizes::program(rng),
        Class::Reuse => reuse::program(rng),
        Class::Attributes => attributes::program(rng),
        Class::Files => files::program(rng),
        Class::Library => library::program(rng),
        Class::Lifetimes => lifetimes::program(rng),
        Class::Control => control::program(rng),
    };
    Hostile {
        class,
        property,
        source,
        oracle,
    }
}

/// What a grammar makes.
type Made = (Property, Oracle, Source);

/// What verifiers give programs.
const INTRINSICS: &str = "\
extern void reach_error(void);
extern _Bool __VERIFIER_nondet_bool(void);
extern int __VERIFIER_nondet_int(void);
extern unsigned int __VERIFIER_nondet_uint(void);
extern unsigned long __VERIFIER_nondet_ulong(void);
extern void __VERIFIER_assume(int);";

/// What programs with [`Oracle::Values`] are given.
const GIVEN: &str = "extern void check(long long);\nextern int input(int);";

#[cfg(test)]
mod tests {
    use super::*;
    use std::process::Command;

    /// Every file of every class is C, and a seed gives the same program again.
    #[test]
    fn compilers_accept_them() {
        let folder = tempfile::tempdir().expect("a temporary folder");
        for class in Class::ALL {
            let mut cc = Command::new("cc");
            cc.args(["-std=gnu11", "-fsyntax-only", "-Werror=implicit"]);
            cc.args([
                "-Werror=int-conversion",
                "-Werror=incompatible-pointer-types",
            ]);
            for seed in 0..24 {
                let made = hostile(class, seed);
                assert_eq!(made.source, hostile(class, seed).source);
                for (at, text) in made.source.texts().iter().enumerate() {
                    let path = folder.path().join(format!("{class}_{seed}_{at}.c"));
                    std::fs::write(&path, text).expect("a writable folder");
                    cc.arg(path);
                }
            }
            let output = cc.output().expect("a C compiler named cc");
            let messages = String::from_utf8_lossy(&output.stderr);
            assert!(output.status.success(), "{messages}");
        }
    }

    /// No class is one template: most programs differ.
    #[test]
    fn they_vary() {
        for class in Class::ALL {
            let texts = (0..300).map(|seed| hostile(class, seed).source.texts());
            let texts: std::collections::BTreeSet<_> = texts.collect();
            assert!(texts.len() > 150, "{class}: {} of 300", texts.len());
        }
    }

    #[test]
    fn names_are_read() {
        for class in Class::ALL {
            assert_eq!(class.name().parse(), Ok(class));
        }
        assert!("plain".parse::<Class>().is_err());
    }
}
