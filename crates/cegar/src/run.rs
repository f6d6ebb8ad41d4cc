//! Refinement of one program until there is an answer.

use crate::abstractor::{Abstractor, Built};
use crate::arg::NodeId;
use crate::certificate::{Certificate, Unrolled};
use crate::check::Watch;
use crate::proof::{Checker, Flaw};
use crate::refiner::{Refinement, Refiner};
use crate::steps::Steps;
use crate::view::Viewer;
use crate::{Config, Domain, Prune};
use abstraction::{PathStep, Precision, Program, trace};
use expr::{Terms, VarId};
use std::ops::ControlFlow::{self, Break, Continue};
use std::time::Duration;
use verdict::{Bound, Budget, Proof, Reason, Stats, Task, Verdict};
use xcfa::{ErrorKind, LocId};

/// Without a limit of time, a path is given up after this.
const PATIENCE: Duration = Duration::from_secs(600);

/// One unrolling of the loops that start threads.
pub struct Run<'a, 'w> {
    pub task: &'a Task,
    pub config: &'a Config,
    pub budget: &'a Budget,
    pub program: &'a Program,
    pub unrolled: Unrolled,
    pub precision: Precision,
    pub refiner: Refiner,
    pub iterations: u64,
    pub target: ErrorKind,
    pub watch: &'a mut Option<Watch<'w>>,
}

/// Locks and threads, and the variables that the user tracks.
pub fn first_precision(program: &Program, config: &Config) -> Precision {
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
    pub fn run(&mut self, terms: &mut Terms, stats: &mut Stats) -> Option<Verdict> {
        let mut abstractor =
            Abstractor::new(self.program, terms, self.config, self.target, self.budget);
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
            self.budget
                .tell(|| format!("iteration {}", self.iterations));
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
                    if let Break(verdict) = self.refine(abstractor, terms, node) {
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

    /// A verdict, or none if the program has to be unrolled further; it goes on if the graph has to
    /// be built again.
    fn refine(
        &mut self,
        abstractor: &mut Abstractor<'_>,
        terms: &mut Terms,
        node: NodeId,
    ) -> ControlFlow<Option<Verdict>> {
        let (nodes, _) = abstractor.arg.path(node);
        let steps = Steps::to(self.program, terms, &abstractor.arg, node);
        let known = |node: usize, slot: usize| {
            let node = abstractor.arg.node(nodes[node]);
            node.data.value(slot).is_some()
        };
        let patience = self.budget.remaining().unwrap_or(PATIENCE);
        let refinement = self
            .refiner
            .refine(&steps, terms, &mut self.precision, &known, patience);
        match refinement {
            Refinement::Feasible(_) if !steps.ghosts.is_empty() => {
                self.count_further(abstractor, terms, &steps.ghosts)
            }
            Refinement::Feasible(chosen) => {
                let mut locs = abstractor.arg.node(node).locations();
                // Another thread may have come to the end of the unrolling in the meantime.
                if !locs.any(|loc| self.program.error(loc) == Some(self.target)) {
                    return Break(None);
                }
                let path = chosen.iter().enumerate().map(|(step, chosen)| PathStep {
                    action: &steps.actions[step],
                    actor: steps.actors[step],
                    started: &steps.started[step],
                    chosen,
                });
                let found = trace(self.program, &self.task.xcfa, self.task.property, path);
                Break(Some(match found {
                    Ok(trace) => Verdict::Unsafe(trace),
                    Err(lost) => {
                        let given_up = self.program.given_up.iter();
                        let names: Vec<&str> = given_up.map(|object| &*object.name).collect();
                        Verdict::Unknown(Reason::lost(self.task, lost, self.budget, &names))
                    }
                }))
            }
            Refinement::Spurious { from } => {
                match (self.config.prune, from) {
                    _ if self.program.has_templates() => {
                        abstractor.restart(terms, &self.precision);
                    }
                    (Prune::Full, _) | (_, 0) => abstractor.restart(terms, &self.precision),
                    (Prune::Lazy, from) => abstractor.prune(nodes[from], &self.precision),
                }
                Continue(())
            }
            Refinement::Stuck(_)
                if self.config.domain == Domain::Product && abstractor.post.split() =>
            {
                abstractor.restart(terms, &self.precision);
                Continue(())
            }
            Refinement::Stuck(why) => {
                let stopped = self.budget.exceeded(0);
                let reason = stopped.unwrap_or(Reason::Inconclusive(why));
                Break(Some(Verdict::Unknown(reason)))
            }
        }
    }

    /// A thread moved that no thread has started: threads there must be counted further.
    fn count_further(
        &mut self,
        abstractor: &mut Abstractor<'_>,
        terms: &mut Terms,
        ghosts: &[LocId],
    ) -> ControlFlow<Option<Verdict>> {
        // New threads can mostly be started as needed; the smallest count is the best guess.
        let is_start = |place| self.program.threads.iter().any(|t| t.init == place);
        let cost = |place: &LocId| (is_start(*place), abstractor.thresholds.at(*place));
        let least = ghosts.iter().map(cost).min();
        let mut places: Vec<LocId> = ghosts
            .iter()
            .copied()
            .filter(|p| Some(cost(p)) == least)
            .collect();
        places.sort_unstable();
        places.dedup();
        for place in places {
            if abstractor.thresholds.raise(place) > self.config.most_alike {
                let bound = Bound::ThreadsAlike(self.config.most_alike.into());
                return Break(Some(Verdict::Unknown(Reason::Bound(bound))));
            }
        }
        abstractor.restart(terms, &self.precision);
        Continue(())
    }

    /// *Safe*, if the graph passes the checker.
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
            certificate: Certificate::of(self, abstractor, terms).to_json(),
        }
    }
}
