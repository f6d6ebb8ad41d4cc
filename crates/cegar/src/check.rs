//! The engine: build, refine, build again.

use crate::abstractor::{Abstractor, Built};
use crate::proof::{Checker, Flaw};
use crate::refiner::{Refinement, Refiner};
use crate::trace::trace;
use crate::view::{Snapshot, Viewer};
use crate::{Config, Domain};
use crate::{Prune, arg::NodeId};
use analysis::{Precision, Program};
use expr::{Terms, VarId};
use std::time::Duration;
use verdict::{Answer, Budget, Proof, Property, Reason, Stats, Task, Verdict, confirm};
use xcfa::ErrorKind;

/// Terms of long programs are deep, and looking into them recurses.
const STACK: usize = 1 << 30;

/// Without a limit of time, a path is given up after this.
const PATIENCE: Duration = Duration::from_secs(600);

/// Sees the graph at the end of every iteration.
pub type Watch<'a> = &'a mut (dyn FnMut(Snapshot) + Send);

/// Checks a program by refining abstractions of it.
pub fn check(task: &Task, config: &Config, budget: &Budget) -> Answer {
    check_watched(task, config, budget, None)
}

/// The same, with somebody who looks on.
pub fn check_watched(
    task: &Task,
    config: &Config,
    budget: &Budget,
    mut watch: Option<Watch<'_>>,
) -> Answer {
    std::thread::scope(|scope| {
        let builder = std::thread::Builder::new().stack_size(STACK);
        let watch = &mut watch;
        let worker = builder.spawn_scoped(scope, || check_here(task, config, budget, watch));
        let answer = worker.ok().and_then(|worker| worker.join().ok());
        answer.unwrap_or_else(|| Answer {
            verdict: beyond("the engine stopped for an error of its own".into()),
            stats: Stats::default(),
        })
    })
}

fn beyond(what: String) -> Verdict {
    Verdict::Unknown(Reason::Beyond(what))
}

fn check_here(
    task: &Task,
    config: &Config,
    budget: &Budget,
    watch: &mut Option<Watch<'_>>,
) -> Answer {
    let mut stats = Stats::default();
    let target = match task.property {
        Property::Reach => ErrorKind::Reached,
        Property::Overflow => ErrorKind::Overflow,
        other => {
            let verdict = beyond(format!("abstraction refinement does not check {other}"));
            return Answer { verdict, stats };
        }
    };
    let mut rounds = 1;
    let verdict = loop {
        let (program, mut terms) = match Program::of(&task.xcfa, rounds) {
            Ok(program) => program,
            Err(refused) => {
                let place = task.xcfa.sources.place(refused.span);
                let what = format!("{}:{}: {}", place.file, place.line, refused.what);
                break beyond(what);
            }
        };
        let mut run = Run {
            task,
            config,
            budget,
            program: &program,
            precision: first_precision(&program, config),
            refiner: Refiner::new(config),
            iterations: 0,
            target,
            watch,
        };
        let verdict = run.run(&mut terms, &mut stats);
        stats.set("unrolled", u64::from(rounds));
        match verdict {
            Some(verdict) => break verdict,
            None if rounds >= config.most_rounds => {
                break beyond(format!(
                    "no error with loops that start threads unrolled {rounds} times"
                ));
            }
            None => rounds *= 2,
        }
    };
    Answer {
        verdict: confirm(task, verdict),
        stats,
    }
}

/// One unrolling of the loops that start threads.
struct Run<'a, 'w> {
    task: &'a Task,
    config: &'a Config,
    budget: &'a Budget,
    program: &'a Program,
    precision: Precision,
    refiner: Refiner,
    iterations: u64,
    target: ErrorKind,
    watch: &'a mut Option<Watch<'w>>,
}

/// Locks and threads, and what the user wants to see.
fn first_precision(program: &Program, config: &Config) -> Precision {
    let mut precision = Precision::control(program);
    for (number, var) in program.vars.iter().enumerate() {
        if !var.input && config.track.contains(&var.name) {
            precision.track(VarId(number as u32));
        }
    }
    precision
}

impl Run<'_, '_> {
    /// A verdict, or nothing if the program goes on beyond the unrolling.
    fn run(&mut self, terms: &mut Terms, stats: &mut Stats) -> Option<Verdict> {
        let mut abstractor = Abstractor::new(self.program, terms, self.config, self.target);
        let verdict = self.refine_until_done(&mut abstractor, terms);
        stats.set("iterations", self.iterations);
        stats.set("nodes", abstractor.arg.len() as u64);
        stats.set("explored actions", abstractor.explored);
        stats.set("chosen sets", abstractor.chosen.1);
        stats.set("actions in them", abstractor.chosen.0);
        stats.set("tracked variables", self.precision.vars().len() as u64);
        stats.set("predicates", self.precision.predicates().len() as u64);
        stats.set("refined paths", self.refiner.paths);
        let calls = abstractor.post.solver_calls() + self.refiner.solver_calls;
        stats.set("solver calls", calls);
        stats.set("threads", self.program.threads.len() as u64);
        verdict
    }

    fn refine_until_done(
        &mut self,
        abstractor: &mut Abstractor<'_>,
        terms: &mut Terms,
    ) -> Option<Verdict> {
        abstractor.restart(terms, &self.precision);
        let mut unwound = false;
        let mut found = None;
        loop {
            self.iterations += 1;
            let built = match found.take() {
                Some(node) => Built::Error(node),
                None => abstractor.run(terms, &self.precision, self.budget),
            };
            self.show(abstractor, terms, &built);
            match built {
                Built::Stopped(reason) => return Some(Verdict::Unknown(reason)),
                Built::Closed if !unwound => {
                    // Only now does it matter whether the unrolling was enough.
                    unwound = true;
                    found = abstractor.add_target(ErrorKind::Unwound);
                    if found.is_none() {
                        return Some(self.safe(abstractor, terms));
                    }
                }
                Built::Closed => return Some(self.safe(abstractor, terms)),
                Built::Error(node) => {
                    if let Some(verdict) = self.refine(abstractor, terms, node) {
                        return verdict;
                    }
                }
            }
        }
    }

    fn show(&mut self, abstractor: &mut Abstractor<'_>, terms: &Terms, built: &Built) {
        let Some(watch) = self.watch else { return };
        let viewer = Viewer {
            task: self.task,
            program: self.program,
            terms,
            precision: &self.precision,
        };
        let error = match built {
            Built::Error(node) => Some(*node),
            _ => None,
        };
        watch(viewer.snapshot(abstractor, self.iterations, error));
    }

    /// A verdict, or the need to unroll further; nothing if the graph has to be built again.
    fn refine(
        &mut self,
        abstractor: &mut Abstractor<'_>,
        terms: &mut Terms,
        node: NodeId,
    ) -> Option<Option<Verdict>> {
        let (nodes, actions) = abstractor.arg.path(node);
        let known = |node: usize, slot: usize| {
            let node = abstractor.arg.node(nodes[node]);
            node.data.value(slot).is_some()
        };
        let patience = self.budget.remaining().unwrap_or(PATIENCE);
        let refinement = self.refiner.refine(
            self.program,
            terms,
            &actions,
            &mut self.precision,
            &known,
            patience,
        );
        match refinement {
            Refinement::Feasible(inputs) => {
                let control = &abstractor.arg.node(node).control;
                let mut locs = control.threads();
                // Another thread may have come to the end of the unrolling in the meantime.
                if !locs.any(|(_, loc)| self.program.error(loc) == Some(self.target)) {
                    return Some(None);
                }
                let found = trace(self.program, self.task, &actions, &inputs);
                Some(Some(match found {
                    Some(trace) => Verdict::Unsafe(trace),
                    None => {
                        Verdict::Unknown(Reason::NotReplayed("the path has no execution".into()))
                    }
                }))
            }
            Refinement::Spurious { from } => {
                match (self.config.prune, from) {
                    (Prune::Full, _) | (_, 0) => abstractor.restart(terms, &self.precision),
                    (Prune::Lazy, from) => abstractor.prune(nodes[from], &self.precision),
                }
                None
            }
            Refinement::Stuck(_)
                if self.config.domain == Domain::Product && abstractor.post.split() =>
            {
                abstractor.restart(terms, &self.precision);
                None
            }
            Refinement::Stuck(why) => Some(Some(match self.budget.exceeded(0) {
                Some(reason) => Verdict::Unknown(reason),
                None => beyond(why),
            })),
        }
    }

    /// *Safe*, if the graph stands up to another look.
    fn safe(&self, abstractor: &Abstractor<'_>, terms: &mut Terms) -> Verdict {
        let mut checker = Checker {
            program: self.program,
            terms,
            precision: &self.precision,
            arg: &abstractor.arg,
            config: self.config,
            total: &abstractor.total,
            target: self.target,
        };
        match checker.check(self.budget) {
            Ok(()) => Verdict::Safe(self.proof(abstractor, terms)),
            Err(Flaw::Stopped(reason)) => Verdict::Unknown(reason),
            Err(Flaw::Wrong(what)) => Verdict::Unknown(Reason::NotProved(what)),
        }
    }

    fn proof(&self, abstractor: &Abstractor<'_>, terms: &Terms) -> Proof {
        let viewer = Viewer {
            task: self.task,
            program: self.program,
            terms,
            precision: &self.precision,
        };
        Proof::AbstractGraph {
            nodes: abstractor.arg.len() as u64,
            precision: viewer.precision(),
        }
    }
}
