//! What an edge does.

use crate::{ProcId, Span};
use expr::{ObjId, Term, VarId};
use std::fmt;

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
    /// Does a weak compare-exchange fail for no reason? Like a spurious wake-up, nothing endless
    /// may depend on it.
    WeakFailure,
}

/// Where the text of an argument of `main` comes from: its first eight characters as one number.
pub fn argument(at: u64) -> String {
    format!("argv[{at}]")
}

impl HavocOrigin {
    /// Is it the text of an argument of `main`?
    pub fn is_argument(&self) -> bool {
        matches!(self, HavocOrigin::External(name, _) if is_argument(name))
    }
}

fn is_argument(name: &str) -> bool {
    name.starts_with("argv[")
}

impl fmt::Display for HavocOrigin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            HavocOrigin::External(name, _) if is_argument(name) => f.write_str(name),
            HavocOrigin::Input(name, _)
            | HavocOrigin::External(name, _)
            | HavocOrigin::Pointer(name) => write!(f, "{name}()"),
            HavocOrigin::Uninitialised => f.write_str("uninitialised memory"),
            HavocOrigin::WeakFailure => f.write_str("weak compare-exchange"),
        }
    }
}

/// The function that is called.
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
        /// Where the value comes from.
        origin: HavocOrigin,
    },
    /// `var := memory[addr]`, as many bytes as the sort of `var` has.
    Load {
        /// The variable.
        var: VarId,
        /// The address that is read.
        addr: Term,
    },
    /// `memory[addr] := value`.
    Store {
        /// The address that is written.
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
        /// For reading, for writing, or as a mutex.
        mode: LockMode,
    },
    /// Unlocks a lock.
    Unlock {
        /// The lock.
        addr: Term,
        /// How it was taken, where the text tells; `Exclusive` for mutexes. An unlock of a
        /// reader-writer lock says `Write` and releases whichever mode is held.
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
    /// Frees heap memory; a null pointer is fine.
    Free(Term),
    /// The stack object made by the last `Alloc` of `object` in this frame goes out of scope.
    Dealloc(ObjId),
    /// Calls a procedure; the target of the edge is where it returns to.
    Call {
        /// The function that is called.
        callee: Callee,
        /// Its arguments, of the sorts of its parameters.
        args: Vec<Term>,
        /// Receives the result.
        result: Option<VarId>,
    },
}

impl Label {
    /// A call.
    pub fn call(callee: Callee, args: Vec<Term>, result: Option<VarId>) -> Label {
        Label::Call {
            callee,
            args,
            result,
        }
    }

    /// A new object, whose address goes into `var`.
    pub fn alloc(var: VarId, object: ObjId, size: Term, zeroed: bool) -> Label {
        Label::Alloc {
            var,
            object,
            size,
            zeroed,
        }
    }

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

    /// The address of what it accesses or frees.
    pub fn address(&self) -> Option<Term> {
        match self {
            Label::Load { addr, .. } | Label::Store { addr, .. } | Label::Free(addr) => Some(*addr),
            _ => self.sync_object().map(|(addr, _)| addr),
        }
    }

    /// The lock or condition variable that it accesses, and how many bytes of it.
    pub fn sync_object(&self) -> Option<(Term, u64)> {
        match self {
            Label::Lock { addr, mode } | Label::Unlock { addr, mode } => match mode {
                LockMode::Exclusive => Some((*addr, 4)),
                LockMode::Write | LockMode::Read => Some((*addr, 8)),
            },
            Label::Wait { cond } | Label::Signal { cond, .. } => Some((*cond, 1)),
            _ => None,
        }
    }

    /// Is it about a condition variable?
    pub fn is_signalling(&self) -> bool {
        use Label::{AwaitSignal, Signal, Wait};
        matches!(self, Wait { .. } | AwaitSignal { .. } | Signal { .. })
    }

    /// Is it about a lock, a condition variable or another thread?
    pub fn orders_threads(&self) -> bool {
        use Label::{Join, Lock, Start, Unlock};
        let plain = matches!(
            self,
            Lock { .. } | Unlock { .. } | Start { .. } | Join { .. }
        );
        plain || self.is_signalling()
    }

    /// May a thread have to wait for others here?
    pub fn can_wait(&self) -> bool {
        use Label::{Await, AwaitSignal, Join, Lock};
        matches!(
            self,
            Await(_) | Lock { .. } | Join { .. } | AwaitSignal { .. }
        )
    }

    /// Can it change another thread's own state?
    pub fn reaches_others(&self) -> bool {
        use Label::{Join, Signal, Start};
        matches!(self, Signal { .. } | Start { .. } | Join { .. })
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
