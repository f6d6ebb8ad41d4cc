//! What a step needs and does, in terms of the state before it.
//!
//! The labels of an edge are followed with terms for values, along the way that the step takes in one
//! concrete state: addresses are what they are there, which becomes a condition. A step with a label
//! that is not followed here is described by its state alone: every variable has to be what it is.
//! That is true of every step, and it is exact.

use super::phi::{Symbols, Values};
use crate::predicates::Variable;
use crate::view::{Name, Shape, Viewer};
use expr::{Node, ObjId, Sort, Term, Terms, VarId};
use rustc_hash::FxHashMap;
use semantics::{Machine, State, Status, Tid};
use std::collections::VecDeque;
use symbolic::{Store, Value};
use xcfa::{EdgeId, ProcId, Scope};

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

/// A way along an edge: the symbolic store of a step.
struct Way<'w, 'a, 'x> {
    follower: &'w mut Follower<'a, 'x>,
    tid: Tid,
    /// Variables of the program that have been set.
    assigned: FxHashMap<VarId, Term>,
    effect: Effect,
    answers: VecDeque<u64>,
    starts: bool,
}

/// Why a way ends before its edge does.
enum Stop {
    /// The step is not possible.
    Closed,
    /// The label is not followed.
    Unfollowed,
}

impl<'a, 'x> Follower<'a, 'x> {
    /// The step of a thread, which gets to `after` or is not possible.
    pub fn step(
        &mut self,
        (tid, edge): (Tid, EdgeId),
        answers: &[u64],
        after: Option<&Values>,
    ) -> Effect {
        let xcfa = self.machine.xcfa;
        let mut way = Way {
            follower: self,
            tid,
            assigned: FxHashMap::default(),
            effect: Effect::default(),
            answers: answers.iter().copied().collect(),
            starts: false,
        };
        let mut labels = xcfa[edge].labels.iter();
        let followed = labels.try_for_each(|label| symbolic::step(xcfa, &mut way, label));
        let fits = match followed {
            Ok(()) => after.is_some(),
            Err(Stop::Closed) => after.is_none(),
            Err(Stop::Unfollowed) => false,
        };
        if fits {
            let (mut effect, starts) = way.finish();
            if let Some(after) = after.filter(|_| starts) {
                self.new_variables(&mut effect, after);
            }
            if after.is_none_or(|after| self.leads_to(&effect, after)) {
                return effect;
            }
        }
        self.described_by_state(after)
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

impl Way<'_, '_, '_> {
    /// Makes it a condition that a value is what it is in the state before; gives what that is.
    fn fix(&mut self, value: Term) -> u64 {
        let before = self.follower.before;
        let bits = self.terms().eval(value, before);
        if self.terms().as_const(value).is_none() {
            let terms = self.terms();
            let constant = terms.constant(terms.sort(value), bits);
            let condition = terms.eq(value, constant);
            self.effect.conditions.push(condition);
        }
        bits
    }

    /// Adds what a condition is in the state before.
    fn holds(&mut self, condition: Term) -> Result<(), Stop> {
        let before = self.follower.before;
        let holds = self.terms().eval(condition, before) != 0;
        let known = match holds {
            true => condition,
            false => self.terms().not(condition),
        };
        self.effect.conditions.push(known);
        holds.then_some(()).ok_or(Stop::Closed)
    }

    /// A number of the machine's own.
    fn own(&mut self, name: Name) -> Result<Variable, Stop> {
        let variable = self.follower.viewer.variable(name, Shape::word(64));
        variable.ok_or(Stop::Unfollowed)
    }

    fn update(&mut self, variable: Variable, value: Term) {
        let id = self.follower.symbols.id(variable);
        self.effect.updates.insert(id, value);
    }

    /// The variable as it is in the state before.
    fn symbol(&mut self, variable: Variable) -> Term {
        let Follower {
            viewer,
            terms,
            symbols,
            ..
        } = &mut *self.follower;
        symbols.term(terms, variable, viewer.shape(variable))
    }

    /// Objects have to be where they are: which of them go with a thread depends on that.
    fn fix_objects(&mut self) -> Result<(), Stop> {
        for at in 0..self.follower.state.memory.instances().len() as u32 {
            let variable = self.own(Name::Base(at))?;
            let base = self.symbol(variable);
            self.fix(base);
        }
        Ok(())
    }

    /// The static cell that an access of this many bits goes to.
    fn cell(&self, place: u64, bits: u32) -> Result<Variable, Stop> {
        let bytes = u64::from(bits).div_ceil(8);
        let cell = self.follower.viewer.static_cell(place, bytes);
        let cell = cell.filter(|_| bits.is_multiple_of(8));
        cell.ok_or(Stop::Unfollowed)
    }

    /// Variables of the program that have been set are variables of the state.
    fn finish(mut self) -> (Effect, bool) {
        let follower = &*self.follower;
        let base = follower.state.thread(self.tid).base;
        for (&var, &value) in &self.assigned {
            let name = name(follower.machine, var, self.tid, base);
            let shape = Shape::of(follower.machine.xcfa, var);
            if let Some(variable) = follower.viewer.variable(name, shape) {
                let id = follower.symbols.id(variable);
                self.effect.updates.insert(id, value);
            }
        }
        (self.effect, self.starts)
    }
}

impl Store for Way<'_, '_, '_> {
    type Stop = Stop;
    type Address = u64;
    type Word = Variable;
    /// What it returned.
    type Ended = Term;

    fn terms(&mut self) -> &mut Terms {
        self.follower.terms
    }

    /// A term of the program over the state before.
    fn eval(&mut self, term: Term) -> Value<Self> {
        let mut followed = true;
        let Follower {
            machine,
            viewer,
            terms,
            symbols,
            state,
            ..
        } = &mut *self.follower;
        let base = state.thread(self.tid).base;
        let value = terms.map_leaves(term, &mut |terms, leaf| match terms.node(leaf) {
            Node::Base(object, width) => Some(terms.bv(width, machine.layout.base(object))),
            Node::Var(var, sort) => {
                if let Some(&value) = self.assigned.get(&var) {
                    return Some(value);
                }
                if var == machine.xcfa.self_var {
                    return Some(terms.constant(sort, self.tid.handle()));
                }
                let shape = Shape::of(machine.xcfa, var);
                let variable = viewer.variable(name(machine, var, self.tid, base), shape);
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
        followed.then_some(value).ok_or(Stop::Unfollowed)
    }

    fn set(&mut self, var: VarId, value: Term) -> Result<(), Stop> {
        self.assigned.insert(var, value);
        Ok(())
    }

    fn choose(&mut self, var: VarId) -> Value<Self> {
        let sort = self.follower.machine.xcfa[var].sort;
        let answer = self.answers.pop_front().ok_or(Stop::Unfollowed)?;
        Ok(self.terms().constant(sort, answer & sort.mask()))
    }

    fn assume(&mut self, cond: Term) -> Result<(), Stop> {
        self.holds(cond)
    }

    fn place(&mut self, addr: Term) -> Result<u64, Stop> {
        // Cells that this step has set are part of the address's term already.
        let addr = self.eval(addr)?;
        Ok(self.fix(addr))
    }

    fn load(&mut self, place: &u64, var: VarId) -> Value<Self> {
        let sort = self.follower.machine.xcfa[var].sort;
        let cell = self.cell(*place, sort.width())?;
        let value = self.read(&cell)?;
        let fits = self.terms().sort(value) == sort;
        fits.then_some(value).ok_or(Stop::Unfollowed)
    }

    fn store(&mut self, place: &u64, value: Term) -> Result<(), Stop> {
        let Sort::Bv(bits) = self.terms().sort(value) else {
            return Err(Stop::Unfollowed);
        };
        let cell = self.cell(*place, bits)?;
        self.update(cell, value);
        Ok(())
    }

    fn dealloc(&mut self, _: ObjId) -> Result<(), Stop> {
        Err(Stop::Unfollowed)
    }

    fn lock_word(&mut self, place: &u64, at: u64) -> Result<Variable, Stop> {
        self.cell(place + at, 32)
    }

    fn waiting(&mut self) -> Result<Option<Variable>, Stop> {
        Err(Stop::Unfollowed)
    }

    fn waiters(&mut self, _: Term) -> Result<Vec<Variable>, Stop> {
        Err(Stop::Unfollowed)
    }

    fn read(&mut self, word: &Variable) -> Value<Self> {
        let id = self.follower.symbols.id(*word);
        let set = self.effect.updates.get(&id).copied();
        Ok(set.unwrap_or_else(|| self.symbol(*word)))
    }

    fn write(&mut self, word: &Variable, _always: Term, value: Term) -> Result<(), Stop> {
        self.update(*word, value);
        Ok(())
    }

    /// What the new thread starts with depends on nothing but the argument.
    fn start(&mut self, handle: VarId, _: ProcId, arg: Term) -> Value<Self> {
        self.fix(arg);
        self.starts = true;
        let sort = self.follower.machine.xcfa[handle].sort;
        let new = Tid(self.follower.state.threads.len() as u32);
        Ok(self.terms().constant(sort, new.handle()))
    }

    fn join(&mut self, thread: Term) -> Value<Self> {
        let thread = self.eval(thread)?;
        let handle = self.fix(thread);
        let threads = &self.follower.state.threads;
        let has_ended = |tid: &Tid| {
            let thread = threads.get(tid.0 as usize);
            thread.is_some_and(|thread| thread.status == Status::Ended)
        };
        let other = Tid::from_handle(handle).filter(has_ended);
        let other = other.ok_or(Stop::Closed)?;
        let variable = self.own(Name::Result(other.0))?;
        let nothing = self.terms().bv(64, 0);
        self.update(variable, nothing);
        Ok(self.symbol(variable))
    }

    fn result(&mut self, ended: &Term, _: VarId, sort: Sort) -> Value<Self> {
        match sort {
            Sort::Bv(width) => Ok(self.terms().resize(*ended, width, false)),
            _ => Err(Stop::Unfollowed),
        }
    }

    fn end_thread(&mut self, value: Term) -> Result<(), Stop> {
        let value = self.terms().resize(value, 64, false);
        let nothing = self.terms().bv(64, 0);
        for (name, value) in [
            (Name::Result(self.tid.0), value),
            (Name::HeapUsed(self.tid.0), nothing),
        ] {
            let variable = self.own(name)?;
            self.update(variable, value);
        }
        self.fix_objects()?;
        self.assigned.clear();
        Ok(())
    }

    fn unfollowed(&self, _: &str) -> Stop {
        Stop::Unfollowed
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
