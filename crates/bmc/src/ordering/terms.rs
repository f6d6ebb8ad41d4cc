//! The constraints on events as terms, for solvers that know nothing of our theory of order.
//!
//! The same constraints as in [`super::Formula`]. Each node has a place in the order, a number that
//! is a bit vector; a literal that orders two nodes says which of their places is smaller.

use super::events::{Events, GoalKind, NodeId, Read, Source};
use super::model::Model;
use expr::{Op, Sort, Term, VarId};
use rustc_hash::FxHashMap;
use sat::Satisfiability;
use smt::{Check, Solver};
use verdict::{Budget, Reason};

/// A formula whose models are the executions of a bounded program, in terms.
pub struct TermFormula {
    /// The events it refers to.
    pub events: Events,
    assertions: Vec<Term>,
    /// Goals with the terms that say that they are reached before the process ends.
    goals: Vec<(usize, Term)>,
    places: Vec<VarId>,
    pairs: FxHashMap<(NodeId, NodeId), Term>,
    solver: Option<Solver>,
}

impl TermFormula {
    /// Builds the formula.
    pub fn new(events: Events) -> TermFormula {
        let mut formula = TermFormula {
            places: Vec::new(),
            assertions: Vec::new(),
            goals: Vec::new(),
            pairs: FxHashMap::default(),
            solver: None,
            events,
        };
        formula.order();
        for wait in formula.events.waits.clone() {
            let last = formula.events.last_node(wait.thread);
            if let Some(last) = last.filter(|_| !formula.events.is_fixed(&wait)) {
                let before = formula.before(last, wait.node);
                formula.imply(wait.guard, before);
            }
        }
        let constraints = formula.events.constraints.clone();
        formula.assertions.extend(constraints);
        for read in formula.events.reads.clone() {
            formula.read(&read);
        }
        formula.find_goals();
        formula
    }

    /// How many literals order two nodes.
    pub fn order_lits(&self) -> usize {
        self.pairs.len()
    }

    fn width(&self) -> u32 {
        let nodes = self.events.nodes.len() as u64 + 1;
        64 - nodes.leading_zeros()
    }

    fn order(&mut self) {
        let sort = Sort::Bv(self.width());
        for _ in 0..self.events.nodes.len() {
            let (var, _) = self.events.unknown(sort);
            self.places.push(var);
        }
        for (from, to) in self.events.fixed_order() {
            let before = self.smaller(from, to);
            self.assertions.push(before);
        }
    }

    fn smaller(&mut self, from: NodeId, to: NodeId) -> Term {
        let sort = Sort::Bv(self.width());
        let terms = &mut self.events.terms;
        let from = terms.var(self.places[from as usize], sort);
        let to = terms.var(self.places[to as usize], sort);
        terms.binary(Op::Ult, from, to)
    }

    fn before(&mut self, a: NodeId, b: NodeId) -> Term {
        if self.events.statics.before(a, b) {
            return self.events.terms.bool(true);
        }
        if a == b || self.events.statics.before(b, a) {
            return self.events.terms.bool(false);
        }
        let (low, high) = (a.min(b), a.max(b));
        let known = self.pairs.get(&(low, high)).copied();
        let lit = known.unwrap_or_else(|| {
            let (_, lit) = self.events.unknown(Sort::Bool);
            let (up, down) = (self.smaller(low, high), self.smaller(high, low));
            self.imply(lit, up);
            let not = self.events.terms.not(lit);
            self.imply(not, down);
            self.pairs.insert((low, high), lit);
            lit
        });
        if a == low {
            lit
        } else {
            self.events.terms.not(lit)
        }
    }

    fn imply(&mut self, a: Term, b: Term) {
        let not = self.events.terms.not(a);
        let either = self.events.terms.or(not, b);
        self.assertions.push(either);
    }

    fn read(&mut self, read: &Read) {
        let Some(&first) = read.sources.first() else {
            let never = self.events.terms.not(read.guard);
            self.assertions.push(never);
            return;
        };
        let sort = self.events.terms.sort(self.value(read, first));
        let seen = self.events.terms.var(read.value, sort);
        let mut some = self.events.terms.bool(false);
        for &source in &read.sources {
            let chosen = match read.sources.len() {
                1 => read.guard,
                _ => self.events.unknown(Sort::Bool).1,
            };
            some = self.events.terms.or(some, chosen);
            self.source(read, source, chosen);
            let value = self.value(read, source);
            let same = self.events.terms.eq(seen, value);
            self.imply(chosen, same);
        }
        self.imply(read.guard, some);
    }

    fn value(&self, read: &Read, source: Source) -> Term {
        match source {
            Source::Initial => self.events.initial[&read.cell],
            Source::Write(at) => self.events.writes[at].value,
        }
    }

    fn source(&mut self, read: &Read, source: Source, chosen: Term) {
        let mut node = None;
        if let Source::Write(at) = source {
            let write = self.events.writes[at].clone();
            node = Some(write.node);
            self.imply(chosen, write.guard);
            let before = self.before(write.node, read.node);
            self.imply(chosen, before);
        }
        for &other in read.sources.iter().filter(|&&other| other != source) {
            let Source::Write(other) = other else {
                continue;
            };
            let other = self.events.writes[other].clone();
            let earlier = match node {
                Some(node) if node == other.node => continue,
                Some(node) => self.before(other.node, node),
                None => self.events.terms.bool(false),
            };
            let later = self.before(read.node, other.node);
            let terms = &mut self.events.terms;
            let elsewhere = terms.or(earlier, later);
            let absent = terms.not(other.guard);
            let fine = terms.or(absent, elsewhere);
            self.imply(chosen, fine);
        }
    }

    fn find_goals(&mut self) {
        for (at, goal) in self.events.goals.clone().into_iter().enumerate() {
            let mut reached = goal.guard;
            for (guard, node) in self.events.exits.clone() {
                let before = self.before(goal.node, node);
                let terms = &mut self.events.terms;
                let goes_on = terms.not(guard);
                let in_time = terms.or(goes_on, before);
                reached = terms.and(reached, in_time);
            }
            self.goals.push((at, reached));
        }
    }

    fn any(&mut self, kind: GoalKind) -> Term {
        let goals = &self.events.goals;
        let wanted = self.goals.iter().filter(|&&(at, _)| goals[at].kind == kind);
        let wanted: Vec<Term> = wanted.map(|&(_, term)| term).collect();
        self.events.terms.or_all(wanted)
    }

    /// The formula with its question, in the language of SMT-LIB.
    pub fn smtlib(&mut self, kind: GoalKind) -> String {
        let any = self.any(kind);
        let mut solver = Solver::new();
        for &assertion in self.assertions.iter().chain([&any]) {
            solver.assert(&self.events.terms, assertion);
        }
        solver.to_smtlib(&self.events.terms)
    }

    /// Is there an execution that reaches a goal of this kind? A solver asks for how long it may.
    pub fn solve(&mut self, kind: GoalKind, budget: &Budget) -> Satisfiability {
        let any = self.any(kind);
        if self.events.terms.as_const(any) == Some(0) {
            return Satisfiability::Unsatisfiable;
        }
        if let Some(reason) = budget.exceeded(verdict::resident_bytes()) {
            return Satisfiability::Stopped(reason);
        }
        let mut solver = Solver::new();
        solver.set_timeout(budget.remaining());
        for &assertion in self.assertions.iter().chain([&any]) {
            solver.assert(&self.events.terms, assertion);
        }
        let outcome = match solver.check(&self.events.terms, &[]) {
            Check::Sat => Satisfiability::Satisfiable,
            Check::Unsat => Satisfiability::Unsatisfiable,
            Check::Unknown(_) => Satisfiability::Stopped(Reason::OutOfTime),
        };
        self.solver = Some(solver);
        outcome
    }

    /// The execution that was found, and the goal that it reaches.
    pub fn model(&mut self, kind: GoalKind) -> Option<(Model<'_>, usize)> {
        let found = self.solver.as_ref()?.model()?;
        let place = |var: &VarId| found.vars.get(var).copied().unwrap_or(0);
        let mut order: Vec<(u64, usize)> = self
            .places
            .iter()
            .enumerate()
            .map(|(node, var)| (place(var), node))
            .collect();
        order.sort_unstable();
        let mut ranks = vec![0; order.len()];
        for (rank, (_, node)) in order.into_iter().enumerate() {
            ranks[node] = rank as u32;
        }
        let mut model = Model::of_numbers(&self.events, ranks, found.vars.into_iter().collect());
        let goals = &self.events.goals;
        let mut reached = Vec::new();
        for &(at, term) in &self.goals {
            if goals[at].kind == kind && model.value(term) != 0 {
                reached.push(at);
            }
        }
        let goal = reached
            .into_iter()
            .min_by_key(|&at| model.ranks[goals[at].node as usize])?;
        Some((model, goal))
    }
}
