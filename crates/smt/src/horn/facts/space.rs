//! What linear equalities are about: terms of one width over the parameters of a predicate.

use super::affine::Hull;
use crate::horn::Predicate;
use expr::{Op, Sort, Term, Terms, VarId};
use std::collections::BTreeSet;

/// At most this many coordinates: the work grows with their cube.
const MOST_COORDINATES: usize = 40;

/// Terms of one width over the parameters of a predicate.
pub struct Space {
    /// How many bits they have.
    pub width: u32,
    /// The terms.
    pub coordinates: Vec<Term>,
}

/// The spaces of a predicate: one for each width of its parameters. If it is known which numbers have no
/// sign, narrower ones take part in wider ones too: addresses are sums of both, and truth values are numbers.
pub fn spaces(
    terms: &mut Terms,
    predicate: &Predicate,
    naturals: Option<&BTreeSet<VarId>>,
) -> Vec<Space> {
    let widths = predicate.params.iter().map(|&param| terms.sort(param));
    let widths: BTreeSet<u32> = widths.map(Sort::width).collect();
    let mut spaces = Vec::new();
    for width in widths {
        let mut coordinates = Vec::new();
        for &param in &predicate.params {
            match (terms.sort(param), naturals) {
                (Sort::Bool, _) if width == 1 => coordinates.push(terms.bool_to_bv(param, 1)),
                (Sort::Bv(own), _) if own == width => coordinates.push(param),
                (Sort::Bv(32), Some(naturals)) if width == 64 => {
                    let natural = terms.as_var(param).is_some_and(|it| naturals.contains(&it));
                    coordinates.push(terms.resize(param, 64, !natural))
                }
                // Truth values of C: a sum may depend on whose turn it is.
                (Sort::Bv(8), Some(_)) if width == 32 => {
                    coordinates.push(terms.resize(param, 32, false))
                }
                _ => {}
            }
        }
        if coordinates.len() <= MOST_COORDINATES {
            spaces.push(Space { width, coordinates });
        }
    }
    spaces
}

impl Space {
    /// The equalities of a hull as formulas: those that a program may have, or all.
    pub fn equalities(&self, terms: &mut Terms, hull: &Hull, short_only: bool) -> Vec<Term> {
        let equations = hull.equations().iter();
        let wanted = equations.filter(|(factors, _)| !short_only || hull.is_short(factors));
        wanted
            .map(|(factors, constant)| equality(terms, self, factors, *constant))
            .collect()
    }
}

/// A sum that is constant; what has a negative factor stands on the other side.
fn equality(terms: &mut Terms, space: &Space, factors: &[u64], constant: u64) -> Term {
    let width = space.width;
    let half = 1u64 << (width - 1);
    let minus = |value: u64| value.wrapping_neg() & Sort::Bv(width).mask();
    let is_negative = |value: u64| width > 1 && value >= half;
    let mut sides = match is_negative(constant) {
        true => [terms.bv(width, minus(constant)), terms.bv(width, 0)],
        false => [terms.bv(width, 0), terms.bv(width, constant)],
    };
    for (&factor, &coordinate) in factors.iter().zip(&space.coordinates) {
        let (side, factor) = match is_negative(factor) {
            true => (1, minus(factor)),
            false => (0, factor),
        };
        if factor == 0 {
            continue;
        }
        let factor = terms.bv(width, factor);
        let product = terms.binary(Op::Mul, factor, coordinate);
        sides[side] = terms.add(sides[side], product);
    }
    terms.eq(sides[0], sides[1])
}
