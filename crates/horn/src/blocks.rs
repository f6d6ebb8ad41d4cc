//! Reducible blocks: where a thread can run on without interleaving (section V-B).
//!
//! A block is a number of right movers, at most one action that moves nowhere, and a number of
//! left movers. A location inside a block is one where no other thread needs to be considered.
//! Locations that are not inside are outside, and to take a location for outside is always sound.
//!
//! Three things the paper leaves unsaid are needed for soundness. Once a block is past its
//! commit, others may depend on it, so it must come to its end: locations there must be ones that
//! can always be left, and no loop may stay inside. A thread without further actions is outside. And a
//! location outside begins a new block, before its commit.

use crate::Inference;
use crate::clauses;
use crate::movers::Mover;
use abstraction::{Program, always_enabled_locations};
use dataflow::BitSet;
use expr::Terms;
use passes::Unsupported;
use verdict::Budget;
use xcfa::LocId;

/// What is known about the locations of a program.
#[derive(Debug)]
pub struct Blocks {
    /// Locations inside a block or an atomic section.
    inside: BitSet,
    /// Locations that can be reached before the commit of a block.
    pub before_commit: BitSet,
    /// Locations that can be reached after the commit of a block.
    pub after_commit: BitSet,
    /// By location: how many atomic sections surround it.
    depth: Vec<Option<i32>>,
    /// Must every location inside be one that can always be left, and no head of a loop?
    fleeting: bool,
    /// How phases are found.
    inference: Inference,
}

/// What blocks are wanted.
#[derive(Clone, Copy, Debug)]
pub struct Wanted {
    /// Any, besides atomic sections?
    pub reduction: bool,
    /// Those inside of which no thread can stay, apart from atomic sections: their locations can
    /// always be left, and no loop has its head there. So they hide no waiting thread.
    pub fleeting: bool,
    /// How phases are found.
    pub inference: Inference,
}

impl Blocks {
    /// The blocks for proofs that no error is reached; without `reduction` only atomic sections.
    pub fn of(
        program: &Program,
        terms: &mut Terms,
        movers: &[Mover],
        reduction: bool,
    ) -> Result<Blocks, Unsupported> {
        let wanted = Wanted {
            reduction,
            fleeting: false,
            inference: Inference::Flow,
        };
        Blocks::wanted(program, terms, movers, wanted, &Budget::unlimited())
    }

    /// The blocks of a program that are wanted.
    pub fn wanted(
        program: &Program,
        terms: &mut Terms,
        movers: &[Mover],
        wanted: Wanted,
        budget: &Budget,
    ) -> Result<Blocks, Unsupported> {
        let depth = depths(program)?;
        let in_section = |loc: usize| depth[loc].is_some_and(|depth| depth > 0);
        let mut blocks = Blocks {
            inside: (0..program.locations())
                .filter(|&l| in_section(l))
                .collect(),
            before_commit: BitSet::new(),
            after_commit: BitSet::new(),
            depth,
            fleeting: wanted.fleeting,
            inference: wanted.inference,
        };
        if wanted.reduction {
            let total = always_enabled_locations(program, terms, budget);
            blocks.grow(program, terms, movers, &total);
        }
        Ok(blocks)
    }

    /// Is the location inside an atomic section?
    pub fn is_in_section(&self, loc: LocId) -> bool {
        self.in_section(loc.0 as usize)
    }

    /// Is the location inside a block?
    pub fn is_inside(&self, loc: LocId) -> bool {
        self.inside.contains(loc.0 as usize)
    }

    fn in_section(&self, loc: usize) -> bool {
        self.depth[loc].is_some_and(|depth| depth > 0)
    }

    /// Starts with everything inside that may be, and takes out what must not be.
    fn grow(&mut self, program: &Program, terms: &mut Terms, movers: &[Mover], total: &[bool]) {
        self.inside = (0..program.locations()).collect();
        for loc in 0..program.locations() {
            let id = LocId(loc as u32);
            let ends = program.out(id).is_empty() || program.error(id).is_some();
            if ends && !self.in_section(loc) {
                self.inside.remove(loc);
            }
        }
        for thread in &program.threads {
            self.inside.remove(thread.init.0 as usize);
        }
        for action in &program.actions {
            let starts_many = action.starts.iter().any(|&t| program.threads[t].many);
            if starts_many && !self.in_section(action.target.0 as usize) {
                self.inside.remove(action.target.0 as usize);
            }
        }
        loop {
            self.phases(program, terms, movers);
            let wrong = self.wrong(program, movers, total);
            if wrong.is_empty() {
                return;
            }
            for loc in wrong {
                self.inside.remove(loc);
            }
        }
    }

    /// Is a location before or after the commit of its block? Both may be.
    fn phases(&mut self, program: &Program, terms: &mut Terms, movers: &[Mover]) {
        // An atomic section moves nowhere until it has ended.
        let kinds: Vec<Mover> = program
            .action_ids()
            .map(|id| match self.is_in_section(program[id].source) {
                true => Mover::Non,
                false => movers[id.0 as usize],
            })
            .collect();
        let by_clauses = match self.inference {
            Inference::Flow => None,
            Inference::Clauses => {
                clauses::phases(program, terms, &kinds, |loc| self.is_inside(loc))
            }
        };
        let phases = by_clauses.unwrap_or_else(|| self.follow(program, &kinds));
        (self.before_commit, self.after_commit) = phases;
    }

    fn follow(&self, program: &Program, kinds: &[Mover]) -> (BitSet, BitSet) {
        let (mut early, mut late) = (BitSet::new(), BitSet::new());
        let mut work: Vec<(LocId, bool)> = Vec::new();
        for loc in (0..program.locations()).filter(|&loc| !self.inside.contains(loc)) {
            early.insert(loc);
            work.push((LocId(loc as u32), true));
        }
        while let Some((loc, before)) = work.pop() {
            for &id in program.out(loc) {
                let target = program[id].target;
                if !self.is_inside(target) {
                    continue;
                }
                let before = match kinds[id.0 as usize] {
                    Mover::Right => true,
                    Mover::Both => before,
                    Mover::Left | Mover::Non => false,
                };
                let phase = match before {
                    true => &mut early,
                    false => &mut late,
                };
                if phase.insert(target.0 as usize) {
                    work.push((target, before));
                }
            }
        }
        (early, late)
    }

    /// Locations after the commit from which the thread might not reach the end of its block by
    /// moving left, and those where it could stay if none may.
    fn wrong(&self, program: &Program, movers: &[Mover], total: &[bool]) -> Vec<usize> {
        let mut wrong: Vec<usize> = Vec::new();
        for loc in self.after_commit.iter() {
            if self.in_section(loc) || !self.inside.contains(loc) {
                continue;
            }
            let out = program.out(LocId(loc as u32));
            let all_left = out
                .iter()
                .all(|id| matches!(movers[id.0 as usize], Mover::Left | Mover::Both));
            if !all_left || !total[loc] {
                wrong.push(loc);
            }
        }
        for action in program.actions.iter().filter(|action| action.backward) {
            let head = action.target.0 as usize;
            let stays = self.fleeting || self.after_commit.contains(head);
            if stays && self.inside.contains(head) && !self.in_section(head) {
                wrong.push(head);
            }
        }
        if self.fleeting {
            let inside = self.inside.iter();
            wrong.extend(inside.filter(|&loc| !total[loc] && !self.in_section(loc)));
        }
        wrong
    }
}

/// By location: how many atomic sections surround it; none if no path leads there.
fn depths(program: &Program) -> Result<Vec<Option<i32>>, Unsupported> {
    let mut depth = vec![None; program.locations()];
    let mut work = Vec::new();
    for thread in &program.threads {
        depth[thread.init.0 as usize] = Some(0);
        work.push(thread.init);
    }
    while let Some(loc) = work.pop() {
        let here = depth[loc.0 as usize].unwrap_or(0);
        for &id in program.out(loc) {
            let action = &program[id];
            let there = action.depth_after(here);
            match depth[action.target.0 as usize] {
                None => {
                    depth[action.target.0 as usize] = Some(there);
                    work.push(action.target);
                }
                Some(known) if known != there => {
                    let span = program.unrolled.xcfa[action.edge].span;
                    let what = "an atomic section that is left on one path only";
                    return Err(Unsupported::at(span, what));
                }
                Some(_) => {}
            }
        }
    }
    Ok(depth)
}
