//! Proofs over reductions as an [`Engine`].

use crate::{Commutativity, Config, OrderChoice};
use engine::{About, BadOption, Checker, Engine, Evidence, Options, choices};
use verdict::{Budget, Check, Proof, Property, Task};

/// `--engine reduce`.
pub struct Reduce;

choices! {
    ORDER: OrderChoice = "order" "ORDER"
        "Which of several equivalent executions is kept" {
        "auto" => OrderChoice::Auto, "All orders below in turns";
        "groups" => OrderChoice::Groups, "The threads of one side of the assertion in lockstep with those of the other";
        "lockstep" => OrderChoice::Lockstep, "All threads in lockstep: the turn passes at the end of a round of a loop";
        "outer" => OrderChoice::Outer, "The same, at the end of a round of an outer loop";
        "pipes" => OrderChoice::Pipes, "A thread that waits for another comes before it; threads apart from each other in lockstep";
        "accesses" => OrderChoice::Accesses, "Lockstep in which the turn passes at accesses to memory that is not variables";
        "sequential" => OrderChoice::Sequential, "One thread after the other";
        "reversed" => OrderChoice::Reversed, "The same, the last one first";
    }
}

choices! {
    COMMUTATIVITY: Option<Commutativity> = "commutativity" "WHICH"
        "Which steps of different threads can be swapped" {
        "auto" => None, "Those of `semantic`, then those of `conditional`";
        "off" => Some(Commutativity::Off), "None: every interleaving is kept";
        "syntactic" => Some(Commutativity::Syntactic), "Those that do not touch a common variable, or only read it";
        "semantic" => Some(Commutativity::Semantic), "Also those that a solver shows to commute";
        "conditional" => Some(Commutativity::Conditional), "Also those that commute in some states, which are told apart";
    }
}

impl Engine for Reduce {
    fn about(&self) -> About {
        About {
            name: "reduce",
            summary: "Prove one of each class of equivalent interleavings, such as threads in lockstep",
            page: "engines/reduce.md",
            properties: Property::all_where(|it| it.error().is_some()),
            options: vec![ORDER.spec(), COMMUTATIVITY.spec()],
        }
    }

    fn configure(&self, _: Property, options: &Options) -> Result<Checker, BadOption> {
        let config = Config {
            order: ORDER.chosen(options)?,
            commutativity: COMMUTATIVITY.chosen(options)?,
            ..Config::default()
        };
        Ok(Box::new(move |task, budget| {
            crate::check(task, &config, budget)
        }))
    }

    fn recheck(&self, task: &Task, evidence: &Evidence<'_>, budget: &Budget) -> Option<Check> {
        let Proof::ReducedProduct { certificate, .. } = evidence.proof else {
            return None;
        };
        (!certificate.is_null()).then(|| crate::recheck(task, certificate, budget).into())
    }
}
