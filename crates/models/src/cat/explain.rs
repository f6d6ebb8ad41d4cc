//! Why a graph is forbidden: the facts that every graph has to avoid.
//!
//! An explanation is a set of facts about events. Law: if a model grows with its executions (no axiom takes away what
//! may grow), then every graph in which these facts hold is forbidden, whatever else is in it. So one explanation speaks of
//! many graphs, and whoever searches for an execution never has to look at any of them.
//!
//! What is known from the two events alone (their threads, locations, kinds and orders) is no fact of its own: it comes
//! with the events.

use super::Evaluation;
use super::ast::{Check, Expr, Op, Postfix, TestKind};
use super::eval::Value;
use crate::base::{BaseName, BaseRelation, BaseSet, NAMES};
use crate::{EventId, Relation};
use std::collections::BTreeSet;

/// Something that is so in a graph.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Fact {
    /// The event is there.
    Event(EventId),
    /// The second, a read, finds the first.
    ReadsFrom(EventId, EventId),
    /// The first write comes before the second one in coherence.
    Coherence(EventId, EventId),
    /// The first, a read, finds a write that comes before the second in coherence.
    FromReads(EventId, EventId),
    /// The read and the write are one operation.
    Exchange(EventId, EventId),
    /// All that is in the graph: where nothing smaller is known.
    Everything,
}

impl Fact {
    /// The same of events that have other numbers.
    pub fn renamed(self, new: impl Fn(EventId) -> EventId) -> Fact {
        match self {
            Fact::Event(a) => Fact::Event(new(a)),
            Fact::ReadsFrom(a, b) => Fact::ReadsFrom(new(a), new(b)),
            Fact::Coherence(a, b) => Fact::Coherence(new(a), new(b)),
            Fact::FromReads(a, b) => Fact::FromReads(new(a), new(b)),
            Fact::Exchange(a, b) => Fact::Exchange(new(a), new(b)),
            Fact::Everything => Fact::Everything,
        }
    }
}

/// The facts of one reason.
pub(crate) type Facts = BTreeSet<Fact>;

/// More reasons than this are not looked for at once.
const MOST: usize = 64;

impl Evaluation<'_> {
    /// Why a test does not hold, in several ways. Nothing if it holds.
    pub fn reasons(&self, check: &Check<usize>, into: &mut BTreeSet<Vec<Fact>>) {
        let (relation, body) = match self.value(&check.body).as_ref() {
            Value::Relation(relation) => (relation.clone(), &check.body),
            Value::Set(set) => {
                for event in set.iter().take(MOST) {
                    let mut facts = Facts::new();
                    self.explain_member(&check.body, event, &mut facts);
                    into.insert(facts.into_iter().collect());
                }
                return;
            }
        };
        for path in paths(&relation, check.kind) {
            let mut facts = Facts::new();
            for pair in path.windows(2) {
                self.explain(body, pair[0], pair[1], &mut facts);
            }
            into.insert(facts.into_iter().collect());
        }
    }

    /// Why an expression does not relate two events; nothing if it does. What is not taken away from it is known from the
    /// two events alone.
    pub fn why_absent(&self, expr: &Expr<usize>, from: usize, to: usize) -> Option<Vec<Fact>> {
        let mut facts = Facts::new();
        let mut expr = expr;
        while let Expr::Binary(Op::Minus, rest, away, _) = expr {
            if self.relation(away).contains(from, to) {
                self.explain(away, from, to, &mut facts);
                return Some(facts.into_iter().collect());
            }
            expr = rest;
        }
        if self.relation(expr).contains(from, to) {
            return None;
        }
        facts.extend([from, to].map(|it| Fact::Event(event(it))));
        Some(facts.into_iter().collect())
    }

    /// Why the expression relates two events.
    pub fn explain(&self, expr: &Expr<usize>, from: usize, to: usize, facts: &mut Facts) {
        facts.extend([from, to].map(|it| Fact::Event(event(it))));
        let holds = |expr: &Expr<usize>| self.relation(expr).contains(from, to);
        match expr {
            Expr::Name(slot, _) => match (self.bodies[*slot], NAMES.get(*slot)) {
                (Some(body), _) => self.explain(body, from, to, facts),
                (None, Some(BaseName::Relation(_, base))) => facts.extend(basic(*base, from, to)),
                _ => facts.extend([Fact::Everything]),
            },
            Expr::Identity(set) => self.explain_member(set, from, facts),
            Expr::Binary(Op::Union, a, _, _) if holds(a) => self.explain(a, from, to, facts),
            Expr::Binary(Op::Union, _, b, _) => self.explain(b, from, to, facts),
            Expr::Binary(Op::Both, a, b, _) => {
                self.explain(a, from, to, facts);
                self.explain(b, from, to, facts);
            }
            // What is taken away is known from the two events.
            Expr::Binary(Op::Minus, a, _, _) => self.explain(a, from, to, facts),
            Expr::Binary(Op::Product, a, b, _) => {
                self.explain_member(a, from, facts);
                self.explain_member(b, to, facts);
            }
            Expr::Binary(Op::Then, a, b, _) => {
                let (first, second) = (self.relation(a), self.relation(b));
                let mut middles = first.successors(from);
                let middle = middles.find(|&middle| second.contains(middle, to));
                let middle = middle.expect("the two events are related");
                self.explain(a, from, middle, facts);
                self.explain(b, middle, to, facts);
            }
            Expr::Postfix(Postfix::Star | Postfix::Optional, _) if from == to => {}
            Expr::Postfix(Postfix::Plus | Postfix::Star, inner) => {
                let path = self.relation(inner).path(from, to);
                let path = path.expect("the two events are related");
                for pair in path.windows(2) {
                    self.explain(inner, pair[0], pair[1], facts);
                }
            }
            Expr::Postfix(Postfix::Optional, inner) => self.explain(inner, from, to, facts),
            Expr::Postfix(Postfix::Inverse, inner) => self.explain(inner, to, from, facts),
            // Known from the two events.
            Expr::Complement(_) => {}
            Expr::Nothing | Expr::Universe | Expr::Domain(_) | Expr::Range(_) => {
                facts.extend([Fact::Everything]);
            }
        }
    }

    /// Why an event is in a set.
    fn explain_member(&self, set: &Expr<usize>, member: usize, facts: &mut Facts) {
        facts.insert(Fact::Event(event(member)));
        let holds = |set: &Expr<usize>| match self.value(set).as_ref() {
            Value::Set(set) => set.contains(member),
            Value::Relation(_) => false,
        };
        match set {
            Expr::Name(slot, _) => match (self.bodies[*slot], NAMES.get(*slot)) {
                (Some(body), _) => self.explain_member(body, member, facts),
                (None, Some(BaseName::Set(_, BaseSet::Exchanges))) => {
                    let pairs = self.exchanges().iter();
                    let pair = pairs.map(|&(read, write)| (read, write));
                    let mut pair = pair.filter(|&(read, write)| read == member || write == member);
                    match pair.next() {
                        Some((read, write)) => {
                            facts.extend(basic(BaseRelation::Exchange, read, write));
                        }
                        None => facts.extend([Fact::Everything]),
                    }
                }
                (None, Some(BaseName::Set(..))) => {}
                _ => facts.extend([Fact::Everything]),
            },
            Expr::Universe | Expr::Complement(_) => {}
            Expr::Binary(Op::Union, a, _, _) if holds(a) => self.explain_member(a, member, facts),
            Expr::Binary(Op::Union, _, b, _) => self.explain_member(b, member, facts),
            Expr::Binary(Op::Both, a, b, _) => {
                self.explain_member(a, member, facts);
                self.explain_member(b, member, facts);
            }
            Expr::Binary(Op::Minus, a, _, _) => self.explain_member(a, member, facts),
            Expr::Domain(inner) => {
                let next = self.relation(inner).successors(member).next();
                let next = next.expect("the event is related to another");
                self.explain(inner, member, next, facts);
            }
            Expr::Range(inner) => {
                let previous = self.relation(inner).inverse().successors(member).next();
                let previous = previous.expect("another event is related to this");
                self.explain(inner, previous, member, facts);
            }
            _ => facts.extend([Fact::Everything]),
        }
    }
}

/// What a basic relation says.
fn basic(relation: BaseRelation, from: usize, to: usize) -> Vec<Fact> {
    let (a, b) = (event(from), event(to));
    let said = match relation {
        BaseRelation::ReadsFrom => Fact::ReadsFrom(a, b),
        BaseRelation::Coherence => Fact::Coherence(a, b),
        BaseRelation::FromReads => Fact::FromReads(a, b),
        BaseRelation::Exchange => Fact::Exchange(a, b),
        BaseRelation::ProgramOrder
        | BaseRelation::SameLocation
        | BaseRelation::Internal
        | BaseRelation::External
        | BaseRelation::Identity
        | BaseRelation::Spawn => return vec![Fact::Event(a), Fact::Event(b)],
    };
    vec![Fact::Event(a), Fact::Event(b), said]
}

/// Paths that a test forbids: a cycle through each event that is on one, or the pairs.
fn paths(relation: &Relation, kind: TestKind) -> Vec<Vec<usize>> {
    match kind {
        TestKind::Acyclic => {
            let closed = relation.closure();
            let size = closed.size();
            let on_cycle = (0..size).filter(|&it| closed.contains(it, it));
            let cycles = on_cycle.filter_map(|it| relation.path(it, it));
            let mut known: BTreeSet<Vec<usize>> = BTreeSet::new();
            let mut cycles: Vec<Vec<usize>> = cycles
                .filter(|cycle| {
                    let mut events = cycle[1..].to_vec();
                    events.sort_unstable();
                    known.insert(events)
                })
                .collect();
            cycles.sort_by_key(Vec::len);
            cycles.truncate(MOST);
            cycles
        }
        TestKind::Irreflexive => {
            let pairs = relation.pairs().filter(|(from, to)| from == to);
            pairs.take(MOST).map(|(a, b)| vec![a, b]).collect()
        }
        TestKind::Empty => {
            let pairs = relation.pairs();
            pairs.take(MOST).map(|(a, b)| vec![a, b]).collect()
        }
    }
}

fn event(at: usize) -> EventId {
    EventId(at as u32)
}
