//! Events that would race, or lock each other out, if their threads were before them at once.

use super::Search;
use crate::cells::CellId;
use crate::ctp::TraceProgram;
use crate::event::Event;

/// No more groups than this are searched for in one execution.
const MOST_GROUPS: usize = 64;

/// An event that takes a lock.
struct Acquisition {
    op: usize,
    tid: u32,
    lock: CellId,
    held: Vec<CellId>,
}

impl Search<'_, '_> {
    /// Pairs of events of different threads with conflicting accesses that are not both atomic.
    pub(super) fn racing_pairs(&self, program: &TraceProgram) -> Vec<Vec<usize>> {
        let event = |op: usize| &self.events[program.ops[op].event];
        let mut pairs = Vec::new();
        for first in 0..program.ops.len() {
            for second in first + 1..program.ops.len() {
                if self.would_race(event(first), event(second)) && pairs.len() < MOST_GROUPS {
                    pairs.push(vec![first, second]);
                }
            }
        }
        pairs
    }

    fn would_race(&self, a: &Event, b: &Event) -> bool {
        let cells = &self.runner.cells;
        a.tid != b.tid
            && a.shape.touches.iter().any(|x| {
                b.shape.touches.iter().any(|y| {
                    (x.write || y.write) && !(x.atomic && y.atomic) && cells.overlap(x.cell, y.cell)
                })
            })
    }

    /// Groups of events that each take a lock which the thread of the next one holds.
    pub(super) fn lock_cycles(&self, program: &TraceProgram) -> Vec<Vec<usize>> {
        let acquisitions = self.acquisitions(program);
        let mut cycles = Vec::new();
        for first in &acquisitions {
            let mut path = vec![first];
            extend(&acquisitions, &mut path, &mut cycles);
        }
        cycles
    }

    fn acquisitions(&self, program: &TraceProgram) -> Vec<Acquisition> {
        let mut held: Vec<Vec<CellId>> = vec![Vec::new(); self.threads.len()];
        let mut found = Vec::new();
        for (op, it) in program.ops.iter().enumerate() {
            let event = &self.events[it.event];
            let mut writes = event.shape.touches.iter().filter(|touch| touch.write);
            let Some(lock) = writes.next().map(|touch| touch.cell) else {
                continue;
            };
            let held = &mut held[it.tid as usize];
            if event.lock.blocks() {
                found.push(Acquisition {
                    op,
                    tid: it.tid,
                    lock,
                    held: held.clone(),
                });
                held.push(lock);
            } else {
                held.retain(|&other| other != lock);
            }
        }
        found
    }
}

/// Adds the cycles that begin with a path; the first of a cycle is the one of the lowest thread.
fn extend<'a>(
    all: &'a [Acquisition],
    path: &mut Vec<&'a Acquisition>,
    cycles: &mut Vec<Vec<usize>>,
) {
    let (first, last) = (path[0], path[path.len() - 1]);
    if path.len() > 1 && first.held.contains(&last.lock) {
        cycles.push(path.iter().map(|it| it.op).collect());
        return;
    }
    for next in all {
        let fresh = next.tid > first.tid && path.iter().all(|it| it.tid != next.tid);
        if cycles.len() < MOST_GROUPS && fresh && next.held.contains(&last.lock) {
            path.push(next);
            extend(all, path, cycles);
            path.pop();
        }
    }
}
