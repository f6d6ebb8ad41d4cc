//! Substitutes known values for unknowns.

use super::events::Events;
use expr::{Node, Term, Terms, VarId};
use rustc_hash::{FxHashMap, FxHashSet};

/// Replaces every unknown that has a definition by it, everywhere, and simplifies on the way.
///
/// Threads can wait for each other in a circle; then a definition needs itself, and the unknown
/// stays, with its definition as a constraint.
pub fn apply_definitions(events: &mut Events) {
    let definitions = std::mem::take(&mut events.definitions);
    if definitions.is_empty() {
        return;
    }
    let mut rewriter = Rewriter {
        definitions,
        done: FxHashMap::default(),
        under_way: FxHashSet::default(),
        kept: Vec::new(),
    };
    let terms = &mut events.terms;
    let mut map = |term: &mut Term| *term = rewriter.rewrite(terms, *term);
    events
        .reads
        .iter_mut()
        .for_each(|read| map(&mut read.guard));
    for write in &mut events.writes {
        map(&mut write.guard);
        map(&mut write.value);
    }
    events.constraints.iter_mut().for_each(&mut map);
    events
        .waits
        .iter_mut()
        .for_each(|wait| map(&mut wait.guard));
    events.exits.iter_mut().for_each(|(guard, _)| map(guard));
    events
        .goals
        .iter_mut()
        .for_each(|goal| map(&mut goal.guard));
    for step in &mut events.steps {
        map(&mut step.guard);
        step.chosen.iter_mut().for_each(|(_, term)| map(term));
        step.wakes.iter_mut().for_each(&mut map);
        step.touched.iter_mut().for_each(|it| map(&mut it.here));
    }
    for touch in &mut events.touches {
        map(&mut touch.guard);
        touch.chosen.iter_mut().for_each(|(_, term)| map(term));
    }
    while let Some((var, definition)) = rewriter.kept.pop() {
        let value = rewriter.rewrite(&mut events.terms, definition);
        let sort = events.terms.sort(value);
        let unknown = events.terms.var(var, sort);
        let equal = events.terms.eq(unknown, value);
        events.constraints.push(equal);
    }
    events
        .constraints
        .retain(|&term| events.terms.as_const(term) != Some(1));
}

struct Rewriter {
    definitions: FxHashMap<VarId, Term>,
    done: FxHashMap<Term, Term>,
    under_way: FxHashSet<VarId>,
    kept: Vec<(VarId, Term)>,
}

impl Rewriter {
    fn rewrite(&mut self, terms: &mut Terms, term: Term) -> Term {
        if let Some(&done) = self.done.get(&term) {
            return done;
        }
        let result = match terms.node(term) {
            Node::Const(..) | Node::Base(..) => term,
            Node::Var(var, _) => match self.definitions.get(&var).copied() {
                None => term,
                Some(definition) if self.under_way.contains(&var) => {
                    self.definitions.remove(&var);
                    self.kept.push((var, definition));
                    return term;
                }
                Some(definition) => {
                    self.under_way.insert(var);
                    let value = self.rewrite(terms, definition);
                    self.under_way.remove(&var);
                    // Found to be needed by itself meanwhile? Then it stays an unknown.
                    if self.definitions.contains_key(&var) {
                        value
                    } else {
                        term
                    }
                }
            },
            Node::Unary(op, a) => {
                let a = self.rewrite(terms, a);
                terms.unary(op, a)
            }
            Node::Binary(op, a, b) => {
                let a = self.rewrite(terms, a);
                let b = self.rewrite(terms, b);
                terms.binary(op, a, b)
            }
            Node::Ite(c, a, b) => {
                let c = self.rewrite(terms, c);
                let a = self.rewrite(terms, a);
                let b = self.rewrite(terms, b);
                terms.ite(c, a, b)
            }
        };
        self.done.insert(term, result);
        result
    }
}
