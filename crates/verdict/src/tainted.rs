//! What is computed from a value that may not be the right one, along one execution.
//!
//! A branch, an address that is written, or a thing that is waited for must not depend on such a value: then the
//! execution goes the same way whatever the value is.

use expr::{Term, VarId};
use rustc_hash::FxHashSet;
use semantics::{Machine, State, Tid};
use xcfa::{Label, Scope};

/// A variable, of one thread if it is not global.
type Place = (Option<Tid>, VarId);

/// What a label does with values in doubt.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Use {
    /// The execution does not depend on them here.
    Harmless,
    /// It does.
    Decides,
}

/// Variables and bytes of memory that hold values in doubt.
pub(crate) struct Tainted<'m, 'x> {
    machine: &'m Machine<'x>,
    vars: FxHashSet<Place>,
    bytes: FxHashSet<u64>,
}

impl<'m, 'x> Tainted<'m, 'x> {
    /// Nothing is in doubt yet.
    pub fn new(machine: &'m Machine<'x>) -> Tainted<'m, 'x> {
        Tainted {
            machine,
            vars: FxHashSet::default(),
            bytes: FxHashSet::default(),
        }
    }

    /// Is nothing in doubt?
    pub fn is_empty(&self) -> bool {
        self.vars.is_empty() && self.bytes.is_empty()
    }

    /// Follows a label that a thread executes in a state; the value that it takes from outside may be `in_doubt`.
    pub fn follow(&mut self, state: &State, tid: Tid, label: &Label, in_doubt: bool) -> Use {
        if self.is_empty() && !in_doubt {
            return Use::Harmless;
        }
        match label {
            Label::Assign { var, value } => self.set(tid, *var, self.depends(tid, *value)),
            Label::Havoc { var, .. } => self.set(tid, *var, in_doubt),
            Label::Load { var, addr } => {
                if self.depends(tid, *addr) {
                    return Use::Decides;
                }
                let start = self.machine.eval(state, tid, *addr);
                let len = self.machine.xcfa[*var].sort.bytes();
                let holds = (0..len).any(|at| self.bytes.contains(&start.wrapping_add(at)));
                self.set(tid, *var, holds);
            }
            Label::Store { addr, value } => {
                if self.depends(tid, *addr) {
                    return Use::Decides;
                }
                let unsure = self.depends(tid, *value);
                let start = self.machine.eval(state, tid, *addr);
                for at in 0..self.machine.xcfa.terms.bytes(*value) {
                    let byte = start.wrapping_add(at);
                    match unsure {
                        true => self.bytes.insert(byte),
                        false => self.bytes.remove(&byte),
                    };
                }
            }
            other if other.terms().any(|term| self.depends(tid, term)) => return Use::Decides,
            // Handles and addresses of new objects, and what a thread returned: that was looked at.
            other => {
                if let Some(var) = other.defines() {
                    self.set(tid, var, false);
                }
            }
        }
        Use::Harmless
    }

    fn place(&self, tid: Tid, var: VarId) -> Place {
        match self.machine.xcfa[var].scope {
            Scope::Global => (None, var),
            _ => (Some(tid), var),
        }
    }

    fn set(&mut self, tid: Tid, var: VarId, unsure: bool) {
        let place = self.place(tid, var);
        match unsure {
            true => self.vars.insert(place),
            false => self.vars.remove(&place),
        };
    }

    fn depends(&self, tid: Tid, term: Term) -> bool {
        let vars = self.machine.xcfa.terms.vars(term);
        vars.into_iter()
            .any(|var| self.vars.contains(&self.place(tid, var)))
    }
}
