//! The values of a model's names for one graph.

use super::ast::{Expr, Op, Postfix};
use super::{Program, Statement};
use crate::base;
use crate::{EventSet, Graph, Relation};

/// A set or a relation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Value {
    Set(EventSet),
    Relation(Relation),
}

/// All names of a model for one graph.
pub(crate) struct Evaluation<'p> {
    pub values: Vec<Value>,
    /// By name: what defines it, unless it is recursive or not the model's own.
    pub bodies: Vec<Option<&'p Expr<usize>>>,
    pub names: &'p [String],
    all: EventSet,
    size: usize,
}

impl<'p> Evaluation<'p> {
    /// Evaluates the definitions of a program for a valid graph; those that only flags need are left empty unless
    /// flags are wanted.
    pub fn new(program: &'p Program, graph: &Graph, flags: bool) -> Evaluation<'p> {
        let size = graph.events.len();
        let values: Vec<Value> = base::NAMES.iter().map(|name| name.value(graph)).collect();
        let mut evaluation = Evaluation {
            bodies: vec![None; values.len()],
            values,
            names: &program.names,
            all: EventSet::of(size, |_| true),
            size,
        };
        for statement in &program.statements {
            if let Statement::Let {
                recursive,
                definitions,
            } = statement
            {
                let needed = |&(name, _): &(usize, _)| flags || program.for_axioms[name];
                match definitions.iter().any(needed) {
                    true => evaluation.define(*recursive, definitions),
                    false => evaluation.leave_out(definitions.len()),
                }
            }
        }
        evaluation
    }

    /// Definitions that nobody looks at.
    fn leave_out(&mut self, count: usize) {
        let nothing = Value::Relation(Relation::empty(0));
        self.values.extend(std::iter::repeat_n(nothing, count));
        self.bodies.extend(std::iter::repeat_n(None, count));
    }

    fn define(&mut self, recursive: bool, definitions: &'p [(usize, Expr<usize>)]) {
        if !recursive {
            let values: Vec<Value> = definitions.iter().map(|(_, it)| self.value(it)).collect();
            self.values.extend(values);
            self.bodies
                .extend(definitions.iter().map(|(_, it)| Some(it)));
            return;
        }
        let nothing = Value::Relation(Relation::empty(self.size));
        self.values
            .extend(definitions.iter().map(|_| nothing.clone()));
        self.bodies.extend(definitions.iter().map(|_| None));
        loop {
            let mut changed = false;
            for (slot, body) in definitions {
                let value = self.value(body);
                changed |= value != self.values[*slot];
                self.values[*slot] = value;
            }
            if !changed {
                return;
            }
        }
    }

    /// The value of an expression.
    pub fn value(&self, expr: &Expr<usize>) -> Value {
        match expr {
            Expr::Name(slot, _) => self.values[*slot].clone(),
            Expr::Nothing => Value::Relation(Relation::empty(self.size)),
            Expr::Universe => Value::Set(self.all.clone()),
            Expr::Identity(set) => Value::Relation(Relation::identity(&self.set(set))),
            Expr::Complement(inner) => match self.value(inner) {
                Value::Set(set) => Value::Set(self.all.combine(&set, |a, b| a && !b)),
                Value::Relation(relation) => {
                    let all = Relation::product(&self.all, &self.all);
                    Value::Relation(all.difference(&relation))
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
            Expr::Postfix(op, inner) => Value::Relation(self.postfix(*op, self.relation(inner))),
            Expr::Binary(op, a, b, _) => self.binary(*op, a, b),
        }
    }

    fn postfix(&self, op: Postfix, relation: Relation) -> Relation {
        let identity = || Relation::identity(&self.all);
        match op {
            Postfix::Plus => relation.closure(),
            Postfix::Star => relation.closure().union(&identity()),
            Postfix::Optional => relation.union(&identity()),
            Postfix::Inverse => relation.inverse(),
        }
    }

    fn binary(&self, op: Op, a: &Expr<usize>, b: &Expr<usize>) -> Value {
        match (op, self.value(a), self.value(b)) {
            (Op::Product, Value::Set(a), Value::Set(b)) => {
                Value::Relation(Relation::product(&a, &b))
            }
            (Op::Union, Value::Set(a), Value::Set(b)) => Value::Set(a.combine(&b, |a, b| a || b)),
            (Op::Both, Value::Set(a), Value::Set(b)) => Value::Set(a.combine(&b, |a, b| a && b)),
            (Op::Minus, Value::Set(a), Value::Set(b)) => Value::Set(a.combine(&b, |a, b| a && !b)),
            (op, Value::Relation(a), Value::Relation(b)) => Value::Relation(match op {
                Op::Union => a.union(&b),
                Op::Both => a.intersection(&b),
                Op::Minus => a.difference(&b),
                Op::Then => a.then(&b),
                Op::Product => unreachable!("resolve has checked the operands"),
            }),
            _ => unreachable!("resolve has checked the operands"),
        }
    }

    /// The value of an expression that is a relation.
    pub fn relation(&self, expr: &Expr<usize>) -> Relation {
        match self.value(expr) {
            Value::Relation(relation) => relation,
            Value::Set(_) => unreachable!("resolve has checked that this is a relation"),
        }
    }

    fn set(&self, expr: &Expr<usize>) -> EventSet {
        match self.value(expr) {
            Value::Set(set) => set,
            Value::Relation(_) => unreachable!("resolve has checked that this is a set"),
        }
    }
}
