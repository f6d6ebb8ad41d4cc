//! What a thread accesses next, and what it may ever access.
//!
//! That a thread ends, and with which result, is part of what it may ever do, but not of its next step. Others
//! see it only by joining: what they can do before the end they can also do after it, with the same result,
//! because a join waits for the end and what it finds does not change any more. So an end is no reason to let
//! others move first; that somebody waits for it is a reason to let the thread move.

use crate::{ActionId, Program};
use dataflow::BitSet;
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BTreeSet;
use xcfa::LocId;

/// Variables that are accessed.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Access {
    /// Variables that are read.
    pub reads: BitSet,
    /// Changed.
    pub writes: BitSet,
    /// Both together.
    pub touches: BitSet,
}

impl Access {
    fn add_action(&mut self, program: &Program, action: ActionId) -> bool {
        let action = &program[action];
        let grown = self.reads.union_with(&action.reads) | self.writes.union_with(&action.writes);
        self.touches.union_with(&action.reads);
        self.touches.union_with(&action.writes);
        grown
    }

    fn add(&mut self, other: &Access) -> bool {
        let grown = self.reads.union_with(&other.reads) | self.writes.union_with(&other.writes);
        self.touches.union_with(&other.touches);
        grown
    }
}

/// By location: what a thread there accesses.
#[derive(Clone, Debug)]
pub struct Footprints {
    next: Vec<Access>,
    future: Vec<Access>,
    /// By thread that is joined: the same, up to the joins of that thread.
    before_join: FxHashMap<usize, Vec<Access>>,
}

impl Footprints {
    /// Closed over the automata once.
    pub fn of(program: &Program) -> Footprints {
        let locs = 0..program.locations() as u32;
        let next = locs.map(|loc| next_of(program, LocId(loc))).collect();
        let joined = program.action_ids().filter_map(|id| program[id].joins);
        let joined: BTreeSet<usize> = joined.collect();
        let before_join = joined.into_iter();
        let before_join = before_join.map(|thread| (thread, futures(program, Some(thread))));
        Footprints {
            next,
            future: futures(program, None),
            before_join: before_join.collect(),
        }
    }

    /// What the next step of a thread at `loc` may access; an atomic section is one step.
    pub fn next(&self, loc: LocId) -> &Access {
        &self.next[loc.0 as usize]
    }

    /// What a thread at `loc`, and the threads it starts, may ever access.
    pub fn future(&self, loc: LocId) -> &Access {
        &self.future[loc.0 as usize]
    }

    /// The same, before another thread has ended.
    pub fn future_before_end(&self, loc: LocId, thread: usize) -> &Access {
        let before_join = self.before_join.get(&thread);
        &before_join.unwrap_or(&self.future)[loc.0 as usize]
    }
}

/// Closes over what follows, but for what comes behind joins of one thread.
fn futures(program: &Program, joined: Option<usize>) -> Vec<Access> {
    let mut future = vec![Access::default(); program.locations()];
    let is_behind = |id: ActionId| joined.is_some() && program[id].joins == joined;
    loop {
        let mut grown = false;
        for action in program.action_ids().rev().filter(|&id| !is_behind(id)) {
            grown |= extend(program, &mut future, action);
        }
        if !grown {
            return future;
        }
    }
}

fn extend(program: &Program, future: &mut [Access], id: ActionId) -> bool {
    let action = &program[id];
    let mut now = std::mem::take(&mut future[action.source.0 as usize]);
    let mut grown = now.add_action(program, id);
    if action.source != action.target {
        grown |= now.add(&future[action.target.0 as usize]);
    }
    for &started in &action.starts {
        let init = program.threads[started].init;
        if init != action.source {
            grown |= now.add(&future[init.0 as usize]);
        }
    }
    future[action.source.0 as usize] = now;
    grown
}

fn next_of(program: &Program, loc: LocId) -> Access {
    let mut access = Access::default();
    let mut seen: FxHashSet<(LocId, i32)> = FxHashSet::default();
    let mut work = vec![(loc, 0)];
    let mut own_end = None;
    while let Some((loc, depth)) = work.pop() {
        for &id in program.out(loc) {
            access.add_action(program, id);
            let action = &program[id];
            let about = &program.about[action.thread];
            own_end = Some([about.ended, about.result]);
            let depth = action.depth_after(depth);
            if depth > 0 && seen.insert((action.target, depth)) {
                work.push((action.target, depth));
            }
        }
    }
    for var in own_end.into_iter().flatten() {
        access.writes.remove(var.0 as usize);
    }
    access
}
