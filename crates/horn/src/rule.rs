//! RuleSafety (Figure 2 of paper 2) as a system of Horn clauses.
//!
//! `IR` is one unknown formula for each situation of each set of threads, `LStep` one for each
//! place inside of a block that a thread can be at, together with where the block began; `IStep`
//! is not a formula of its own: clauses S4 and S5 are put into S6. With one set of all threads,
//! clauses S6 disappear; without blocks, LStep does, and what is left is the rule of Owicki and
//! Gries.

mod errors;
mod moves;
mod summaries;

use crate::control::{Control, Situation, ThreadPosition};
use crate::steps::Step;
use crate::variables::{Member, Variables};
use expr::{Term, Terms, VarId};
use rustc_hash::FxHashMap;
use smt::horn::{Application, HornSystem, PredId, Rule};
use xcfa::{ErrorKind, LocId};

/// What the clauses were made of.
pub struct Safety {
    /// The clauses.
    pub system: HornSystem,
    /// By clause: the step that it is about, if it is one of a member of its set.
    pub steps: Vec<Option<usize>>,
    /// The invariants: where each situation is meant, and its predicate.
    pub invariants: Vec<(Situation, PredId)>,
}

/// Too many clauses are given up.
const MOST_CLAUSES: usize = 30_000;

/// Builds the clauses.
pub struct Builder<'t, 'c, 'a> {
    control: Control<'c>,
    terms: &'t mut Terms,
    variables: Variables<'a>,
    target: ErrorKind,
    safety: Safety,
    predicates: FxHashMap<Situation, PredId>,
    here: FxHashMap<(usize, Member, LocId), PredId>,
    blocks: FxHashMap<(usize, LocId, LocId), PredId>,
    middle: FxHashMap<VarId, Term>,
}

/// Values of variables between which a step leads, as terms.
struct Values {
    guard: Term,
    globals: Vec<Term>,
}

impl<'t, 'c, 'a> Builder<'t, 'c, 'a> {
    /// Nothing built yet.
    pub fn new(
        control: Control<'c>,
        terms: &'t mut Terms,
        variables: Variables<'a>,
        target: ErrorKind,
    ) -> Builder<'t, 'c, 'a> {
        Builder {
            control,
            terms,
            variables,
            target,
            safety: Safety {
                system: HornSystem::new(),
                steps: Vec::new(),
                invariants: Vec::new(),
            },
            predicates: FxHashMap::default(),
            here: FxHashMap::default(),
            blocks: FxHashMap::default(),
            middle: FxHashMap::default(),
        }
    }

    /// The clauses, and the variables that they speak about; why not, if there are too many.
    pub fn build(mut self) -> Result<(Safety, Variables<'a>), String> {
        let situations = self.control.situations();
        let situations = situations.ok_or("there are too many combinations of locations")?;
        self.declare(&situations);
        self.summaries()?;
        for (set, places) in &situations {
            if *places == self.control.initial(*set) {
                self.initial(*set, places);
            }
            self.leave(*set, places);
            if self.safety.system.rules().len() > MOST_CLAUSES {
                return Err("there are too many clauses".into());
            }
        }
        self.errors(&situations);
        Ok((self.safety, self.variables))
    }

    fn declare(&mut self, situations: &[Situation]) {
        for (set, places) in situations {
            let members = self.control.sets[*set].clone();
            let params = self.state(&members, places);
            let name = self.name(&members, places);
            let pred = self.safety.system.predicate(&name, params);
            let situation = (*set, places.clone());
            self.predicates.insert(situation.clone(), pred);
            self.safety.invariants.push((situation, pred));
        }
    }

    fn name(&self, members: &[Member], places: &[ThreadPosition]) -> String {
        let both = members.iter().zip(places);
        let parts = both.map(|(member, place)| {
            let name = &self.control.program.threads[member.thread].name;
            match place {
                None => format!("no_{name}"),
                Some(loc) => format!("{name}{}_{}", member.copy, loc.0),
            }
        });
        parts.collect::<Vec<_>>().join("_")
    }

    /// The globals and the locals of the members that have a position, as variables.
    fn state(&mut self, members: &[Member], places: &[ThreadPosition]) -> Vec<Term> {
        let mut state = Vec::new();
        for var in self.variables.globals() {
            state.push(
                self.variables
                    .term(self.terms, var, Member { thread: 0, copy: 0 }),
            );
        }
        for (&member, place) in members.iter().zip(places) {
            let Some(loc) = *place else { continue };
            for var in self.variables.locals(member.thread, loc) {
                state.push(self.variables.term(self.terms, var, member));
            }
        }
        state
    }

    fn add(&mut self, rule: Rule, step: Option<usize>) {
        if self.terms.as_const(rule.constraint) == Some(0) {
            return;
        }
        self.safety.system.rule(rule);
        self.safety.steps.push(step);
    }

    /// What a variable starts with.
    fn first(&mut self, var: VarId) -> Term {
        let about = &self.control.program.vars[var.0 as usize];
        let (sort, init) = (about.sort, about.init);
        match init {
            Some(init) => self.terms.constant(sort, init),
            None => self.variables.fresh(self.terms, sort),
        }
    }

    /// S1.
    fn initial(&mut self, set: usize, places: &[ThreadPosition]) {
        let mut args = Vec::new();
        for var in self.variables.globals() {
            args.push(self.first(var));
        }
        for (at, place) in places.iter().enumerate() {
            let Some(loc) = *place else { continue };
            for var in self
                .variables
                .locals(self.control.sets[set][at].thread, loc)
            {
                args.push(self.first(var));
            }
        }
        let pred = self.predicates[&(set, places.to_vec())];
        let head = Some(Application { pred, args });
        let constraint = self.terms.bool(true);
        let body = Vec::new();
        self.add(Rule::new(body, constraint, head), None);
    }

    fn apply(&mut self, set: usize, members: &[Member], places: &[ThreadPosition]) -> Application {
        Application::new(
            self.predicates[&(set, places.to_vec())],
            self.state(members, places),
        )
    }

    /// The condition of a step and the globals after it, as the actor means it.
    fn values(&mut self, step: &Step, actor: Member) -> Values {
        let guard = self.variables.renamed(self.terms, step.guard, actor);
        let globals = self.variables.globals();
        let globals = globals.into_iter().map(|var| self.value(step, var, actor));
        let globals = globals.collect();
        Values { guard, globals }
    }

    fn value(&mut self, step: &Step, var: VarId, actor: Member) -> Term {
        let value = step.value(self.control.program, self.terms, var);
        self.variables.renamed(self.terms, value, actor)
    }
}
