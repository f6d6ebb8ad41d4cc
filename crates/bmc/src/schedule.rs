//! The engine with the scheduler encoding: more and more steps, until there are no more.

use crate::config::Config;
use crate::sat::Outcome;
use crate::scheduler::{self, Formula};
use crate::trace::{Planned, execute, lost};
use passes::{Limits, Unrolled, unroll};
use semantics::Property;
use verdict::{Budget, Proof, Reason, Stats, Task, Verdict};
use xcfa::ErrorKind;

/// The first number of steps; every further attempt has twice as many.
const FIRST_STEPS: usize = 8;

/// Checks a program with `rounds` rounds for loops that make threads or objects; nothing if more
/// of them have to be looked at.
pub fn check(
    task: &Task,
    config: &Config,
    budget: &Budget,
    rounds: u32,
    stats: &mut Stats,
) -> Option<Verdict> {
    let checked = match task.property {
        Property::Overflow => ErrorKind::Overflow,
        _ => ErrorKind::Reached,
    };
    let limits = Limits {
        rounds,
        keep_loops: true,
        ..Limits::default()
    };
    let place = |span| task.xcfa.sources.place(span);
    let refuse = |span, what: &str| {
        let place = place(span);
        Verdict::Unknown(Reason::Beyond(format!(
            "{}:{}: {what}",
            place.file, place.line
        )))
    };
    let unrolled = match unroll(&task.xcfa, &limits) {
        Ok(unrolled) => unrolled,
        Err(error) => return Some(refuse(error.span, &error.what)),
    };
    let keep = config.dump.is_some();
    let formula = scheduler::formula(&unrolled.xcfa, checked, config.reduction, keep);
    let formula = match formula {
        Ok(formula) => formula,
        Err(refusal) => return Some(refuse(refusal.span, &refusal.what)),
    };
    let mut search = Search {
        task,
        config,
        budget,
        unrolled: &unrolled,
        formula,
        stats,
    };
    search.run()
}

struct Search<'a> {
    task: &'a Task,
    config: &'a Config,
    budget: &'a Budget,
    unrolled: &'a Unrolled,
    formula: Formula,
    stats: &'a mut Stats,
}

impl Search<'_> {
    fn run(&mut self) -> Option<Verdict> {
        let mut wanted = self
            .config
            .steps
            .map_or(FIRST_STEPS, |steps| steps as usize);
        loop {
            if let Err(verdict) = self.extend(wanted) {
                return Some(verdict);
            }
            let verdict = self.ask();
            self.count();
            match verdict {
                Asked::Answer(verdict) => return Some(verdict),
                Asked::MoreRounds => return None,
                Asked::MoreSteps if self.config.steps.is_some() => {
                    let what = format!("no error within {wanted} steps");
                    return Some(Verdict::Unknown(Reason::Beyond(what)));
                }
                Asked::MoreSteps => wanted *= 2,
            }
        }
    }

    fn extend(&mut self, wanted: usize) -> Result<(), Verdict> {
        while self.formula.steps() < wanted {
            if let Some(reason) = self.budget.exceeded(verdict::resident_bytes()) {
                return Err(Verdict::Unknown(reason));
            }
            let step = self.formula.step();
            step.map_err(|refused| Verdict::Unknown(Reason::Beyond(refused.0)))?;
        }
        if let Some(path) = &self.config.dump
            && let Err(error) = std::fs::write(path, self.formula.dimacs())
        {
            let what = format!("cannot write {}: {error}", path.display());
            return Err(Verdict::Unknown(Reason::Beyond(what)));
        }
        Ok(())
    }

    fn ask(&mut self) -> Asked {
        let flags = self.formula.system.flags;
        match self.formula.reaches(flags.bad, self.budget) {
            Outcome::Stopped(reason) => return Asked::Answer(Verdict::Unknown(reason)),
            Outcome::Satisfiable => return Asked::Answer(self.counterexample()),
            Outcome::Unsatisfiable => {}
        }
        if self.config.steps.is_some() {
            return Asked::MoreSteps;
        }
        match self.formula.goes_on(self.budget) {
            Outcome::Stopped(reason) => return Asked::Answer(Verdict::Unknown(reason)),
            Outcome::Satisfiable => return Asked::MoreSteps,
            Outcome::Unsatisfiable => {}
        }
        match self.formula.reaches(flags.beyond, self.budget) {
            Outcome::Stopped(reason) => Asked::Answer(Verdict::Unknown(reason)),
            Outcome::Satisfiable => Asked::MoreRounds,
            Outcome::Unsatisfiable => Asked::Answer(Verdict::Safe(Proof::CompleteUnrolling {
                rounds: self.formula.steps() as u32,
                events: self.formula.system.transitions.len() as u64,
            })),
        }
    }

    fn counterexample(&mut self) -> Verdict {
        let taken = self.formula.execution();
        let system = &self.formula.system;
        let plan = taken.iter().map(|taken| {
            let transition = &system.transitions[taken.transition];
            let chosen = transition.chosen.iter();
            let chosen = chosen.map(|&(var, term)| (var, system.terms.eval(term, &taken.values)));
            Planned::new(
                &self.unrolled.xcfa,
                transition.edge,
                &chosen.collect::<Vec<_>>(),
            )
        });
        match execute(self.unrolled, self.task.property, plan.collect()) {
            Some(trace) => Verdict::Unsafe(trace),
            None => lost(self.budget),
        }
    }

    fn count(&mut self) {
        let figures = self.formula.figures();
        self.stats.set("steps", self.formula.steps() as u64);
        self.stats
            .set("threads", self.formula.system.threads.len() as u64);
        self.stats
            .set("transitions", self.formula.system.transitions.len() as u64);
        self.stats.set("variables", figures.vars);
        self.stats.set("clauses", figures.clauses);
        self.stats.set("conflicts", figures.conflicts);
        self.stats.set("decisions", figures.decisions);
        self.stats.set("propagations", figures.propagations);
    }
}

enum Asked {
    Answer(Verdict),
    /// Executions have more steps.
    MoreSteps,
    /// Executions have more threads or objects.
    MoreRounds,
}
