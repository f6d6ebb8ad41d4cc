//! The values of variables and cells as terms.

use super::build::Builder;
use super::label::Following;
use super::{Read, Write};
use expr::{Node, Sort, Term, VarId};
use rustc_hash::FxHashMap;
use semantics::{Cell, Tid};
use xcfa::Scope;

impl Builder<'_, '_> {
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
}

impl Following<'_, '_, '_> {
    /// A term over what the thread knows and the pi functions of the event.
    pub fn value(&mut self, term: Term) -> Option<Term> {
        let xcfa = self.builder.machine.xcfa;
        let mut with: FxHashMap<VarId, Term> = FxHashMap::default();
        for var in self.builder.program.terms.vars(term) {
            let value = match xcfa[var].scope {
                Scope::Global => self.read_cell(Cell::Var(var)),
                _ => self.builder.local(self.op.tid, var)?,
            };
            with.insert(var, value);
        }
        let layout = &self.builder.machine.layout;
        let terms = &mut self.builder.program.terms;
        Some(
            terms.map_leaves(term, &mut |terms, leaf| match terms.node(leaf) {
                Node::Var(var, _) => with.get(&var).copied(),
                Node::Base(obj, width) => Some(terms.bv(width, layout.base(obj))),
                _ => None,
            }),
        )
    }

    pub fn write_cell(&mut self, cell: Cell, value: Term) {
        let guard = self.builder.line(self.op.tid).guard;
        match self.op.writes.iter_mut().find(|known| known.cell == cell) {
            Some(known) => known.value = value,
            None => self.op.writes.push(Write { cell, value, guard }),
        }
    }

    /// What an event finds in a cell: its own last write, or a pi function.
    pub fn read_cell(&mut self, cell: Cell) -> Term {
        if let Some(own) = self.op.writes.iter().find(|write| write.cell == cell) {
            return own.value;
        }
        if let Some(known) = self.op.reads.iter().find(|read| read.cell == cell) {
            return known.value;
        }
        let sort = match cell {
            Cell::Var(var) => self.builder.machine.xcfa[var].sort,
            Cell::Bytes { len, .. } => Sort::Bv(8 * len as u32),
        };
        let value = self.builder.fresh(sort);
        let guard = self.builder.line(self.op.tid).guard;
        self.op.reads.push(Read { cell, value, guard });
        if !self
            .builder
            .program
            .initial
            .iter()
            .any(|(known, _)| *known == cell)
        {
            let initial = self.builder.initial(cell, sort);
            self.builder.program.initial.push((cell, initial));
        }
        value
    }
}
