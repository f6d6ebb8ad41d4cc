//! What each label means for the terms of a trace program.

use super::build::{Builder, Made};
use super::{Goal, GoalKind, Op, Point};
use expr::{Sort, Term, VarId};
use semantics::{Cell, Tid};
use xcfa::{EdgeId, ErrorKind, Label, LockMode, ProcId};

impl Builder<'_, '_> {
    /// Other edges of the same location that lead to an error.
    pub fn goals(&mut self, index: usize, op: &mut Op, taken: EdgeId, bytes: &[(u64, u64)]) {
        let xcfa = self.machine.xcfa;
        for &edge in &xcfa[xcfa[taken].source].out {
            if edge == taken || xcfa[xcfa[edge].target].error != Some(ErrorKind::Reached) {
                continue;
            }
            let (locals, guard) = (self.line(op.tid).locals.clone(), self.line(op.tid).guard);
            let mut other = op.clone();
            let mut bytes = bytes.iter().copied();
            let same = xcfa[taken].labels.iter().zip(&xcfa[edge].labels);
            let same = same.take_while(|(a, b)| a == b).count();
            let labels = xcfa[edge].labels.iter().enumerate();
            let mut none = std::iter::empty();
            let possible = labels.into_iter().try_for_each(|(at, label)| {
                let access = match takes_bytes(label) {
                    true if at < same => bytes.next(),
                    true => return None,
                    false => None,
                };
                self.label(index, &mut other, label, access, &mut none)
            });
            let reached = self.line(op.tid).guard;
            (self.line(op.tid).locals, self.line(op.tid).guard) = (locals, guard);
            let (guard, kind) = match possible {
                Some(()) => (reached, GoalKind::Error),
                None => (guard, GoalKind::Unclear),
            };
            // What it reads is what the event reads.
            op.reads = other.reads;
            self.program.goals.push(Goal {
                op: index,
                guard,
                kind,
            });
        }
    }

    pub fn label(
        &mut self,
        index: usize,
        op: &mut Op,
        label: &Label,
        access: Option<(u64, u64)>,
        choices: &mut dyn Iterator<Item = u64>,
    ) -> Option<()> {
        let cell = access.map(|(start, len)| Cell::Bytes { start, len });
        match label {
            Label::Assign { var, value } => {
                let value = self.value(op, *value)?;
                self.set(op, *var, value);
            }
            Label::Havoc { var, .. } => {
                let value = self.fresh(self.machine.xcfa[*var].sort);
                op.inputs.push((value, choices.next()?));
                self.set(op, *var, value);
            }
            Label::Load { var, addr } => {
                self.address(index, op, *addr, access?.0)?;
                let value = self.read(op, cell?);
                (self.program.terms.sort(value) == self.machine.xcfa[*var].sort).then_some(())?;
                if self.machine.peek(&self.before, cell?).is_none() {
                    // It was undefined: whoever reads it first asks what it is.
                    op.inputs.push((value, choices.next()?));
                    self.program.complete = false;
                }
                self.set(op, *var, value);
            }
            Label::Store { addr, value } => {
                self.address(index, op, *addr, access?.0)?;
                let value = self.value(op, *value)?;
                let width = self.program.terms.sort(value);
                (width == Sort::Bv(8 * access?.1 as u32)).then_some(())?;
                self.write(op, cell?, value);
            }
            Label::Assume(cond) => {
                let cond = self.value(op, *cond)?;
                let guard = self.line(op.tid).guard;
                self.line(op.tid).guard = self.program.terms.and(guard, cond);
            }
            Label::Await(cond) => {
                let cond = self.value(op, *cond)?;
                self.need(op, cond);
            }
            Label::Lock {
                addr,
                mode: LockMode::Exclusive,
            } => {
                self.address(index, op, *addr, access?.0)?;
                let owner = self.read(op, cell?);
                let free = self.program.terms.bv(32, 0);
                let free = self.program.terms.eq(owner, free);
                self.need(op, free);
                let handle = self.program.terms.bv(32, Tid(op.tid).handle());
                self.write(op, cell?, handle);
            }
            Label::Unlock {
                addr,
                mode: LockMode::Exclusive,
            } => {
                self.address(index, op, *addr, access?.0)?;
                let free = self.program.terms.bv(32, 0);
                self.write(op, cell?, free);
            }
            Label::Start { handle, proc, arg } => self.start(index, op, *handle, *proc, *arg)?,
            Label::Join { thread, result } => self.join(index, op, *thread, *result)?,
            Label::ThreadExit(value) => {
                let value = self.value(op, *value)?;
                self.line(op.tid).result = Some(value);
            }
            Label::Alloc {
                var,
                object,
                size,
                zeroed,
            } => self.alloc(index, op, *var, (*object, *zeroed), *size)?,
            Label::Free(addr) => {
                let was = self.machine.eval(&self.before, Tid(op.tid), *addr);
                (was != 0).then_some(())?;
                self.address(index, op, *addr, was)?;
            }
            Label::AtomicBegin
            | Label::AtomicEnd
            | Label::Dealloc(_)
            | Label::Wait { .. }
            | Label::AwaitSignal { .. }
            | Label::Signal { .. } => {}
            _ => return None,
        }
        Some(())
    }

    /// The thread waits until a condition holds.
    fn need(&mut self, op: &mut Op, cond: Term) {
        let guard = self.line(op.tid).guard;
        let elsewhere = self.program.terms.not(guard);
        op.needed.push(self.program.terms.or(elsewhere, cond));
    }

    fn start(
        &mut self,
        index: usize,
        op: &mut Op,
        handle: VarId,
        proc: ProcId,
        arg: Term,
    ) -> Option<()> {
        let arg = self.value(op, arg)?;
        let child = self.before.threads.len() as u32;
        let guard = self.line(op.tid).guard;
        if let Some(&param) = self.machine.xcfa[proc].params.first() {
            self.line(child).locals.insert(param, arg);
        }
        self.line(child).guard = guard;
        self.line(child).last = Some(index);
        // Handles are numbers in the order of creation.
        if let Some((before, starter)) = self.last_start.replace((index, op.tid)) {
            self.program.complete &= starter == op.tid;
            if before != index {
                self.order(Point::Op(before), Point::Op(index), None);
            }
        }
        let sort = self.machine.xcfa[handle].sort;
        let value = self.program.terms.constant(sort, Tid(child).handle());
        self.set(op, handle, value);
        Some(())
    }

    fn join(
        &mut self,
        index: usize,
        op: &mut Op,
        thread: Term,
        result: Option<VarId>,
    ) -> Option<()> {
        let was = self.machine.eval(&self.before, Tid(op.tid), thread);
        self.address(index, op, thread, was)?;
        let target = Tid::from_handle(was)?;
        let guard = self.line(op.tid).guard;
        self.order(Point::End(target.0), Point::Op(index), Some(guard));
        if let Some(var) = result {
            let value = self.line(target.0).result?;
            self.set(op, var, value);
        }
        Some(())
    }

    fn alloc(
        &mut self,
        index: usize,
        op: &mut Op,
        var: VarId,
        (obj, zeroed): (expr::ObjId, bool),
        size: Term,
    ) -> Option<()> {
        let tid = Tid(op.tid);
        let sort = self.machine.xcfa[var].sort;
        let was = self.machine.eval(&self.before, tid, size);
        self.address(index, op, size, was)?;
        let base = self.machine.value(&self.state, tid, var);
        // An object that comes again has arbitrary contents again, which pi functions do not say.
        self.program.complete &= self.objects.iter().all(|known| known.base != base);
        self.objects.push(Made {
            base,
            size: was,
            obj,
            zeroed,
        });
        let value = self.program.terms.constant(sort, base);
        self.set(op, var, value);
        Some(())
    }
}

/// Does the machine tell of bytes when it comes to this label?
pub fn takes_bytes(label: &Label) -> bool {
    matches!(
        label,
        Label::Load { .. }
            | Label::Store { .. }
            | Label::Lock { .. }
            | Label::Unlock { .. }
            | Label::Wait { .. }
            | Label::Signal { .. }
            | Label::Free(_)
    )
}
