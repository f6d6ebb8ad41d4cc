//! A loop that starts threads and a loop that joins them, round by round.

use crate::counting::{Counter, enters_round, leaves_at_head};
use crate::handles::{Handles, LoopJoin, MOST_LOADS, strip};
use crate::lift::{allocation, as_creator, bounded_counter};
use crate::program::Start;
use crate::prover::Prover;
use crate::stores::Write;
use crate::values::{Site, Values};
use rustc_hash::FxHashMap;

use expr::{Term, VarId};
use xcfa::{EdgeId, Label, ObjectKind};

/// Two loops, one that starts threads and one that joins them.
pub struct Rounds<'h, 'p, 'a> {
    handles: &'h Handles<'p, 'a>,
    start: Start,
    join: LoopJoin,
}

impl<'h, 'p, 'a> Rounds<'h, 'p, 'a> {
    pub fn of(handles: &'h Handles<'p, 'a>, join: &LoopJoin) -> Rounds<'h, 'p, 'a> {
        Rounds {
            handles,
            start: handles.program.starts[join.start],
            join: *join,
        }
    }

    /// Has the second loop a round of every number for which the first one has made a round?
    pub fn cover(&self, values: &mut Values, prover: &mut Prover) -> bool {
        let program = self.handles.program;
        let Some(left) = leaves_at_head(program, values, self.join.joining.loop_) else {
            return false;
        };
        let entered = enters_round(program, values, self.join.starting.loop_);
        let (left, entered) = (self.numbered(values, left), self.numbered(values, entered));
        if ![left, entered].iter().all(|&it| self.is_fixed(values, it)) {
            return false;
        }
        prover.excludes(values, &[left, entered])
    }

    /// Writes counters as functions of the number of the round.
    fn numbered(&self, values: &mut Values, term: Term) -> Term {
        let mut with = FxHashMap::default();
        for Counter {
            symbol, init, step, ..
        } in [self.join.starting, self.join.joining]
        {
            let value = Prover::after_steps(values, init, step, self.join.round);
            with.insert(symbol, value);
        }
        values.terms.substitute(term, &with)
    }

    /// Is the term made from the number of the round and from what is the same in both loops?
    fn is_fixed(&self, values: &mut Values, term: Term) -> bool {
        let round = values.terms.as_var(self.join.round);
        let symbols = values.mentioned(term);
        let program = self.handles.program;
        symbols
            .iter()
            .all(|&symbol| Some(symbol) == round || program.is_stable(values, symbol))
    }

    /// Is this value, in a round of the second loop, the handle of the thread that the round of the
    /// same number of the first loop has started?
    pub fn joins_own(&self, values: &mut Values, prover: &mut Prover, handle: Term) -> bool {
        let Some(found) = self.resolve(values, prover, handle, MOST_LOADS, false) else {
            return false;
        };
        let found = strip(values, found);
        let start = self.handles.start_of(values, found);
        start.is_some_and(|at| self.handles.program.starts[at] == self.start)
    }

    /// The value in terms of the round of the first loop that has the same number.
    pub fn resolve(
        &self,
        values: &mut Values,
        prover: &mut Prover,
        term: Term,
        loads: usize,
        strict: bool,
    ) -> Option<Term> {
        let program = self.handles.program;
        let mut with: FxHashMap<VarId, Term> = FxHashMap::default();
        for &symbol in values.mentioned(term).iter() {
            if symbol == self.join.joining.symbol || program.is_stable(values, symbol) {
                continue;
            }
            let Site::Label(edge, label) = values.symbol(symbol)?.site else {
                return None;
            };
            let in_loop = program.loop_of(edge) == Some(self.join.joining.loop_);
            if !in_loop || loads == 0 {
                return None;
            }
            let stored = self.stored(values, prover, (edge, label), loads - 1, strict)?;
            with.insert(symbol, stored);
        }
        let term = self.numbered(values, term);
        Some(values.terms.substitute(term, &with))
    }

    /// What a load of the second loop finds: the value that the first loop has stored there.
    fn stored(
        &self,
        values: &mut Values,
        prover: &mut Prover,
        (edge, label): (EdgeId, usize),
        loads: usize,
        strict: bool,
    ) -> Option<Term> {
        let program = self.handles.program;
        let first = self.join.starting.loop_;
        let head = program.loops.loops[first].head;
        // What is stored before the first loop begins is overwritten by it.
        let proc = program.xcfa[head].proc;
        let settled = |edge: EdgeId| {
            let source = program.xcfa[edge].source;
            !strict
                && program.xcfa[source].proc == proc
                && !program.reaches(head, source, |_| false)
        };
        if strict && !self.starts_empty(edge, label) {
            return None;
        }
        let (mut writes, size) = self.handles.stores.seen_by(program, edge, label)?;
        writes.retain(|write| !settled(write.edge));
        let address = *values.evaluated(edge, label).first()?;
        let address = self.resolve(values, prover, address, loads, strict)?;
        let store = writes.iter().position(|write| {
            write.size == size && self.is_store_of_round(values, prover, write, address)
        })?;
        let store = writes.swap_remove(store);
        if !writes
            .iter()
            .all(|write| self.is_elsewhere(values, prover, write, (address, size)))
        {
            return None;
        }
        let value = *values.evaluated(store.edge, store.label).get(1)?;
        self.is_of_round(values, value)
            .then(|| self.numbered(values, value))
    }

    /// Does each round of the first loop that starts a thread store at this address, and at no address
    /// of another round?
    fn is_store_of_round(
        &self,
        values: &mut Values,
        prover: &mut Prover,
        write: &Write,
        address: Term,
    ) -> bool {
        let program = self.handles.program;
        let first = self.join.starting.loop_;
        let head = program.loops.loops[first].head;
        let is_store = matches!(
            program.xcfa[write.edge].labels[write.label],
            Label::Store { .. }
        );
        let before_start = program.loop_of(write.edge) == Some(first)
            && (write.edge == self.start.edge
                || program.is_between(head, write.edge, program.xcfa[self.start.edge].source));
        let Some(&own) = values.evaluated(write.edge, write.label).first() else {
            return false;
        };
        is_store
            && before_start
            && self.is_of_round(values, own)
            && self.handles.is_own(values, self.start, own)
            && self.are_equal(values, prover, own, address)
            && self.is_injective(values, prover, own, (write.edge, write.label))
    }

    /// Does a write never hit these bytes, in any thread and any round?
    fn is_elsewhere(
        &self,
        values: &mut Values,
        prover: &mut Prover,
        write: &Write,
        bytes: (Term, u64),
    ) -> bool {
        let program = self.handles.program;
        let Some(&address) = values.evaluated(write.edge, write.label).first() else {
            return false;
        };
        let once = program.threads.starts_at_most_once(self.start.by);
        if !once || !self.is_fixed(values, bytes.0) {
            return false;
        }
        let proc = program.xcfa[program.xcfa[write.edge].source].proc;
        let by = self.start.by;
        if proc == by {
            return self.misses(values, prover, address, write.size, bytes);
        }
        let starts: Vec<usize> = (0..program.starts.len())
            .filter(|&at| {
                program
                    .threads
                    .running(proc)
                    .any(|it| it == program.starts[at].root)
            })
            .collect();
        starts.into_iter().all(|at| {
            let it = program.starts[at];
            let direct = it.root == proc && it.by == by && proc != by;
            direct
                && as_creator(program, values, at, address)
                    .is_some_and(|address| self.misses(values, prover, address, write.size, bytes))
        })
    }

    /// Does an address of the creator, in any round, miss these bytes?
    fn misses(
        &self,
        values: &mut Values,
        prover: &mut Prover,
        address: Term,
        size: u64,
        bytes: (Term, u64),
    ) -> bool {
        let program = self.handles.program;
        let mut with = FxHashMap::default();
        for &symbol in values.mentioned(address).iter() {
            let counter = bounded_counter(program, &self.handles.counters, symbol);
            if let Some(Counter { init, step, .. }) = counter
                && program.is_stable_term(values, init)
            {
                let number = prover.number(values);
                let value = Prover::after_steps(values, init, step, number);
                with.insert(symbol, value);
            } else if !self.is_of_creator(values, symbol) || !program.is_stable(values, symbol) {
                return false;
            }
        }
        let address = values.terms.substitute(address, &with);
        values.terms.sort(address) == values.terms.sort(bytes.0)
            && prover.never_overlap(values, (address, size), bytes, &[])
    }

    /// Is the symbol set by the creator of the threads, or the same for all?
    fn is_of_creator(&self, values: &Values, symbol: VarId) -> bool {
        let xcfa = self.handles.program.xcfa;
        match values.symbol(symbol).map(|symbol| symbol.site) {
            Some(site) if site.is_shared() => true,
            Some(Site::Label(edge, _)) => xcfa[xcfa[edge].source].proc == self.start.by,
            Some(Site::Loc(loc)) => xcfa[loc].proc == self.start.by,
            _ => false,
        }
    }

    /// Are the two addresses the same in rounds of the same number?
    fn are_equal(&self, values: &mut Values, prover: &mut Prover, own: Term, found: Term) -> bool {
        let own = self.numbered(values, own);
        prover.are_equal(values, own, found)
    }

    /// Does the memory that a load reads hold no addresses before anything stores there?
    fn starts_empty(&self, edge: EdgeId, label: usize) -> bool {
        let program = self.handles.program;
        let Label::Load { addr, .. } = &program.xcfa[edge].labels[label] else {
            return false;
        };
        let objects = program.points_to.objects(program.xcfa, *addr);
        objects
            .iter()
            .all(|&object| match &program.xcfa[object].kind {
                ObjectKind::Heap | ObjectKind::Stack => true,
                ObjectKind::Static { init } => init
                    .iter()
                    .all(|&(_, value)| program.xcfa.terms.as_const(value).is_some()),
                ObjectKind::Function(_) => false,
            })
    }

    /// Is the term made from the counter, from what is stable, and from what each round of the first
    /// loop sets once?
    fn is_of_round(&self, values: &mut Values, term: Term) -> bool {
        let program = self.handles.program;
        let symbols = values.mentioned(term);
        symbols.iter().all(|&symbol| {
            symbol == self.join.starting.symbol
                || program.is_stable(values, symbol)
                || matches!(
                    values.symbol(symbol).map(|symbol| symbol.site),
                    Some(Site::Label(edge, _)) if program.loop_of(edge) == Some(self.join.starting.loop_)
                )
        })
    }

    /// Do different rounds store to different bytes?
    fn is_injective(
        &self,
        values: &mut Values,
        prover: &mut Prover,
        address: Term,
        store: (EdgeId, usize),
    ) -> bool {
        let program = self.handles.program;
        if let Some(made) = allocation(program, values, address)
            && let Some(Site::Label(edge, _)) = values.symbol(made).map(|symbol| symbol.site)
            && program.loop_of(edge) == Some(self.join.starting.loop_)
        {
            return true;
        }
        let size = match &program.xcfa[store.0].labels[store.1] {
            Label::Store { value, .. } => values.terms.bytes(*value),
            _ => return false,
        };
        let fixed = self.numbered(values, address);
        if !self.is_fixed(values, fixed) {
            return false;
        }
        let (one, other) = (prover.number(values), prover.number(values));
        let Some(round) = values.terms.as_var(self.join.round) else {
            return false;
        };
        let mut at = |number: Term| {
            let with = FxHashMap::from_iter([(round, number)]);
            values.terms.substitute(fixed, &with)
        };
        let (a, b) = (at(one), at(other));
        prover.never_overlap(values, (a, size), (b, size), &[(one, other)])
    }
}
