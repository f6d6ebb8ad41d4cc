//! The engine: unroll, encode, ask, and unroll further.

use crate::config::{Backend, Config, Encoding};
use crate::encode::{self, Checked, Events, Formula, GoalKind, Model, NoFormula, TermFormula};
use crate::sat::Outcome;
use crate::schedule;
use crate::trace::{lost, trace};
use passes::{Limits, Loops, Unrolled, unroll};
use semantics::Property;
use smt::on_worker;
use verdict::{Answer, Budget, Proof, Reason, Stats, Task, Verdict, confirm};
use xcfa::{ErrorKind, Span};

/// Loops with a proven bound up to this are unrolled as a whole at once.
const SMALL_LOOP: u64 = 40;

/// Checks a program by unrolling it further and further.
pub fn check(task: &Task, config: &Config, budget: &Budget) -> Answer {
    let over = || budget.exceeded(0).is_some();
    let answer = on_worker(over, || check_here(task, config, budget));
    answer.unwrap_or_else(|| Answer {
        verdict: beyond("the engine stopped for an error of its own".into()),
        stats: Stats::default(),
    })
}

fn beyond(what: String) -> Verdict {
    Verdict::Unknown(Reason::Beyond(what))
}

fn check_here(task: &Task, config: &Config, budget: &Budget) -> Answer {
    let mut stats = Stats::default();
    let Some(checked) = checked(task.property, config) else {
        let property = task.property;
        let verdict = beyond(format!(
            "bounded model checking does not check {property} yet"
        ));
        return Answer { verdict, stats };
    };
    let mut rounds = config.first_rounds;
    let verdict = loop {
        budget.tell(|| format!("loops unrolled {rounds} times"));
        let attempt = Attempt {
            task,
            config,
            budget,
            checked,
            rounds,
        };
        let verdict = match config.encoding {
            Encoding::Ordering => attempt.run(&mut stats),
            Encoding::Scheduler => schedule::check(task, config, budget, rounds, &mut stats),
        };
        match verdict {
            Some(verdict) => break verdict,
            None if rounds >= config.most_rounds => {
                break beyond(format!("no error with loops unrolled {rounds} times"));
            }
            None => rounds *= 2,
        }
    };
    Answer {
        verdict: confirm(task, verdict),
        stats,
    }
}

/// What a formula is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bound {
    /// How often loops are unrolled.
    pub rounds: u32,
    /// Are the clauses wanted afterwards?
    pub keeps_clauses: bool,
}

/// The formula of a bounded program, in the ordering encoding.
pub fn formula_of(task: &Task, bound: Bound, budget: &Budget) -> Result<Formula, String> {
    let config = Config::default();
    let attempt = Attempt {
        task,
        config: &config,
        budget,
        checked: checked(task.property, &config).ok_or("this property is not checked")?,
        rounds: bound.rounds,
    };
    let told = |verdict| match verdict {
        Verdict::Unknown(reason) => reason.to_string(),
        _ => "there is no formula".to_owned(),
    };
    let unrolled = attempt.unroll().map_err(told)?;
    let events = attempt.events(&unrolled).map_err(told)?;
    Formula::new(events, bound.keeps_clauses, budget).map_err(|why| match why {
        NoFormula::Refused(what) => what,
        NoFormula::Stopped(reason) => reason.to_string(),
    })
}

fn checked(property: Property, config: &Config) -> Option<Checked> {
    match property {
        Property::Reach => Some(Checked::Error(ErrorKind::Reached)),
        Property::Overflow => Some(Checked::Error(ErrorKind::Overflow)),
        Property::Race if config.encoding == Encoding::Ordering => Some(Checked::Race),
        Property::Deadlock if config.encoding == Encoding::Ordering => Some(Checked::Deadlock),
        _ => None,
    }
}

/// One bound.
struct Attempt<'a> {
    task: &'a Task,
    config: &'a Config,
    budget: &'a Budget,
    checked: Checked,
    rounds: u32,
}

impl Attempt<'_> {
    /// A verdict, or nothing if the program has to be unrolled further.
    fn run(&self, stats: &mut Stats) -> Option<Verdict> {
        stats.set("bound", u64::from(self.rounds));
        let unrolled = match self.unroll() {
            Ok(unrolled) => unrolled,
            Err(verdict) => return Some(verdict),
        };
        let events = match self.events(&unrolled) {
            Ok(events) => events,
            Err(verdict) => return Some(verdict),
        };
        let accesses = (events.reads.len() + events.writes.len()) as u64;
        stats.set("threads", events.threads.len() as u64);
        stats.set("events", accesses);
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
    ) -> Option<Verdict> {
        let mut formula = match Formula::new(events, self.config.dump.is_some(), self.budget) {
            Ok(formula) => formula,
            Err(NoFormula::Refused(what)) => return Some(beyond(what)),
            Err(NoFormula::Stopped(reason)) => return Some(Verdict::Unknown(reason)),
        };
        if let Some(path) = &self.config.dump {
            let text = match path.extension().is_some_and(|end| end == "smt2") {
                true => match self.events(unrolled) {
                    Ok(events) => TermFormula::new(events).smtlib(GoalKind::Error),
                    Err(verdict) => return Some(verdict),
                },
                false => formula.dimacs(),
            };
            if let Err(error) = std::fs::write(path, text) {
                return Some(beyond(format!("cannot write {}: {error}", path.display())));
            }
        }
        if let Some(path) = &self.config.refutation
            && let Err(error) = formula.write_refutation(path)
        {
            return Some(beyond(format!("cannot write {}: {error}", path.display())));
        }
        let answer = self.ask(accesses, |kind| formula.solve(kind, self.budget));
        count(stats, &formula);
        match answer {
            Asked::Answer(verdict) => Some(verdict),
            Asked::Further => None,
            Asked::Found => Some(self.counterexample(unrolled, formula.model(GoalKind::Error))),
        }
    }

    fn by_z3(
        &self,
        unrolled: &Unrolled,
        events: Events,
        accesses: u64,
        stats: &mut Stats,
    ) -> Option<Verdict> {
        let mut formula = TermFormula::new(events);
        stats.set("nodes", formula.events.nodes.len() as u64);
        stats.set("order literals", formula.order_lits() as u64);
        if let Some(path) = &self.config.dump
            && let Err(error) = std::fs::write(path, formula.smtlib(GoalKind::Error))
        {
            return Some(beyond(format!("cannot write {}: {error}", path.display())));
        }
        match self.ask(accesses, |kind| formula.solve(kind, self.budget)) {
            Asked::Answer(verdict) => Some(verdict),
            Asked::Further => None,
            Asked::Found => Some(self.counterexample(unrolled, formula.model(GoalKind::Error))),
        }
    }

    /// Is there an error, and if not, does an execution go on beyond the bound?
    fn ask(&self, events: u64, mut solve: impl FnMut(GoalKind) -> Outcome) -> Asked {
        match solve(GoalKind::Error) {
            Outcome::Stopped(reason) => return Asked::Answer(Verdict::Unknown(reason)),
            Outcome::Satisfiable => return Asked::Found,
            Outcome::Unsatisfiable => {}
        }
        match solve(GoalKind::Unwound) {
            Outcome::Stopped(reason) => Asked::Answer(Verdict::Unknown(reason)),
            Outcome::Satisfiable => Asked::Further,
            Outcome::Unsatisfiable => Asked::Answer(Verdict::Safe(Proof::CompleteUnrolling {
                rounds: self.rounds,
                events,
            })),
        }
    }

    fn counterexample(&self, unrolled: &Unrolled, found: Option<(Model<'_>, usize)>) -> Verdict {
        let Some((mut model, goal)) = found else {
            return lost(self.budget);
        };
        let events = model.events;
        let goal = &events.goals[goal];
        match trace(unrolled, self.task.property, events, &mut model, goal) {
            Some(trace) => Verdict::Unsafe(trace),
            None => lost(self.budget),
        }
    }

    fn unroll(&self) -> Result<Unrolled, Verdict> {
        let xcfa = &self.task.xcfa;
        let mut limits = Limits {
            rounds: self.rounds,
            ..Limits::default()
        };
        let loops = Loops::of(xcfa);
        // A fruitless round changes nothing, but it reads, which may be a race, and it moves, which
        // is no deadlock.
        if matches!(self.task.property, Property::Reach | Property::Overflow) {
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

    fn events(&self, unrolled: &Unrolled) -> Result<Events, Verdict> {
        let events = encode::events(&unrolled.xcfa, self.checked, self.budget);
        events.map_err(|refusal| self.refuse(refusal.span, &refusal.what))
    }

    fn refuse(&self, span: Span, what: &str) -> Verdict {
        if let Some(reason) = self.budget.exceeded(verdict::resident_bytes()) {
            return Verdict::Unknown(reason);
        }
        let place = self.task.xcfa.sources.place(span);
        beyond(format!("{}:{}: {what}", place.file, place.line))
    }
}

/// What came of asking.
enum Asked {
    Answer(Verdict),
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
