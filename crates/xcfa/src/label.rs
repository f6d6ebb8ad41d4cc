//! What an edge does.

use crate::{ProcId, Span};
use expr::{ObjId, Term, VarId};

/// Why a value is arbitrary.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum HavocOrigin {
    /// An input function of the verifier, such as `__VERIFIER_nondet_int`, and where it is called.
    Input(String, Span),
    /// A function without a body that we have no model of, and where it is called (or a variable
    /// that is set outside, and where it is declared).
    External(String, Span),
    /// The same, or an input, where the value is a pointer: what it points to is not known.
    Pointer(String),
    /// A local that is used before it is assigned.
    Uninitialised,
}

/// Who is called.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Callee {
    /// A known procedure.
    Direct(ProcId),
    /// Whatever function has this address; the pass `resolve` turns it into direct calls.
    Pointer(Term),
}

/// How a process ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Leaving {
    /// `main` returns, and its variables are gone.
    Return,
    /// By a call such as `exit` or `abort`, or because another first function returns, whose caller
    /// is not known: all variables may still be there.
    Call,
}

/// How a lock is taken. A lock is two 32-bit words of memory: the owner's handle (0 when free)
/// and, for reader-writer locks only, the number of readers behind it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum LockMode {
    /// A mutex or spin lock: one owner.
    Exclusive,
    /// A reader-writer lock for writing: no owner and no readers before.
    Write,
    /// A reader-writer lock for reading: no owner before.
    Read,
}

/// One operation. Labels of an edge happen in order as one step; if one of them cannot happen
/// the whole edge cannot.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Label {
    /// `var := value`.
    Assign {
        /// The variable.
        var: VarId,
        /// Its new value.
        value: Term,
    },
    /// `var := anything`.
    Havoc {
        /// The variable.
        var: VarId,
        /// Why.
        origin: HavocOrigin,
    },
    /// `var := memory[addr]`, as many bytes as the sort of `var` has.
    Load {
        /// The variable.
        var: VarId,
        /// Where from.
        addr: Term,
    },
    /// `memory[addr] := value`.
    Store {
        /// Where to.
        addr: Term,
        /// The bytes.
        value: Term,
    },
    /// Goes on only if the condition holds; a thread that can only assume what is false ends
    /// the run without counting.
    Assume(Term),
    /// Goes on only if the condition holds; until then the thread is blocked, which is part of a
    /// deadlock.
    Await(Term),
    /// No other thread moves until the matching end. Sections nest.
    AtomicBegin,
    /// Ends an atomic section.
    AtomicEnd,
    /// Takes a lock, blocked until that is possible.
    Lock {
        /// The lock.
        addr: Term,
        /// How.
        mode: LockMode,
    },
    /// Gives a lock back.
    Unlock {
        /// The lock.
        addr: Term,
        /// How it was taken, where the text tells; `Exclusive` for mutexes. An unlock of a
        /// reader-writer lock says `Write` and gives back whichever mode is held.
        mode: LockMode,
    },
    /// The thread now waits on the condition variable at this address (its mutex is released by
    /// an `Unlock` on the same edge).
    Wait {
        /// The condition variable.
        cond: Term,
    },
    /// Blocked until a signal has come since `Wait`; may also go on spuriously where the
    /// property allows it, or at any time if `timed`.
    AwaitSignal {
        /// Can the wait time out?
        timed: bool,
    },
    /// Wakes one waiting thread, whichever, or all of them.
    Signal {
        /// The condition variable.
        cond: Term,
        /// A broadcast?
        all: bool,
    },
    /// Starts a thread in `proc` with `arg` as its parameter; `handle` gets its handle.
    Start {
        /// Receives the handle.
        handle: VarId,
        /// The thread's procedure.
        proc: ProcId,
        /// Its argument.
        arg: Term,
    },
    /// Blocked until the thread with this handle has ended.
    Join {
        /// The handle.
        thread: Term,
        /// Receives what the thread returned.
        result: Option<VarId>,
    },
    /// The thread ends.
    ThreadExit(Term),
    /// The process ends, and all threads with it.
    Exit(Leaving),
    /// A new instance of `object`; its address goes to `var`.
    Alloc {
        /// Receives the address.
        var: VarId,
        /// Of which this makes an instance; of kind `Stack` or `Heap`.
        object: ObjId,
        /// Size in bytes.
        size: Term,
        /// All bytes zero, rather than arbitrary?
        zeroed: bool,
    },
    /// Gives heap memory back; a null pointer is fine.
    Free(Term),
    /// The stack object made by the last `Alloc` of `object` in this frame goes out of scope.
    Dealloc(ObjId),
    /// Calls a procedure; the target of the edge is where it returns to.
    Call {
        /// Who is called.
        callee: Callee,
        /// Its arguments, of the sorts of its parameters.
        args: Vec<Term>,
        /// Receives the result.
        result: Option<VarId>,
    },
}

impl Label {
    /// The variable that this label sets in its own frame or globally.
    pub fn defines(&self) -> Option<VarId> {
        match self {
            Label::Assign { var, .. }
            | Label::Havoc { var, .. }
            | Label::Load { var, .. }
            | Label::Alloc { var, .. } => Some(*var),
            Label::Start { handle, .. } => Some(*handle),
            Label::Join { result, .. } | Label::Call { result, .. } => *result,
            _ => None,
        }
    }

    /// Replaces the variable that [`Label::defines`] names.
    pub fn set_defined(&mut self, new: VarId) {
        match self {
            Label::Assign { var, .. }
            | Label::Havoc { var, .. }
            | Label::Load { var, .. }
            | Label::Alloc { var, .. } => *var = new,
            Label::Start { handle, .. } => *handle = new,
            Label::Join { result, .. } | Label::Call { result, .. } if result.is_some() => {
                *result = Some(new);
            }
            _ => panic!("this label defines no variable"),
        }
    }

    /// The terms that it evaluates.
    pub fn terms(&self) -> impl Iterator<Item = Term> + '_ {
        let (single, second, list): (_, _, &[Term]) = match self {
            Label::Assign { value, .. } => (Some(*value), None, &[]),
            Label::Load { addr, .. } => (Some(*addr), None, &[]),
            Label::Store { addr, value } => (Some(*addr), Some(*value), &[]),
            Label::Assume(term) | Label::Await(term) | Label::ThreadExit(term) => {
                (Some(*term), None, &[])
            }
            Label::Free(term) => (Some(*term), None, &[]),
            Label::Lock { addr, .. } | Label::Unlock { addr, .. } => (Some(*addr), None, &[]),
            Label::Wait { cond } | Label::Signal { cond, .. } => (Some(*cond), None, &[]),
            Label::Start { arg, .. } => (Some(*arg), None, &[]),
            Label::Join { thread, .. } => (Some(*thread), None, &[]),
            Label::Alloc { size, .. } => (Some(*size), None, &[]),
            Label::Call { callee, args, .. } => match callee {
                Callee::Pointer(term) => (Some(*term), None, args),
                Callee::Direct(_) => (None, None, args),
            },
            Label::Havoc { .. }
            | Label::AtomicBegin
            | Label::AtomicEnd
            | Label::AwaitSignal { .. }
            | Label::Exit(_)
            | Label::Dealloc(_) => (None, None, &[]),
        };
        single.into_iter().chain(second).chain(list.iter().copied())
    }

    /// Replaces every term by what `map` makes of it.
    pub fn map_terms(&mut self, mut map: impl FnMut(Term) -> Term) {
        match self {
            Label::Assign { value: term, .. }
            | Label::Load { addr: term, .. }
            | Label::Assume(term)
            | Label::Await(term)
            | Label::ThreadExit(term)
            | Label::Free(term)
            | Label::Lock { addr: term, .. }
            | Label::Unlock { addr: term, .. }
            | Label::Wait { cond: term }
            | Label::Signal { cond: term, .. }
            | Label::Start { arg: term, .. }
            | Label::Join { thread: term, .. }
            | Label::Alloc { size: term, .. } => *term = map(*term),
            Label::Store { addr, value } => {
                *addr = map(*addr);
                *value = map(*value);
            }
            Label::Call { callee, args, .. } => {
                if let Callee::Pointer(term) = callee {
                    *term = map(*term);
                }
                for arg in args {
                    *arg = map(*arg);
                }
            }
            Label::Havoc { .. }
            | Label::AtomicBegin
            | Label::AtomicEnd
            | Label::AwaitSignal { .. }
            | Label::Exit(_)
            | Label::Dealloc(_) => {}
        }
    }
}
