//! Which threads a join waits for.
//!
//! A handle is known by where it comes from: a start stores it on its own edge, and a load finds it
//! there if nobody else stores to those bytes. A join in a loop finds the handle that the round of
//! the same number of an earlier loop has stored.

use crate::counting::{Counter, counters, enters_round, leaves_at_head};
use crate::program::{Program, Start};
use crate::prover::Prover;
use crate::values::{Site, Values};
use passes::pointsto::{Offset, Target};
use passes::{Place, touches};
use rustc_hash::FxHashMap;

use expr::{Node, Op, Term, VarId};
use xcfa::{EdgeId, Label, ObjectKind};

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

/// Bytes that some label writes.
struct Write {
    edge: EdgeId,
    label: usize,
    target: Target,
    size: u64,
}

/// Follows handles from starts to joins.
pub struct Handles<'p, 'a> {
    program: &'p Program<'a>,
    writes: Vec<Write>,
    pub counters: Vec<Counter>,
}

/// How deep handles may be hidden behind pointers.
const MOST_LOADS: usize = 4;

impl<'p, 'a> Handles<'p, 'a> {
    pub fn of(program: &'p Program<'a>, values: &mut Values) -> Handles<'p, 'a> {
        Handles {
            program,
            writes: writes(program),
            counters: counters(program, values),
        }
    }

    /// The start whose latest thread, of those that the joining thread has started there, this join
    /// waits for.
    pub fn joins_latest(&self, values: &mut Values, edge: EdgeId, label: usize) -> Option<usize> {
        let handle = *values.evaluated(edge, label).first()?;
        let symbol = values.symbol(values.terms.as_var(strip(values, handle))?)?;
        let Site::Label(load, at) = symbol.site else {
            return None;
        };
        if let Some(start) = self.start_at(load, at) {
            return Some(start);
        }
        let (store, address) = self.only_store(values, load, at, |_| false)?;
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
                Some(Site::Entry | Site::Frozen) => return true,
                Some(Site::Loc(loc)) => (loc, loc, None),
                Some(Site::Label(edge, label)) => {
                    if edge == start && label > store {
                        return false;
                    }
                    (xcfa[edge].source, xcfa[edge].target, Some((edge, label)))
                }
                Some(Site::Aged(..)) | None => return false,
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
    fn start_of(&self, values: &Values, value: Term) -> Option<usize> {
        match values.symbol(values.terms.as_var(value)?)?.site {
            Site::Label(edge, label) => self.start_at(edge, label),
            _ => None,
        }
    }

    fn start_at(&self, edge: EdgeId, label: usize) -> Option<usize> {
        let mut starts = self.program.starts.iter();
        starts.position(|start| (start.edge, start.label) == (edge, label))
    }

    /// The one label that stores to the bytes that a load reads, apart from those that `settled`
    /// accepts, and the address of the load.
    fn only_store(
        &self,
        values: &Values,
        edge: EdgeId,
        label: usize,
        settled: impl Fn(EdgeId) -> bool,
    ) -> Option<((EdgeId, usize), Term)> {
        let xcfa = self.program.xcfa;
        let Label::Load { var, addr } = &xcfa[edge].labels[label] else {
            return None;
        };
        let size = u64::from(xcfa[*var].sort.width()).div_ceil(8);
        let targets = self.program.points_to.targets(xcfa, *addr);
        let mut hits = self.writes.iter().filter(|write| {
            let meets = |&target: &Target| overlap((target, size), (write.target, write.size));
            targets.iter().any(meets) && !settled(write.edge)
        });
        let only = hits.next()?;
        let place = (only.edge, only.label);
        if hits.any(|other| (other.edge, other.label) != place) || only.size != size {
            return None;
        }
        let is_store = matches!(xcfa[only.edge].labels[only.label], Label::Store { .. });
        let address = *values.evaluated(edge, label).first()?;
        is_store.then_some((place, address))
    }

    /// Do other activations of the procedure store elsewhere?
    fn is_own(&self, values: &mut Values, start: Start, address: Term) -> bool {
        let threads = &self.program.threads;
        let once =
            threads.running(start.by).eq([start.by]) && threads.starts_at_most_once(start.by);
        once || self.allocation(values, address).is_some()
    }

    /// The allocation that an address was made from, by symbol, if it is certain that it points into
    /// the instance that the label made last.
    pub fn allocation(&self, values: &mut Values, address: Term) -> Option<VarId> {
        allocation(self.program, values, address)
    }
}

/// Two loops, one that starts threads and one that joins them.
struct Rounds<'h, 'p, 'a> {
    handles: &'h Handles<'p, 'a>,
    start: Start,
    join: LoopJoin,
}

impl<'h, 'p, 'a> Rounds<'h, 'p, 'a> {
    fn of(handles: &'h Handles<'p, 'a>, join: &LoopJoin) -> Rounds<'h, 'p, 'a> {
        Rounds {
            handles,
            start: handles.program.starts[join.start],
            join: *join,
        }
    }

    /// Has the second loop a round of every number for which the first one has made a round?
    fn cover(&self, values: &mut Values, prover: &mut Prover) -> bool {
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
    fn joins_own(&self, values: &mut Values, prover: &mut Prover, handle: Term) -> bool {
        let Some(found) = self.resolve(values, prover, handle, MOST_LOADS, false) else {
            return false;
        };
        let found = strip(values, found);
        let start = self.handles.start_of(values, found);
        start.is_some_and(|at| self.handles.program.starts[at] == self.start)
    }

    /// The value in terms of the round of the first loop that has the same number.
    fn resolve(
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
        let (store, address) = self.handles.only_store(values, edge, label, settled)?;
        if strict && !self.starts_empty(edge, label) {
            return None;
        }
        let address = self.resolve(values, prover, address, loads, strict)?;
        let own = *values.evaluated(store.0, store.1).first()?;
        let value = *values.evaluated(store.0, store.1).get(1)?;
        let before_start = program.loop_of(store.0) == Some(first)
            && (store.0 == self.start.edge
                || program.is_between(head, store.0, program.xcfa[self.start.edge].source));
        let fits = before_start
            && self.is_of_round(values, own)
            && self.is_of_round(values, value)
            && self.handles.is_own(values, self.start, own)
            && self.are_equal(values, prover, own, address)
            && self.is_injective(values, prover, own, store);
        fits.then(|| self.numbered(values, value))
    }

    /// Are the two addresses the same in rounds of the same number?
    fn are_equal(&self, values: &mut Values, prover: &mut Prover, own: Term, found: Term) -> bool {
        let own = self.numbered(values, own);
        prover.are_equal(values, own, found)
    }

    /// Does the memory that a load reads hold no addresses before anybody stores there?
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
        if let Some(made) = self.handles.allocation(values, address)
            && let Some(Site::Label(edge, _)) = values.symbol(made).map(|symbol| symbol.site)
            && program.loop_of(edge) == Some(self.join.starting.loop_)
        {
            return true;
        }
        let size = match &program.xcfa[store.0].labels[store.1] {
            Label::Store { value, .. } => u64::from(values.terms.width(*value)).div_ceil(8),
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

/// The allocation that an address was made from; see [`Handles::allocation`].
pub fn allocation(program: &Program<'_>, values: &mut Values, address: Term) -> Option<VarId> {
    let mut found = None;
    for symbol in values.mentioned(address).iter().copied() {
        // The number of a round is no symbol, and no address.
        let Some(it) = values.symbol(symbol) else {
            continue;
        };
        if program.points_to.var(it.var).is_empty() {
            continue;
        }
        let Site::Label(edge, label) = it.site else {
            return None;
        };
        let is_alloc = matches!(program.xcfa[edge].labels[label], Label::Alloc { .. });
        if !is_alloc || found.replace(symbol).is_some() {
            return None;
        }
    }
    let found = found?;
    let plain = values.terms.bases(address).is_empty();
    (plain && is_summand(values, address, found)).then_some(found)
}

/// Is the value that of the symbol plus something?
fn is_summand(values: &Values, term: Term, symbol: VarId) -> bool {
    match values.terms.node(term) {
        Node::Var(var, _) => var == symbol,
        Node::Binary(Op::Add, a, b) => {
            let (of_a, of_b) = (
                values.terms.vars(a).contains(&symbol),
                values.terms.vars(b).contains(&symbol),
            );
            match (of_a, of_b) {
                (true, false) => is_summand(values, a, symbol),
                (false, true) => is_summand(values, b, symbol),
                _ => false,
            }
        }
        _ => false,
    }
}

/// Handles are as wide as pointers or as `unsigned long`; a conversion that keeps them is no change.
fn strip(values: &Values, term: Term) -> Term {
    match values.terms.node(term) {
        Node::Unary(Op::ZeroExt(_) | Op::SignExt(_), inner) => inner,
        _ => term,
    }
}

fn overlap((a, a_size): (Target, u64), (b, b_size): (Target, u64)) -> bool {
    let bytes = match (a.offset, b.offset) {
        (Offset::At(x), Offset::At(y)) => {
            x < y.saturating_add_unsigned(b_size) && y < x.saturating_add_unsigned(a_size)
        }
        _ => true,
    };
    a.object == b.object && bytes
}

fn writes(program: &Program<'_>) -> Vec<Write> {
    let mut found = Vec::new();
    for edge in program.xcfa.edge_ids() {
        for (label, it) in program.xcfa[edge].labels.iter().enumerate() {
            // What is freed cannot be read any more.
            if matches!(it, Label::Free(_) | Label::Dealloc(_)) {
                continue;
            }
            for touch in touches(program.xcfa, &program.points_to, it) {
                if let Place::Memory(target, size) = touch.place
                    && touch.write
                {
                    found.push(Write {
                        edge,
                        label,
                        target,
                        size,
                    });
                }
            }
        }
    }
    found
}
