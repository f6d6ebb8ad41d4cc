//! Bounded model checking as an [`Engine`].

use crate::{Backend, Config, Encoding, Reduction, ordering, scheduler};
use engine::{About, BadOption, Checker, Engine, Evidence, OptionSpec, Options, Values, choices};
use std::path::Path;
use verdict::{Budget, Check, MemoryModel, Proof, Property, Task};

/// `--engine bmc`.
pub struct Bmc;

/// The file among the artifacts that holds the refutation of a formula.
pub const REFUTATION: &str = "refutation.txt";

choices! {
    ENCODING: Encoding = "encoding" "ENCODING" "How the order of steps is encoded" {
        "ordering" => Encoding::Ordering, "Which write each read sees, and an order of events that fits";
        "scheduler" => Encoding::Scheduler, "Which thread moves in each step (reach, overflow and memsafety)";
    }
}

choices! {
    pub(crate) PPOR: Reduction = "ppor" "REDUCTION" "Which interleavings the scheduler encoding leaves out" {
        "full" => Reduction::Full, "Also of steps that change nothing for each other";
        "simple" => Reduction::Simple, "Also of steps that access different places";
        "static" => Reduction::Static, "Of steps that never have a variable in common";
        "none" => Reduction::None, "None";
    }
}

choices! {
    BACKEND: Backend = "backend" "SOLVER" "Which solver solves the formula of the ordering encoding" {
        "sat" => Backend::Sat, "CaDiCaL, with a theory of order";
        "z3" => Backend::Z3, "Z3";
    }
}

impl Engine for Bmc {
    fn about(&self) -> About {
        let number = Values::Number {
            least: 1,
            most: u64::from(u32::MAX),
            samples: &[],
        };
        let steps = "Consider only executions of at most this many steps (scheduler encoding) [default: all]";
        let dump = "Write the last query to the solver to a file: clauses, or SMT-LIB if the name ends in `.smt2`";
        About {
            name: "bmc",
            summary: "Unroll loops further and further, and search for an execution with a SAT solver",
            page: "engines/bmc.md",
            properties: Property::all_where(|it| {
                it.target().is_some()
                    || matches!(it, Property::Race | Property::Deadlock | Property::Robust)
            }),
            options: vec![
                ENCODING.spec(),
                PPOR.spec(),
                OptionSpec::new("steps", "K", steps, number),
                BACKEND.spec(),
                OptionSpec::new("dump", "FILE", dump, Values::File),
            ],
        }
    }

    /// Under a weak memory model, the ordering encoding looks for errors, races, and executions that are no interleavings.
    fn supports(&self, task: &Task) -> Result<(), String> {
        let is_weak = !task.memory_model.is_sc();
        match (self.about().checks(task.property), task.property) {
            (false, property) => Err(format!("bmc does not check {property}")),
            (true, Property::Reach) => Ok(()),
            (true, Property::Race) if is_weak && !task.memory_model.explains("race") => {
                Err("why accesses do not race under this memory model is not known".to_owned())
            }
            (true, Property::Race | Property::Robust) if is_weak => Ok(()),
            (true, Property::Robust) => Err(
                "under sequential consistency every execution is sequentially consistent"
                    .to_owned(),
            ),
            (true, property) if is_weak => Err(format!(
                "bmc does not check {property} under a weak memory model"
            )),
            (true, _) => Ok(()),
        }
    }

    /// Reasons why an execution is forbidden are known for models that grow with their executions.
    fn knows(&self, model: &MemoryModel) -> bool {
        model.is_sc() || model.is_shipped() && model.grows()
    }

    fn configure(&self, property: Property, options: &Options) -> Result<Checker, BadOption> {
        let encoding = encoding(property, options)?;
        let config = Config {
            encoding,
            reduction: PPOR.chosen(options)?,
            backend: BACKEND.chosen(options)?,
            steps: options.number("steps")?,
            dump: options.get("dump").map(Into::into),
            refutation: options.artifacts().map(|folder| folder.join(REFUTATION)),
            ..Config::default()
        };
        Ok(Box::new(move |task, budget| {
            crate::check(task, &config, budget)
        }))
    }

    fn recheck(&self, task: &Task, evidence: &Evidence<'_>, budget: &Budget) -> Option<Check> {
        let check = |refutation: &Path| match evidence.proof {
            Proof::CompleteUnrolling { rounds, events } => {
                ordering::recheck(task, *rounds, *events, refutation, budget).into()
            }
            Proof::AllSteps {
                rounds,
                steps,
                reduction,
            } => match PPOR.meaning(reduction) {
                Some(reduction) => {
                    let bounds = (*rounds, *steps, reduction);
                    scheduler::recheck(task, bounds, refutation, budget).into()
                }
                None => Check::Rejected(format!("there is no reduction `{reduction}`")),
            },
            _ => Check::Rejected("it is no proof of this engine".into()),
        };
        if !evidence.proof.has_refutation() {
            return None;
        }
        Some(match evidence.artifacts {
            Some(folder) => check(&folder.join(REFUTATION)),
            None => Check::Rejected("there is no refutation".into()),
        })
    }
}

/// Only the scheduler encoding works on a program in which accesses are checked.
fn encoding(property: Property, options: &Options) -> Result<Encoding, BadOption> {
    let chosen = ENCODING.chosen(options)?;
    let why = match (property, chosen) {
        (Property::MemSafety(_), Encoding::Ordering) if options.get("encoding").is_none() => {
            return Ok(Encoding::Scheduler);
        }
        (Property::MemSafety(_), Encoding::Ordering) => "ordering does not check memsafety",
        (_, Encoding::Scheduler) if property.target().is_none() => {
            "scheduler needs --property reach, overflow or memsafety"
        }
        _ => return Ok(chosen),
    };
    Err(BadOption::new("encoding", why))
}
