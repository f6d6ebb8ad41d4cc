//! The constraints on events as clauses, circuits and an order.

use super::emitter::Emitter;
use super::events::{Events, GoalKind};
use super::model::Model;
use sat::blast::Blaster;
use sat::order::{self, Order};
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

impl Formula {
    /// Builds the formula; `keep` keeps its clauses for printing.
    pub fn new(events: Events, keep: bool, budget: &Budget) -> Result<Formula, Reason> {
        let mut emitter = Emitter::new(&events);
        if keep {
            emitter.blaster.gates.sat.keep_clauses();
        }
        let goals = emitter.sequential(budget)?;
        let Emitter {
            mut blaster,
            order,
            pairs,
            chosen,
            ..
        } = emitter;
        let several = chosen.iter().map(Vec::len).filter(|&sources| sources > 1);
        let source_lits = several.sum();
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
    fn sequential(&mut self, budget: &Budget) -> Result<Vec<(usize, Lit)>, Reason> {
        self.constraints()?;
        let events = self.events;
        for wait in events.waits.iter().filter(|wait| !events.is_fixed(wait)) {
            let guard = self.lit(wait.guard)?;
            if let Some(last) = events.last_node(wait.thread) {
                let before = self.node_before(last, wait.node);
                self.clause(&[!guard, before]);
            }
        }
        self.reads(budget)?;
        self.goals_in_time()
    }

    /// A goal counts if the process has not ended before.
    fn goals_in_time(&mut self) -> Result<Vec<(usize, Lit)>, Reason> {
        let events = self.events;
        let mut goals = Vec::new();
        for (at, goal) in events.goals.iter().enumerate() {
            let mut reached = self.lit(goal.guard)?;
            for &(guard, node) in &events.exits {
                let ends = self.lit(guard)?;
                let before = self.node_before(goal.node, node);
                let in_time = self.blaster.gates.or(!ends, before);
                reached = self.blaster.gates.and(reached, in_time);
            }
            goals.push((at, reached));
        }
        Ok(goals)
    }
}
