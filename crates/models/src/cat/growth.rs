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
        let all = [
            BaseRelation::ProgramOrder,
            BaseRelation::ReadsFrom,
            BaseRelation::Spawn,
        ];
        thin_air |= check.kind == TestKind::Acyclic
            && all.iter().all(|&it| growth.contains(&check.body, it));
    }
    thin_air && grows(program)
}

/// Does what its axioms forbid stay forbidden while an execution grows?
pub(crate) fn grows(program: &Program) -> bool {
    let growth = Growth { program };
    let mut axioms = program.statements.iter().filter_map(|it| match it {
        Statement::Check(check) if !check.flag => Some(check),
        _ => None,
    });
    axioms.all(|check| !check.negated && growth.grows(&check.body))
}

/// Does it stay so while an execution grows that an expression does not relate two events? That is so if what is taken
/// away from it grows, and the rest is known from the two events.
pub(crate) fn absence_grows(program: &Program, expr: &Expr<usize>) -> bool {
    let growth = Growth { program };
    match expr {
        Expr::Binary(Op::Minus, rest, away, _) => {
            absence_grows(program, rest) && growth.grows(away)
        }
        rest => growth.stays(rest),
    }
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

    /// The definitions that are made together with this one.
    fn group(&self, name: usize) -> &[(usize, Expr<usize>)] {
        let mut groups = self.program.statements.iter().filter_map(|it| match it {
            Statement::Let { definitions, .. } => Some(definitions.as_slice()),
            Statement::Check(_) => None,
        });
        let found = groups.find(|it| it.iter().any(|(number, _)| *number == name));
        found.unwrap_or_default()
    }

    /// Are no pairs or events taken away when an execution grows?
    fn grows(&self, expr: &Expr<usize>) -> bool {
        self.grows_with(expr, &[])
    }

    /// The same, if these recursive names grow.
    fn grows_with(&self, expr: &Expr<usize>, open: &[usize]) -> bool {
        match expr {
            Expr::Name(name, _) if *name < NAMES.len() || open.contains(name) => true,
            Expr::Name(name, _) => match self.definition(*name) {
                // The smallest solution grows if all that it is made of grows.
                Some((_, true)) => {
                    let group = self.group(*name);
                    let open: Vec<usize> = group.iter().map(|(number, _)| *number).collect();
                    group.iter().all(|(_, body)| self.grows_with(body, &open))
                }
                Some((body, false)) => self.grows_with(body, open),
                None => false,
            },
            Expr::Nothing | Expr::Universe => true,
            Expr::Identity(of) | Expr::Domain(of) | Expr::Range(of) | Expr::Postfix(_, of) => {
                self.grows_with(of, open)
            }
            Expr::Complement(of) => self.stays(of),
            Expr::Binary(Op::Minus, from, what, _) => {
                self.grows_with(from, open) && self.stays(what)
            }
            Expr::Binary(_, left, right, _) => {
                self.grows_with(left, open) && self.grows_with(right, open)
            }
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
