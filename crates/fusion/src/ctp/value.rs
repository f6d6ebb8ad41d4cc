//! The values of variables and cells as terms.

use super::build::Builder;
use super::{Goal, GoalKind, Op, Read, Write};
use expr::{Node, Sort, Term, VarId};
use rustc_hash::FxHashMap;
use semantics::{Cell, Tid};
use xcfa::Scope;

impl Builder<'_, '_> {
    /// An address, a size or the handle of a thread has to be the one that it was; nothing is known
    /// of executions in which it is another.
    pub fn address(&mut self, index: usize, op: &mut Op, addr: Term, was: u64) -> Option<()> {
        let addr = self.value(op, addr)?;
        let guard = self.line(op.tid).guard;
        let terms = &mut self.program.terms;
        let was = terms.constant(terms.sort(addr), was);
        let same = terms.eq(addr, was);
        match terms.as_const(same) {
            Some(1) => return Some(()),
            Some(_) => return None,
            None => {}
        }
        let other = terms.not(same);
        let elsewhere = terms.and(guard, other);
        let stays = terms.and(guard, same);
        self.program.goals.push(Goal {
            op: index,
            guard: elsewhere,
            kind: GoalKind::Unclear,
        });
        self.line(op.tid).guard = stays;
        Some(())
    }

    /// A term over what the thread knows and the pi functions of the event.
    pub fn value(&mut self, op: &mut Op, term: Term) -> Option<Term> {
        let xcfa = self.machine.xcfa;
        let mut with: FxHashMap<VarId, Term> = FxHashMap::default();
        for var in self.program.terms.vars(term) {
            let value = match xcfa[var].scope {
                Scope::Global => self.read(op, Cell::Var(var)),
                _ => self.local(op.tid, var)?,
            };
            with.insert(var, value);
        }
        let layout = &self.machine.layout;
        let terms = &mut self.program.terms;
        Some(
            terms.map_leaves(term, &mut |terms, leaf| match terms.node(leaf) {
                Node::Var(var, _) => with.get(&var).copied(),
                Node::Base(obj, width) => Some(terms.bv(width, layout.base(obj))),
                _ => None,
            }),
        )
    }

    /// The value of a variable of a thread.
    pub fn local(&mut self, tid: u32, var: VarId) -> Option<Term> {
        let xcfa = self.machine.xcfa;
        if let Some(&value) = self.line(tid).locals.get(&var) {
            return Some(value);
        }
        let sort = xcfa[var].sort;
        let bits = match xcfa[var].init {
            _ if var == xcfa.self_var => Tid(tid).handle(),
            Some(_) => return None,
            None => 0,
        };
        Some(self.program.terms.constant(sort, bits))
    }

    pub fn set(&mut self, op: &mut Op, var: VarId, value: Term) {
        match self.machine.xcfa[var].scope {
            Scope::Global => self.write(op, Cell::Var(var), value),
            _ => {
                self.line(op.tid).locals.insert(var, value);
            }
        }
    }

    pub fn write(&mut self, op: &mut Op, cell: Cell, value: Term) {
        let guard = self.line(op.tid).guard;
        match op.writes.iter_mut().find(|known| known.cell == cell) {
            Some(known) => known.value = value,
            None => op.writes.push(Write { cell, value, guard }),
        }
    }

    /// What an event finds in a cell: its own last write, or a pi function.
    pub fn read(&mut self, op: &mut Op, cell: Cell) -> Term {
        if let Some(own) = op.writes.iter().find(|write| write.cell == cell) {
            return own.value;
        }
        if let Some(known) = op.reads.iter().find(|read| read.cell == cell) {
            return known.value;
        }
        let sort = match cell {
            Cell::Var(var) => self.machine.xcfa[var].sort,
            Cell::Bytes { len, .. } => Sort::Bv(8 * len as u32),
        };
        let value = self.fresh(sort);
        let guard = self.line(op.tid).guard;
        op.reads.push(Read { cell, value, guard });
        if !self.program.initial.iter().any(|(known, _)| *known == cell) {
            let initial = self.initial(cell, sort);
            self.program.initial.push((cell, initial));
        }
        value
    }
}
