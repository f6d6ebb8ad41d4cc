//! Indices of arrays: how a counter and the size of an element make a distance.
//!
//! A pointer must not leave its object, so the product of a counter and a size never comes near to
//! the size of the address space. An execution in which it does is undefined; the machine stops
//! there. Until then a product is a multiple of the size.

use crate::Xcfa;
use expr::{Node, Op, Term, Terms};

/// A counter times a constant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Scaled {
    /// The counter.
    pub counter: Term,
    /// The constant.
    pub factor: u64,
}

/// This many bits of a distance are left for sums of products.
const ROOM: u32 = 4;

impl Scaled {
    /// The two parts of a product.
    pub fn of(terms: &Terms, product: Term) -> Option<Scaled> {
        let (counter, factor) = match terms.node(product) {
            Node::Binary(Op::Mul, a, b) => match (terms.as_const(a), terms.as_const(b)) {
                (_, Some(factor)) => (a, factor),
                (Some(factor), None) => (b, factor),
                (None, None) => return None,
            },
            Node::Binary(Op::Shl, a, b) => {
                let places = terms.as_const(b).filter(|&places| places < 32)?;
                (a, 1 << places)
            }
            _ => return None,
        };
        (factor > 0).then_some(Scaled { counter, factor })
    }

    /// May the product wrap around, so that it is no multiple of the factor any more?
    pub fn may_wrap(self, terms: &Terms) -> bool {
        let width = terms.width(self.counter);
        let narrow = match terms.node(self.counter) {
            Node::Unary(Op::ZeroExt(_) | Op::SignExt(_), inner) => terms.width(inner),
            _ => width,
        };
        !self.factor.is_power_of_two() && narrow + bits(self.factor) + ROOM > width
    }

    /// Does it, if the counter has this value?
    pub fn wraps(self, terms: &Terms, counter: u64) -> bool {
        let width = terms.width(self.counter);
        let counter = expr::sign_extend(counter, width).unsigned_abs();
        let product = counter.checked_mul(self.factor);
        product.is_none_or(|product| bits(product) + ROOM > width)
    }
}

fn bits(number: u64) -> u32 {
    u64::BITS - number.leading_zeros()
}

impl Xcfa {
    /// The products that may wrap in the distance that a term adds to a pointer.
    pub fn wrapping_products(&self, term: Term) -> Vec<Term> {
        let mut found = Vec::new();
        if let Node::Binary(Op::Add | Op::Sub, a, b) = self.terms.node(term)
            && self.is_pointer(term)
        {
            for index in [a, b].into_iter().filter(|&part| !self.is_pointer(part)) {
                self.products_in(index, &mut found);
            }
        }
        found
    }

    fn products_in(&self, index: Term, found: &mut Vec<Term>) {
        match self.terms.node(index) {
            Node::Binary(Op::Add | Op::Sub, a, b) => {
                self.products_in(a, found);
                self.products_in(b, found);
            }
            Node::Unary(Op::Neg, a) => self.products_in(a, found),
            _ => {
                let scaled = Scaled::of(&self.terms, index);
                if scaled.is_some_and(|it| it.may_wrap(&self.terms)) {
                    found.push(index);
                }
            }
        }
    }
}
