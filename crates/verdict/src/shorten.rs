//! The same violation with fewer context switches, for people who read it.
//!
//! Steps of one thread that are apart are moved together, and steps that do not matter are dropped, as long
//! as the machine still comes to the violation. What comes of it need not be the shortest schedule there is.

use rustc_hash::FxHashSet;
use semantics::{Machine, Step, Trace, Violation, replay};

/// This many steps are taken at most to find a shorter schedule; fewer if the states are large.
const MOST_STEPS: u64 = 40_000;
/// A state with objects of this many bytes costs twice as much as a small one.
const LARGE_STATE: u64 = 4096;

/// A schedule with the same violation and no more context switches than this one.
pub fn shorten(machine: &Machine<'_>, trace: &Trace) -> Trace {
    if trace.loop_start.is_some() || trace.graph.is_some() {
        return trace.clone();
    }
    let sizes = machine.xcfa.objects.iter().filter_map(|object| object.size);
    let bytes = sizes.fold(0, u64::saturating_add);
    let mut search = Shortening {
        machine,
        violation: trace.clone(),
        blocks: blocks(&trace.steps),
        left: (MOST_STEPS / (1 + bytes / LARGE_STATE)) as usize,
    };
    while search.left > 0 && (search.drop_one() || search.merge_one()) {}
    search.trace(&search.blocks)
}

/// Consecutive steps of one thread.
type Block = Vec<Step>;

fn blocks(steps: &[Step]) -> Vec<Block> {
    let same = |a: &Step, b: &Step| a.thread == b.thread;
    steps.chunk_by(same).map(<[Step]>::to_vec).collect()
}

struct Shortening<'m, 'x> {
    machine: &'m Machine<'x>,
    /// The violation that must stay, with the steps of the first schedule.
    violation: Trace,
    blocks: Vec<Block>,
    /// Steps that may still be taken.
    left: usize,
}

impl Shortening<'_, '_> {
    fn trace(&self, blocks: &[Block]) -> Trace {
        Trace::new(self.violation.violation, blocks.concat())
    }

    /// Takes the blocks if they lead to the violation, too.
    fn accept(&mut self, blocks: &[Block]) -> bool {
        let trace = self.trace(blocks);
        if !self.ends_alike(&trace) {
            return false;
        }
        let Some(left) = self.left.checked_sub(trace.steps.len()) else {
            self.left = 0;
            return false;
        };
        self.left = left;
        let fails = replay(self.machine, &trace).is_ok();
        if fails {
            self.blocks = self::blocks(&trace.steps);
        }
        fails
    }

    /// The two accesses of a race stay side by side at the end, where witnesses look for them.
    fn ends_alike(&self, trace: &Trace) -> bool {
        if self.violation.violation != Violation::DataRace {
            return true;
        }
        let steps = &self.violation.steps;
        let pair = &steps[steps.len().saturating_sub(2)..];
        trace.steps.ends_with(pair)
    }

    /// Leaves out a block, or the last step of a thread, from the end on.
    fn drop_one(&mut self) -> bool {
        let mut seen = FxHashSet::default();
        (0..self.blocks.len()).rev().any(|at| {
            // Each attempt copies the schedule.
            if self.left == 0 {
                return false;
            }
            let mut fewer = self.blocks.clone();
            let dropped = fewer.remove(at);
            let thread = dropped[0].thread;
            let is_last = seen.insert(thread);
            if self.accept(&fewer) {
                return true;
            }
            let mut shorter = self.blocks.clone();
            shorter[at].pop();
            is_last && dropped.len() > 1 && self.accept(&shorter)
        })
    }

    /// Joins a block with the next one of its thread: the later one comes earlier, or the earlier one
    /// later.
    fn merge_one(&mut self) -> bool {
        (0..self.blocks.len()).any(|at| {
            if self.left == 0 {
                return false;
            }
            let thread = self.blocks[at][0].thread;
            let mut later = self.blocks.iter().enumerate().skip(at + 1);
            let Some((next, _)) = later.find(|(_, block)| block[0].thread == thread) else {
                return false;
            };
            let moved = |from: usize, to: usize| {
                let mut blocks = self.blocks.clone();
                let block = blocks.remove(from);
                blocks.insert(to, block);
                blocks
            };
            let (early, late) = (moved(next, at + 1), moved(at, next - 1));
            self.accept(&early) || self.accept(&late)
        })
    }
}
