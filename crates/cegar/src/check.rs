//! The engine: build, refine, build again.

use crate::certificate::Unrolled;
use crate::refiner::Refiner;
use crate::run::{Run, first_precision};
use crate::view::Snapshot;
use crate::{Config, Domain};
use abstraction::Program;
use smt::on_worker;
use std::time::Duration;
use verdict::{Answer, Bound, Budget, Reason, Stats, Task, Verdict};
use xcfa::ErrorKind;

/// A try is given up after this if there is no limit of time.
const WITHOUT_LIMIT: Duration = Duration::from_secs(100);

/// Sees the graph at the end of every iteration.
pub type Watch<'a> = &'a mut (dyn FnMut(Snapshot) + Send);

/// Checks a program by refining abstractions of it.
pub fn check(task: &Task, config: &Config, budget: &Budget) -> Answer {
    check_watched(task, config, budget, None)
}

/// The same, with an observer.
pub fn check_watched(
    task: &Task,
    config: &Config,
    budget: &Budget,
    mut watch: Option<Watch<'_>>,
) -> Answer {
    let over = || budget.exceeded(0).is_some();
    let answer = on_worker(over, || check_here(task, config, budget, &mut watch));
    answer.unwrap_or_else(Answer::crashed)
}

fn check_here(
    task: &Task,
    config: &Config,
    budget: &Budget,
    watch: &mut Option<Watch<'_>>,
) -> Answer {
    let mut stats = Stats::default();
    let Some(target) = task.property.target() else {
        let what = format!("abstraction refinement does not check {}", task.property);
        return Answer::unknown(Reason::unsupported(what));
    };
    let mut engine = Engine {
        task,
        config,
        budget,
        target,
        watch,
    };
    let verdict = engine.check(&mut stats);
    Answer::new(verdict, stats)
}

/// What is the same for all unrollings.
struct Engine<'a, 'w> {
    task: &'a Task,
    config: &'a Config,
    budget: &'a Budget,
    target: ErrorKind,
    watch: &'a mut Option<Watch<'w>>,
}

impl Engine<'_, '_> {
    /// Unrolls loops that start threads further and further, and tries to count the threads in
    /// between: with few threads errors are found, without a bound there are proofs.
    fn check(&mut self, stats: &mut Stats) -> Verdict {
        let counts = Program::counted(&self.task.xcfa, 1).is_some();
        let mut rounds = 1;
        loop {
            let unrolled = Unrolled::Rounds(rounds);
            stats.set("unrolled", u64::from(rounds));
            let to_be_counted = counts && rounds == 1;
            let budget = match to_be_counted {
                true => self.part_of_budget(),
                false => self.budget.clone(),
            };
            match self.run(unrolled, self.config, &budget, stats) {
                Some(Verdict::Unknown(_)) if to_be_counted => {}
                Some(verdict) => return verdict,
                None => {}
            }
            if to_be_counted && let Some(verdict) = self.count(stats) {
                return verdict;
            }
            if rounds >= self.config.most_rounds {
                let bound = Bound::StartingRounds(rounds.into());
                return Verdict::Unknown(Reason::Bound(bound));
            }
            rounds *= 2;
        }
    }

    /// A verdict about any number of threads, if there is one in time. Values that grow
    /// with the number of threads have no end, so predicates alone are tried as well.
    fn count(&mut self, stats: &mut Stats) -> Option<Verdict> {
        let mut configs = vec![self.config.clone()];
        if self.config.domain == Domain::Product {
            let domain = Domain::Cartesian;
            configs.push(Config {
                domain,
                ..self.config.clone()
            });
        }
        for config in configs {
            let budget = self.part_of_budget();
            match self.run(Unrolled::Counted, &config, &budget, stats) {
                // A proof that fails its check is a bug of ours, which must be reported.
                refuted @ Some(Verdict::Unknown(Reason::NotProved(_))) => return refuted,
                Some(Verdict::Unknown(_)) | None => {}
                definite => return definite,
            }
        }
        None
    }

    /// A third of the time that is left; if there is no limit, long enough for most programs, so
    /// that what comes after it has its turn.
    fn part_of_budget(&self) -> Budget {
        let left = self.budget.remaining();
        self.budget
            .at_most(left.map_or(WITHOUT_LIMIT, |left| left / 3))
    }

    /// A verdict about one unrolling; nothing if the program goes on beyond it.
    fn run(
        &mut self,
        unrolled: Unrolled,
        config: &Config,
        budget: &Budget,
        stats: &mut Stats,
    ) -> Option<Verdict> {
        let (program, mut terms) = match unrolled.program(&self.task.xcfa)? {
            Ok(program) => program,
            Err(refused) => {
                let xcfa = &self.task.xcfa;
                let reason = Reason::unsupported_at(xcfa, refused.span, refused.what);
                return Some(Verdict::Unknown(reason));
            }
        };
        let mut run = Run {
            task: self.task,
            config,
            budget,
            program: &program,
            unrolled,
            precision: first_precision(&program, config),
            refiner: Refiner::new(config),
            iterations: 0,
            target: self.target,
            watch: self.watch,
        };
        run.run(&mut terms, stats)
    }
}
