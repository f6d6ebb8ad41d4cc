//! Why two events are related: the steps of basic relations between them.

use super::Evaluation;
use super::ast::{Expr, Op, Postfix};
use crate::EventId;
use serde::{Deserialize, Serialize};

/// A step of a relation that every model knows, or of one that is not explained further.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Step {
    /// From this event.
    pub from: EventId,
    /// By this relation.
    pub relation: String,
    /// To this event.
    pub to: EventId,
}

impl Step {
    fn new(from: usize, relation: &str, to: usize) -> Step {
        Step {
            from: EventId(from as u32),
            relation: relation.to_owned(),
            to: EventId(to as u32),
        }
    }
}

impl Evaluation<'_> {
    /// The steps from one event to another, which the expression relates.
    pub fn witness(&self, expr: &Expr<usize>, from: usize, to: usize) -> Vec<Step> {
        let holds = |expr: &Expr<usize>| self.relation(expr).contains(from, to);
        match expr {
            Expr::Name(slot, _) => match self.bodies[*slot] {
                Some(body) => self.witness(body, from, to),
                None => vec![Step::new(from, &self.names[*slot], to)],
            },
            Expr::Identity(_) => Vec::new(),
            Expr::Binary(Op::Union, a, _, _) if holds(a) => self.witness(a, from, to),
            Expr::Binary(Op::Union, _, b, _) => self.witness(b, from, to),
            Expr::Binary(Op::Both, a, b, _) => {
                // `po & loc` is a step of `po`, and `(W * R) & po` too.
                let main = if is_product(a) { b } else { a };
                self.witness(main, from, to)
            }
            Expr::Binary(Op::Minus, a, _, _) => self.witness(a, from, to),
            Expr::Binary(Op::Then, a, b, _) => {
                let (first, second) = (self.relation(a), self.relation(b));
                let mut middles = first.successors(from);
                let middle = middles.find(|&middle| second.contains(middle, to));
                let middle = middle.expect("the two events are related");
                let mut steps = self.witness(a, from, middle);
                steps.extend(self.witness(b, middle, to));
                steps
            }
            Expr::Postfix(Postfix::Star | Postfix::Optional, _) if from == to => Vec::new(),
            Expr::Postfix(Postfix::Plus | Postfix::Star, inner) => {
                let path = self.relation(inner).path(from, to);
                let path = path.expect("the two events are related");
                let steps = path.windows(2);
                steps
                    .flat_map(|pair| self.witness(inner, pair[0], pair[1]))
                    .collect()
            }
            Expr::Postfix(Postfix::Optional, inner) => self.witness(inner, from, to),
            Expr::Postfix(Postfix::Inverse, inner) => {
                let steps = self.witness(inner, to, from).into_iter().rev();
                let turned = steps.map(|step| Step {
                    relation: format!("{}^-1", step.relation),
                    from: step.to,
                    to: step.from,
                });
                turned.collect()
            }
            _ => vec![Step::new(from, "related", to)],
        }
    }
}

fn is_product(expr: &Expr<usize>) -> bool {
    matches!(expr, Expr::Binary(Op::Product, ..))
}
