//! What a step needs and does, in terms of the state before it.
//!
//! The labels of an edge are followed with terms for values, along the way that the step takes in one
//! concrete state: addresses are what they are there, which becomes a condition. A step with a label
//! that is not followed here is described by its state alone: every variable has to be what it is.
//! That is true of every step, and it is exact.

use super::phi::{Symbols, Values};
use crate::predicates::Variable;
use crate::view::{Name, Shape, Viewer};
use expr::{Node, Sort, Term, Terms, VarId};
use rustc_hash::FxHashMap;
use semantics::{Machine, State, Status, Tid};
use std::collections::VecDeque;
use xcfa::{EdgeId, Label, LockMode, Scope};

/// Conditions under which a step goes this way, and what variables hold then.
#[derive(Default)]
pub struct Effect {
    /// All of them have to hold.
    pub conditions: Vec<Term>,
    /// By variable: the new value; the others stay the same.
    pub updates: FxHashMap<VarId, Term>,
}

/// What is needed to follow steps from a state.
pub struct Follower<'a, 'x> {
    /// The program.
    pub machine: &'a Machine<'x>,
    /// Knows variables.
    pub viewer: &'a Viewer,
    /// Where terms go.
    pub terms: &'a mut Terms,
    /// Names of variables in terms.
    pub symbols: Symbols,
    /// The state before.
    pub before: &'a Values,
    /// The same as the machine has it.
    pub state: &'a State,
}

/// A way along an edge.
struct Way {
    tid: Tid,
    /// Variables of the program that have been set.
    assigned: FxHashMap<VarId, Term>,
    effect: Effect,
    answers: VecDeque<u64>,
    /// Does it start a thread?
    starts: bool,
}

/// The label is not followed.
struct Unfollowed;

impl Follower<'_, '_> {
    /// The step of a thread, which gets to `after` or is not possible.
    pub fn step(
        &mut self,
        (tid, edge): (Tid, EdgeId),
        answers: &[u64],
        after: Option<&Values>,
    ) -> Effect {
        let mut way = Way {
            tid,
            assigned: FxHashMap::default(),
            effect: Effect::default(),
            answers: answers.iter().copied().collect(),
            starts: false,
        };
        let followed = self.labels(&mut way, edge);
        match followed {
            Ok(taken) if taken == after.is_some() => {
                self.keep_variables(&mut way);
                if let Some(after) = after.filter(|_| way.starts) {
                    self.new_variables(&mut way.effect, after);
                }
                if after.is_none_or(|after| self.leads_to(&way.effect, after)) {
                    return way.effect;
                }
            }
            _ => {}
        }
        self.described_by_state(after)
    }

    /// Follows the labels; tells whether the step is possible.
    fn labels(&mut self, way: &mut Way, edge: EdgeId) -> Result<bool, Unfollowed> {
        let xcfa = self.machine.xcfa;
        for label in &xcfa[edge].labels {
            if !self.label(way, label)? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    fn label(&mut self, way: &mut Way, label: &Label) -> Result<bool, Unfollowed> {
        match label {
            Label::Assign { var, value } => {
                let value = self.eval(way, *value)?;
                way.assigned.insert(*var, value);
            }
            Label::Havoc { var, .. } => {
                let sort = self.machine.xcfa[*var].sort;
                let answer = way.answers.pop_front().ok_or(Unfollowed)?;
                let value = self.terms.constant(sort, answer & sort.mask());
                way.assigned.insert(*var, value);
            }
            Label::Assume(condition) | Label::Await(condition) => {
                let condition = self.eval(way, *condition)?;
                return Ok(self.holds(way, condition));
            }
            Label::Load { var, addr } => {
                let sort = self.machine.xcfa[*var].sort;
                let cell = self.cell(way, *addr, sort.width())?;
                let value = self.current(way, cell);
                if self.terms.sort(value) != sort {
                    return Err(Unfollowed);
                }
                way.assigned.insert(*var, value);
            }
            Label::Store { addr, value } => {
                let value = self.eval(way, *value)?;
                let cell = self.cell(way, *addr, self.terms.width(value))?;
                if !matches!(self.terms.sort(value), Sort::Bv(_)) {
                    return Err(Unfollowed);
                }
                way.effect.updates.insert(self.symbols.id(cell), value);
            }
            Label::Lock {
                addr,
                mode: LockMode::Exclusive,
            } => {
                let cell = self.cell(way, *addr, 32)?;
                let owner = self.current(way, cell);
                let nobody = self.terms.bv(32, 0);
                let free = self.terms.eq(owner, nobody);
                let handle = self.terms.bv(32, way.tid.handle());
                way.effect.updates.insert(self.symbols.id(cell), handle);
                return Ok(self.holds(way, free));
            }
            Label::Unlock {
                addr,
                mode: LockMode::Exclusive,
            } => {
                let cell = self.cell(way, *addr, 32)?;
                let nobody = self.terms.bv(32, 0);
                way.effect.updates.insert(self.symbols.id(cell), nobody);
            }
            Label::AtomicBegin | Label::AtomicEnd | Label::Exit(_) => {}
            Label::Start { handle, arg, .. } => {
                // What the new thread starts with depends on nothing but the argument.
                let arg = self.eval(way, *arg)?;
                self.fix(way, arg);
                let sort = self.machine.xcfa[*handle].sort;
                let new = Tid(self.state.threads.len() as u32);
                let value = self.terms.constant(sort, new.handle());
                way.assigned.insert(*handle, value);
                way.starts = true;
            }
            Label::Join { thread, result } => return self.join(way, *thread, *result),
            Label::ThreadExit(value) => {
                let value = self.eval(way, *value)?;
                let value = self.terms.resize(value, 64, false);
                self.set(way, Name::Result(way.tid.0), value)?;
                let nothing = self.terms.bv(64, 0);
                self.set(way, Name::HeapUsed(way.tid.0), nothing)?;
                self.fix_objects(way)?;
                way.assigned.clear();
            }
            _ => return Err(Unfollowed),
        }
        Ok(true)
    }

    fn join(
        &mut self,
        way: &mut Way,
        thread: Term,
        result: Option<VarId>,
    ) -> Result<bool, Unfollowed> {
        let thread = self.eval(way, thread)?;
        let handle = self.fix(way, thread);
        let other =
            Tid::from_handle(handle).filter(|tid| (tid.0 as usize) < self.state.threads.len());
        let Some(other) = other.filter(|&tid| self.state.thread(tid).status == Status::Ended)
        else {
            return Ok(false);
        };
        let name = Name::Result(other.0);
        let word = Shape::word(64);
        let variable = self.viewer.variable(name, word).ok_or(Unfollowed)?;
        let value = self.symbols.term(self.terms, variable, word);
        if let Some(var) = result {
            let Sort::Bv(width) = self.machine.xcfa[var].sort else {
                return Err(Unfollowed);
            };
            let value = self.terms.resize(value, width, false);
            way.assigned.insert(var, value);
        }
        let nothing = self.terms.bv(64, 0);
        self.set(way, name, nothing)?;
        Ok(true)
    }

    /// Makes it a condition that a term is what it is in the state before; gives what that is.
    fn fix(&mut self, way: &mut Way, term: Term) -> u64 {
        let value = self.terms.eval(term, self.before);
        if self.terms.as_const(term).is_none() {
            let constant = self.terms.constant(self.terms.sort(term), value);
            let condition = self.terms.eq(term, constant);
            way.effect.conditions.push(condition);
        }
        value
    }

    /// Objects have to be where they are: which of them go with a thread depends on that.
    fn fix_objects(&mut self, way: &mut Way) -> Result<(), Unfollowed> {
        for at in 0..self.state.memory.instances().len() as u32 {
            let word = Shape::word(64);
            let variable = self
                .viewer
                .variable(Name::Base(at), word)
                .ok_or(Unfollowed)?;
            let base = self.symbols.term(self.terms, variable, word);
            self.fix(way, base);
        }
        Ok(())
    }

    /// Sets a number of the machine's own.
    fn set(&mut self, way: &mut Way, name: Name, value: Term) -> Result<(), Unfollowed> {
        let variable = self
            .viewer
            .variable(name, Shape::word(64))
            .ok_or(Unfollowed)?;
        way.effect.updates.insert(self.symbols.id(variable), value);
        Ok(())
    }

    /// Adds what a condition is in the state before.
    fn holds(&mut self, way: &mut Way, condition: Term) -> bool {
        let holds = self.terms.eval(condition, self.before) != 0;
        let known = match holds {
            true => condition,
            false => self.terms.not(condition),
        };
        way.effect.conditions.push(known);
        holds
    }

    /// A term of the program over the state before.
    fn eval(&mut self, way: &Way, term: Term) -> Result<Term, Unfollowed> {
        let mut followed = true;
        let (machine, viewer, symbols) = (self.machine, self.viewer, self.symbols);
        let base = self.state.thread(way.tid).base;
        let value = self
            .terms
            .map_leaves(term, &mut |terms, leaf| match terms.node(leaf) {
                Node::Base(object, width) => Some(terms.bv(width, machine.layout.base(object))),
                Node::Var(var, sort) => {
                    if let Some(&value) = way.assigned.get(&var) {
                        return Some(value);
                    }
                    if var == machine.xcfa.self_var {
                        return Some(terms.constant(sort, way.tid.handle()));
                    }
                    let shape = Shape::of(machine.xcfa, var);
                    let variable = viewer.variable(name(machine, var, way.tid, base), shape);
                    match variable.filter(|_| shape.sort == sort) {
                        Some(variable) => Some(symbols.term(terms, variable, shape)),
                        None => {
                            followed = false;
                            None
                        }
                    }
                }
                _ => None,
            });
        followed.then_some(value).ok_or(Unfollowed)
    }

    /// The static cell that an access of so many bits goes to.
    fn cell(&mut self, way: &mut Way, addr: Term, bits: u32) -> Result<Variable, Unfollowed> {
        let addr = self.eval(way, addr)?;
        // Cells that this step has set are part of the address's term already.
        let place = self.fix(way, addr);
        let cell = self.viewer.static_cell(place, u64::from(bits).div_ceil(8));
        cell.filter(|_| bits.is_multiple_of(8)).ok_or(Unfollowed)
    }

    /// What a cell holds now.
    fn current(&mut self, way: &Way, cell: Variable) -> Term {
        let set = way.effect.updates.get(&self.symbols.id(cell)).copied();
        set.unwrap_or_else(|| {
            let shape = self.viewer.shape(cell);
            self.symbols.term(self.terms, cell, shape)
        })
    }

    /// Variables of the program that have been set are variables of the state.
    fn keep_variables(&mut self, way: &mut Way) {
        let base = self.state.thread(way.tid).base;
        for (&var, &value) in &way.assigned {
            let name = name(self.machine, var, way.tid, base);
            let shape = Shape::of(self.machine.xcfa, var);
            if let Some(variable) = self.viewer.variable(name, shape) {
                way.effect.updates.insert(self.symbols.id(variable), value);
            }
        }
    }

    /// The variables of a new thread are constants.
    fn new_variables(&mut self, effect: &mut Effect, after: &Values) {
        for &variable in &after.variables {
            if let (None, Some(value)) = (self.before.get(variable), after.get(variable)) {
                let id = self.symbols.id(variable);
                let value = self.terms.constant(self.viewer.shape(variable).sort, value);
                effect.updates.entry(id).or_insert(value);
            }
        }
    }

    /// Does the effect give the state that the step gets to?
    fn leads_to(&mut self, effect: &Effect, after: &Values) -> bool {
        after.variables.iter().all(|&variable| {
            let expected = after.get(variable);
            let update = effect.updates.get(&self.symbols.id(variable));
            match update {
                Some(&term) => {
                    let fits = self.terms.sort(term) == self.viewer.shape(variable).sort;
                    fits && Some(self.terms.eval(term, self.before)) == expected
                }
                None => self.before.get(variable) == expected,
            }
        })
    }

    /// Every variable has to be what it is; then everything is as it was seen.
    fn described_by_state(&mut self, after: Option<&Values>) -> Effect {
        let mut effect = Effect::default();
        let constant = |terms: &mut Terms, viewer: &Viewer, variable, value| {
            terms.constant(viewer.shape(variable).sort, value)
        };
        for &variable in &self.before.variables {
            let value = self.before.get(variable).unwrap_or(0);
            let value = constant(self.terms, self.viewer, variable, value);
            let shape = self.viewer.shape(variable);
            let symbol = self.symbols.term(self.terms, variable, shape);
            effect.conditions.push(self.terms.eq(symbol, value));
        }
        for &variable in after.iter().flat_map(|after| &after.variables) {
            let value = after.and_then(|after| after.get(variable)).unwrap_or(0);
            let value = constant(self.terms, self.viewer, variable, value);
            effect.updates.insert(self.symbols.id(variable), value);
        }
        effect
    }
}

/// A variable of the program as a variable of the state.
fn name(machine: &Machine<'_>, var: VarId, tid: Tid, base: u32) -> Name {
    let slot = machine.layout.slot(var);
    match machine.xcfa[var].scope {
        Scope::Global => Name::Global(slot),
        Scope::ThreadLocal => Name::Local(tid.0, slot),
        Scope::Local(_) => Name::Local(tid.0, base + slot),
    }
}
