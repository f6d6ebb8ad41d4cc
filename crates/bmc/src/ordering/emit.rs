//! The constraints on events as clauses, circuits and an order.

use super::events::{Events, GoalKind, NodeId, Read, Source};
use super::model::Model;
use expr::Term;
use sat::blast::Blaster;
use sat::order::{self, Order, Pairs};
use sat::refutation::Acyclic;
use sat::{Lit, Satisfiability};
use std::cell::RefCell;
use std::path::Path;
use std::rc::Rc;
use verdict::{Budget, Reason};

/// A formula whose models are the executions of a bounded program.
pub struct Formula {
    /// The events it refers to.
    pub events: Events,
    blaster: Blaster,
    order: Rc<RefCell<Order>>,
    /// Goals with the literals that say that they are reached before the process ends.
    goals: Vec<(usize, Lit)>,
    /// How many literals order two nodes.
    pub order_lits: usize,
    /// How many literals choose what a read sees.
    pub source_lits: usize,
}

struct Emitter<'a> {
    events: &'a Events,
    blaster: Blaster,
    order: Order,
    pairs: Pairs,
    source_lits: usize,
    budget: &'a Budget,
}

impl Formula {
    /// Builds the formula; `keep` keeps its clauses for printing.
    pub fn new(events: Events, keep: bool, budget: &Budget) -> Result<Formula, Reason> {
        let mut emitter = Emitter {
            blaster: Blaster::default(),
            order: Order::new(events.nodes.len()),
            pairs: Pairs::default(),
            source_lits: 0,
            events: &events,
            budget,
        };
        if keep {
            emitter.blaster.gates.sat.keep_clauses();
        }
        let goals = emitter.emit()?;
        let Emitter {
            mut blaster,
            order,
            pairs,
            source_lits,
            ..
        } = emitter;
        let order = order.attach(&mut blaster.gates.sat);
        let order_lits = pairs.count();
        Ok(Formula {
            events,
            blaster,
            order,
            goals,
            order_lits,
            source_lits,
        })
    }

    /// Is there an execution that reaches a goal of this kind?
    pub fn solve(&mut self, kind: GoalKind, budget: &Budget) -> Satisfiability {
        match self.goal(kind) {
            Some(any) => self.blaster.gates.sat.solve(&[any], budget),
            None => Satisfiability::Unsatisfiable,
        }
    }

    /// The literal that says that some goal of this kind is reached; none if none can be.
    pub fn goal(&mut self, kind: GoalKind) -> Option<Lit> {
        let goals = self.goals.iter();
        let wanted = goals.filter(|&&(at, _)| self.events.goals[at].kind == kind);
        let lits: Vec<Lit> = wanted.map(|&(_, lit)| lit).collect();
        if lits.iter().all(|&lit| lit == Lit::FALSE) {
            return None;
        }
        Some(self.blaster.gates.or_all(lits))
    }

    /// How many reads and writes there are.
    pub fn accesses(&self) -> u64 {
        (self.events.reads.len() + self.events.writes.len()) as u64
    }

    /// Writes the refutation to a file, step by step.
    pub fn write_refutation(&mut self, path: &Path) -> std::io::Result<()> {
        self.blaster.gates.sat.write_refutation(path)
    }

    /// The clauses, if they were kept.
    pub fn clauses(&self) -> impl Iterator<Item = Vec<i32>> + '_ {
        self.blaster.gates.sat.kept()
    }

    /// What has to be ordered.
    pub fn acyclic(&self) -> Acyclic {
        self.order.borrow().acyclic()
    }

    /// Figures of the solver.
    pub fn figures(&self) -> sat::Figures {
        self.blaster.gates.sat.figures()
    }

    /// Figures of the theory.
    pub fn order_figures(&self) -> order::Figures {
        self.order.borrow().figures
    }

    /// The clauses, if they were kept.
    pub fn dimacs(&self) -> String {
        self.blaster.gates.sat.dimacs()
    }

    /// The execution that was found, and the goal that it reaches.
    pub fn model(&mut self, kind: GoalKind) -> Option<(Model<'_>, usize)> {
        let sat = &mut self.blaster.gates.sat;
        let ranks = self.order.borrow().ranks(|lit| sat.is_true(lit)).ok()?;
        let goals = &self.events.goals;
        let reached = |&&(at, lit): &&(usize, Lit)| goals[at].kind == kind && sat.is_true(lit);
        let goal = self.goals.iter().filter(reached).map(|&(at, _)| at);
        let goal = goal.min_by_key(|&at| ranks[goals[at].node as usize])?;
        let model = Model::of_bits(&self.events, ranks, &mut self.blaster);
        Some((model, goal))
    }
}

impl Emitter<'_> {
    fn emit(&mut self) -> Result<Vec<(usize, Lit)>, Reason> {
        let events = self.events;
        for (from, to) in events.fixed_order() {
            let added = self.order.always(from, to);
            added.expect("the fixed order has no cycle");
        }
        for &constraint in &events.constraints {
            let lit = self.lit(constraint)?;
            self.clause(&[lit]);
        }
        for wait in events.waits.iter().filter(|wait| !events.is_fixed(wait)) {
            let guard = self.lit(wait.guard)?;
            if let Some(last) = events.last_node(wait.thread) {
                let before = self.before(last, wait.node);
                self.clause(&[!guard, before]);
            }
        }
        for (at, read) in events.reads.iter().enumerate() {
            if at.is_multiple_of(64)
                && let Some(reason) = self.budget.exceeded(verdict::resident_bytes())
            {
                return Err(reason);
            }
            self.read(read)?;
        }
        self.goals()
    }

    /// A goal counts if the process has not ended before.
    fn goals(&mut self) -> Result<Vec<(usize, Lit)>, Reason> {
        let events = self.events;
        let mut goals = Vec::new();
        for (at, goal) in events.goals.iter().enumerate() {
            let mut reached = self.lit(goal.guard)?;
            for &(guard, node) in &events.exits {
                let ends = self.lit(guard)?;
                let before = self.before(goal.node, node);
                let in_time = self.blaster.gates.or(!ends, before);
                reached = self.blaster.gates.and(reached, in_time);
            }
            goals.push((at, reached));
        }
        Ok(goals)
    }

    /// A read sees one of its sources: a write that happens, before it, with no other in between.
    fn read(&mut self, read: &Read) -> Result<(), Reason> {
        let events = self.events;
        let guard = self.lit(read.guard)?;
        if guard == Lit::FALSE {
            return Ok(());
        }
        let sort = match read.sources.first() {
            Some(&source) => events.terms.sort(self.value(read, source)),
            None => {
                self.clause(&[!guard]);
                return Ok(());
            }
        };
        let bits = self.blaster.var(read.value, sort).clone();
        let mut some = vec![!guard];
        for &source in &read.sources {
            let chosen = match read.sources.len() {
                1 => guard,
                _ => self.blaster.gates.input(),
            };
            self.source_lits += usize::from(read.sources.len() > 1);
            some.push(chosen);
            self.source(read, source, chosen)?;
            let value = self.blaster.word(&events.terms, self.value(read, source))?;
            for (&bit, &wanted) in bits.iter().zip(&value) {
                self.clause(&[!chosen, !bit, wanted]);
                self.clause(&[!chosen, bit, !wanted]);
            }
        }
        if read.sources.len() > 1 {
            self.clause(&some);
        }
        Ok(())
    }

    fn value(&self, read: &Read, source: Source) -> Term {
        match source {
            Source::Initial => self.events.initial[&read.cell],
            Source::Write(at) => self.events.writes[at].value,
        }
    }

    fn source(&mut self, read: &Read, source: Source, chosen: Lit) -> Result<(), Reason> {
        let events = self.events;
        let node = match source {
            Source::Initial => None,
            Source::Write(at) => Some(events.writes[at].node),
        };
        if let Source::Write(at) = source {
            let happens = self.lit(events.writes[at].guard)?;
            self.clause(&[!chosen, happens]);
            let before = self.before(events.writes[at].node, read.node);
            self.clause(&[!chosen, before]);
        }
        for &other in read.sources.iter().filter(|&&other| other != source) {
            let Source::Write(other) = other else {
                continue;
            };
            let other = &events.writes[other];
            let earlier = match node {
                // Writes of one node exclude each other.
                Some(node) if node == other.node => continue,
                Some(node) => self.before(other.node, node),
                None => Lit::FALSE,
            };
            let later = self.before(read.node, other.node);
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

    /// Is `a` before `b`, which is another node?
    fn before(&mut self, a: NodeId, b: NodeId) -> Lit {
        if self.events.statics.before(a, b) {
            return Lit::TRUE;
        }
        if a == b || self.events.statics.before(b, a) {
            return Lit::FALSE;
        }
        let gates = &mut self.blaster.gates;
        self.pairs.before(&mut self.order, gates, a, b)
    }
}
