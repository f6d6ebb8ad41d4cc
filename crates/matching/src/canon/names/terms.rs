//! What the values of terms are.

use super::{ADDRESS, Finder, Kind, NAME, NUMBER, Of};
use expr::{Node, Op, Term};

impl Finder<'_> {
    /// What the value of a term can be; notes what is done with names on the way.
    pub(super) fn kind(&mut self, term: Term) -> Kind {
        if let Some(&kind) = self.terms.get(&term) {
            return kind;
        }
        let kind = match self.xcfa.terms.node(term) {
            Node::Const(_, 0) => 0,
            Node::Const(_, bits) if self.of == Of::Objects && bits < self.regions => 0,
            Node::Const(..) => NUMBER,
            Node::Base(..) => ADDRESS,
            Node::Var(var, _) => self.vars[var.0 as usize],
            Node::Unary(op, inner) => self.unary(op, inner),
            Node::Binary(op, a, b) => self.binary(op, a, b),
            Node::Ite(condition, a, b) => {
                self.kind(condition);
                self.kind(a) | self.kind(b)
            }
        };
        self.terms.insert(term, kind);
        kind
    }

    fn unary(&mut self, op: Op, inner: Term) -> Kind {
        let kind = self.kind(inner);
        if kind & NAME == 0 {
            return NUMBER;
        }
        let keeps = match op {
            Op::ZeroExt(_) | Op::AddressToInt => true,
            Op::SignExt(_) => self.of == Of::Threads,
            Op::Extract { hi, lo: 0 } => match self.of {
                Of::Threads => hi >= 31,
                Of::Objects => hi + 1 >= self.xcfa.pointer_bits(),
            },
            _ => false,
        };
        self.bad |= !keeps;
        kind
    }

    fn binary(&mut self, op: Op, a: Term, b: Term) -> Kind {
        let (a, b) = (self.kind(a), self.kind(b));
        let names = (a | b) & NAME != 0;
        match (op, self.of) {
            (Op::Eq, Of::Objects) => {
                self.bad |= names && (a | b) & NUMBER != 0;
                NUMBER
            }
            (Op::Eq, Of::Threads) => {
                self.bad |= names && (a | b) & (NUMBER | ADDRESS) != 0;
                NUMBER
            }
            (Op::Add | Op::Sub, Of::Objects) => {
                let (left, right) = (a & (NAME | ADDRESS), b & (NAME | ADDRESS));
                match (left, right) {
                    (0, 0) => NUMBER,
                    (left, 0) => left | a & NUMBER,
                    (0, right) if op == Op::Add => right | b & NUMBER,
                    _ => {
                        self.bad |= names;
                        NUMBER
                    }
                }
            }
            _ => {
                self.bad |= names;
                NUMBER
            }
        }
    }
}
