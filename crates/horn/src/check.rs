//! The engine: blocks, clauses, a solver, and the answer.

mod ending;

use crate::attempts::{AttemptResult, Attempts};
use crate::blocks::{Blocks, Wanted};
use crate::certificate::Certificate;
use crate::locks::Locks;
use crate::movers::{Mover, movers};
use crate::sets::sets;
use crate::shown::Invariant;
use crate::steps::Steps;
use crate::{Config, Inference};
use abstraction::Program;
use expr::Terms;
use passes::Unsupported;
use serde::Deserialize;
use serde_json::Value;
use smt::horn::check_solution;
use smt::on_worker;
use verdict::{Answer, Budget, Objection, Proof, Property, Reason, Stats, Task, Verdict};
use xcfa::ErrorKind;

/// No invariant of ours speaks about more threads.
const MOST_THREADS: usize = 64;

/// Checks a program by looking for invariants.
pub fn check(task: &Task, config: &Config, budget: &Budget) -> Answer {
    check_with_invariants(task, config, budget).0
}

/// The invariants of a proof.
pub type Proved = Vec<Invariant>;

/// The same, with the invariants of a proof.
pub fn check_with_invariants(task: &Task, config: &Config, budget: &Budget) -> (Answer, Proved) {
    let over = || budget.exceeded(0).is_some();
    let answer = on_worker(over, || check_here(task, config, budget));
    answer.unwrap_or_else(|| (Answer::crashed(), Vec::new()))
}

fn check_here(task: &Task, config: &Config, budget: &Budget) -> (Answer, Proved) {
    let mut engine = Engine {
        task,
        config,
        budget,
        target: task.property.target().unwrap_or(ErrorKind::Reached),
        stats: Stats::default(),
        proved: Vec::new(),
    };
    let verdict = match task.property {
        it if it.target().is_some() => engine.check(),
        Property::Termination => engine.termination(),
        other => {
            let what = format!("compositional proofs do not check {other}");
            Verdict::Unknown(Reason::unsupported(what))
        }
    };
    let stats = engine.stats;
    (Answer::new(verdict, stats), engine.proved)
}

/// Checks invariants that were written down; why not, if they prove nothing.
pub fn recheck(task: &Task, certificate: &Value, budget: &Budget) -> Result<(), Objection> {
    recheck_with_invariants(task, certificate, budget).map(|_| ())
}

/// The same, and shows them.
pub fn recheck_with_invariants(
    task: &Task,
    certificate: &Value,
    budget: &Budget,
) -> Result<Proved, Objection> {
    let over = || budget.exceeded(0).is_some();
    let checked = on_worker(over, || recheck_here(task, certificate, budget));
    let failed = || Err(Reason::NotProved("the check failed".into()).into());
    let checked = checked.unwrap_or_else(failed);
    // Without answers the clauses are others, and nothing fits them.
    checked.map_err(|why| budget.exceeded(0).map_or(why, Objection::Open))
}

fn recheck_here(task: &Task, certificate: &Value, budget: &Budget) -> Result<Proved, Objection> {
    let certificate = Certificate::deserialize(certificate).map_err(|error| error.to_string())?;
    let target = task.property.target();
    let silent = || format!("these invariants say nothing about {}", task.property);
    let target = target.ok_or_else(silent)?;
    let config = Config {
        reduction: certificate.reduction,
        inference: certificate.inference,
        ..Config::default()
    };
    let mut engine = Engine {
        task,
        config: &config,
        budget,
        target,
        stats: Stats::default(),
        proved: Vec::new(),
    };
    engine.recheck(&certificate)
}

struct Engine<'a> {
    task: &'a Task,
    config: &'a Config,
    budget: &'a Budget,
    target: ErrorKind,
    stats: Stats,
    proved: Proved,
}

/// What became of one unrolling of the program.
enum Tried {
    Verdict(Verdict),
    /// There is no solution, or none was found.
    Open(Reason),
}

impl Engine<'_> {
    /// With templates (no rounds) there are proofs for any number of threads; errors are searched for
    /// with few threads. Each has this many hundredths of the time that is left.
    fn check(&mut self) -> Verdict {
        let shares: &[(u32, u32)] = match Program::counted(&self.task.xcfa, 1) {
            Some(_) => &[(1, 5), (0, 30), (2, 15), (4, 20), (0, 100)],
            None => &[(1, 50), (2, 50), (4, 100)],
        };
        let mut open = Reason::OutOfTime;
        for &(rounds, share) in shares {
            let xcfa = &self.task.xcfa;
            let program = match rounds {
                0 => Program::counted(xcfa, 1).unwrap_or_else(|| Program::of(xcfa, 1)),
                rounds => Program::of(xcfa, rounds),
            };
            let unrolls = program
                .as_ref()
                .is_ok_and(|(program, _)| is_unrolled(program));
            let left = self.budget.remaining();
            let budget = match left.filter(|_| unrolls || rounds == 0) {
                Some(left) => self.budget.at_most(left * share / 100),
                None => self.budget.clone(),
            };
            match self.program(program, rounds, &budget) {
                Tried::Verdict(verdict) => return verdict,
                Tried::Open(why) => open = why,
            }
            if let Some(reason) = self.budget.exceeded(0) {
                return Verdict::Unknown(reason);
            }
            if rounds > 0 && !unrolls {
                break;
            }
        }
        Verdict::Unknown(open)
    }

    fn program(
        &mut self,
        program: Result<(Program, Terms), Unsupported>,
        rounds: u32,
        budget: &Budget,
    ) -> Tried {
        let prepared = program.and_then(|(program, mut terms)| {
            let blocks = self.blocks(&program, &mut terms, false)?;
            Ok((program, terms, blocks))
        });
        let (program, mut terms, blocks) = match prepared {
            Ok(prepared) => prepared,
            Err(refused) => return Tried::Open(self.beyond(&refused)),
        };
        let steps = Steps::of(&program, &mut terms, &blocks);
        self.measure(&steps, &blocks);
        let mut attempts = Attempts {
            task: self.task,
            config: self.config,
            budget,
            program: &program,
            blocks: &blocks,
            steps: &steps,
            stats: &mut self.stats,
        };
        let proof = match attempts.run(&mut terms, self.target) {
            AttemptResult::Proved(proof) => proof,
            AttemptResult::Execution(trace) => return Tried::Verdict(Verdict::Unsafe(trace)),
            AttemptResult::Open(why) => return Tried::Open(why),
        };
        // Only now does it matter whether the unrolling was enough.
        let mut unwound = None;
        if is_unrolled(&program) {
            match attempts.run(&mut terms, ErrorKind::Unwound) {
                AttemptResult::Proved(proof) => unwound = Some(proof),
                AttemptResult::Execution(_) => {
                    let what = "the program goes on beyond the unrolling";
                    return Tried::Open(Reason::Inconclusive(what.into()));
                }
                AttemptResult::Open(why) => return Tried::Open(why),
            }
        }
        // Questions that were cut off when the time was over have made other clauses than those that
        // a check of this proof would make.
        if let Some(reason) = self.budget.exceeded(0) {
            return Tried::Open(reason);
        }
        let certificate = Certificate::of(rounds, self.config, &proof, unwound.as_ref());
        self.proved = proof.invariants;
        Tried::Verdict(Verdict::Safe(Proof::Invariants {
            index: proof.index as u64,
            clauses: proof.clauses as u64,
            certificate,
        }))
    }

    /// Do the invariants of a certificate obey the clauses of this program?
    fn recheck(&mut self, certificate: &Certificate) -> Result<Proved, Objection> {
        let program = match certificate.rounds {
            0 => Program::counted(&self.task.xcfa, 1).ok_or("there are no templates")?,
            rounds => Program::of(&self.task.xcfa, rounds),
        };
        let (program, mut terms) = program.map_err(|refused| self.beyond(&refused))?;
        let blocks = self.blocks(&program, &mut terms, false);
        let blocks = blocks.map_err(|refused| self.beyond(&refused))?;
        let steps = Steps::of(&program, &mut terms, &blocks);
        let attempts = Attempts {
            task: self.task,
            config: self.config,
            budget: self.budget,
            program: &program,
            blocks: &blocks,
            steps: &steps,
            stats: &mut self.stats,
        };
        let mut parts = vec![(self.target, &certificate.errors)];
        if is_unrolled(&program) {
            let unwound = certificate.unwound.as_ref();
            let unwound = unwound.ok_or("nothing is said about the end of the unrolling")?;
            parts.push((ErrorKind::Unwound, unwound));
        }
        let mut proved = Vec::new();
        for (target, part) in parts {
            if !(1..=MOST_THREADS).contains(&part.index) || sets(&program, part.index).is_empty() {
                return Err("invariants cannot speak about so many threads".into());
            }
            let clauses = attempts.clauses(&mut terms, part.index, target)?;
            let system = &clauses.safety.system;
            let formulas = part.formulas(&mut terms, system);
            let formulas = formulas.ok_or("the invariants do not fit the clauses")?;
            let left = self.budget.remaining();
            match check_solution(&mut terms, system, &formulas, left) {
                smt::Check::Unsat => {}
                smt::Check::Sat => return Err("the invariants do not obey the clauses".into()),
                smt::Check::Unknown(why) => return Err(Reason::Inconclusive(why).into()),
            }
            // Those about the error; that the unrolling is complete is no news for a reader.
            if proved.is_empty() {
                proved = attempts.proved(&mut terms, &clauses, &formulas).invariants;
            }
        }
        Ok(proved)
    }

    /// The blocks of a program, according to the options.
    fn blocks(
        &mut self,
        program: &Program,
        terms: &mut Terms,
        fleeting: bool,
    ) -> Result<Blocks, Unsupported> {
        let locks = match self.config.inference {
            Inference::Flow => Locks::of(program, terms),
            Inference::Clauses => Locks::by_clauses(program, terms),
        };
        let movers = movers(program, terms, &locks, self.budget);
        self.count(&movers);
        let wanted = Wanted {
            reduction: self.config.reduction,
            fleeting,
            inference: self.config.inference,
        };
        Blocks::wanted(program, terms, &movers, wanted, self.budget)
    }

    fn beyond(&self, refused: &Unsupported) -> Reason {
        Reason::unsupported_at(&self.task.xcfa, refused.span, refused.what.as_str())
    }

    fn measure(&mut self, steps: &Steps, blocks: &Blocks) {
        let places = steps.places.iter().flatten();
        let inside = places.clone().filter(|&&loc| blocks.is_inside(loc)).count();
        self.stats.set("steps", steps.steps.len() as u64);
        self.stats.set("places", places.count() as u64);
        self.stats.set("places inside blocks", inside as u64);
    }

    fn count(&mut self, movers: &[Mover]) {
        let count = |kind: Mover| movers.iter().filter(|&&mover| mover == kind).count() as u64;
        self.stats.set("both movers", count(Mover::Both));
        self.stats.set("right movers", count(Mover::Right));
        self.stats.set("left movers", count(Mover::Left));
        self.stats.set("non-movers", count(Mover::Non));
    }
}

/// Can the program come to the end of its unrolling?
fn is_unrolled(program: &Program) -> bool {
    let mut errors = (0..program.locations()).map(|loc| program.error(xcfa::LocId(loc as u32)));
    errors.any(|error| error == Some(ErrorKind::Unwound))
}
