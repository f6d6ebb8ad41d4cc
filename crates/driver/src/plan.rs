//! How a task is to be answered.

use crate::{Checkers, Registry};
use dataflow::Facts;
use engine::{BadOption, Options};
use portfolio::{Attempt, Portfolio, Running};
use verdict::{Budget, Confirmed, Property, Task, Verdict};

/// Which engines run, with which options and limits.
#[derive(Clone)]
pub struct Plan {
    /// The engines to choose from.
    pub registry: Registry,
    /// One engine by name; several, chosen by the property and the program, if none is named.
    pub engine: Option<String>,
    /// Options of the engines.
    pub options: Options,
    /// The limits of everything together.
    pub budget: Budget,
    /// How many engines run at a time, if several do.
    pub cores: usize,
    /// Bytes of memory for all of them.
    pub memory: u64,
    /// Is an answer accepted only if two engines agree?
    pub paranoid: bool,
}

/// The answer, and how it was found.
#[derive(Clone, Debug)]
pub struct CheckResult {
    /// The engine that gave the answer; `auto` if none did.
    pub engine: String,
    /// The answer, which has passed the last gate.
    pub confirmed: Confirmed,
    /// What kind of program it is and which engines were tried, if several ran.
    pub tried: Option<(Facts, Vec<Attempt>)>,
}

impl Default for Plan {
    /// Several of our own engines, as many at a time as there are cores but no more than two, without
    /// a limit of time, in 4 GiB.
    fn default() -> Plan {
        let cores = std::thread::available_parallelism();
        Plan {
            registry: Registry::standard(),
            engine: None,
            options: Options::default(),
            budget: Budget::unlimited(),
            cores: cores.map_or(1, usize::from).min(2),
            memory: 4 << 30,
            paranoid: false,
        }
    }
}

impl Plan {
    /// With one engine.
    pub fn with_engine(mut self, name: impl Into<String>) -> Plan {
        self.engine = Some(name.into());
        self
    }

    /// With other engines to choose from.
    pub fn with_registry(mut self, registry: Registry) -> Plan {
        self.registry = registry;
        self
    }

    /// With other limits.
    pub fn with_budget(mut self, budget: Budget) -> Plan {
        self.budget = budget;
        self
    }

    /// The engines, ready for tasks of a property; or the option that makes no sense.
    pub fn checkers(&self, property: Property) -> Result<Checkers, BadOption> {
        let only = self.engine.as_deref();
        self.registry.configure(only, property, &self.options)
    }
}

/// Answers a task.
///
/// Law: the verdict has passed [`verdict::Answer::confirm`].
pub fn check(task: &Task, plan: &Plan) -> Result<CheckResult, BadOption> {
    check_watched(task, plan, &mut |_| ())
}

/// The same, with an observer that sees which of several engines are running. (A single engine reports to
/// the listener of the budget.)
pub fn check_watched(
    task: &Task,
    plan: &Plan,
    watch: &mut dyn FnMut(&[Running<'_>]),
) -> Result<CheckResult, BadOption> {
    let checkers = plan.checkers(task.property)?;
    if let Some(name) = &plan.engine {
        return Ok(CheckResult {
            engine: name.clone(),
            confirmed: checkers.ask(name, task, &plan.budget).confirm(task),
            tried: None,
        });
    }
    // Engines run in processes that are forked from this one, and inherit what is known by now.
    task.xcfa.complete();
    let portfolio = Portfolio {
        task,
        budget: &plan.budget,
        cores: plan.cores,
        memory: plan.memory,
        paranoid: plan.paranoid,
        run_engine: &|name, budget| checkers.ask(name, task, budget),
    };
    let outcome = portfolio.run(watch);
    Ok(CheckResult {
        engine: outcome.engine.to_owned(),
        confirmed: outcome.confirmed,
        tried: Some((*task.xcfa.facts(), outcome.tried)),
    })
}

impl CheckResult {
    /// The verdict.
    pub fn verdict(&self) -> &Verdict {
        self.confirmed.verdict()
    }
}
