//! Values that follow from the condition of an action.

use super::{Before, Post};
use expr::{Node, Op, Term, Terms};

impl Post {
    /// Takes values out of equations in the condition; the rest of it, `None` if it cannot hold.
    pub(super) fn learn(
        &mut self,
        terms: &mut Terms,
        guard: Term,
        before: &mut Before<'_>,
    ) -> Option<Term> {
        loop {
            self.evaluator.forget();
            let env = |var| before.value(var);
            match self.evaluator.eval(terms, guard, &env) {
                Some(0) => return None,
                Some(_) => return Some(terms.bool(true)),
                None => {}
            }
            let known = before.learnt.len();
            self.learn_from(terms, guard, true, before);
            if before.learnt.len() == known {
                return Some(before.put_in(terms, guard));
            }
        }
    }

    fn learn_from(&mut self, terms: &Terms, cond: Term, holds: bool, before: &mut Before<'_>) {
        match terms.node(cond) {
            Node::Unary(Op::Not, a) => self.learn_from(terms, a, !holds, before),
            Node::Binary(Op::And, a, b) if holds => {
                self.learn_from(terms, a, true, before);
                self.learn_from(terms, b, true, before);
            }
            Node::Binary(Op::Or, a, b) if !holds => {
                self.learn_from(terms, a, false, before);
                self.learn_from(terms, b, false, before);
            }
            Node::Binary(Op::Eq, a, b) if holds => {
                self.equate(terms, a, b, before);
                self.equate(terms, b, a, before);
            }
            Node::Var(var, _) if before.value(var).is_none() => {
                before.learnt.insert(var, u64::from(holds));
            }
            _ => {}
        }
    }

    fn equate(&mut self, terms: &Terms, to: Term, from: Term, before: &mut Before<'_>) {
        let Some(var) = terms.as_var(to) else { return };
        if before.value(var).is_some() {
            return;
        }
        self.evaluator.forget();
        let env = |var| before.value(var);
        if let Some(value) = self.evaluator.eval(terms, from, &env) {
            before.learnt.insert(var, value);
        }
    }
}
