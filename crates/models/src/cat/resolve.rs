//! Names become numbers, and every expression gets a type, so that evaluation cannot fail.

use super::CatError;
use super::ast::{Check, Definition, Expr, Line, Op, Postfix, TestKind};
use crate::base::{self, BaseName};

/// What an expression is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Type {
    Set,
    Relation,
}

/// A statement whose names are numbers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Statement {
    /// Definitions by number; the recursive ones are the smallest solution.
    Let {
        recursive: bool,
        definitions: Vec<(usize, Expr<usize>)>,
    },
    /// A test.
    Check(Check<usize>),
}

/// A model that can be evaluated.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Program {
    /// By number: the names, first those of [`base::NAMES`].
    pub names: Vec<String>,
    pub statements: Vec<Statement>,
}

type Resolved<T> = Result<T, CatError>;

/// Gives every name a number; a later definition hides an earlier one of the same name.
pub(crate) fn resolve(lines: Vec<Line>) -> Resolved<Program> {
    let mut resolver = Resolver {
        names: base::NAMES
            .iter()
            .map(|base| base.name().to_owned())
            .collect(),
        types: base::NAMES.iter().map(BaseName::ty).collect(),
    };
    let statements = lines.into_iter().map(|line| resolver.statement(line));
    let statements = statements.collect::<Resolved<Vec<_>>>()?;
    let names = resolver.names;
    Ok(Program { names, statements })
}

struct Resolver {
    names: Vec<String>,
    types: Vec<Type>,
}

impl Resolver {
    fn declare(&mut self, name: &str, ty: Type) -> usize {
        self.names.push(name.to_owned());
        self.types.push(ty);
        self.names.len() - 1
    }

    fn statement(&mut self, line: Line) -> Resolved<Statement> {
        match line {
            Line::Let {
                recursive: true,
                definitions,
            } => self.recursive(definitions),
            Line::Let { definitions, .. } => {
                let typed = definitions.iter().map(|it| self.expr(&it.body));
                let typed = typed.collect::<Resolved<Vec<_>>>()?;
                let named = definitions.iter().zip(typed);
                let named = named.map(|(it, (body, ty))| (self.declare(&it.name, ty), body));
                Ok(Statement::Let {
                    recursive: false,
                    definitions: named.collect(),
                })
            }
            Line::Check(check) => {
                let (body, ty) = self.expr(&check.body)?;
                if ty != Type::Relation && check.kind != TestKind::Empty {
                    return Err(CatError::new(check.line, "a relation is needed here"));
                }
                Ok(Statement::Check(Check {
                    body,
                    kind: check.kind,
                    negated: check.negated,
                    flag: check.flag,
                    name: check.name,
                    line: check.line,
                }))
            }
        }
    }

    /// Only relations are recursive, and only such that grow with what they are made of: then there is
    /// a smallest solution.
    fn recursive(&mut self, definitions: Vec<Definition<String>>) -> Resolved<Statement> {
        let first = self.names.len();
        for definition in &definitions {
            self.declare(&definition.name, Type::Relation);
        }
        let mut bodies = Vec::new();
        for (at, definition) in definitions.iter().enumerate() {
            let (body, ty) = self.expr(&definition.body)?;
            if ty != Type::Relation {
                let what = "a recursive definition must be a relation";
                return Err(CatError::new(definition.line, what));
            }
            if !grows(&body, first) {
                let what = "a recursive name is under a complement, or taken away";
                return Err(CatError::new(definition.line, what));
            }
            bodies.push((first + at, body));
        }
        Ok(Statement::Let {
            recursive: true,
            definitions: bodies,
        })
    }

    fn relation(&self, expr: &Expr<String>, line: u32) -> Resolved<Box<Expr<usize>>> {
        self.of_type(expr, Type::Relation, line)
    }

    fn of_type(&self, expr: &Expr<String>, wanted: Type, line: u32) -> Resolved<Box<Expr<usize>>> {
        let (expr, ty) = self.expr(expr)?;
        let what = match wanted {
            Type::Set => "a set is needed here",
            Type::Relation => "a relation is needed here",
        };
        match ty == wanted {
            true => Ok(Box::new(expr)),
            false => Err(CatError::new(line, what)),
        }
    }

    fn expr(&self, expr: &Expr<String>) -> Resolved<(Expr<usize>, Type)> {
        use Type::{Relation, Set};
        let line = first_line(expr);
        Ok(match expr {
            Expr::Name(name, line) => {
                let slot = self.names.iter().rposition(|known| known == name);
                let unknown = || CatError::new(*line, format!("`{name}` is not defined"));
                let slot = slot.ok_or_else(unknown)?;
                (Expr::Name(slot, *line), self.types[slot])
            }
            Expr::Nothing => (Expr::Nothing, Relation),
            Expr::Universe => (Expr::Universe, Set),
            Expr::Identity(set) => (Expr::Identity(self.of_type(set, Set, line)?), Relation),
            Expr::Complement(inner) => {
                let (inner, ty) = self.expr(inner)?;
                (Expr::Complement(Box::new(inner)), ty)
            }
            Expr::Domain(inner) => (Expr::Domain(self.relation(inner, line)?), Set),
            Expr::Range(inner) => (Expr::Range(self.relation(inner, line)?), Set),
            Expr::Postfix(op, inner) => (Expr::Postfix(*op, self.relation(inner, line)?), Relation),
            Expr::Binary(op, a, b, line) => {
                let (operands, result) = match op {
                    Op::Product => (Set, Relation),
                    Op::Then => (Relation, Relation),
                    _ => {
                        let (_, ty) = self.expr(a)?;
                        (ty, ty)
                    }
                };
                let a = self.of_type(a, operands, *line)?;
                let b = self.of_type(b, operands, *line)?;
                (Expr::Binary(*op, a, b, *line), result)
            }
        })
    }
}

/// A line of the expression, for messages.
fn first_line(expr: &Expr<String>) -> u32 {
    match expr {
        Expr::Name(_, line) | Expr::Binary(_, _, _, line) => *line,
        Expr::Nothing | Expr::Universe => 1,
        Expr::Identity(inner)
        | Expr::Complement(inner)
        | Expr::Domain(inner)
        | Expr::Range(inner)
        | Expr::Postfix(_, inner) => first_line(inner),
    }
}

/// Does the expression grow when the names from `first` on grow?
fn grows(expr: &Expr<usize>, first: usize) -> bool {
    match expr {
        Expr::Name(..) | Expr::Nothing | Expr::Universe => true,
        Expr::Complement(inner) => !mentions(inner, first),
        Expr::Binary(Op::Minus, a, b, _) => grows(a, first) && !mentions(b, first),
        Expr::Binary(_, a, b, _) => grows(a, first) && grows(b, first),
        Expr::Identity(inner) | Expr::Domain(inner) | Expr::Range(inner) => grows(inner, first),
        Expr::Postfix(
            Postfix::Plus | Postfix::Star | Postfix::Optional | Postfix::Inverse,
            inner,
        ) => grows(inner, first),
    }
}

fn mentions(expr: &Expr<usize>, first: usize) -> bool {
    match expr {
        Expr::Name(slot, _) => *slot >= first,
        Expr::Nothing | Expr::Universe => false,
        Expr::Binary(_, a, b, _) => mentions(a, first) || mentions(b, first),
        Expr::Identity(inner)
        | Expr::Complement(inner)
        | Expr::Domain(inner)
        | Expr::Range(inner)
        | Expr::Postfix(_, inner) => mentions(inner, first),
    }
}
