//! The clauses that all memory models have in common: what each read sees.
//!
//! Accesses have points in an order. Sequentially, the point of an access is its node. Under a weak memory model every cell
//! that a node accesses has a point of its own there (see [`super::weak`]), and the order of nodes is another one.

use super::events::{Events, NodeId, Source};
use expr::{Term, VarId};
use rustc_hash::FxHashMap;
use sat::Lit;
use sat::blast::Blaster;
use sat::order::{Node, Order, Pairs};
use verdict::{Budget, Reason};

/// An access to a cell at a node.
pub type Place = (NodeId, VarId);

/// A formula under way.
pub(super) struct Emitter<'a> {
    pub events: &'a Events,
    pub blaster: Blaster,
    pub order: Order,
    pub pairs: Pairs,
    /// By access: its point in the order, unless that is its node.
    pub points: Option<FxHashMap<Place, Node>>,
    /// By read: the literals that choose its sources.
    pub chosen: Vec<Vec<Lit>>,
}

impl<'a> Emitter<'a> {
    /// Nothing is said yet but the order that every execution has.
    pub fn new(events: &'a Events) -> Emitter<'a> {
        let mut order = Order::new(events.nodes.len());
        for (from, to) in events.fixed_order() {
            let added = order.always(from, to);
            added.expect("the fixed order has no cycle");
        }
        Emitter {
            events,
            blaster: Blaster::default(),
            order,
            pairs: Pairs::default(),
            points: None,
            chosen: Vec::new(),
        }
    }

    /// What has to hold in every execution.
    pub fn constraints(&mut self) -> Result<(), Reason> {
        for &constraint in &self.events.constraints {
            let lit = self.lit(constraint)?;
            self.clause(&[lit]);
        }
        Ok(())
    }

    /// What all reads see.
    pub fn reads(&mut self, budget: &Budget) -> Result<(), Reason> {
        for at in 0..self.events.reads.len() {
            if at.is_multiple_of(64)
                && let Some(reason) = budget.exceeded(verdict::resident_bytes())
            {
                return Err(reason);
            }
            self.read(at)?;
        }
        Ok(())
    }

    /// A read sees one of its sources: a write that happens, before it, with no other in between.
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
            if self.points.is_some() {
                self.earlier(chosen, write.node, read.node);
            }
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

    /// In the order of nodes, if the literal holds.
    pub fn earlier(&mut self, lit: Lit, from: NodeId, to: NodeId) {
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

    /// Does one access come before another at another node?
    pub fn before(&mut self, a: Place, b: Place) -> Lit {
        match &self.points {
            Some(points) => {
                let points = (points[&a], points[&b]);
                self.ordered((a.0, b.0), points)
            }
            None => self.node_before(a.0, b.0),
        }
    }

    /// Is one node before another?
    pub fn node_before(&mut self, a: NodeId, b: NodeId) -> Lit {
        self.ordered((a, b), (a, b))
    }

    fn ordered(&mut self, (a, b): (NodeId, NodeId), (from, to): (Node, Node)) -> Lit {
        if self.events.statics.before(a, b) {
            return Lit::TRUE;
        }
        if a == b || self.events.statics.before(b, a) {
            return Lit::FALSE;
        }
        let gates = &mut self.blaster.gates;
        self.pairs.before(&mut self.order, gates, from, to)
    }

    pub fn lit(&mut self, term: Term) -> Result<Lit, Reason> {
        Ok(self.blaster.lit(&self.events.terms, term)?)
    }

    pub fn clause(&mut self, lits: &[Lit]) {
        self.blaster.gates.sat.clause(lits);
    }
}
