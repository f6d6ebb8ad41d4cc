//! What a thread accesses next, and what it may ever access.

use crate::{ActionId, Program};
use dataflow::BitSet;
use rustc_hash::FxHashSet;
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
}

impl Footprints {
    /// Closed over the automata once.
    pub fn of(program: &Program) -> Footprints {
        let locs = 0..program.locations() as u32;
        let next = locs.map(|loc| next_of(program, LocId(loc))).collect();
        let mut future = vec![Access::default(); program.locations()];
        loop {
            let mut grown = false;
            for action in program.action_ids().rev() {
                grown |= extend(program, &mut future, action);
            }
            if !grown {
                return Footprints { next, future };
            }
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
    while let Some((loc, depth)) = work.pop() {
        for &id in program.out(loc) {
            access.add_action(program, id);
            let action = &program[id];
            let depth = action.depth_after(depth);
            if depth > 0 && seen.insert((action.target, depth)) {
                work.push((action.target, depth));
            }
        }
    }
    access
}
