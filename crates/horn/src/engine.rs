//! Compositional proofs as an [`Engine`].

use crate::{Config, Index, Inference};
use engine::{About, BadOption, Checker, Engine, Evidence, OptionSpec, Options, Values, choices};
use verdict::{Answer, Budget, Check, Proof, Property, Task};

/// `--engine horn`.
pub struct Horn;

choices! {
    REDUCTION: bool = "reduction" "ON"
        "Treat blocks of actions that commute with those of other threads as one step" {
        "on" => true, "Yes";
        "off" => false, "No";
    }
}

choices! {
    INFERENCE: Inference = "inference" "HOW"
        "How the locks that are held and the phases of blocks are found" {
        "flow" => Inference::Flow, "By following the actions of each thread";
        "clauses" => Inference::Clauses, "By Horn clauses, as in the paper";
    }
}

choices! {
    INDEX: Index = "index" "THREADS"
        "How many threads an invariant is about; the others are its environment" {
        "auto" => Index::Auto, "One, then two, then all, or three if their number has no bound";
        "1" => Index::Threads(1), "One thread";
        "2" => Index::Threads(2), "Two threads";
        "3" => Index::Threads(3), "Three threads";
    }
}

choices! {
    RULE: bool = "rule" "RULE"
        "The proof rule [default: the one that fits the property]" {
        "safety" => false, "No error is reached (reach, overflow, memsafety)";
        "termination" => true, "Every execution ends (termination)";
    }
}

/// Options that go with some properties only.
fn consistent(property: Property, options: &Options) -> Result<(), BadOption> {
    let ends = property == Property::Termination;
    let safety = "needs --property reach, overflow or memsafety";
    let chosen = |name| options.get(name).is_some_and(|word| word != "auto");
    if let Some(name) = ["index", "solver-cmd"]
        .into_iter()
        .find(|name| chosen(name))
        && ends
    {
        return Err(BadOption::new(name, safety));
    }
    let rule = options.get("rule");
    match rule.map(|_| RULE.chosen(options)).transpose()? {
        Some(false) if ends => Err(BadOption::new("rule", format!("safety {safety}"))),
        Some(true) if !ends => {
            let why = "termination needs --property termination";
            Err(BadOption::new("rule", why))
        }
        _ => Ok(()),
    }
}

impl Engine for Horn {
    fn about(&self) -> About {
        let solver = "Use this solver instead of Spacer: a command whose last argument is a file of Horn clauses in SMT-LIB (bit vectors); its answers are checked";
        let dump = "Write the last Horn clauses to a file, in SMT-LIB";
        let invariants = "Show the invariants of a proof";
        About {
            name: "horn",
            summary: "Find invariants of threads that no other thread breaks, for any number of threads",
            page: "engines/horn.md",
            properties: Property::all_where(|it| {
                it.target().is_some() || it == Property::Termination
            }),
            options: vec![
                REDUCTION.spec(),
                INFERENCE.spec(),
                INDEX.spec(),
                RULE.spec().or(""),
                OptionSpec::new("solver-cmd", "COMMAND", solver, Values::Text),
                OptionSpec::new("dump", "FILE", dump, Values::File),
                OptionSpec::new("invariants", "", invariants, Values::Flag),
            ],
        }
    }

    fn configure(&self, property: Property, options: &Options) -> Result<Checker, BadOption> {
        consistent(property, options)?;
        let config = Config {
            reduction: REDUCTION.chosen(options)?,
            inference: INFERENCE.chosen(options)?,
            index: INDEX.chosen(options)?,
            dump: options.get("dump").map(Into::into),
            solver: options.get("solver-cmd").map(str::to_owned),
            certify: options.artifacts().is_some(),
        };
        let shown = options.get("invariants").is_some();
        Ok(Box::new(move |task, budget| {
            let (answer, proved) = crate::check_with_invariants(task, &config, budget);
            let lines = proved
                .iter()
                .map(|proved| format!("{}:\n  {}\n", proved.place, proved.formula));
            Answer {
                notes: lines.filter(|_| shown).collect(),
                ..answer
            }
        }))
    }

    fn recheck(&self, task: &Task, evidence: &Evidence<'_>, budget: &Budget) -> Option<Check> {
        let Proof::Invariants { certificate, .. } = evidence.proof else {
            return None;
        };
        let checked = match task.property {
            // Facts at locations, and what is held there, are invariants too, but not of these clauses.
            _ if certificate.is_null() => return None,
            _ if ["places", "locks"]
                .iter()
                .any(|it| certificate.get(it).is_some()) =>
            {
                return None;
            }
            Property::Termination => evidence::ranks(task, certificate, budget),
            _ => crate::recheck(task, certificate, budget),
        };
        Some(checked.into())
    }
}
