//! Which heap objects a program can still reach: for `valid-memtrack`.

use crate::{Instance, Machine, State, Status, Tid};
use expr::ObjId;
use xcfa::ObjectKind;

/// What becomes of the heap when the process ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Tracking {
    /// Everything that was not freed is reachable from globals.
    Kept,
    /// Something is reachable from nowhere, not even from a variable that may be out of scope.
    Lost,
    /// It depends on which variables are in scope, which the machine does not know.
    Unclear,
}

/// Searches the heap at the end of the process, where the variables of one thread may be gone.
///
/// A word that is the address of some byte of an object keeps it, as does one past its end.
pub(crate) fn tracking(machine: &Machine<'_>, state: &State, gone: Option<Tid>) -> Tracking {
    if unreachable(machine, state, &[]).is_empty() {
        Tracking::Kept
    } else if lost(machine, state, gone).is_empty() {
        Tracking::Unclear
    } else {
        Tracking::Lost
    }
}

/// The heap objects that are reachable from nowhere, not even from a variable that may be out of scope.
pub(crate) fn lost(machine: &Machine<'_>, state: &State, gone: Option<Tid>) -> Vec<Instance> {
    let mut held = Vec::new();
    let is_running = |&tid: &Tid| state.thread(tid).status == Status::Running;
    for tid in state.tids().filter(is_running) {
        let slots = &state.thread(tid).slots;
        match Some(tid) == gone {
            // What is local to the thread lives as long as the thread does.
            true => held.extend(&slots[..machine.layout.thread_locals.len()]),
            false => {
                held.extend(slots);
                held.extend(stacked(machine, state, tid));
            }
        }
    }
    unreachable(machine, state, &held)
}

/// Where the objects on the stack of a thread are.
fn stacked(machine: &Machine<'_>, state: &State, tid: Tid) -> impl Iterator<Item = u64> {
    let stack = machine.layout.stack_range(tid, 0);
    let bases = state.memory.instances().iter();
    let bases = bases.map(|instance| instance.base);
    bases.filter(move |base| stack.contains(base))
}

/// The heap objects that are not reachable from globals and from these words.
fn unreachable(machine: &Machine<'_>, state: &State, held: &[u64]) -> Vec<Instance> {
    let instances = state.memory.instances();
    let is_heap = |obj: ObjId| machine.xcfa[obj].kind == ObjectKind::Heap;
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
    let globals = state.globals.iter().chain(held);
    for word in globals.copied().chain(statics) {
        visit(word, &mut work);
    }
    while let Some(at) = work.pop() {
        if machine.xcfa[instances[at].obj].hidden {
            // What the library knows keeps nothing.
            continue;
        }
        for word in words(machine, state.memory.contents(&instances[at])) {
            visit(word, &mut work);
        }
    }
    let lost = instances.iter().zip(&marked);
    let is_hidden = |obj: ObjId| machine.xcfa[obj].hidden;
    let may_be_lost = |obj| is_heap(obj) && !is_hidden(obj);
    let lost = lost.filter(|(instance, marked)| !**marked && may_be_lost(instance.obj));
    lost.map(|(instance, _)| *instance).collect()
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
