//! What an engine is: a method that answers tasks.
//!
//! An [`Engine`] says what it is and which options it has ([`About`]), which tasks it supports, and
//! answers them; it also checks its own evidence again. Everything that offers engines to users
//! (the command line, the portfolio, the fuzzer, the manual) reads this and nothing else, so a new
//! engine is one crate and one line in the registry of the crate `driver`.
//!
//! It deliberately knows no engine, no file formats and no command line.

mod about;
mod choices;
mod options;
mod spec;

pub use about::About;
pub use choices::Choices;
pub use options::{BadOption, Options};
pub use spec::{OptionSpec, Value, Values};

use std::path::Path;
use verdict::{Answer, Budget, Check, MemoryModel, Preparation, Proof, Property, Task};

/// A method that answers tasks.
///
/// Law: *safe* and *unsafe* carry evidence that [`Engine::recheck`] and the replay of the machine
/// accept without the reasoning of the check itself. Whatever runs out, is cut or is not understood
/// ends in *unknown*.
pub trait Engine: Sync {
    /// Its name, what it does, and its options.
    fn about(&self) -> About;

    /// Can it answer this task at all? If not, the reason, which more time does not change.
    fn supports(&self, task: &Task) -> Result<(), String> {
        let (about, property) = (self.about(), task.property);
        match about.checks(property) {
            true => Ok(()),
            false => Err(format!("{} does not check {property}", about.name)),
        }
    }

    /// How programs have to be prepared for it, if not as for others.
    fn preparation(&self) -> Option<Preparation> {
        None
    }

    /// Does it know this memory model? By default an engine knows sequential consistency alone, and is not
    /// asked about others.
    fn knows(&self, model: &MemoryModel) -> bool {
        model.is_sc()
    }

    /// The engine with options, ready to be asked about tasks of a property. Options that it does
    /// not know do not concern it.
    fn configure(&self, property: Property, options: &Options) -> Result<Checker, BadOption>;

    /// Checks the evidence of a *safe* from the program alone; nothing if the evidence does not
    /// hold what such a check needs.
    fn recheck(&self, task: &Task, evidence: &Evidence<'_>, budget: &Budget) -> Option<Check> {
        let _ = (task, evidence, budget);
        None
    }
}

/// An engine with its options: from a task and a budget to an answer.
pub type Checker = Box<dyn Fn(&Task, &Budget) -> Answer + Send + Sync>;

/// What a *safe* rests on.
#[derive(Clone, Copy, Debug)]
pub struct Evidence<'a> {
    /// The proof.
    pub proof: &'a Proof,
    /// The folder with what is too large to be part of it.
    pub artifacts: Option<&'a Path>,
}
