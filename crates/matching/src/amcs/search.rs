//! The search that detects where its abstraction is not precise (Algorithms 1 and 2).

use super::effect::{Effect, Follower};
use super::phi::{Phi, Symbols, Values};
use crate::context::SearchContext;
use crate::search::Found;
use crate::wait::Waiting;
use expr::{Term, Terms};
use rustc_hash::FxHashMap;
use semantics::{State, Step, Tid, Trace};
use smt::{Check, Solver};
use verdict::Budget;
use xcfa::EdgeId;

/// What is added where a step is not precise.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Variant {
    /// Its conditions and weakest preconditions.
    Plain,
    /// All values of the state that it starts from.
    AddAll {
        /// Once it has not been precise in so many searches, one after the other.
        threshold: u64,
    },
    /// As `Plain`, but without asking a solver: every step counts as not precise.
    NoProver,
}

/// Refinement with weakest preconditions.
pub struct Amcs<'g, 'm, 'x> {
    context: &'g mut SearchContext<'m, 'x>,
    variant: Variant,
    terms: Terms,
    symbols: Symbols,
    solver: Solver,
    phi: Phi,
    /// By control: what is true of the states that are looked for, and of no others.
    drawn: FxHashMap<Vec<u8>, Vec<Term>>,
    /// By step: the search in which it was last found not to be precise, and in how many before it.
    streaks: FxHashMap<(Vec<u8>, Tid, EdgeId), (u64, u64)>,
    /// The number of this search.
    round: u64,
    /// Predicates for the next search.
    new: Vec<Term>,
    /// Abstract states of the last search.
    pub states: u64,
    /// How often the solver was asked.
    pub questions: u64,
}

/// A step from the current state.
struct Taken {
    action: (Tid, EdgeId),
    answers: Vec<u64>,
    after: State,
}

/// A concrete state that stands for an abstract one, and how it was reached.
struct Visited {
    parent: usize,
    step: Option<Step>,
    /// Steps from the start.
    depth: u64,
}

impl<'g, 'm, 'x> Amcs<'g, 'm, 'x> {
    /// No predicates yet.
    pub fn new(context: &'g mut SearchContext<'m, 'x>, variant: Variant) -> Amcs<'g, 'm, 'x> {
        let xcfa = context.machine.xcfa;
        let mut amcs = Amcs {
            terms: xcfa.terms.clone(),
            symbols: Symbols::behind(xcfa.vars.len()),
            context,
            variant,
            solver: Solver::new(),
            phi: Phi::default(),
            drawn: FxHashMap::default(),
            streaks: FxHashMap::default(),
            round: 0,
            new: Vec::new(),
            states: 0,
            questions: 0,
        };
        amcs.drawn = amcs.drawn();
        amcs
    }

    /// The states that are looked for are the property: a search is precise only if it tells them from
    /// all others.
    fn drawn(&mut self) -> FxHashMap<Vec<u8>, Vec<Term>> {
        let mut drawn: FxHashMap<Vec<u8>, Vec<Term>> = FxHashMap::default();
        let codec = &self.context.projection.codec;
        let states: Vec<State> = match &self.context.hunt {
            Some(hunt) => hunt.left(codec).collect(),
            None => Vec::new(),
        };
        for state in states {
            let values = Values::of(&mut self.context.projection.viewer, self.symbols, &state);
            let same = self.equalities(&values);
            let same = self.terms.and_all(same);
            drawn.entry(values.control).or_default().push(same);
        }
        drawn
    }

    /// That every variable of a state is what it is.
    fn equalities(&mut self, values: &Values) -> Vec<Term> {
        let variables = values.variables.iter();
        let equalities = variables.map(|&variable| {
            let shape = self.context.projection.viewer.shape(variable);
            let value = values.get(variable).unwrap_or(0);
            let value = self.terms.constant(shape.sort, value);
            let symbol = self.symbols.term(&mut self.terms, variable, shape);
            self.terms.eq(symbol, value)
        });
        equalities.collect()
    }

    /// How many predicates there are.
    pub fn predicates(&self) -> u64 {
        self.phi.len() as u64
    }

    /// Adds the predicates that the last search asked for; `false` if there are none.
    pub fn refine(&mut self) -> bool {
        let mut added = false;
        for predicate in std::mem::take(&mut self.new) {
            added |= self.phi.insert(&self.terms, predicate);
        }
        added
    }

    /// Breadth first over concrete states, matching abstract ones.
    pub fn search(&mut self, budget: &Budget) -> Found {
        self.round += 1;
        self.context.transitions = 0;
        self.context.predicates(self.phi.len());
        let mut states: FxHashMap<Vec<u8>, usize> = FxHashMap::default();
        let mut visited = vec![Visited {
            parent: 0,
            step: None,
            depth: 0,
        }];
        let first = self.context.machine.initial();
        let values = Values::of(&mut self.context.projection.viewer, self.symbols, &first);
        states.insert(self.key(&values), 0);
        let mut wait: Waiting<(usize, State)> = Waiting::new(self.context.search);
        wait.push(0, (0, first));
        self.states = 1;
        let mut bytes = 0;
        while let Some((id, state)) = wait.pop() {
            // Solver queries take long: check the clock for every state.
            let over = self.context.exceeded(budget, bytes);
            if let Some(reason) = over.or(budget.exceeded(bytes)) {
                return Found::Stopped(reason);
            }
            if visited.len().is_multiple_of(256) {
                budget.tell(|| format!("{} states", visited.len()));
            }
            self.solver.set_timeout(budget.remaining());
            self.context.at(visited.len(), 0, visited[id].depth);
            let mut taken = Vec::new();
            let error = self.context.expand(&state, |_, next| {
                taken.push(Taken {
                    action: next.action,
                    answers: next.answers,
                    after: next.state.clone(),
                });
            });
            if let Some((violation, further)) = error {
                let mut steps = path(&visited, id);
                steps.extend(further);
                return Found::Error(Trace::new(violation, steps));
            }
            self.look_at_steps(&state, &taken);
            for taken in taken {
                let values = Values::of(
                    &mut self.context.projection.viewer,
                    self.symbols,
                    &taken.after,
                );
                let key = self.key(&values);
                bytes += key.len() as u64 + 64;
                if states.contains_key(&key) {
                    continue;
                }
                let child = visited.len();
                states.insert(key, child);
                visited.push(Visited {
                    parent: id,
                    step: Some(Step::new(taken.action.0.0, taken.action.1.0, taken.answers)),
                    depth: visited[id].depth + 1,
                });
                let away = self.context.projection.distances.away(&taken.after);
                wait.push(away, (child, taken.after));
                self.states = visited.len() as u64;
            }
        }
        Found::Nothing
    }

    /// Control and the truth values of all predicates about it.
    fn key(&self, values: &Values) -> Vec<u8> {
        let mut key = values.control.clone();
        for at in self.phi.about(values) {
            key.push(self.terms.eval(self.phi.get(at), values) as u8);
        }
        key
    }

    /// Is every step of a state precise, also those that are not possible?
    fn look_at_steps(&mut self, state: &State, taken: &[Taken]) {
        let before = Values::of(&mut self.context.projection.viewer, self.symbols, state);
        let known = self.literals(&before);
        for drawn in self.drawn.get(&before.control).cloned().unwrap_or_default() {
            let here = match self.terms.eval(drawn, &before) {
                0 => self.terms.not(drawn),
                _ => drawn,
            };
            if !self.phi.knows(&self.terms, here) && !self.follows(&known, &[here]) {
                self.new.push(here);
            }
        }
        // Threads whose steps need not be taken here need not be precise here either.
        for tid in self.context.taken.clone() {
            for &edge in self.context.machine.edges(state, tid) {
                let ways: Vec<&Taken> = taken
                    .iter()
                    .filter(|taken| taken.action == (tid, edge))
                    .collect();
                if ways.is_empty() {
                    self.look_at(state, &before, &known, (tid, edge), None);
                }
                for way in ways {
                    self.look_at(state, &before, &known, (tid, edge), Some(way));
                }
            }
        }
    }

    fn look_at(
        &mut self,
        state: &State,
        before: &Values,
        known: &[Term],
        action: (Tid, EdgeId),
        taken: Option<&Taken>,
    ) {
        let after = taken.map(|taken| {
            Values::of(
                &mut self.context.projection.viewer,
                self.symbols,
                &taken.after,
            )
        });
        let mut follower = Follower {
            machine: self.context.machine,
            viewer: &self.context.projection.viewer,
            terms: &mut self.terms,
            symbols: self.symbols,
            before,
            state,
        };
        let answers = taken.map_or(&[][..], |taken| &taken.answers);
        let Effect {
            conditions,
            updates,
        } = follower.step(action, answers, after.as_ref());
        let mut behind = Vec::new();
        if let Some(after) = &after {
            for literal in self.literals(after) {
                behind.push(self.terms.substitute(literal, &updates));
            }
        }
        // What a predicate says is known; only the rest is asked.
        let needed = [conditions, behind].map(|all| -> Vec<Term> {
            let open = all.into_iter();
            open.filter(|&truth| !self.phi.knows(&self.terms, truth))
                .collect()
        });
        for needed in needed {
            if !needed.is_empty() && !self.follows(known, &needed) {
                self.imprecise(before, action, needed);
            }
        }
    }

    /// What the predicates are in a state.
    fn literals(&mut self, values: &Values) -> Vec<Term> {
        let mut literals = Vec::new();
        for at in self.phi.about(values) {
            let predicate = self.phi.get(at);
            literals.push(match self.terms.eval(predicate, values) {
                0 => self.terms.not(predicate),
                _ => predicate,
            });
        }
        literals
    }

    /// Do all states that look alike agree on these truths?
    fn follows(&mut self, known: &[Term], needed: &[Term]) -> bool {
        if self.variant == Variant::NoProver {
            return false;
        }
        self.questions += 1;
        let all = self.terms.and_all(needed.iter().copied());
        let mut assumptions = known.to_vec();
        assumptions.push(self.terms.not(all));
        self.solver.check(&self.terms, &assumptions) == Check::Unsat
    }

    /// Adds what is needed for a step to be precise. `add-all` adds all values of the state where it begins
    /// once that has not helped in so many searches, one after the other.
    fn imprecise(&mut self, before: &Values, (tid, edge): (Tid, EdgeId), needed: Vec<Term>) {
        let Variant::AddAll { threshold } = self.variant else {
            self.new.extend(needed);
            return;
        };
        let step = (before.control.clone(), tid, edge);
        let (last, streak) = self.streaks.entry(step).or_insert((self.round, 1));
        if *last != self.round {
            *streak = if *last + 1 == self.round {
                *streak + 1
            } else {
                1
            };
            *last = self.round;
        }
        match *streak >= threshold {
            true => {
                let all = self.equalities(before);
                self.new.extend(all);
            }
            false => self.new.extend(needed),
        }
    }
}

fn path(visited: &[Visited], mut id: usize) -> Vec<Step> {
    let mut steps = Vec::new();
    while let Some(step) = &visited[id].step {
        steps.push(step.clone());
        id = visited[id].parent;
    }
    steps.reverse();
    steps
}
