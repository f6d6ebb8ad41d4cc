//! What each label does to the terms.

use super::shadow::Shadow;
use expr::{Node, Sort, Term, VarId};
use rustc_hash::FxHashMap;
use semantics::{Cell, Tid};
use xcfa::{Label, Scope};

impl Shadow<'_, '_> {
    /// A label of an edge that may be impossible: is it possible, as far as this label goes?
    pub fn try_label(&mut self, tid: Tid, label: &Label) -> Option<bool> {
        match label {
            Label::Assume(cond) => {
                let cond = self.value(tid, *cond)?;
                self.space.note(cond);
                Some(self.space.eval(cond) != 0)
            }
            // Whether others have to be waited for is not a matter of inputs.
            Label::Lock { addr, .. } | Label::Join { thread: addr, .. } => {
                self.fix(tid, *addr)?;
                Some(false)
            }
            Label::AtomicBegin => Some(true),
            Label::Havoc { var, .. } => {
                let sort = self.machine.xcfa[*var].sort;
                // A truth value is tried both ways; which way it was is not known here.
                let input = self.input(sort).filter(|_| sort != Sort::Bool)?;
                self.set(tid, *var, input);
                Some(true)
            }
            Label::Call { .. } | Label::Await(_) => {
                self.label(tid, label, &mut std::iter::empty())?;
                Some(false)
            }
            Label::Exit(_) | Label::ThreadExit(_) => Some(true),
            Label::Load { var, addr } => {
                self.load_into(tid, *var, *addr, None)?;
                Some(true)
            }
            Label::Start { .. } | Label::Alloc { .. } => None,
            label => {
                self.label(tid, label, &mut std::iter::empty())?;
                Some(true)
            }
        }
    }

    /// A label of an edge that is taken.
    pub fn label(
        &mut self,
        tid: Tid,
        label: &Label,
        choices: &mut dyn Iterator<Item = u64>,
    ) -> Option<()> {
        match label {
            Label::Assign { var, value } => {
                let value = self.value(tid, *value)?;
                self.set(tid, *var, value);
            }
            Label::Havoc { var, .. } => {
                let sort = self.machine.xcfa[*var].sort;
                let chosen = choices.next()? & sort.mask();
                let value = match sort {
                    Sort::Bool => self.space.terms.constant(sort, chosen),
                    _ => self.input(sort)?,
                };
                (self.space.eval(value) == chosen).then_some(())?;
                self.set(tid, *var, value);
            }
            Label::Load { var, addr } => self.load_into(tid, *var, *addr, Some(choices))?,
            Label::Store { addr, value } => {
                let start = self.fix(tid, *addr)?;
                let value = self.value(tid, *value)?;
                let len = u64::from(self.space.terms.width(value)).div_ceil(8);
                self.store(Cell::Bytes { start, len }, value)?;
            }
            Label::Assume(cond) => {
                let cond = self.value(tid, *cond)?;
                self.space.note(cond);
            }
            Label::Await(cond) => {
                // Attempts that had to wait are not part of the execution.
                let cond = self.value(tid, *cond)?;
                self.space.terms.as_const(cond)?;
            }
            Label::Lock { addr, .. } | Label::Unlock { addr, .. } => {
                let start = self.fix(tid, *addr)?;
                self.overwrite(start, 8)?;
            }
            Label::Wait { cond: addr } | Label::Signal { cond: addr, .. } | Label::Free(addr) => {
                self.fix(tid, *addr)?;
            }
            Label::Start { handle, proc, arg } => {
                let child = self.before.threads.len() as u32;
                let arg = self.value(tid, *arg)?;
                if let Some(&param) = self.machine.xcfa[*proc].params.first() {
                    self.locals.insert((child, param), arg);
                }
                let sort = self.machine.xcfa[*handle].sort;
                let value = self.space.terms.constant(sort, Tid(child).handle());
                self.set(tid, *handle, value);
            }
            Label::Join { thread, result } => {
                let handle = self.fix(tid, *thread)?;
                if let Some(var) = result {
                    let target = Tid::from_handle(handle)?;
                    let value = *self.results.get(&target.0)?;
                    self.set(tid, *var, value);
                }
            }
            Label::ThreadExit(value) => {
                let value = self.value(tid, *value)?;
                self.results.insert(tid.0, value);
            }
            Label::Alloc { var, size, .. } => {
                let size = self.fix(tid, *size)?;
                let base = self.machine.value(&self.state, tid, *var);
                self.forget(base, size)?;
                let value = self
                    .space
                    .terms
                    .constant(self.machine.xcfa[*var].sort, base);
                self.set(tid, *var, value);
            }
            Label::AtomicBegin
            | Label::AtomicEnd
            | Label::Dealloc(_)
            | Label::AwaitSignal { .. }
            | Label::Exit(_) => {}
            Label::Call { .. } => return None,
        }
        Some(())
    }

    pub(super) fn input(&mut self, sort: Sort) -> Option<Term> {
        let input = self.space.input(self.name, sort);
        self.name.2 += 1;
        input
    }

    /// The value of an address, a size or a handle, which has to stay what it is.
    pub(super) fn fix(&mut self, tid: Tid, term: Term) -> Option<u64> {
        let term = self.value(tid, term)?;
        let bits = self.space.eval(term);
        let sort = self.space.terms.sort(term);
        let now = self.space.terms.constant(sort, bits);
        let same = self.space.terms.eq(term, now);
        self.space.note(same);
        Some(bits)
    }

    pub(super) fn set(&mut self, tid: Tid, var: VarId, value: Term) {
        match self.machine.xcfa[var].scope {
            Scope::Global => {
                self.cells.insert(Cell::Var(var), value);
            }
            _ => {
                self.locals.insert((tid.0, var), value);
            }
        }
    }

    /// A term over the inputs.
    fn value(&mut self, tid: Tid, term: Term) -> Option<Term> {
        let xcfa = self.machine.xcfa;
        let mut with: FxHashMap<VarId, Term> = FxHashMap::default();
        for var in xcfa.terms.vars(term) {
            let known = match xcfa[var].scope {
                Scope::Global => self.cells.get(&Cell::Var(var)),
                _ => self.locals.get(&(tid.0, var)),
            };
            let value = match known {
                Some(&value) => value,
                None => {
                    let bits = self.machine.value(&self.before, tid, var);
                    self.space.terms.constant(xcfa[var].sort, bits)
                }
            };
            with.insert(var, value);
        }
        let layout = &self.machine.layout;
        let terms = &mut self.space.terms;
        Some(
            terms.map_leaves(term, &mut |terms, leaf| match terms.node(leaf) {
                Node::Var(var, _) => with.get(&var).copied(),
                Node::Base(obj, width) => Some(terms.bv(width, layout.base(obj))),
                _ => None,
            }),
        )
    }
}
