//! Dependence of actions, pair by pair.

use crate::Config;
use abstraction::por::{Base, Dependence};
use abstraction::{Action, ActionId, Precision, Program};
use expr::VarId;
use rustc_hash::{FxHashMap, FxHashSet};
use xcfa::LocId;

/// Which threads can disturb each other, by their locations.
pub struct Dependences {
    base: Base,
    dependence: Dependence,
    /// By location: the actions of the next step.
    next: FxHashMap<LocId, Vec<ActionId>>,
    /// By location: the actions that can ever follow, or those that can before a thread has ended.
    ever: FxHashMap<(LocId, Option<usize>), Vec<ActionId>>,
    known: FxHashMap<(LocId, LocId), bool>,
}

impl Dependences {
    pub fn new(config: &Config) -> Dependences {
        Dependences {
            base: config.por,
            dependence: config.dependence,
            next: FxHashMap::default(),
            ever: FxHashMap::default(),
            known: FxHashMap::default(),
        }
    }

    /// Can a thread at `far` ever do something that is dependent on the next step from `near`?
    pub fn meet(
        &mut self,
        program: &Program,
        precision: &Precision,
        near: LocId,
        far: LocId,
    ) -> bool {
        if let Some(&known) = self.known.get(&(near, far)) {
            return known;
        }
        let next = self
            .next
            .entry(near)
            .or_insert_with(|| next_step(program, near));
        let Some(&first) = next.first() else {
            return false;
        };
        // The thread that takes the next step has not ended when others move before it.
        let running = Some(program[first].thread);
        let ever = self
            .ever
            .entry((far, running))
            .or_insert_with(|| ever_after(program, far, running));
        let (base, dependence) = (self.base, self.dependence);
        let meet = next.iter().any(|&a| {
            let mut ever = ever.iter();
            ever.any(|&b| dependent(base, dependence, precision, program, a, b))
        });
        self.known.insert((near, far), meet);
        meet
    }

    /// Can a thread at `far` ever change the variable?
    pub fn changes(&mut self, program: &Program, far: LocId, var: VarId) -> bool {
        let ever = self
            .ever
            .entry((far, None))
            .or_insert_with(|| ever_after(program, far, None));
        let mut ever = ever.iter();
        ever.any(|&action| program[action].updates.iter().any(|&(set, _)| set == var))
    }
}

/// Is `a`, a next step, dependent on `b`, which another thread may take before it?
fn dependent(
    base: Base,
    dependence: Dependence,
    precision: &Precision,
    program: &Program,
    a: ActionId,
    b: ActionId,
) -> bool {
    let (a, b) = (&program[a], &program[b]);
    // A join after the end of the thread does what it does before, where it goes on without that end.
    let about = &program.about[a.thread];
    let is_end = |var: usize| [about.ended, about.result].contains(&VarId(var as u32));
    let accessed =
        |action: &Action, var: usize| action.reads.contains(var) || action.writes.contains(var);
    let meet_in = |var: usize| match dependence {
        Dependence::Paper => accessed(a, var) && accessed(b, var),
        Dependence::Ours => {
            (a.writes.contains(var) && !is_end(var) && accessed(b, var))
                || (b.writes.contains(var) && accessed(a, var))
        }
    };
    let mut of_a = a.reads.iter().chain(a.writes.iter());
    match (base, dependence) {
        (Base::None, _) => true,
        (Base::Basic, _) => of_a.any(meet_in),
        (Base::Aware | Base::Source, Dependence::Ours) => {
            of_a.any(|var| precision.occurring().contains(var) && meet_in(var))
        }
        (Base::Aware | Base::Source, Dependence::Paper) => {
            let mut tracked = precision.vars().iter();
            let mut predicates = precision.predicates().iter();
            tracked.any(|var| meet_in(var.0 as usize))
                || predicates.any(|predicate| {
                    predicate.vars.iter().any(|var| accessed(a, var))
                        && predicate.vars.iter().any(|var| accessed(b, var))
                })
        }
    }
}

/// The actions of the next step, an atomic section being one.
fn next_step(program: &Program, from: LocId) -> Vec<ActionId> {
    let mut found = Vec::new();
    let mut seen = FxHashSet::default();
    let mut work = vec![(from, 0)];
    while let Some((loc, depth)) = work.pop() {
        for &id in program.out(loc) {
            found.push(id);
            let depth = program[id].depth_after(depth);
            if depth > 0 && seen.insert((program[id].target, depth)) {
                work.push((program[id].target, depth));
            }
        }
    }
    found
}

/// The actions that the thread, or one that it starts, can ever take while `running` has not ended.
fn ever_after(program: &Program, from: LocId, running: Option<usize>) -> Vec<ActionId> {
    let is_possible = |id: ActionId| running.is_none() || program[id].joins != running;
    let mut found = Vec::new();
    let mut seen: FxHashSet<LocId> = FxHashSet::default();
    let mut work = vec![from];
    seen.insert(from);
    while let Some(loc) = work.pop() {
        for &id in program.out(loc).iter().filter(|&&id| is_possible(id)) {
            found.push(id);
            let action = &program[id];
            let started = action.starts.iter().map(|&t| program.threads[t].init);
            for next in started.chain([action.target]) {
                if seen.insert(next) {
                    work.push(next);
                }
            }
        }
    }
    found
}
