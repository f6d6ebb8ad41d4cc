//! Which threads a join waits for.
//!
//! A handle is known by where it comes from: a start stores it on its own edge, and a load finds it
//! there if no other thread stores to those bytes. A join in a loop finds the handle that the round of
//! the same number of an earlier loop has stored.

use crate::counting::{Counter, counters};
use crate::lift::own_allocation;
use crate::program::{Program, Start};
use crate::prover::Prover;
use crate::rounds::Rounds;
use crate::stores::Stores;
use crate::values::{Site, Values};

use expr::{Node, Op, Term};
use xcfa::EdgeId;

/// A loop that joins every thread that another loop has started.
#[derive(Clone, Copy, Debug)]
pub struct LoopJoin {
    /// Which start, by number.
    pub start: usize,
    /// The counter of the loop that starts.
    pub starting: Counter,
    /// The counter of the loop that joins.
    pub joining: Counter,
    /// Stands for the number of a round, counted from zero in both loops.
    pub round: Term,
    /// The edge of the join.
    pub edge: EdgeId,
}

/// Follows handles from starts to joins.
pub struct Handles<'p, 'a> {
    pub program: &'p Program<'a>,
    pub stores: Stores,
    pub counters: Vec<Counter>,
}

/// How deep handles may be hidden behind pointers.
pub const MOST_LOADS: usize = 4;

impl<'p, 'a> Handles<'p, 'a> {
    pub fn of(program: &'p Program<'a>, values: &mut Values) -> Handles<'p, 'a> {
        Handles {
            program,
            stores: Stores::of(program),
            counters: counters(program, values),
        }
    }

    /// The start whose latest thread this join waits for, of those that the joining thread started.
    pub fn joins_latest(&self, values: &mut Values, edge: EdgeId, label: usize) -> Option<usize> {
        let handle = *values.evaluated(edge, label).first()?;
        let symbol = values.symbol(values.terms.as_var(strip(values, handle))?)?;
        let Site::Label(load, at) = symbol.site else {
            return None;
        };
        if let Some(start) = self.start_at(load, at) {
            return Some(start);
        }
        let (writes, size) = self.stores.seen_by(self.program, load, at)?;
        let [store] = &*writes else { return None };
        if store.size != size {
            return None;
        }
        let store = (store.edge, store.label);
        let address = *values.evaluated(load, at).first()?;
        let value = strip(values, *values.evaluated(store.0, store.1).get(1)?);
        let start = self.start_of(values, value)?;
        let it = self.program.starts[start];
        let fits = it.edge == store.0
            && *values.evaluated(store.0, store.1).first()? == address
            && self.is_own(values, it, address)
            && self.is_latest(values, it.edge, store.1, (load, at), (edge, label), address);
        fits.then_some(start)
    }

    /// Is the load behind the last start before the join, with the address that the start had?
    fn is_latest(
        &self,
        values: &mut Values,
        start: EdgeId,
        store: usize,
        (load, at): (EdgeId, usize),
        (join, _): (EdgeId, usize),
        address: Term,
    ) -> bool {
        let (xcfa, program) = (self.program.xcfa, self.program);
        let start_between = load != join
            && load != start
            && program.reaches(xcfa[load].target, xcfa[start].source, |edge| edge == load)
            && program.reaches(xcfa[start].target, xcfa[join].source, |edge| edge == load);
        if start_between || load == start && at <= store {
            return false;
        }
        let symbols = values.mentioned(address);
        symbols.iter().all(|&symbol| {
            let (from, to, edge) = match values.symbol(symbol).map(|symbol| symbol.site) {
                Some(Site::Entry | Site::Frozen | Site::Settled(_)) => return true,
                Some(Site::Loc(loc)) => (loc, loc, None),
                Some(Site::Label(edge, label)) => {
                    if edge == start && label > store {
                        return false;
                    }
                    (xcfa[edge].source, xcfa[edge].target, Some((edge, label)))
                }
                Some(Site::Aged(..) | Site::Steady(_)) | None => return false,
            };
            let avoid = |edge: EdgeId| edge == start;
            let in_load = edge.is_some_and(|(edge, label)| edge == load && label < at);
            let set_again = load != start
                && program.reaches(xcfa[start].target, from, avoid)
                && edge.is_none_or(|(edge, _)| edge != start)
                && (in_load || program.reaches(to, xcfa[load].source, avoid));
            !set_again
        })
    }

    /// The start that a loop of joins waits for, if it waits for every thread of it.
    pub fn joins_all(
        &self,
        values: &mut Values,
        prover: &mut Prover,
        edge: EdgeId,
        label: usize,
    ) -> Vec<LoopJoin> {
        let program = self.program;
        let Some(joining) = program.loop_of(edge) else {
            return Vec::new();
        };
        let Some(&handle) = values.evaluated(edge, label).first() else {
            return Vec::new();
        };
        if !program.in_each_round(joining, edge) {
            return Vec::new();
        }
        let mut found = Vec::new();
        for (start, it) in program.starts.iter().enumerate() {
            let Some(starting) = program.loop_of(it.edge) else {
                continue;
            };
            // Otherwise there may be more rounds than threads, and no bound for their number.
            if !program.in_each_round(starting, it.edge) {
                continue;
            }
            for (first, second) in self.pairs(values, starting, joining) {
                let join = LoopJoin {
                    start,
                    starting: first,
                    joining: second,
                    round: prover.number(values),
                    edge,
                };
                let rounds = Rounds::of(self, &join);
                if rounds.cover(values, prover) && rounds.joins_own(values, prover, handle) {
                    found.push(join);
                    break;
                }
            }
        }
        found
    }

    /// A term of a loop that joins, in terms of the round of the same number of the loop that has
    /// started the threads. Where there is no such round, the value is made from no address.
    pub fn in_first(
        &self,
        values: &mut Values,
        prover: &mut Prover,
        join: &LoopJoin,
        term: Term,
    ) -> Option<Term> {
        Rounds::of(self, join).resolve(values, prover, term, MOST_LOADS, true)
    }

    /// Counters of the two loops, if the second loop comes after the first.
    fn pairs(
        &self,
        values: &mut Values,
        starting: usize,
        joining: usize,
    ) -> Vec<(Counter, Counter)> {
        let program = self.program;
        let (first, second) = (
            &program.loops.loops[starting],
            &program.loops.loops[joining],
        );
        let apart = starting != joining
            && program.xcfa[first.head].proc == program.xcfa[second.head].proc
            && program.runs_once(starting)
            && !program.reaches(second.head, first.head, |_| false);
        if !apart {
            return Vec::new();
        }
        let mut found = Vec::new();
        for a in self.counters.iter().filter(|it| it.loop_ == starting) {
            for b in self.counters.iter().filter(|it| it.loop_ == joining) {
                if [a, b]
                    .iter()
                    .all(|it| program.is_stable_term(values, it.init))
                {
                    found.push((*a, *b));
                }
            }
        }
        found
    }

    /// The start that a value is the handle of.
    pub fn start_of(&self, values: &Values, value: Term) -> Option<usize> {
        match values.symbol(values.terms.as_var(value)?)?.site {
            Site::Label(edge, label) => self.start_at(edge, label),
            _ => None,
        }
    }

    fn start_at(&self, edge: EdgeId, label: usize) -> Option<usize> {
        let mut starts = self.program.starts.iter();
        starts.position(|start| (start.edge, start.label) == (edge, label))
    }

    /// Do other activations of the procedure store elsewhere?
    pub fn is_own(&self, values: &mut Values, start: Start, address: Term) -> bool {
        let threads = self.program.threads;
        let once =
            threads.running(start.by).eq([start.by]) && threads.starts_at_most_once(start.by);
        once || own_allocation(self.program, values, address).is_some()
    }
}

/// Handles are as wide as pointers or as `unsigned long`; a conversion that keeps them is no change.
pub fn strip(values: &Values, term: Term) -> Term {
    match values.terms.node(term) {
        Node::Unary(Op::ZeroExt(_) | Op::SignExt(_) | Op::AddressToInt, inner) => inner,
        _ => term,
    }
}
