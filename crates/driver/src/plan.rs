//! How a task is to be answered.

use crate::{Checkers, Covered, EngineProgress, Registry, interleavings};
use dataflow::Facts;
use engine::{BadOption, Options};
use portfolio::{Attempt, FirstAnswer, FirstTurns, Portfolio, Running};
use semantics::Reached;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;
use verdict::{Answer, Budget, Confirmed, Listener, Property, Task, Verdict};

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
    /// What the engines looked at.
    pub covered: Covered,
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
    if let Some(name) = &plan.engine {
        let checkers = plan.checkers(task.property)?;
        let reached = Arc::new(Reached::new(&task.xcfa));
        let budget = plan.budget.noting(Arc::clone(&reached));
        let (answer, engines) = heard(name, &budget, |budget| checkers.ask(name, task, budget));
        return Ok(CheckResult {
            engine: name.clone(),
            confirmed: answer.confirm(task),
            tried: None,
            covered: Covered::new(engines, task, &reached),
        });
    }
    match interleavings::race_freedom_suffices(task) {
        true => interleavings::check(task, plan, watch),
        false => by_portfolio(task, plan, watch),
    }
}

/// Asks several engines.
pub(crate) fn by_portfolio(
    task: &Task,
    plan: &Plan,
    watch: &mut dyn FnMut(&[Running<'_>]),
) -> Result<CheckResult, BadOption> {
    let checkers = plan
        .registry
        .configure(None, task.property, &plan.options)?;
    let reached = Arc::new(Reached::new(&task.xcfa));
    let budget = plan.budget.noting(Arc::clone(&reached));
    // Engines run in processes that are forked from this one, and inherit what is known by now.
    task.xcfa.complete();
    let portfolio = Portfolio {
        task,
        budget: &budget,
        cores: plan.cores,
        memory: plan.memory,
        paranoid: plan.paranoid,
        run_engine: &|name, budget| checkers.ask(name, task, budget),
    };
    let outcome = portfolio.run(watch);
    Ok(CheckResult {
        engine: outcome.engine.to_owned(),
        confirmed: outcome.confirmed,
        covered: Covered::new(last_words(&outcome.tried), task, &reached),
        tried: Some((*task.xcfa.facts(), outcome.tried)),
    })
}

/// Asks the first engines of each of these tasks about it for a moment, all in one process: what they find, in the order
/// of the tasks. It pays for several properties of a small program. Nothing is found where one engine is wanted, or two
/// opinions.
pub fn first_turns(
    tasks: &[Arc<Task>],
    plan: &Plan,
) -> Result<Vec<Option<CheckResult>>, BadOption> {
    let checkers = tasks.iter().map(|task| plan.checkers(task.property));
    let checkers = checkers.collect::<Result<Vec<Checkers>, BadOption>>()?;
    if plan.engine.is_some() || plan.paranoid {
        return Ok(tasks.iter().map(|_| None).collect());
    }
    let turns = FirstTurns {
        tasks,
        budget: &plan.budget,
        memory: plan.memory,
        run_engine: &|at, name, budget| checkers[at].ask(name, &tasks[at], budget),
    };
    let found = turns.run().into_iter().zip(tasks);
    Ok(found
        .map(|(found, task)| found.map(|found| CheckResult::of_turn(found, task)))
        .collect())
}

/// Asks one engine, and remembers what it says last about how far it is.
fn heard(
    engine: &str,
    budget: &Budget,
    ask: impl FnOnce(&Budget) -> Answer,
) -> (Answer, Vec<EngineProgress>) {
    let last = Arc::new(Mutex::new(String::new()));
    let kept = Arc::clone(&last);
    let listener = Listener::new(move |text| {
        text.clone_into(&mut kept.lock().unwrap_or_else(PoisonError::into_inner));
    });
    let answer = ask(&budget.heard_by_also(listener));
    let progress = last.lock().unwrap_or_else(PoisonError::into_inner).clone();
    let said = EngineProgress::new(engine, &progress);
    (answer, said.into_iter().collect())
}

/// What each engine said last, in the order of their first ends.
fn last_words(tried: &[Attempt]) -> Vec<EngineProgress> {
    let mut engines: Vec<EngineProgress> = Vec::new();
    for attempt in tried {
        let said = EngineProgress::new(attempt.engine, &attempt.progress);
        match engines.iter_mut().find(|it| it.engine == attempt.engine) {
            Some(known) => said.into_iter().for_each(|said| *known = said),
            None => engines.extend(said),
        }
    }
    engines
}

impl CheckResult {
    fn of_turn(found: FirstAnswer, task: &Task) -> CheckResult {
        let reached = Reached::new(&task.xcfa);
        found.reached.iter().for_each(|&mark| reached.add(mark));
        let tried = vec![found.attempt];
        CheckResult {
            engine: tried[0].engine.to_owned(),
            confirmed: found.confirmed,
            covered: Covered::new(last_words(&tried), task, &reached),
            tried: Some((*task.xcfa.facts(), tried)),
        }
    }

    /// How long it took the engines, if that is known.
    pub fn wall(&self) -> Option<Duration> {
        let (_, tried) = self.tried.as_ref()?;
        let ends = tried.iter().map(|it| it.started_s + it.wall_s);
        let begin = tried.iter().map(|it| it.started_s).reduce(f64::min)?;
        Some(Duration::from_secs_f64(ends.reduce(f64::max)? - begin))
    }

    /// The verdict.
    pub fn verdict(&self) -> &Verdict {
        self.confirmed.verdict()
    }
}
