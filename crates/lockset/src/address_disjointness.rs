//! Accesses of two threads that cannot meet because their addresses differ.
//!
//! Both addresses are written over what their common creator knows: the argument of a thread is what
//! the creator gave it. Then either they point into memory that was allocated for one thread each, or a
//! solver finds that they have no byte in common as long as the threads are different ones.

use crate::counting::Counter;
use crate::given::Given;
use crate::handles::Handles;
use crate::lift::{allocation, bounded_counter};
use crate::may_happen_in_parallel::{MayHappenInParallel, Role, Way};
use crate::program::Program;
use crate::prover::Prover;
use crate::reason::Reason;
use crate::steady::Alone;
use crate::tickets::{Ticket, Tickets};
use crate::values::{Site, Values};
use rustc_hash::FxHashMap;

use expr::{Term, VarId};
use xcfa::{EdgeId, Label, ProcId};

/// An access to memory: a label, and how many bytes; none for all of an object.
#[derive(Clone, Copy, Debug)]
pub struct Access {
    pub edge: EdgeId,
    pub label: usize,
    pub size: Option<u64>,
}

/// Compares the addresses of accesses.
pub struct AddressDisjointness<'p, 'a> {
    pub program: &'p Program<'a>,
    pub handles: Handles<'p, 'a>,
    pub may_happen_in_parallel: MayHappenInParallel,
    pub tickets: Tickets,
    pub values: Values,
    pub prover: Prover,
}

/// An address as the common creator sees it.
struct Address {
    term: Term,
    /// The loop of joins that the creator is in, behind the join of this round.
    behind_join: Option<usize>,
}

/// An address with the numbers that it depends on.
struct Side {
    address: Term,
    /// By loop: the round in which the thread was started, or in which the creator is.
    rounds: Vec<(usize, Term)>,
    /// By variable: the ticket that the thread has drawn.
    tickets: Vec<(VarId, Term)>,
}

impl<'p, 'a> AddressDisjointness<'p, 'a> {
    /// What is known about values and threads, apart from tickets; none if the program is too large.
    pub fn of(program: &'p Program<'a>) -> Option<AddressDisjointness<'p, 'a>> {
        let plain = Alone::before_threads(program.xcfa);
        let first = AddressDisjointness::with(program, plain.clone())?;
        // Where `main` is alone is seen by following threads; what is known of memory then tells more.
        let alone = Alone::of(program, &first.may_happen_in_parallel);
        match alone == plain {
            true => Some(first),
            false => AddressDisjointness::with(program, alone),
        }
    }

    fn with(program: &'p Program<'a>, alone: Alone) -> Option<AddressDisjointness<'p, 'a>> {
        let mut values = Values::of(program.xcfa, alone)?;
        let mut prover = Prover::default();
        let handles = Handles::of(program, &mut values);
        let may_happen_in_parallel =
            MayHappenInParallel::of(program, &handles, &mut values, &mut prover);
        Some(AddressDisjointness {
            may_happen_in_parallel,
            tickets: Tickets::default(),
            program,
            handles,
            values,
            prover,
        })
    }

    /// Why the accesses of two threads in these roles touch different memory, if that is certain.
    pub fn reason(&mut self, way: Way, a: Access, b: Access) -> Option<Reason> {
        let by = self.creator(way)?;
        let from = self.address(by, way.first, way.second, a)?;
        let to = self.address(by, way.second, way.first, b)?;
        if self.are_different_instances(way, (a, &from), (b, &to)) {
            return Some(Reason::OwnMemory);
        }
        let sizes = (a.size?, b.size?);
        self.never_overlap(way, (a, &from), (b, &to), sizes)
            .then_some(Reason::DistinctIndex)
    }

    /// The procedure of the common creator, if it is known well enough.
    fn creator(&self, way: Way) -> Option<ProcId> {
        let by = |role: Role| match role {
            Role::Started(start) => Some(Some(self.program.starts[start])),
            Role::Creator => Some(None),
            Role::Descendant => None,
        };
        let (first, second) = (by(way.first)?, by(way.second)?);
        let start = first.or(second)?;
        let same = [first, second]
            .into_iter()
            .flatten()
            .all(|it| it.by == start.by && it.root != start.by);
        (same
            && !self
                .may_happen_in_parallel
                .is_opaque(self.program, start.by))
        .then_some(start.by)
    }

    fn address(&mut self, by: ProcId, role: Role, other: Role, access: Access) -> Option<Address> {
        let xcfa = self.program.xcfa;
        let own = *self.values.evaluated(access.edge, access.label).first()?;
        let proc = xcfa[xcfa[access.edge].source].proc;
        match role {
            Role::Started(start) if proc == self.program.starts[start].root => {
                let given = Given {
                    program: self.program,
                    stores: &self.handles.stores,
                    counters: &self.handles.counters,
                };
                let term = given.as_creator(&mut self.values, &mut self.prover, start, own)?;
                Some(Address {
                    term,
                    behind_join: None,
                })
            }
            Role::Creator if proc == by => Some(self.of_creator(other, access, own)),
            _ => None,
        }
    }

    /// Behind the join of its round, a loop of joins touches what belonged to a thread that has ended.
    fn of_creator(&mut self, other: Role, access: Access, own: Term) -> Address {
        let xcfa = self.program.xcfa;
        for at in 0..self.may_happen_in_parallel.loop_joins.len() {
            let join = self.may_happen_in_parallel.loop_joins[at];
            let head = self.program.loops.loops[join.joining.loop_].head;
            let behind = other == Role::Started(join.start)
                && self.program.loop_of(access.edge) == Some(join.joining.loop_)
                && access.edge != join.edge
                && self
                    .program
                    .is_between(head, join.edge, xcfa[access.edge].source);
            if !behind {
                continue;
            }
            let term = self
                .handles
                .in_first(&mut self.values, &mut self.prover, &join, own);
            if let Some(term) = term {
                return Address {
                    term,
                    behind_join: Some(at),
                };
            }
        }
        Address {
            term: own,
            behind_join: None,
        }
    }

    /// Do both point into memory that was allocated by different executions of a label?
    fn are_different_instances(
        &mut self,
        way: Way,
        (a, from): (Access, &Address),
        (b, to): (Access, &Address),
    ) -> bool {
        let (Some(x), Some(y)) = (
            allocation(self.program, &mut self.values, from.term),
            allocation(self.program, &mut self.values, to.term),
        ) else {
            return false;
        };
        let by = self.creator(way);
        if !self.is_of(by, x) || !self.is_of(by, y) {
            return false;
        }
        if x != y {
            return true;
        }
        let Some(Site::Label(made, label)) = self.values.symbol(x).map(|symbol| symbol.site) else {
            return false;
        };
        if let Some(at) = from.behind_join.or(to.behind_join) {
            let join = self.may_happen_in_parallel.loop_joins[at];
            return self.program.loop_of(made) == Some(join.starting.loop_)
                && self.program.loop_of(self.program.starts[join.start].edge)
                    == Some(join.starting.loop_);
        }
        let made = (made, label);
        let first = self.time(way.first, a);
        let second = self.time(way.second, b);
        match (way.first, way.second) {
            (Role::Creator, _) => self.made_between(second, made, first),
            (_, Role::Creator) => self.made_between(first, made, second),
            _ => self.made_between(first, made, second) && self.made_between(second, made, first),
        }
    }

    /// Is the symbol set in that procedure?
    fn is_of(&self, proc: Option<ProcId>, symbol: VarId) -> bool {
        let xcfa = self.program.xcfa;
        let of = match self.values.symbol(symbol).map(|symbol| symbol.site) {
            Some(Site::Label(edge, _)) => xcfa[xcfa[edge].source].proc,
            Some(Site::Loc(loc)) => xcfa[loc].proc,
            _ => return false,
        };
        proc == Some(of)
    }

    /// When the creator fixed the symbols of an address: at the start, or just now.
    fn time(&self, role: Role, access: Access) -> (EdgeId, usize) {
        match role {
            Role::Started(start) => {
                let start = self.program.starts[start];
                (start.edge, start.label)
            }
            _ => (access.edge, access.label),
        }
    }

    /// Is the label executed whenever the creator gets from behind `from` to `to`?
    fn made_between(
        &self,
        from: (EdgeId, usize),
        made: (EdgeId, usize),
        to: (EdgeId, usize),
    ) -> bool {
        let xcfa = self.program.xcfa;
        let at_the_end = made.0 == to.0 && made.1 < to.1;
        let at_the_start = made.0 == from.0 && made.1 > from.1;
        // On one edge, a later label can come without a way round.
        let same_step = from.0 == to.0
            && from.1 < to.1
            && !(from.1 < made.1 && made.1 < to.1 && made.0 == from.0);
        if same_step {
            return false;
        }
        at_the_end
            || at_the_start
            || self
                .program
                .is_between(xcfa[from.0].target, made.0, xcfa[to.0].source)
    }

    /// Asks whether the two have a byte in common.
    fn never_overlap(
        &mut self,
        way: Way,
        (a, from): (Access, &Address),
        (b, to): (Access, &Address),
        sizes: (u64, u64),
    ) -> bool {
        let (Some(first), Some(second)) = (
            self.side(way, way.first, from),
            self.side(way, way.second, to),
        ) else {
            return false;
        };
        if self.values.terms.sort(first.address) != self.values.terms.sort(second.address) {
            return false;
        }
        let mut different = Vec::new();
        for &(loop_, x) in &first.rounds {
            for &(other, y) in &second.rounds {
                if loop_ == other && self.are_different_rounds(way, loop_, (a, from), (b, to)) {
                    different.push((x, y));
                }
            }
        }
        for &(var, x) in &first.tickets {
            for &(other, y) in &second.tickets {
                if var == other {
                    different.push((x, y));
                }
            }
        }
        let (x, y) = ((first.address, sizes.0), (second.address, sizes.1));
        let values = &mut self.values;
        self.prover.never_overlap(values, x, y, &different)
    }

    /// One side of the question; none if the address depends on something unknown.
    fn side(&mut self, way: Way, role: Role, address: &Address) -> Option<Side> {
        let mut side = Side {
            address: address.term,
            rounds: Vec::new(),
            tickets: Vec::new(),
        };
        let by = self.creator(way);
        let join = address
            .behind_join
            .map(|at| self.may_happen_in_parallel.loop_joins[at]);
        let mut with = FxHashMap::default();
        for &symbol in self.values.mentioned(address.term).iter() {
            let of_join = join.filter(|it| self.values.terms.as_var(it.round) == Some(symbol));
            if let Some(join) = of_join {
                let loop_ = join.starting.loop_;
                let round = self.number(&mut side.rounds, loop_);
                with.insert(symbol, round);
            } else if let Some(counter) =
                bounded_counter(self.program, &self.handles.counters, symbol)
                    .filter(|_| self.is_of(by, symbol))
            {
                if !self.program.is_stable_term(&mut self.values, counter.init) {
                    return None;
                }
                let round = self.number(&mut side.rounds, counter.loop_);
                let Counter { init, step, .. } = counter;
                let value = Prover::after_steps(&mut self.values, init, step, round);
                with.insert(symbol, value);
            } else if !self.is_shared(by, symbol) {
                let value = match self.ticket(role, symbol, &mut side.tickets) {
                    Some(value) => value,
                    None => {
                        let var = self.values.symbol(symbol)?.var;
                        let sort = self.program.xcfa[var].sort;
                        self.prover.unknown(&mut self.values, sort)
                    }
                };
                with.insert(symbol, value);
            }
        }
        side.address = self.values.terms.substitute(address.term, &with);
        Some(side)
    }

    /// The value of a symbol that is a ticket of a thread.
    fn ticket(
        &mut self,
        role: Role,
        symbol: VarId,
        drawn: &mut Vec<(VarId, Term)>,
    ) -> Option<Term> {
        if role == Role::Creator {
            return None;
        }
        let Ticket { var, step, first } = self.tickets.of(&self.values, symbol)?;
        let number = self.number(drawn, var);
        // What it was before the first thread is the same for all.
        let first = match first {
            Some(first) => first,
            None => {
                let xcfa = self.program.xcfa;
                self.values.symbol_term(xcfa, Site::Frozen, var)
            }
        };
        Some(Prover::after_steps(&mut self.values, first, step, number))
    }

    /// The number that belongs to a key, or a new one.
    fn number<K: PartialEq + Copy>(&mut self, known: &mut Vec<(K, Term)>, key: K) -> Term {
        if let Some(&(_, number)) = known.iter().find(|(other, _)| *other == key) {
            return number;
        }
        let number = self.prover.number(&mut self.values);
        known.push((key, number));
        number
    }

    /// Has the symbol one value for both sides?
    fn is_shared(&self, by: Option<ProcId>, symbol: VarId) -> bool {
        match self.values.symbol(symbol).map(|symbol| symbol.site) {
            Some(site) if site.is_shared() => true,
            Some(Site::Entry) => true,
            _ => self.is_of(by, symbol) && self.program.is_stable(&self.values, symbol),
        }
    }

    /// Are the two in, or from, different rounds of the loop?
    fn are_different_rounds(
        &self,
        way: Way,
        loop_: usize,
        (a, from): (Access, &Address),
        (b, to): (Access, &Address),
    ) -> bool {
        match (way.first, way.second) {
            (Role::Started(x), Role::Started(y)) => {
                x == y && self.program.loop_of(self.program.starts[x].edge) == Some(loop_)
            }
            (Role::Creator, Role::Started(start)) => {
                self.is_behind(loop_, from) || self.is_before_start(loop_, start, a)
            }
            (Role::Started(start), Role::Creator) => {
                self.is_behind(loop_, to) || self.is_before_start(loop_, start, b)
            }
            _ => false,
        }
    }

    /// Is the creator behind the join of a thread that a round of this loop has started?
    fn is_behind(&self, loop_: usize, address: &Address) -> bool {
        let join = address
            .behind_join
            .map(|at| self.may_happen_in_parallel.loop_joins[at]);
        join.is_some_and(|join| join.starting.loop_ == loop_)
    }

    /// Does the creator make this access, in each round of the loop, before it starts the thread?
    fn is_before_start(&self, loop_: usize, start: usize, access: Access) -> bool {
        let l = &self.program.loops.loops[loop_];
        let xcfa = self.program.xcfa;
        let start = self.program.starts[start];
        let source = xcfa[access.edge].source;
        let to_head = |edge: EdgeId| xcfa[edge].target == l.head;
        let in_loop = l.contains(source) && self.program.loop_of(start.edge) == Some(loop_);
        let same_step = access.edge == start.edge && access.label > start.label;
        let later = !to_head(start.edge)
            && self
                .program
                .reaches(xcfa[start.edge].target, source, to_head);
        in_loop && !same_step && !later
    }
}

/// The size of an access; none for the whole object.
pub fn size(program: &Program<'_>, edge: EdgeId, label: usize) -> Option<u64> {
    let xcfa = program.xcfa;
    match &xcfa[edge].labels[label] {
        Label::Load { var, .. } => Some(xcfa[*var].sort.bytes()),
        Label::Store { value, .. } => Some(xcfa.terms.bytes(*value)),
        Label::Lock { .. } | Label::Unlock { .. } => Some(8),
        Label::Wait { .. } | Label::Signal { .. } => Some(1),
        _ => None,
    }
}
