//! The engine with the scheduler encoding: more and more steps, until there are no more.

use super::{Formula, formula};
use crate::check::not_checked;
use crate::config::{Config, Reduction};
use crate::engine::PPOR;
use crate::replay::{Planned, execute};
use abstraction::Program;
use sat::Satisfiability;
use verdict::{Bound, Budget, Proof, Reason, Stats, Task, Verdict};
use xcfa::ErrorKind;

/// The first number of steps; every further attempt has twice as many.
pub(super) const FIRST_STEPS: usize = 8;

/// Checks with `rounds` rounds of loops that make threads or objects; `None` if it needs more.
pub fn check(
    task: &Task,
    config: &Config,
    budget: &Budget,
    rounds: u32,
    stats: &mut Stats,
) -> Result<Option<Verdict>, Reason> {
    let checked = task.property.target();
    let checked = checked.ok_or_else(|| not_checked(task.property))?;
    // The reduction looks at the accesses of the text, and checks of memory depend on more than that.
    let reduction = match task.xcfa.checks_memory {
        true => Reduction::None,
        false => config.reduction,
    };
    let mut formula = open(task, rounds, reduction, config.dump.is_some())?;
    if let Some(path) = &config.refutation {
        let written = formula.write_refutation(path);
        written.map_err(|error| Reason::cannot_write(path, &error))?;
    }
    let mut search = Search {
        task,
        config,
        budget,
        checked,
        rounds,
        reduction,
        formula,
        stats,
    };
    search.run()
}

/// The formula before its first step.
pub(super) fn open(
    task: &Task,
    rounds: u32,
    reduction: Reduction,
    keep: bool,
) -> Result<Formula, Reason> {
    Program::of(&task.xcfa, rounds)
        .and_then(|program| formula(program, reduction, keep))
        .map_err(|refused| Reason::unsupported_at(&task.xcfa, refused.span, refused.what))
}

struct Search<'a> {
    task: &'a Task,
    config: &'a Config,
    budget: &'a Budget,
    checked: ErrorKind,
    rounds: u32,
    reduction: Reduction,
    formula: Formula,
    stats: &'a mut Stats,
}

impl Search<'_> {
    /// A verdict, or nothing if loops that make threads or objects have more rounds.
    fn run(&mut self) -> Result<Option<Verdict>, Reason> {
        let steps = self.config.steps.map(|steps| steps as usize);
        let mut wanted = steps.unwrap_or(FIRST_STEPS);
        loop {
            self.extend(wanted)?;
            let asked = self.ask();
            self.count();
            match asked? {
                Asked::Answer(verdict) => return Ok(Some(verdict)),
                Asked::MoreRounds => return Ok(None),
                Asked::MoreSteps if steps.is_some() => {
                    return Err(Reason::Bound(Bound::Steps(wanted as u64)));
                }
                Asked::MoreSteps => wanted *= 2,
            }
        }
    }

    fn extend(&mut self, wanted: usize) -> Result<(), Reason> {
        self.formula.extend(wanted, self.budget)?;
        if let Some(path) = &self.config.dump {
            let written = std::fs::write(path, self.formula.dimacs());
            written.map_err(|error| Reason::cannot_write(path, &error))?;
        }
        Ok(())
    }

    fn ask(&mut self) -> Result<Asked, Reason> {
        match self.formula.reaches(self.checked, self.budget) {
            Satisfiability::Stopped(reason) => return Err(reason),
            Satisfiability::Satisfiable => return self.counterexample().map(Asked::Answer),
            Satisfiability::Unsatisfiable => {}
        }
        if self.config.steps.is_some() {
            return Ok(Asked::MoreSteps);
        }
        match self.formula.goes_on(self.budget) {
            Satisfiability::Stopped(reason) => return Err(reason),
            Satisfiability::Satisfiable => return Ok(Asked::MoreSteps),
            Satisfiability::Unsatisfiable => {}
        }
        match self.formula.reaches(ErrorKind::Unwound, self.budget) {
            Satisfiability::Stopped(reason) => Err(reason),
            Satisfiability::Satisfiable => Ok(Asked::MoreRounds),
            Satisfiability::Unsatisfiable => {
                let proof = Proof::AllSteps {
                    rounds: self.rounds,
                    steps: self.formula.steps() as u64,
                    reduction: PPOR.word(self.reduction).to_owned(),
                };
                Ok(Asked::Answer(Verdict::Safe(proof)))
            }
        }
    }

    fn counterexample(&mut self) -> Result<Verdict, Reason> {
        let taken = self.formula.execution();
        let system = &self.formula.system;
        let unrolled = &system.program.unrolled;
        let plan = taken.iter().map(|taken| {
            let action = &system.actions()[taken.action];
            let chosen = action.chosen.iter();
            let chosen = chosen.map(|&(var, term)| (var, system.terms.eval(term, &taken.values)));
            Planned::new(&unrolled.xcfa, action.edge, &chosen.collect::<Vec<_>>())
        });
        let trace = execute(unrolled, self.task.property, plan.collect(), None);
        trace
            .map(Verdict::Unsafe)
            .map_err(|why| Reason::lost(self.task, why, self.budget, &[]))
    }

    fn count(&mut self) {
        let figures = self.formula.figures();
        self.stats.set("steps", self.formula.steps() as u64);
        self.stats
            .set("threads", self.formula.system.of_thread.len() as u64);
        self.stats
            .set("transitions", self.formula.system.actions().len() as u64);
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
