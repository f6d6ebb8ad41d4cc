//! What all shipped models have in common, as clauses and two orders.
//!
//! In the order of nodes, a write comes before the reads that see it. In the order of *places*, which has one point for each
//! node and each cell that is accessed there, the accesses to one cell are in coherence order: a read stands between the
//! write that it sees and the next one. A read-modify-write has one place, so nothing comes between its halves.

use crate::ordering::events::{Events, GoalKind, NodeId, Source};
use crate::ordering::model::Model;
use expr::{Term, VarId};
use rustc_hash::FxHashMap;
use sat::blast::Blaster;
use sat::order::{Node, Order, Pairs};
use sat::{Lit, Satisfiability};
use std::cell::RefCell;
use std::collections::BTreeMap;
use std::rc::Rc;
use verdict::{Budget, Reason};

/// More pairs of writes than this are not put in order.
const MOST_PAIRS: usize = 400_000;

/// An access to a cell at a node.
pub type Place = (NodeId, VarId);

/// A formula whose models include all executions that a memory model allows.
pub struct Formula {
    /// The events it refers to.
    pub events: Events,
    pub(super) blaster: Blaster,
    order: Rc<RefCell<Order>>,
    pairs: Pairs,
    points: FxHashMap<Place, Node>,
    goals: Vec<(usize, Lit)>,
    /// By read: the literals that choose its sources.
    pub(super) chosen: Vec<Vec<Lit>>,
}

/// An execution that the solver has found.
pub struct Found {
    /// By node: its rank; then by place.
    pub ranks: Vec<u32>,
    /// By read: the source that it sees.
    pub sources: Vec<Option<Source>>,
    /// The goal that is reached.
    pub goal: usize,
}

struct Emitter<'a> {
    events: &'a Events,
    blaster: Blaster,
    order: Order,
    pairs: Pairs,
    points: FxHashMap<Place, Node>,
    chosen: Vec<Vec<Lit>>,
}

impl Formula {
    /// Builds the formula.
    pub fn new(events: Events, budget: &Budget) -> Result<Formula, Reason> {
        let mut emitter = Emitter {
            blaster: Blaster::default(),
            order: Order::new(events.nodes.len()),
            pairs: Pairs::default(),
            points: FxHashMap::default(),
            chosen: Vec::new(),
            events: &events,
        };
        let goals = emitter.emit(budget)?;
        let Emitter {
            mut blaster,
            order,
            pairs,
            points,
            chosen,
            ..
        } = emitter;
        let order = order.attach(&mut blaster.gates.sat);
        Ok(Formula {
            events,
            blaster,
            order,
            pairs,
            points,
            goals,
            chosen,
        })
    }

    /// Is there an execution that reaches a goal of this kind?
    pub fn solve(&mut self, kind: GoalKind, budget: &Budget) -> Satisfiability {
        let goals = self.goals.iter();
        let wanted = goals.filter(|&&(at, _)| self.events.goals[at].kind == kind);
        let lits: Vec<Lit> = wanted.map(|&(_, lit)| lit).collect();
        if lits.iter().all(|&lit| lit == Lit::FALSE) {
            return Satisfiability::Unsatisfiable;
        }
        let any = self.blaster.gates.or_all(lits);
        self.blaster.gates.sat.solve(&[any], budget)
    }

    /// The execution that was found.
    pub fn found(&mut self, kind: GoalKind) -> Option<Found> {
        let sat = &mut self.blaster.gates.sat;
        let ranks = self.order.borrow().ranks(|lit| sat.is_true(lit)).ok()?;
        let mut goals = self.goals.iter();
        let goals =
            goals.find(|&&(at, lit)| self.events.goals[at].kind == kind && sat.is_true(lit));
        let &(goal, _) = goals?;
        let reads = self.events.reads.iter().zip(&self.chosen);
        let sources = reads.map(|(read, lits)| {
            let mut pairs = read.sources.iter().zip(lits);
            let seen = pairs.find(|&(_, &lit)| sat.is_true(lit));
            seen.map(|(&source, _)| source)
        });
        let sources = sources.collect();
        Some(Found {
            ranks,
            sources,
            goal,
        })
    }

    /// The values of terms in the execution that was found.
    pub fn model(&mut self) -> Model<'_> {
        Model::of_bits(&self.events, Vec::new(), &mut self.blaster)
    }

    /// The rank of a place among the accesses to its cell.
    pub fn rank(&self, found: &Found, place: Place) -> Option<u32> {
        Some(found.ranks[*self.points.get(&place)? as usize])
    }

    /// Whether one access to a cell comes before another, if that is a question at all.
    pub fn before(&self, a: Place, b: Place) -> Option<Lit> {
        if self.events.statics.before(a.0, b.0) {
            return Some(Lit::TRUE);
        }
        if a.0 == b.0 || self.events.statics.before(b.0, a.0) {
            return Some(Lit::FALSE);
        }
        self.pairs
            .known(*self.points.get(&a)?, *self.points.get(&b)?)
    }

    /// A term that is true or false as a literal.
    pub fn lit(&mut self, term: Term) -> Result<Lit, Reason> {
        Ok(self.blaster.lit(&self.events.terms, term)?)
    }

    /// Rules out all executions in which these hold.
    pub fn forbid(&mut self, lits: &[Lit]) {
        let clause: Vec<Lit> = lits.iter().map(|&lit| !lit).collect();
        self.blaster.gates.sat.clause(&clause);
    }

    /// Figures of the solver.
    pub fn figures(&self) -> sat::Figures {
        self.blaster.gates.sat.figures()
    }
}

impl Emitter<'_> {
    fn emit(&mut self, budget: &Budget) -> Result<Vec<(usize, Lit)>, Reason> {
        let events = self.events;
        for (from, to) in events.fixed_order() {
            let added = self.order.always(from, to);
            added.expect("the fixed order has no cycle");
        }
        self.coherence()?;
        for &constraint in &events.constraints {
            let lit = self.lit(constraint)?;
            self.clause(&[lit]);
        }
        for wait in events.waits.iter().filter(|wait| !events.is_fixed(wait)) {
            let guard = self.lit(wait.guard)?;
            if let Some(last) = events.last_node(wait.thread) {
                self.earlier(guard, last, wait.node);
            }
        }
        for at in 0..events.reads.len() {
            if at.is_multiple_of(64)
                && let Some(reason) = budget.exceeded(verdict::resident_bytes())
            {
                return Err(reason);
            }
            self.read(at)?;
        }
        let goals = events.goals.iter().enumerate();
        let goals: Result<Vec<_>, Reason> = goals
            .map(|(at, goal)| Ok((at, self.lit(goal.guard)?)))
            .collect();
        goals
    }

    /// In the order of nodes, if the literal holds.
    fn earlier(&mut self, lit: Lit, from: NodeId, to: NodeId) {
        if from != to && self.events.statics.before(from, to) {
            return;
        }
        let added = match lit.as_constant() {
            Some(false) => Ok(()),
            _ if from == to || self.events.statics.before(to, from) => Err(()),
            Some(true) => self.order.always(from, to).map_err(drop),
            None => {
                self.order.when(lit, from, to);
                Ok(())
            }
        };
        if added.is_err() {
            self.clause(&[!lit]);
        }
    }

    /// The points of all accesses, those of each thread in program order; and a literal for any two writes.
    fn coherence(&mut self) -> Result<(), Reason> {
        let events = self.events;
        let reads = events.reads.iter().map(|read| (read.node, read.cell));
        let writes = events.writes.iter().map(|write| (write.node, write.cell));
        let mut cells: BTreeMap<VarId, BTreeMap<usize, Vec<(u32, NodeId)>>> = BTreeMap::new();
        for (node, cell) in reads.chain(writes) {
            if self.points.contains_key(&(node, cell)) {
                continue;
            }
            let point = self.order.node();
            self.points.insert((node, cell), point);
            let (thread, place) = events.nodes[node as usize];
            let threads = cells.entry(cell).or_default();
            threads.entry(thread).or_default().push((place, node));
        }
        for (cell, threads) in &mut cells {
            threads.values_mut().for_each(|nodes| nodes.sort_unstable());
            self.fixed_coherence(*cell, threads);
        }
        let mut writes: BTreeMap<VarId, Vec<NodeId>> = BTreeMap::new();
        for write in &events.writes {
            let nodes = writes.entry(write.cell).or_default();
            if !nodes.contains(&write.node) {
                nodes.push(write.node);
            }
        }
        let mut count = 0;
        for (cell, nodes) in writes {
            for (at, &a) in nodes.iter().enumerate() {
                for &b in &nodes[at + 1..] {
                    self.before((a, cell), (b, cell));
                    count += 1;
                }
            }
            if count > MOST_PAIRS {
                let what = "very many writes to the same memory, under a weak memory model";
                return Err(Reason::unsupported(what));
            }
        }
        Ok(())
    }

    /// What is always so: program order, and what starting and joining threads orders.
    fn fixed_coherence(&mut self, cell: VarId, threads: &BTreeMap<usize, Vec<(u32, NodeId)>>) {
        for (&thread, nodes) in threads {
            for (&other, others) in threads {
                let mut last = None;
                for &(_, node) in nodes {
                    let before = |&&(_, it): &&(u32, NodeId)| self.events.statics.before(it, node);
                    let earlier = others.iter().rev().find(before);
                    // Within a thread, each access comes after the one before it; a later one adds only what is new.
                    if let Some(&(place, earlier)) = earlier
                        && (thread == other || last.is_none_or(|last| last < place))
                    {
                        last = Some(place);
                        let (from, to) =
                            (self.points[&(earlier, cell)], self.points[&(node, cell)]);
                        let added = self.order.always(from, to);
                        added.expect("the fixed order has no cycle");
                    }
                }
            }
        }
    }

    /// A read sees one of its sources: a write that happens, with no other between the two.
    fn read(&mut self, at: usize) -> Result<(), Reason> {
        let read = &self.events.reads[at];
        let guard = self.lit(read.guard)?;
        let mut lits = Vec::new();
        let first = read.sources.first().map(|&source| self.value(at, source));
        if let Some(first) = first.filter(|_| guard != Lit::FALSE) {
            let sort = self.events.terms.sort(first);
            let bits = self.blaster.var(read.value, sort).clone();
            for &source in &read.sources {
                let chosen = match read.sources.len() {
                    1 => guard,
                    _ => self.blaster.gates.input(),
                };
                lits.push(chosen);
                self.source(at, source, chosen)?;
                let value = self.value(at, source);
                let value = self.blaster.word(&self.events.terms, value)?;
                for (&bit, &wanted) in bits.iter().zip(&value) {
                    self.clause(&[!chosen, !bit, wanted]);
                    self.clause(&[!chosen, bit, !wanted]);
                }
            }
        }
        if lits.len() != 1 {
            let mut some = vec![!guard];
            some.extend(&lits);
            self.clause(&some);
        }
        self.chosen.push(lits);
        Ok(())
    }

    fn value(&self, read: usize, source: Source) -> Term {
        match source {
            Source::Initial => self.events.initial[&self.events.reads[read].cell],
            Source::Write(at) => self.events.writes[at].value,
        }
    }

    fn source(&mut self, at: usize, source: Source, chosen: Lit) -> Result<(), Reason> {
        let events = self.events;
        let read = &events.reads[at];
        let own = (read.node, read.cell);
        let node = match source {
            Source::Initial => None,
            Source::Write(at) => Some(events.writes[at].node),
        };
        if let Source::Write(at) = source {
            let write = &events.writes[at];
            let happens = self.lit(write.guard)?;
            self.clause(&[!chosen, happens]);
            self.earlier(chosen, write.node, read.node);
            let before = self.before((write.node, write.cell), own);
            self.clause(&[!chosen, before]);
        }
        for &other in read.sources.iter().filter(|&&other| other != source) {
            let Source::Write(other) = other else {
                continue;
            };
            let other = &events.writes[other];
            let place = (other.node, other.cell);
            let earlier = match node {
                // Writes of one node exclude each other.
                Some(node) if node == other.node => continue,
                Some(node) => self.before(place, (node, read.cell)),
                None => Lit::FALSE,
            };
            let later = self.before(own, place);
            let happens = self.lit(other.guard)?;
            self.clause(&[!chosen, !happens, earlier, later]);
        }
        Ok(())
    }

    fn lit(&mut self, term: Term) -> Result<Lit, Reason> {
        Ok(self.blaster.lit(&self.events.terms, term)?)
    }

    fn clause(&mut self, lits: &[Lit]) {
        self.blaster.gates.sat.clause(lits);
    }

    /// Does one access to a cell come before another at another node?
    fn before(&mut self, a: Place, b: Place) -> Lit {
        if self.events.statics.before(a.0, b.0) {
            return Lit::TRUE;
        }
        if a.0 == b.0 || self.events.statics.before(b.0, a.0) {
            return Lit::FALSE;
        }
        let (from, to) = (self.points[&a], self.points[&b]);
        let gates = &mut self.blaster.gates;
        self.pairs.before(&mut self.order, gates, from, to)
    }
}
