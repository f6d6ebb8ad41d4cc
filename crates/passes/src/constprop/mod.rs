//! Conditional constant and copy propagation over the locals of each procedure.
//!
//! Law: the same runs: every term keeps its value, and only edges go that can never be taken. A
//! location that would lose its last edge keeps one that assumes falsity, so that a thread stuck
//! there still counts as cut off. Reads of globals stay where they are, unless the global is never
//! written: then its initial value takes their place.
//!
//! Memory is left alone: this pass does not track the content of objects.

mod env;

use crate::resolve::keep_a_dead_end;
use dataflow::Liveness;
pub(crate) use env::Env;
use expr::{Node, Op, Term, VarId};
use rustc_hash::FxHashMap;
use xcfa::{EdgeId, Label, LocId, Scope, Xcfa};

/// Longer terms are not carried to where a temporary is used.
const LONGEST_TERM: usize = 16;

/// Propagates constants and copies, and drops what can never happen.
pub fn propagate_constants(xcfa: &mut Xcfa) {
    let mut propagation = Propagation::of(xcfa);
    propagation.solve();
    propagation.rewrite();
}

/// The globals and thread-local variables that are never written, with their values.
fn constant_globals(xcfa: &Xcfa) -> FxHashMap<VarId, Term> {
    let mut constants: FxHashMap<VarId, Term> = xcfa
        .var_ids()
        .filter(|&var| var != xcfa.self_var && !matches!(xcfa[var].scope, Scope::Local(_)))
        .filter_map(|var| Some((var, xcfa[var].init?)))
        .collect();
    for label in xcfa.edges.iter().flat_map(|edge| &edge.labels) {
        if let Some(var) = label.defines() {
            constants.remove(&var);
        }
    }
    constants
}

/// What is known where.
pub(crate) struct Propagation<'a> {
    pub(crate) xcfa: &'a mut Xcfa,
    constants: FxHashMap<VarId, Term>,
    pub(crate) liveness: Liveness,
    /// What is known at each location; nothing at all where no run comes.
    known: Vec<Option<Env>>,
}

impl<'a> Propagation<'a> {
    /// Nothing is known yet.
    pub(crate) fn of(xcfa: &'a mut Xcfa) -> Propagation<'a> {
        let constants = constant_globals(xcfa);
        let liveness = Liveness::of(xcfa);
        Propagation {
            xcfa,
            constants,
            liveness,
            known: Vec::new(),
        }
    }

    /// Finds out what is known at each location.
    pub(crate) fn solve(&mut self) {
        self.known = vec![None; self.xcfa.locs.len()];
        let mut work: Vec<LocId> = Vec::new();
        for proc in &self.xcfa.procs {
            self.known[proc.init.0 as usize] = Some(Env::default());
            work.push(proc.init);
        }
        while let Some(loc) = work.pop() {
            for edge in self.xcfa[loc].out.clone() {
                let Some((after, _)) = self.step(edge) else {
                    continue;
                };
                let target = self.xcfa[edge].target;
                if self.learn(target, after) {
                    work.push(target);
                }
            }
        }
    }

    /// Joins what is known at a location with what holds on another way to it.
    fn learn(&mut self, loc: LocId, mut new: Env) -> bool {
        new.retain(|var| self.liveness.is_live(loc, var));
        match &mut self.known[loc.0 as usize] {
            Some(old) => old.keep_common(&new),
            unseen => {
                *unseen = Some(new);
                true
            }
        }
    }

    /// What holds after an edge and what becomes of its labels; nothing if it cannot be taken.
    pub(crate) fn step(&mut self, edge: EdgeId) -> Option<(Env, Vec<Label>)> {
        let mut env = self.known[self.xcfa[edge].source.0 as usize].clone()?;
        let mut labels = Vec::new();
        for mut label in self.xcfa[edge].labels.clone() {
            label.map_terms(|term| self.substitute(&env, term));
            if self.apply(&label, &mut env)? {
                labels.push(label);
            }
        }
        Some((env, labels))
    }

    /// A term with what is known put in.
    pub(crate) fn substitute(&mut self, env: &Env, term: Term) -> Term {
        let constants = &self.constants;
        self.xcfa.terms.map_leaves(term, &mut |terms, leaf| {
            let var = terms.as_var(leaf)?;
            env.get(var).or_else(|| constants.get(&var).copied())
        })
    }

    /// The effect of a label with its terms replaced. Is it still needed? `None` if it cannot
    /// happen.
    pub(crate) fn apply(&mut self, label: &Label, env: &mut Env) -> Option<bool> {
        match *label {
            Label::Assume(cond) => {
                let value = self.xcfa.terms.as_const(cond);
                if value == Some(0) {
                    return None;
                }
                self.assume(cond, env);
                Some(value.is_none())
            }
            Label::Await(cond) => Some(self.xcfa.terms.as_const(cond) != Some(1)),
            Label::Assign { var, value } => {
                if self.xcfa.terms.as_var(value) == Some(var) {
                    return Some(false);
                }
                env.forget(var);
                if self.can_carry(var, value) {
                    env.set(var, value, self.xcfa.terms.vars(value));
                }
                Some(true)
            }
            _ => {
                if let Some(var) = label.defines() {
                    env.forget(var);
                }
                Some(true)
            }
        }
    }

    /// May `value` stand for `var` until one of its variables changes?
    fn can_carry(&self, var: VarId, value: Term) -> bool {
        let terms = &self.xcfa.terms;
        let own = |var: VarId| {
            matches!(self.xcfa[var].scope, Scope::Local(_)) || var == self.xcfa.self_var
        };
        if !own(var) || var == self.xcfa.self_var {
            return false;
        }
        let vars = terms.vars(value);
        if vars.contains(&var) || !vars.iter().all(|&var| own(var)) {
            return false;
        }
        if vars.is_empty() || terms.as_var(value).is_some() {
            return true;
        }
        let mut size = 0;
        terms.for_each_subterm(value, &mut |_, _| size += 1);
        self.xcfa[var].temp && size <= LONGEST_TERM
    }

    /// Remembers what a condition says about single variables.
    fn assume(&mut self, cond: Term, env: &mut Env) {
        let (var, value) = match self.xcfa.terms.node(cond) {
            Node::Binary(Op::And, a, b) => {
                self.assume(a, env);
                return self.assume(b, env);
            }
            Node::Var(var, _) => (var, self.xcfa.terms.bool(true)),
            Node::Unary(Op::Not, inner) => match self.xcfa.terms.as_var(inner) {
                Some(var) => (var, self.xcfa.terms.bool(false)),
                None => return,
            },
            Node::Binary(Op::Eq, a, b) => match self.xcfa.terms.as_var(a) {
                Some(var) if self.xcfa.terms.as_const(b).is_some() => (var, b),
                _ => return,
            },
            _ => return,
        };
        if self.can_carry(var, value) {
            env.set(var, value, Vec::new());
        }
    }

    fn rewrite(&mut self) {
        let mut keep = vec![false; self.xcfa.edges.len()];
        for edge in self.xcfa.edge_ids() {
            if let Some((_, labels)) = self.step(edge) {
                self.xcfa[edge].labels = labels;
                keep[edge.0 as usize] = true;
            }
        }
        for loc in self.xcfa.loc_ids() {
            if self.known[loc.0 as usize].is_some() {
                keep_a_dead_end(self.xcfa, loc, &mut keep);
            }
        }
        self.xcfa.retain_edges(|edge, _| keep[edge.0 as usize]);
    }
}

#[cfg(test)]
mod tests;
