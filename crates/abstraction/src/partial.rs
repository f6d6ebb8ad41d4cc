//! Evaluation where some variables are unknown.

use expr::{Node, Op, Term, Terms, VarId, apply};

/// Evaluates terms under an assignment that knows some variables only.
///
/// Law: if the result is known, it is the value under every completion of the assignment.
#[derive(Debug, Default)]
pub struct Evaluator {
    /// By term: the round in which it was evaluated, and the result.
    memo: Vec<(u32, Option<u64>)>,
    round: u32,
}

impl Evaluator {
    /// Forgets all results: call it when the assignment has changed.
    pub fn forget(&mut self) {
        self.round += 1;
    }

    /// The value of `term`, if it is known.
    pub fn eval(
        &mut self,
        terms: &Terms,
        term: Term,
        env: &impl Fn(VarId) -> Option<u64>,
    ) -> Option<u64> {
        match terms.node(term) {
            Node::Const(_, bits) => return Some(bits),
            Node::Var(var, _) => return env(var),
            Node::Base(..) => return None,
            _ => {}
        }
        if self.memo.len() <= term.index() {
            self.memo.resize(terms.len(), (0, None));
        }
        let (round, known) = self.memo[term.index()];
        if round == self.round && round > 0 {
            return known;
        }
        let value = self.compound(terms, term, env);
        self.round = self.round.max(1);
        self.memo[term.index()] = (self.round, value);
        value
    }

    fn compound(
        &mut self,
        terms: &Terms,
        term: Term,
        env: &impl Fn(VarId) -> Option<u64>,
    ) -> Option<u64> {
        match terms.node(term) {
            Node::Unary(op, a) => {
                let value = self.eval(terms, a, env)?;
                Some(apply(op, terms.sort(a), value, 0))
            }
            Node::Binary(op, a, b) => self.binary(terms, op, a, b, env),
            Node::Ite(c, a, b) => match self.eval(terms, c, env) {
                Some(0) => self.eval(terms, b, env),
                Some(_) => self.eval(terms, a, env),
                None => {
                    let (a, b) = (self.eval(terms, a, env)?, self.eval(terms, b, env)?);
                    (a == b).then_some(a)
                }
            },
            Node::Const(..) | Node::Var(..) | Node::Base(..) => unreachable!("a leaf"),
        }
    }

    fn binary(
        &mut self,
        terms: &Terms,
        op: Op,
        a: Term,
        b: Term,
        env: &impl Fn(VarId) -> Option<u64>,
    ) -> Option<u64> {
        let left = self.eval(terms, a, env);
        // One side may decide alone.
        let deciding = match op {
            Op::And | Op::BitAnd | Op::Mul => Some(0),
            Op::Or => Some(1),
            _ => None,
        };
        if left.is_some() && left == deciding {
            return deciding;
        }
        let right = self.eval(terms, b, env);
        if right.is_some() && right == deciding {
            return deciding;
        }
        let (left, right) = (left?, right?);
        Some(match op {
            Op::Concat => left << terms.width(b) | right,
            _ => apply(op, terms.sort(a), left, right),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use expr::Sort;

    #[test]
    fn one_side_may_decide() {
        let mut terms = Terms::new();
        let (x, y) = (
            terms.var(VarId(0), Sort::Bv(8)),
            terms.var(VarId(1), Sort::Bv(8)),
        );
        let product = terms.binary(Op::Mul, x, y);
        let env = |var: VarId| (var.0 == 0).then_some(0);
        let mut evaluator = Evaluator::default();
        assert_eq!(evaluator.eval(&terms, product, &env), Some(0));
        let sum = terms.add(x, y);
        assert_eq!(evaluator.eval(&terms, sum, &env), None);
        evaluator.forget();
        let env = |var: VarId| Some(u64::from(var.0) + 200);
        assert_eq!(evaluator.eval(&terms, sum, &env), Some(145));
    }
}
