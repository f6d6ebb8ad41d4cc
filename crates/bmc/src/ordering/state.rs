//! What a thread knows at a location.

use crate::guard::Guards;
use expr::{Term, Terms, VarId};
use rustc_hash::FxHashMap;

/// The value of a shared variable inside one step, and whether the step has set it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Current {
    /// The value.
    pub value: Term,
    /// Whether it is to be written when the step ends.
    pub written: Term,
}

/// A thread at a location, on the paths that lead there.
#[derive(Clone, Debug)]
pub struct State {
    /// Whether it gets there.
    pub guard: Term,
    /// Its own variables that differ from their first values.
    pub own: FxHashMap<VarId, Term>,
    /// Shared variables that the step under way has touched.
    pub shared: FxHashMap<VarId, Current>,
    /// Has no other thread been started yet? Then `own` has the shared variables as well.
    pub alone: bool,
}

/// What a variable holds that a state does not mention.
pub trait Defaults {
    /// The first value of a thread's own variable.
    fn own(&mut self, terms: &mut Terms, var: VarId) -> Term;
    /// The value of a shared variable before the step under way.
    fn shared(&mut self, terms: &mut Terms, var: VarId) -> Term;
}

impl State {
    /// Where two paths meet, of which at most one is taken.
    pub fn meet(
        self,
        other: State,
        terms: &mut Terms,
        guards: &mut Guards,
        defaults: &mut impl Defaults,
    ) -> State {
        let (guard, which) = guards.meet(terms, self.guard, other.guard);
        let (mut own, mut shared) = (self.own, self.shared);
        let mut vars: Vec<VarId> = own.keys().chain(other.own.keys()).copied().collect();
        vars.sort_unstable();
        vars.dedup();
        for var in vars {
            let a = own.get(&var).copied();
            let b = other.own.get(&var).copied();
            if a != b {
                let a = a.unwrap_or_else(|| defaults.own(terms, var));
                let b = b.unwrap_or_else(|| defaults.own(terms, var));
                own.insert(var, terms.ite(which, a, b));
            }
        }
        let mut vars: Vec<VarId> = shared.keys().chain(other.shared.keys()).copied().collect();
        vars.sort_unstable();
        vars.dedup();
        for var in vars {
            let (a, b) = (shared.get(&var).copied(), other.shared.get(&var).copied());
            if a == b {
                continue;
            }
            let mut untouched = || Current {
                value: defaults.shared(terms, var),
                written: terms.bool(false),
            };
            let (a, b) = (
                a.unwrap_or_else(&mut untouched),
                b.unwrap_or_else(untouched),
            );
            let value = terms.ite(which, a.value, b.value);
            let written = terms.ite(which, a.written, b.written);
            shared.insert(var, Current { value, written });
        }
        let alone = self.alone && other.alone;
        State {
            guard,
            own,
            shared,
            alone,
        }
    }
}

/// Brings all paths that lead to a location together, those first that fit best: where the
/// conditions of two paths differ in one decision, that decision disappears.
pub fn meet_all(
    mut states: Vec<State>,
    terms: &mut Terms,
    guards: &mut Guards,
    defaults: &mut impl Defaults,
) -> Option<State> {
    while states.len() > 1 {
        let (a, b) = best_pair(&states, terms, guards);
        let second = states.remove(b);
        let first = states.remove(a);
        let met = first.meet(second, terms, guards, defaults);
        states.push(met);
    }
    states.pop()
}

fn best_pair(states: &[State], terms: &Terms, guards: &mut Guards) -> (usize, usize) {
    /// Looking at all pairs of very many paths would take longer than it helps.
    const MOST: usize = 24;
    let from = states.len().saturating_sub(MOST);
    let mut best = (usize::MAX, (from, from + 1));
    for b in from + 1..states.len() {
        for a in from..b {
            let x = guards.parts(terms, states[a].guard);
            let y = guards.parts(terms, states[b].guard);
            let common = x
                .iter()
                .filter(|part| y.binary_search(part).is_ok())
                .count();
            let differ = (x.len() - common) + (y.len() - common);
            if differ < best.0 {
                best = (differ, (a, b));
            }
        }
    }
    best.1
}
