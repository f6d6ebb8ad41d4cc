//! Steps that leave no trace if they are not taken.
//!
//! Who follows one long execution tries many steps that block. Copying the state before each would cost as much
//! as the state is large; here only what the step has changed is put back.

use crate::step::Exec;
use crate::{Host, Machine, Outcome, State, Thread, Tid, Vacancy};
use rustc_hash::FxHashSet;
use xcfa::{Callee, Edge, EdgeId, Label, ObjectKind, ProcId, Xcfa};

/// What a step has overwritten.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Overwritten {
    /// A global, by its slot, and what it held.
    Global(u32, u64),
    /// Bytes of memory, what they held, and which of them were defined.
    Bytes {
        addr: u64,
        len: u64,
        bits: u64,
        defined: u64,
    },
    /// An object was made at this address, in the place of a freed one or a new one.
    Made(u64, Option<Vacancy>),
}

/// Room for what is put back; it may be used for any states of one program.
#[derive(Debug, Default)]
pub struct Saved {
    thread: Option<Thread>,
    overwritten: Vec<Overwritten>,
    whole: Option<State>,
}

impl Machine<'_> {
    /// Takes one edge with one thread, as [`Machine::step`] does; but unless the thread has moved, or the property
    /// is violated, the state is what it was.
    pub fn attempt<H: Host>(
        &self,
        state: &mut State,
        tid: Tid,
        edge: EdgeId,
        host: &mut H,
        saved: &mut Saved,
    ) -> Outcome {
        let whole = self.entangled[edge.0 as usize];
        match whole {
            true => put(&mut saved.whole, state),
            false => put(&mut saved.thread, state.thread(tid)),
        }
        let (holder, ended, threads) = (state.holder, state.ended, state.threads.len());
        saved.overwritten.clear();
        let mut exec = Exec::new(self, state, tid, edge, host);
        exec.overwritten = Some(&mut saved.overwritten);
        let done = exec.run();
        let outcome = crate::machine::outcome(done, exec.spurious);
        if matches!(outcome, Outcome::Moved { .. } | Outcome::Violation(_)) {
            return outcome;
        }
        if whole {
            state.clone_from(saved.whole.as_ref().expect("it was saved"));
            return outcome;
        }
        (state.holder, state.ended) = (holder, ended);
        state.threads.truncate(threads);
        let thread = saved.thread.as_ref().expect("it was saved");
        state.thread_mut(tid).clone_from(thread);
        for overwritten in saved.overwritten.iter().rev() {
            match *overwritten {
                Overwritten::Global(slot, bits) => state.globals[slot as usize] = bits,
                Overwritten::Bytes {
                    addr,
                    len,
                    bits,
                    defined,
                } => state
                    .memory
                    .put_back(&self.layout, addr, len, bits, defined),
                Overwritten::Made(base, place) => {
                    state.memory.release(base);
                    place.into_iter().for_each(|it| state.memory.vacate(it));
                }
            }
        }
        outcome
    }
}

fn put<T: Clone>(into: &mut Option<T>, from: &T) {
    match into {
        Some(into) => into.clone_from(from),
        None => *into = Some(from.clone()),
    }
}

/// By edge: can it change what is not noted here (other threads, the lives of objects), and not be taken after that?
pub(crate) fn entangled(xcfa: &Xcfa) -> Vec<bool> {
    let labels = xcfa.edges.iter().flat_map(|edge| &edge.labels);
    let called: FxHashSet<ProcId> = labels.filter_map(called).collect();
    let of_edge = |edge: &Edge| {
        // A call that returns ends the lives of its objects and goes on behind the call, wherever that is.
        let target = &xcfa[edge.target];
        if target.error.is_some() || xcfa[target.proc].exit == edge.target {
            let returns = called.contains(&target.proc);
            return returns || edge.labels.iter().any(|it| is_lasting(xcfa, it));
        }
        let mut labels = edge.labels.iter();
        let first = labels.find(|it| is_lasting(xcfa, it));
        first.is_some() && labels.any(|it| !matches!(it, Label::Assign { .. }))
    };
    xcfa.edges.iter().map(of_edge).collect()
}

fn called(label: &Label) -> Option<ProcId> {
    match label {
        Label::Call {
            callee: Callee::Direct(proc),
            ..
        } => Some(*proc),
        _ => None,
    }
}

/// Does it change what is not noted?
fn is_lasting(xcfa: &Xcfa, label: &Label) -> bool {
    match label {
        Label::Alloc { object, .. } => xcfa[*object].kind != ObjectKind::Heap,
        Label::Free(_) | Label::Dealloc(_) | Label::Signal { .. } | Label::Join { .. } => true,
        _ => false,
    }
}
