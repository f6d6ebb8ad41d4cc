//! The values of a model's names for one graph.

use super::ast::{Expr, Op, Postfix};
use super::{Program, Statement};
use crate::base::{self, Base};
use crate::{EventSet, Graph, Relation};
use std::borrow::Cow;
use std::cell::OnceCell;

/// A set or a relation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Value {
    Set(EventSet),
    Relation(Relation),
}

/// All names of a model for one graph. What nobody asks for is not computed.
pub(crate) struct Evaluation<'p> {
    values: Vec<OnceCell<Value>>,
    /// By name: what defines it, unless it is recursive or not the model's own.
    pub bodies: Vec<Option<&'p Expr<usize>>>,
    pub names: &'p [String],
    base: Base<'p>,
    all: EventSet,
    size: usize,
}

impl<'p> Evaluation<'p> {
    /// The definitions of a program for a valid graph.
    pub fn new(program: &'p Program, graph: &'p Graph) -> Evaluation<'p> {
        let size = graph.events.len();
        let mut evaluation = Evaluation {
            values: vec![OnceCell::new(); program.names.len()],
            bodies: vec![None; program.names.len()],
            names: &program.names,
            base: Base::of(graph),
            all: EventSet::of(size, |_| true),
            size,
        };
        for statement in &program.statements {
            match statement {
                Statement::Let {
                    recursive: true,
                    definitions,
                } => evaluation.solve(definitions),
                Statement::Let { definitions, .. } => {
                    for (slot, body) in definitions {
                        evaluation.bodies[*slot] = Some(body);
                    }
                }
                Statement::Check(_) => {}
            }
        }
        evaluation
    }

    /// The smallest solution of recursive definitions.
    fn solve(&mut self, definitions: &'p [(usize, Expr<usize>)]) {
        let nothing = Value::Relation(Relation::empty(self.size));
        for (slot, _) in definitions {
            self.values[*slot] = OnceCell::from(nothing.clone());
        }
        loop {
            let mut changed = false;
            for (slot, body) in definitions {
                let value = OnceCell::from(self.value(body).into_owned());
                changed |= value != self.values[*slot];
                self.values[*slot] = value;
            }
            if !changed {
                return;
            }
        }
    }

    /// The reads and writes of read-modify-writes.
    pub fn exchanges(&self) -> &[(usize, usize)] {
        &self.base.exchanges
    }

    /// The value of a name.
    fn named(&self, slot: usize) -> &Value {
        self.values[slot].get_or_init(|| match (self.bodies[slot], base::NAMES.get(slot)) {
            (Some(body), _) => self.value(body).into_owned(),
            (None, Some(base)) => self.base.value(base),
            (None, None) => unreachable!("resolve has found a definition"),
        })
    }

    /// The value of an expression.
    pub fn value(&self, expr: &Expr<usize>) -> Cow<'_, Value> {
        Cow::Owned(match expr {
            Expr::Name(slot, _) => return Cow::Borrowed(self.named(*slot)),
            Expr::Nothing => Value::Relation(Relation::empty(self.size)),
            Expr::Universe => Value::Set(self.all.clone()),
            Expr::Identity(set) => Value::Relation(Relation::identity(&self.set(set))),
            Expr::Complement(inner) => match self.value(inner).as_ref() {
                Value::Set(set) => Value::Set(self.all.difference(set)),
                Value::Relation(relation) => {
                    let all = Relation::product(&self.all, &self.all);
                    Value::Relation(all.difference(relation))
                }
            },
            Expr::Domain(inner) => {
                let relation = self.relation(inner);
                let has_next = |event| relation.successors(event).next().is_some();
                Value::Set(EventSet::of(self.size, has_next))
            }
            Expr::Range(inner) => {
                let relation = self.relation(inner).inverse();
                let has_previous = |event| relation.successors(event).next().is_some();
                Value::Set(EventSet::of(self.size, has_previous))
            }
            Expr::Postfix(op, inner) => Value::Relation(self.postfix(*op, &self.relation(inner))),
            Expr::Binary(Op::Then, a, b, _) => Value::Relation(self.then(a, b)),
            Expr::Binary(op, a, b, _) => self.binary(*op, a, b),
        })
    }

    /// One step after another. The most frequent one is to stay where one is, if that is in a set; where no step is left
    /// to go on from, nobody asks for the next one.
    fn then(&self, a: &Expr<usize>, b: &Expr<usize>) -> Relation {
        let nothing = || Relation::empty(self.size);
        match (a, b) {
            (Expr::Identity(set), _) => match self.set(set) {
                set if set.is_empty() => nothing(),
                set => self.relation(b).into_owned().from_set(&set),
            },
            (_, Expr::Identity(set)) => match self.set(set) {
                set if set.is_empty() => nothing(),
                set => self.relation(a).into_owned().to_set(&set),
            },
            _ => match self.relation(a) {
                first if first.is_empty() => nothing(),
                first => first.then(&self.relation(b)),
            },
        }
    }

    /// Is some event related to itself by one step after another? The same as `irreflexive` of the two, without
    /// all other pairs.
    pub fn comes_back(&self, a: &Expr<usize>, b: &Expr<usize>) -> bool {
        let back = self.relation(b).inverse();
        !self.relation(a).intersection(&back).is_empty()
    }

    fn postfix(&self, op: Postfix, relation: &Relation) -> Relation {
        let identity = || Relation::identity(&self.all);
        match op {
            Postfix::Plus => relation.closure(),
            Postfix::Star => relation.closure().union(&identity()),
            Postfix::Optional => relation.union(&identity()),
            Postfix::Inverse => relation.inverse(),
        }
    }

    fn binary(&self, op: Op, a: &Expr<usize>, b: &Expr<usize>) -> Value {
        match (op, self.value(a).as_ref(), self.value(b).as_ref()) {
            (Op::Product, Value::Set(a), Value::Set(b)) => Value::Relation(Relation::product(a, b)),
            (Op::Union, Value::Set(a), Value::Set(b)) => Value::Set(a.union(b)),
            (Op::Both, Value::Set(a), Value::Set(b)) => Value::Set(a.intersection(b)),
            (Op::Minus, Value::Set(a), Value::Set(b)) => Value::Set(a.difference(b)),
            (op, Value::Relation(a), Value::Relation(b)) => Value::Relation(match op {
                Op::Union => a.union(b),
                Op::Both => a.intersection(b),
                Op::Minus => a.difference(b),
                Op::Then | Op::Product => unreachable!("handled, or refused by resolve"),
            }),
            _ => unreachable!("resolve has checked the operands"),
        }
    }

    /// The value of an expression that is a relation.
    pub fn relation(&self, expr: &Expr<usize>) -> Cow<'_, Relation> {
        match self.value(expr) {
            Cow::Borrowed(Value::Relation(relation)) => Cow::Borrowed(relation),
            Cow::Owned(Value::Relation(relation)) => Cow::Owned(relation),
            _ => unreachable!("resolve has checked that this is a relation"),
        }
    }

    fn set(&self, expr: &Expr<usize>) -> Cow<'_, EventSet> {
        match self.value(expr) {
            Cow::Borrowed(Value::Set(set)) => Cow::Borrowed(set),
            Cow::Owned(Value::Set(set)) => Cow::Owned(set),
            _ => unreachable!("resolve has checked that this is a set"),
        }
    }
}
