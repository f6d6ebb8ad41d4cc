//! What all shipped models have in common, as clauses and two orders.
//!
//! In the order of nodes, a write comes before the reads that see it. In the order of *places*, which has one point for each
//! node and each cell that is accessed there, the accesses to one cell are in coherence order: a read stands between the
//! write that it sees and the next one. A read-modify-write has one place, so nothing comes between its halves.

use super::racing::Racing;
use crate::ordering::emitter::{Emitter, Place};
use crate::ordering::events::{Events, GoalKind, NodeId, Source};
use crate::ordering::model::Model;
use expr::{Term, VarId};
use rustc_hash::FxHashMap;
use sat::blast::Blaster;
use sat::order::{Node, Order, Pairs};
use sat::{Lit, Satisfiability};
use semantics::Property;
use std::cell::RefCell;
use std::collections::BTreeMap;
use std::collections::hash_map::Entry;
use std::rc::Rc;
use verdict::{Budget, Reason};

/// More pairs of writes than this are not put in order.
const MOST_PAIRS: usize = 400_000;

/// A formula whose models include all executions that a memory model allows.
pub struct Formula {
    /// The events it refers to.
    pub events: Events,
    pub(super) blaster: Blaster,
    order: Rc<RefCell<Order>>,
    pairs: Pairs,
    points: FxHashMap<Place, Node>,
    goals: Vec<(usize, Lit)>,
    /// The literals one of which holds where the property is violated.
    violations: Vec<Lit>,
    /// Accesses that may race, if that is the property.
    racing: Vec<Racing>,
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
    pub goal: Option<usize>,
    /// Pairs of accesses of which it was said that they race.
    pub racing: Vec<Racing>,
}

impl Formula {
    /// Builds the formula that searches for violations of a property.
    pub fn new(events: Events, property: Property, budget: &Budget) -> Result<Formula, Reason> {
        let mut emitter = Emitter::new(&events);
        emitter.coherent(budget)?;
        let goals = emitter.goals()?;
        let pairs_that_race = match property {
            Property::Race => emitter.racing()?,
            _ => Vec::new(),
        };
        let mut violations = reached(&events, &goals, GoalKind::Error);
        violations.extend(pairs_that_race.iter().map(|pair| pair.lit));
        if property == Property::Robust {
            violations.push(emitter.cycle()?);
        }
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
            points: points.unwrap_or_default(),
            goals,
            violations,
            racing: pairs_that_race,
            chosen,
        })
    }

    /// Is there an execution that shows a violation, or one that goes on beyond the bound?
    pub fn solve(&mut self, kind: GoalKind, budget: &Budget) -> Satisfiability {
        let lits = match kind {
            GoalKind::Error => self.violations.clone(),
            GoalKind::Unwound => reached(&self.events, &self.goals, kind),
        };
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
        let goal = goals.map(|&(goal, _)| goal);
        let reads = self.events.reads.iter().zip(&self.chosen);
        let sources = reads.map(|(read, lits)| {
            let mut pairs = read.sources.iter().zip(lits);
            let seen = pairs.find(|&(_, &lit)| sat.is_true(lit));
            seen.map(|(&source, _)| source)
        });
        let sources = sources.collect();
        let racing = self.racing.iter().filter(|pair| sat.is_true(pair.lit));
        let racing = racing.copied().collect();
        Some(Found {
            ranks,
            sources,
            goal,
            racing,
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

fn reached(events: &Events, goals: &[(usize, Lit)], kind: GoalKind) -> Vec<Lit> {
    let goals = goals.iter();
    let wanted = goals.filter(|&&(at, _)| events.goals[at].kind == kind);
    wanted.map(|&(_, lit)| lit).collect()
}

impl Emitter<'_> {
    /// The executions whose accesses to each location are coherent.
    fn coherent(&mut self, budget: &Budget) -> Result<(), Reason> {
        self.coherence()?;
        self.constraints()?;
        let events = self.events;
        for wait in events.waits.iter().filter(|wait| !events.is_fixed(wait)) {
            let guard = self.lit(wait.guard)?;
            if let Some(last) = events.last_node(wait.thread) {
                self.earlier(guard, last, wait.node);
            }
        }
        self.reads(budget)
    }

    fn goals(&mut self) -> Result<Vec<(usize, Lit)>, Reason> {
        let goals = self.events.goals.iter().enumerate();
        goals
            .map(|(at, goal)| Ok((at, self.lit(goal.guard)?)))
            .collect()
    }

    /// The points of all accesses, those of each thread in program order; and a literal for any two writes.
    fn coherence(&mut self) -> Result<(), Reason> {
        let events = self.events;
        let reads = events.reads.iter().map(|read| (read.node, read.cell));
        let writes = events.writes.iter().map(|write| (write.node, write.cell));
        let mut points = FxHashMap::default();
        let mut cells: BTreeMap<VarId, BTreeMap<usize, Vec<(u32, NodeId)>>> = BTreeMap::new();
        for (node, cell) in reads.chain(writes) {
            let Entry::Vacant(free) = points.entry((node, cell)) else {
                continue;
            };
            free.insert(self.order.node());
            let (thread, place) = events.nodes[node as usize];
            let threads = cells.entry(cell).or_default();
            threads.entry(thread).or_default().push((place, node));
        }
        for (cell, threads) in &mut cells {
            threads.values_mut().for_each(|nodes| nodes.sort_unstable());
            self.fixed_coherence(*cell, threads, &points);
        }
        self.points = Some(points);
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
    fn fixed_coherence(
        &mut self,
        cell: VarId,
        threads: &BTreeMap<usize, Vec<(u32, NodeId)>>,
        points: &FxHashMap<Place, Node>,
    ) {
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
                        let (from, to) = (points[&(earlier, cell)], points[&(node, cell)]);
                        let added = self.order.always(from, to);
                        added.expect("the fixed order has no cycle");
                    }
                }
            }
        }
    }
}
