//! Models whose executions can be made event by event.
//!
//! While an execution grows, its relations grow: pairs are added, and none is taken away. What a model forbids
//! must then stay forbidden. That is so as long as its axioms are made of relations that grow; what is taken away from
//! them, by a difference or a complement, must be known from the two events alone.

use super::ast::{Expr, Op, Postfix, TestKind};
use super::resolve::{Program, Statement};
use crate::base::{BaseName, BaseRelation, BaseSet, NAMES};

/// Does every execution of the model come from a shorter one by adding an event that depends on none that are
/// missing?
pub(crate) fn grows_from_prefixes(program: &Program) -> bool {
    let growth = Growth { program };
    let mut thin_air = false;
    for statement in &program.statements {
        let Statement::Check(check) = statement else {
            continue;
        };
        if check.flag {
            continue;
        }
        if check.negated || !growth.grows(&check.body) {
            return false;
        }
        let all = [
            BaseRelation::ProgramOrder,
            BaseRelation::ReadsFrom,
            BaseRelation::Spawn,
        ];
        thin_air |= check.kind == TestKind::Acyclic
            && all.iter().all(|&it| growth.contains(&check.body, it));
    }
    thin_air
}

struct Growth<'p> {
    program: &'p Program,
}

impl Growth<'_> {
    /// The definition of a name that is not there from the start, and whether it is recursive.
    fn definition(&self, name: usize) -> Option<(&Expr<usize>, bool)> {
        self.program.statements.iter().find_map(|it| match it {
            Statement::Let {
                recursive,
                definitions,
            } => {
                let mut found = definitions.iter().filter(|(number, _)| *number == name);
                found.next().map(|(_, body)| (body, *recursive))
            }
            Statement::Check(_) => None,
        })
    }

    /// Are no pairs or events taken away when an execution grows?
    fn grows(&self, expr: &Expr<usize>) -> bool {
        match expr {
            Expr::Name(name, _) if *name < NAMES.len() => true,
            Expr::Name(name, _) => match self.definition(*name) {
                // A recursive definition with a difference is not looked into.
                Some((body, true)) => !has_difference(body),
                Some((body, false)) => self.grows(body),
                None => false,
            },
            Expr::Nothing | Expr::Universe => true,
            Expr::Identity(of) | Expr::Domain(of) | Expr::Range(of) | Expr::Postfix(_, of) => {
                self.grows(of)
            }
            Expr::Complement(of) => self.stays(of),
            Expr::Binary(Op::Minus, from, what, _) => self.grows(from) && self.stays(what),
            Expr::Binary(_, left, right, _) => self.grows(left) && self.grows(right),
        }
    }

    /// Does it say the same of two events when others are added?
    fn stays(&self, expr: &Expr<usize>) -> bool {
        match expr {
            Expr::Name(name, _) if *name < NAMES.len() => match NAMES[*name] {
                // A read belongs to a read-modify-write once that has written.
                BaseName::Set(_, set) => set != BaseSet::Exchanges,
                BaseName::Relation(_, relation) => !matches!(
                    relation,
                    BaseRelation::ReadsFrom
                        | BaseRelation::Coherence
                        | BaseRelation::FromReads
                        | BaseRelation::Exchange
                ),
            },
            Expr::Name(name, _) => match self.definition(*name) {
                Some((body, false)) => self.stays(body),
                _ => false,
            },
            Expr::Nothing | Expr::Universe => true,
            Expr::Identity(of) | Expr::Complement(of) => self.stays(of),
            Expr::Postfix(Postfix::Optional | Postfix::Inverse, of) => self.stays(of),
            Expr::Domain(_) | Expr::Range(_) | Expr::Postfix(..) => false,
            Expr::Binary(Op::Then, ..) => false,
            Expr::Binary(_, left, right, _) => self.stays(left) && self.stays(right),
        }
    }

    /// Is this relation one of those that the expression is the union of?
    fn contains(&self, expr: &Expr<usize>, wanted: BaseRelation) -> bool {
        match expr {
            Expr::Name(name, _) if *name < NAMES.len() => {
                matches!(NAMES[*name], BaseName::Relation(_, it) if it == wanted)
            }
            Expr::Name(name, _) => match self.definition(*name) {
                Some((body, _)) => self.contains(body, wanted),
                None => false,
            },
            Expr::Postfix(Postfix::Plus, of) => self.contains(of, wanted),
            Expr::Binary(Op::Union, left, right, _) => {
                self.contains(left, wanted) || self.contains(right, wanted)
            }
            _ => false,
        }
    }
}

fn has_difference(expr: &Expr<usize>) -> bool {
    match expr {
        Expr::Name(..) | Expr::Nothing | Expr::Universe => false,
        Expr::Complement(_) | Expr::Binary(Op::Minus, ..) => true,
        Expr::Identity(of) | Expr::Domain(of) | Expr::Range(of) | Expr::Postfix(_, of) => {
            has_difference(of)
        }
        Expr::Binary(_, left, right, _) => has_difference(left) || has_difference(right),
    }
}
