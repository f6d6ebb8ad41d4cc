//! Locks that are held while a step is taken.

use crate::program::Program;
use passes::{HeldLock, Locksets};
use xcfa::{EdgeId, Label, LocId, LockMode};

/// The locks that are held during the whole step.
pub fn during(program: &Program<'_>, locksets: &Locksets, edge: EdgeId) -> Vec<HeldLock> {
    let xcfa = program.xcfa;
    match xcfa[edge].labels.iter().any(gives_back) {
        true => Vec::new(),
        false => locksets.held(xcfa[edge].source),
    }
}

/// Do two threads hold a lock that they cannot hold at the same time?
pub fn exclude_each_other(held: &[HeldLock], other: &[HeldLock]) -> bool {
    held.iter().any(|lock| {
        other.iter().any(|same| {
            let read_only = lock.mode == LockMode::Read && same.mode == LockMode::Read;
            (lock.object, lock.offset) == (same.object, same.offset) && !read_only
        })
    })
}

/// Does a thread that comes from one edge to another, without taking the second one in between, hold
/// the lock all the time, the two steps included?
pub fn throughout(
    program: &Program<'_>,
    locksets: &Locksets,
    lock: HeldLock,
    from: EdgeId,
    to: EdgeId,
) -> bool {
    let xcfa = program.xcfa;
    let holds = |edge: EdgeId| during(program, locksets, edge).contains(&lock);
    if !holds(from) || !holds(to) {
        return false;
    }
    let between = |loc: LocId| {
        program.reaches(xcfa[from].target, loc, |edge| edge == to)
            && program.reaches(loc, xcfa[to].source, |edge| edge == to)
    };
    let proc = xcfa[xcfa[from].source].proc;
    let locs = xcfa.loc_ids().filter(|&loc| xcfa[loc].proc == proc);
    locs.filter(|&loc| between(loc)).all(|loc| {
        let inner = xcfa[loc]
            .out
            .iter()
            .filter(|&&edge| between(xcfa[edge].target) && edge != to);
        locksets.held(loc).contains(&lock) && inner.into_iter().all(|&edge| holds(edge))
    })
}

fn gives_back(label: &Label) -> bool {
    matches!(
        label,
        Label::Unlock { .. } | Label::Wait { .. } | Label::Call { .. }
    )
}
