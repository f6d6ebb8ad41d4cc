//! Which heap objects a program can still reach: for `valid-memtrack`.

use crate::{Machine, State, Status, Tid};
use xcfa::ObjectKind;

/// What becomes of the heap when the process ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Tracking {
    /// Everything that was not freed is reachable from globals.
    Kept,
    /// Something is reachable from nowhere, not even from a variable that may be out of scope.
    Lost,
    /// It depends on which variables of a frame are still in scope, which the machine does not
    /// know.
    Unclear,
}

/// Looks at the heap at the end of the process, where the variables of one thread may be gone.
///
/// A word that is the address of some byte of an object keeps it, as does one past its end.
pub(crate) fn tracking(machine: &Machine<'_>, state: &State, gone: Option<Tid>) -> Tracking {
    let counts = |&tid: &Tid| Some(tid) != gone && state.thread(tid).status == Status::Running;
    let counted: Vec<Tid> = state.tids().filter(counts).collect();
    if all_reachable(machine, state, &[]) {
        Tracking::Kept
    } else if all_reachable(machine, state, &counted) {
        Tracking::Unclear
    } else {
        Tracking::Lost
    }
}

/// Is every heap object reachable from globals, and from the frames of these threads?
fn all_reachable(machine: &Machine<'_>, state: &State, counted: &[Tid]) -> bool {
    let instances = state.memory.instances();
    let is_heap = |obj: expr::ObjId| machine.xcfa[obj].kind == ObjectKind::Heap;
    let mut marked = vec![false; instances.len()];
    let mut work: Vec<usize> = Vec::new();
    let mut visit = |word: u64, work: &mut Vec<usize>| {
        let after = instances.partition_point(|instance| instance.base <= word);
        if let Some(at) = after.checked_sub(1)
            && word - instances[at].base <= instances[at].size
            && !std::mem::replace(&mut marked[at], true)
        {
            work.push(at);
        }
    };
    let statics = words(machine, state.memory.statics());
    for word in state.globals.iter().copied().chain(statics) {
        visit(word, &mut work);
    }
    for &tid in counted {
        for &word in &state.thread(tid).slots {
            visit(word, &mut work);
        }
        let stack = machine.layout.stack_range(tid, 0);
        let stacked = |base: u64| stack.contains(&base);
        for instance in instances.iter().filter(|instance| stacked(instance.base)) {
            visit(instance.base, &mut work);
        }
    }
    while let Some(at) = work.pop() {
        for word in words(machine, state.memory.contents(&instances[at])) {
            visit(word, &mut work);
        }
    }
    instances
        .iter()
        .zip(&marked)
        .all(|(instance, &marked)| marked || !is_heap(instance.obj))
}

/// The pointer-sized words of some bytes, at every alignment that a packed record could use.
fn words(machine: &Machine<'_>, bytes: &[u8]) -> Vec<u64> {
    let size = machine.xcfa.pointer_bits() as usize / 8;
    let word = |window: &[u8]| {
        window
            .iter()
            .rev()
            .fold(0, |word, &byte| word << 8 | u64::from(byte))
    };
    bytes.windows(size).map(word).collect()
}
