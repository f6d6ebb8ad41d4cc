//! Which variables and addresses the value of a term is made from, and how far it is moved.
//!
//! Every way in which a pointer can survive arithmetic is a flow: a cast and a sum with a
//! constant keep the offset exact, anything else keeps the object and forgets the offset. The
//! outcome of a comparison carries no address: nobody rebuilds a pointer from single truth values.

use super::{Offset, Target};
use expr::{Node, ObjId, Op, Sort, Term, Terms, VarId};
use rustc_hash::FxHashMap;
use std::rc::Rc;

/// Where a value comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) enum Source {
    Var(VarId),
    Base(ObjId),
}

/// What happens to an address on its way.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) enum Shift {
    /// It moves by so many bytes.
    By(i64),
    /// Only its object is known afterwards.
    Anywhere,
}

impl Shift {
    pub(super) const NONE: Shift = Shift::By(0);

    fn then(self, by: Option<i64>) -> Shift {
        match (self, by) {
            (Shift::By(a), Some(b)) => Shift::By(a.wrapping_add(b)),
            _ => Shift::Anywhere,
        }
    }

    pub(super) fn apply(self, target: Target) -> Target {
        let offset = match (target.offset, self) {
            (Offset::At(at), Shift::By(by)) => Offset::At(at.wrapping_add(by)),
            _ => Offset::Any,
        };
        Target { offset, ..target }
    }
}

/// One way for an address to get into the value of a term.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct Flow {
    pub(super) source: Source,
    pub(super) shift: Shift,
}

/// Finds the flows of terms, each term once.
#[derive(Default)]
pub(super) struct Flows {
    pointer_bits: u32,
    done: FxHashMap<Term, Rc<[Flow]>>,
}

impl Flows {
    pub(super) fn new(pointer_bits: u32) -> Flows {
        Flows {
            pointer_bits,
            done: FxHashMap::default(),
        }
    }

    /// The flows into `term`, each once.
    pub(super) fn of(&mut self, terms: &Terms, term: Term) -> Rc<[Flow]> {
        if let Some(flows) = self.done.get(&term) {
            return flows.clone();
        }
        let mut flows = self.compute(terms, term);
        flows.sort_unstable();
        flows.dedup();
        let flows: Rc<[Flow]> = flows.into();
        self.done.insert(term, flows.clone());
        flows
    }

    fn compute(&mut self, terms: &Terms, term: Term) -> Vec<Flow> {
        if terms.sort(term) == Sort::Bool {
            return Vec::new();
        }
        match terms.node(term) {
            Node::Const(..) => Vec::new(),
            Node::Var(var, _) => vec![Flow {
                source: Source::Var(var),
                shift: Shift::NONE,
            }],
            Node::Base(obj, _) => vec![Flow {
                source: Source::Base(obj),
                shift: Shift::NONE,
            }],
            Node::Unary(op, a) => {
                let exact = match op {
                    Op::ZeroExt(_) | Op::SignExt(_) => true,
                    Op::Extract { hi, lo } => lo == 0 && hi + 1 >= self.pointer_bits,
                    _ => false,
                };
                self.moved(terms, a, exact.then_some(0))
            }
            Node::Binary(Op::Add, a, b) => {
                let mut flows = self.moved(terms, a, signed_constant(terms, b));
                flows.extend(self.moved(terms, b, signed_constant(terms, a)));
                flows
            }
            Node::Binary(_, a, b) => {
                let mut flows = self.moved(terms, a, None);
                flows.extend(self.moved(terms, b, None));
                flows
            }
            Node::Ite(_, a, b) => {
                let mut flows = self.moved(terms, a, Some(0));
                flows.extend(self.moved(terms, b, Some(0)));
                flows
            }
        }
    }

    fn moved(&mut self, terms: &Terms, term: Term, by: Option<i64>) -> Vec<Flow> {
        let flows = self.of(terms, term);
        flows
            .iter()
            .map(|flow| Flow {
                shift: flow.shift.then(by),
                ..*flow
            })
            .collect()
    }
}

fn signed_constant(terms: &Terms, term: Term) -> Option<i64> {
    let bits = terms.as_const(term)?;
    Some(expr::sign_extend(bits, terms.width(term)))
}
