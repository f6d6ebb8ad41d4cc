//! Values that a creator leaves in memory for the thread that it is about to start.
//!
//! The creator stores a value in memory that only this thread will read, and passes the address. What
//! the thread loads there is that value, if the store is the only one in the program that can write
//! those bytes, if it comes before the start, and if it does not come again for the same bytes.

use crate::counting::Counter;
use crate::lift::{allocation, as_creator, bounded_counter};
use crate::program::{Program, Start};
use crate::prover::Prover;
use crate::stores::{Stores, Write};
use crate::values::{Site, Values};
use rustc_hash::FxHashMap;

use expr::{Term, VarId};
use xcfa::{EdgeId, Label};

/// What is needed to look for such values.
pub struct Given<'g, 'a> {
    pub program: &'g Program<'a>,
    pub stores: &'g Stores,
    pub counters: &'g [Counter],
}

impl Given<'_, '_> {
    /// Writes a term of a thread over what its creator gave it, in memory too.
    pub fn as_creator(
        &self,
        values: &mut Values,
        prover: &mut Prover,
        start: usize,
        term: Term,
    ) -> Option<Term> {
        let root = self.program.starts[start].root;
        let mut with = FxHashMap::default();
        for &symbol in values.mentioned(term).iter() {
            let Some(Site::Label(edge, label)) = values.symbol(symbol).map(|it| it.site) else {
                continue;
            };
            let xcfa = self.program.xcfa;
            let is_load = matches!(xcfa[edge].labels[label], Label::Load { .. });
            if is_load && xcfa[xcfa[edge].source].proc == root {
                let value = self.stored(values, prover, start, edge, label);
                with.extend(value.map(|value| (symbol, value)));
            }
        }
        // The values found are the creator's already.
        let own = as_creator(self.program, values, start, term)?;
        Some(values.terms.substitute(own, &with))
    }

    /// What the creator has stored where a thread of the start loads.
    fn stored(
        &self,
        values: &mut Values,
        prover: &mut Prover,
        start: usize,
        edge: EdgeId,
        label: usize,
    ) -> Option<Term> {
        let (writes, size) = self.stores.seen_by(self.program, edge, label)?;
        let [store] = &*writes else { return None };
        let it = self.program.starts[start];
        let xcfa = self.program.xcfa;
        let is_store = matches!(xcfa[store.edge].labels[store.label], Label::Store { .. });
        let by = xcfa[xcfa[store.edge].source].proc;
        let once = self.program.threads.starts_at_most_once(it.by);
        if !is_store || store.size != size || by != it.by || it.root == it.by || !once {
            return None;
        }
        let address = *values.evaluated(edge, label).first()?;
        let address = as_creator(self.program, values, start, address)?;
        let own = *values.evaluated(store.edge, store.label).first()?;
        let value = *values.evaluated(store.edge, store.label).get(1)?;
        let comes_once = own == address
            && (self.is_fresh(values, it, store, own)
                || self.is_of_round(values, prover, it, store, own));
        let lasts = [own, value].into_iter().all(|term| {
            let symbols = values.mentioned(term);
            symbols
                .iter()
                .all(|&symbol| !self.is_set_between(values, symbol, store, it.edge))
        });
        let Label::Load { var, .. } = &xcfa[edge].labels[label] else {
            return None;
        };
        let same_sort = xcfa[*var].sort == values.terms.sort(value);
        (comes_once && lasts && same_sort).then_some(value)
    }

    /// Is the store into memory that was allocated for this start, before the start, and not again
    /// behind it?
    fn is_fresh(&self, values: &mut Values, start: Start, store: &Write, address: Term) -> bool {
        let xcfa = self.program.xcfa;
        let Some(made) = allocation(self.program, values, address) else {
            return false;
        };
        let Some(Site::Label(made, _)) = values.symbol(made).map(|it| it.site) else {
            return false;
        };
        let from = xcfa[made].target;
        let before = made == store.edge
            || store.edge != start.edge
                && self
                    .program
                    .is_between(from, store.edge, xcfa[start.edge].source);
        let again =
            self.program
                .reaches(xcfa[start.edge].target, xcfa[store.edge].source, |edge| {
                    edge == made
                });
        before && store.edge != start.edge && (made == store.edge || !again)
    }

    /// Do rounds of the loop that starts threads store to different bytes, each before its start?
    fn is_of_round(
        &self,
        values: &mut Values,
        prover: &mut Prover,
        start: Start,
        store: &Write,
        address: Term,
    ) -> bool {
        let (program, xcfa) = (self.program, self.program.xcfa);
        let Some(at) = program.loop_of(start.edge) else {
            return false;
        };
        let head = program.loops.loops[at].head;
        let to_head = |edge: EdgeId| xcfa[edge].target == head;
        let later = !to_head(start.edge)
            && program.reaches(xcfa[start.edge].target, xcfa[store.edge].source, to_head);
        let before = store.edge != start.edge
            && program.loop_of(store.edge) == Some(at)
            && program.is_between(head, store.edge, xcfa[start.edge].source)
            && !later;
        before && self.is_injective(values, prover, at, store.size, address)
    }

    /// Is the address a different one in each round?
    fn is_injective(
        &self,
        values: &mut Values,
        prover: &mut Prover,
        at: usize,
        size: u64,
        address: Term,
    ) -> bool {
        let (one, other) = (prover.number(values), prover.number(values));
        let (mut first, mut second) = (FxHashMap::default(), FxHashMap::default());
        for &symbol in values.mentioned(address).iter() {
            let counter = bounded_counter(self.program, self.counters, symbol);
            match counter.filter(|it| it.loop_ == at) {
                Some(Counter { init, step, .. }) => {
                    if !self.program.is_stable_term(values, init) {
                        return false;
                    }
                    first.insert(symbol, Prover::after_steps(values, init, step, one));
                    second.insert(symbol, Prover::after_steps(values, init, step, other));
                }
                None if self.program.is_stable(values, symbol) => {}
                None => return false,
            }
        }
        let a = values.terms.substitute(address, &first);
        let b = values.terms.substitute(address, &second);
        prover.never_overlap(values, (a, size), (b, size), &[(one, other)])
    }

    /// Can the symbol get a new value on the way from the store to an edge?
    fn is_set_between(&self, values: &Values, symbol: VarId, store: &Write, to: EdgeId) -> bool {
        let xcfa = self.program.xcfa;
        let from = store.edge;
        let (before, behind) = match values.symbol(symbol).map(|it| it.site) {
            Some(Site::Entry | Site::Frozen | Site::Settled(_)) => return false,
            Some(Site::Loc(loc)) => (loc, loc),
            Some(Site::Label(edge, _)) if edge == to => return true,
            Some(Site::Label(edge, label)) if edge == from => return label > store.label,
            Some(Site::Label(edge, _)) => (xcfa[edge].source, xcfa[edge].target),
            Some(Site::Aged(..) | Site::Steady(_)) | None => return true,
        };
        let avoid = |edge: EdgeId| edge == from;
        self.program.reaches(xcfa[from].target, before, avoid)
            && self.program.reaches(behind, xcfa[to].source, avoid)
    }
}
