//! One bound with the ordering encoding: unroll, encode, and ask.

use super::trace::trace;
use super::weak;
use super::{Checked, Events, Formula, GoalKind, Memory, Model, TermFormula, events};
use crate::check::not_checked;
use crate::config::{Backend, Config};
use passes::{Limits, Unrolled, unroll};
use sat::Satisfiability;
use semantics::{Lost, Property};
use verdict::{Budget, Proof, Reason, Stats, Task, Verdict};
use xcfa::Span;

/// Loops with a proven bound up to this are unrolled as a whole at once.
const SMALL_LOOP: u64 = 40;

/// Checks a program with loops unrolled `rounds` times; nothing if it has to be unrolled further.
pub fn check(
    task: &Task,
    config: &Config,
    budget: &Budget,
    rounds: u32,
    stats: &mut Stats,
) -> Result<Option<Verdict>, Reason> {
    Attempt::new(task, config, budget, rounds)?.run(stats)
}

/// The formula of a bounded program with its clauses kept.
pub fn formula_of(task: &Task, rounds: u32, budget: &Budget) -> Result<Formula, Reason> {
    let config = Config::default();
    let attempt = Attempt::new(task, &config, budget, rounds)?;
    let events = attempt.events(&attempt.unroll()?)?;
    Formula::new(events, true, budget)
}

/// One bound.
struct Attempt<'a> {
    task: &'a Task,
    config: &'a Config,
    budget: &'a Budget,
    checked: Checked,
    memory: Memory,
    rounds: u32,
}

impl<'a> Attempt<'a> {
    fn new(
        task: &'a Task,
        config: &'a Config,
        budget: &'a Budget,
        rounds: u32,
    ) -> Result<Attempt<'a>, Reason> {
        let memory = match task.memory_model.is_sc() {
            true => Memory::Sequential,
            false => Memory::Weak,
        };
        let checked = match (task.property, memory) {
            // What the accesses of an execution are to each other.
            (Property::Race | Property::Robust, Memory::Weak) => Checked::Events,
            (Property::Race, Memory::Sequential) => Checked::Race,
            (Property::Deadlock, _) => Checked::Deadlock,
            (other, _) => {
                let error = other.error().ok_or_else(|| not_checked(other))?;
                Checked::Error(error)
            }
        };
        Ok(Attempt {
            task,
            config,
            budget,
            checked,
            memory,
            rounds,
        })
    }

    /// A verdict, or nothing if the program has to be unrolled further.
    fn run(&self, stats: &mut Stats) -> Result<Option<Verdict>, Reason> {
        stats.set("bound", u64::from(self.rounds));
        let unrolled = self.unroll()?;
        let events = self.events(&unrolled)?;
        let accesses = (events.reads.len() + events.writes.len()) as u64;
        stats.set("threads", events.threads.len() as u64);
        stats.set("events", accesses);
        if self.memory == Memory::Weak {
            let (task, rounds) = (self.task, self.rounds);
            return weak::check(task, &unrolled, events, rounds, self.budget, stats);
        }
        match self.config.backend {
            Backend::Sat => self.by_sat(&unrolled, events, accesses, stats),
            Backend::Z3 => self.by_z3(&unrolled, events, accesses, stats),
        }
    }

    fn by_sat(
        &self,
        unrolled: &Unrolled,
        events: Events,
        accesses: u64,
        stats: &mut Stats,
    ) -> Result<Option<Verdict>, Reason> {
        let mut formula = Formula::new(events, self.config.dump.is_some(), self.budget)?;
        if let Some(path) = &self.config.dump {
            let text = match path.extension().is_some_and(|end| end == "smt2") {
                true => TermFormula::new(self.events(unrolled)?).smtlib(GoalKind::Error),
                false => formula.dimacs(),
            };
            std::fs::write(path, text).map_err(|error| Reason::cannot_write(path, &error))?;
        }
        if let Some(path) = &self.config.refutation {
            let written = formula.write_refutation(path);
            written.map_err(|error| Reason::cannot_write(path, &error))?;
        }
        let answer = self.ask(accesses, |kind| formula.solve(kind, self.budget));
        count(stats, &formula);
        Ok(match answer? {
            Asked::Safe(proof) => Some(Verdict::Safe(proof)),
            Asked::Further => None,
            Asked::Found => Some(self.counterexample(unrolled, formula.model(GoalKind::Error))?),
        })
    }

    fn by_z3(
        &self,
        unrolled: &Unrolled,
        events: Events,
        accesses: u64,
        stats: &mut Stats,
    ) -> Result<Option<Verdict>, Reason> {
        let mut formula = TermFormula::new(events);
        stats.set("nodes", formula.events.nodes.len() as u64);
        stats.set("order literals", formula.order_lits() as u64);
        if let Some(path) = &self.config.dump {
            let written = std::fs::write(path, formula.smtlib(GoalKind::Error));
            written.map_err(|error| Reason::cannot_write(path, &error))?;
        }
        Ok(
            match self.ask(accesses, |kind| formula.solve(kind, self.budget))? {
                Asked::Safe(proof) => Some(Verdict::Safe(proof)),
                Asked::Further => None,
                Asked::Found => {
                    Some(self.counterexample(unrolled, formula.model(GoalKind::Error))?)
                }
            },
        )
    }

    /// Is there an error, and if not, does an execution go on beyond the bound?
    fn ask(
        &self,
        events: u64,
        mut solve: impl FnMut(GoalKind) -> Satisfiability,
    ) -> Result<Asked, Reason> {
        match solve(GoalKind::Error) {
            Satisfiability::Stopped(reason) => return Err(reason),
            Satisfiability::Satisfiable => return Ok(Asked::Found),
            Satisfiability::Unsatisfiable => {}
        }
        match solve(GoalKind::Unwound) {
            Satisfiability::Stopped(reason) => Err(reason),
            Satisfiability::Satisfiable => Ok(Asked::Further),
            Satisfiability::Unsatisfiable => Ok(Asked::Safe(Proof::CompleteUnrolling {
                rounds: self.rounds,
                events,
            })),
        }
    }

    fn counterexample(
        &self,
        unrolled: &Unrolled,
        found: Option<(Model<'_>, usize)>,
    ) -> Result<Verdict, Reason> {
        let trace = match found {
            Some((mut model, goal)) => {
                let events = model.events;
                let goal = &events.goals[goal];
                trace(unrolled, self.task.property, events, &mut model, goal)
            }
            None => Err(Lost::NoExecution),
        };
        trace
            .map(Verdict::Unsafe)
            .map_err(|why| Reason::lost(self.task, why, self.budget, &[]))
    }

    fn unroll(&self) -> Result<Unrolled, Reason> {
        let xcfa = &self.task.xcfa;
        let mut limits = Limits {
            rounds: self.rounds,
            ..Limits::default()
        };
        let loops = xcfa.loops();
        // A fruitless round changes nothing, but it reads, which may be a race, and it moves, which
        // is no deadlock.
        if self.task.property.error().is_some() {
            limits.skipped = loops.idle_back_edges(xcfa).into_iter().collect();
        }
        for l in &loops.loops {
            if let Some(bound) = l.bound.filter(|&bound| bound <= SMALL_LOOP) {
                limits
                    .rounds_at
                    .insert(l.head, (bound as u32).max(self.rounds));
            }
        }
        let whole = unroll(xcfa, &limits);
        let unrolled = whole.or_else(|_| {
            limits.rounds_at.clear();
            unroll(xcfa, &limits)
        });
        unrolled.map_err(|error| self.refuse(error.span, &error.what))
    }

    fn events(&self, unrolled: &Unrolled) -> Result<Events, Reason> {
        let events = events(&unrolled.xcfa, self.checked, self.memory, self.budget);
        events.map_err(|refusal| self.refuse(refusal.span, &refusal.what))
    }

    fn refuse(&self, span: Span, what: &str) -> Reason {
        let over = self.budget.exceeded(verdict::resident_bytes());
        over.unwrap_or_else(|| Reason::unsupported_at(&self.task.xcfa, span, what))
    }
}

/// What came of asking.
enum Asked {
    /// There is none, and all executions have been covered.
    Safe(Proof),
    /// There is an error.
    Found,
    /// There is none, but executions go on beyond the bound.
    Further,
}

fn count(stats: &mut Stats, formula: &Formula) {
    let (solver, order) = (formula.figures(), formula.order_figures());
    stats.set("nodes", formula.events.nodes.len() as u64);
    stats.set("reads", formula.events.reads.len() as u64);
    stats.set("writes", formula.events.writes.len() as u64);
    stats.set("order literals", formula.order_lits as u64);
    stats.set("source literals", formula.source_lits as u64);
    stats.set("variables", solver.vars);
    stats.set("clauses", solver.clauses);
    stats.set("conflicts", solver.conflicts);
    stats.set("decisions", solver.decisions);
    stats.set("propagations", solver.propagations);
    stats.set("checked clauses", solver.checked);
    stats.set("theory conflicts", order.conflicts);
    stats.set("theory propagations", order.propagations);
}
