//! Terms that may become smaller from round to round.

use super::rounds::{Round, Rounds};
use expr::{Node, Op, Sort, Term, Terms, VarId};
use rustc_hash::FxHashMap;

/// A term with an order. There are finitely many values, so nothing becomes smaller for ever.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Rank {
    pub term: Term,
    pub signed: bool,
}

impl Rank {
    /// That one value is smaller than another.
    pub fn less(self, terms: &mut Terms, a: Term, b: Term) -> Term {
        let op = if self.signed { Op::Slt } else { Op::Ult };
        terms.binary(op, a, b)
    }
}

/// Sums are examined if no more variables change.
const MOST_VARIABLES: usize = 8;

/// Sums are made with this many bits more than their parts have, so that they do not wrap.
const ROOM: u32 = 4;

/// The candidates for some rounds, the likely ones first.
pub fn candidates(terms: &mut Terms, rounds: &Rounds, among: &[&Round]) -> Vec<Rank> {
    let mut found = Vec::new();
    let mut atoms = Vec::new();
    for round in among {
        for part in terms.conjuncts(round.guard) {
            collect_comparisons(terms, part, &mut atoms);
        }
    }
    atoms.dedup();
    for (a, b) in atoms {
        compared(terms, a, b, &mut found);
    }
    let changed = changed(terms, rounds, among);
    for &(var, sort) in &changed {
        let var = terms.var(var, sort);
        single(terms, var, &mut found);
    }
    if changed.len() <= MOST_VARIABLES {
        sums(terms, &changed, &mut found);
    }
    let mut known = rustc_hash::FxHashSet::default();
    found.retain(|&rank| terms.as_const(rank.term).is_none() && known.insert(rank));
    found
}

/// Everything that is compared in a condition.
fn collect_comparisons(terms: &Terms, part: Term, atoms: &mut Vec<(Term, Term)>) {
    terms.for_each_subterm(part, &mut |_, node| {
        if let Node::Binary(Op::Ult | Op::Ule | Op::Slt | Op::Sle | Op::Eq, a, b) = node
            && matches!(terms.sort(a), Sort::Bv(_))
            && !atoms.contains(&(a, b))
        {
            atoms.push((a, b));
        }
    });
}

/// The distance between what is compared, both ways.
fn compared(terms: &mut Terms, a: Term, b: Term, found: &mut Vec<Rank>) {
    let fixed = |term| terms.as_const(term).is_some();
    match (fixed(a), fixed(b)) {
        (false, true) => single(terms, a, found),
        (true, false) => single(terms, b, found),
        _ => {
            for (a, b) in [(a, b), (b, a)] {
                let term = terms.binary(Op::Sub, b, a);
                let signed = false;
                found.push(Rank { term, signed });
            }
        }
    }
}

/// A value and its opposite, with both orders.
fn single(terms: &mut Terms, term: Term, found: &mut Vec<Rank>) {
    let term = match terms.sort(term) {
        Sort::Bool => terms.bool_to_bv(term, 1),
        Sort::Bv(_) => term,
        Sort::Float(_) => return,
    };
    // Not the negation: that of the smallest number is the smallest number.
    let opposite = terms.unary(Op::BitNot, term);
    for signed in [true, false] {
        for term in [term, opposite] {
            found.push(Rank { term, signed });
        }
    }
}

/// Variables that some of the rounds change.
pub fn changed(terms: &Terms, rounds: &Rounds, among: &[&Round]) -> Vec<(VarId, Sort)> {
    let mut found: FxHashMap<VarId, Sort> = FxHashMap::default();
    for round in among {
        for (&param, &value) in rounds.params(round.to).iter().zip(&round.after) {
            if let Some(var) = terms.as_var(param).filter(|_| param != value) {
                found.insert(var, terms.sort(param));
            }
        }
    }
    let mut found: Vec<(VarId, Sort)> = found.into_iter().collect();
    found.sort_unstable_by_key(|&(var, _)| var);
    found
}

/// Sums and differences of two variables.
fn sums(terms: &mut Terms, vars: &[(VarId, Sort)], found: &mut Vec<Rank>) {
    let numbers = vars.iter().filter(|(_, sort)| matches!(sort, Sort::Bv(_)));
    let numbers: Vec<&(VarId, Sort)> = numbers.collect();
    let Some(width) = numbers.iter().map(|(_, sort)| sort.width()).max() else {
        return;
    };
    let width = (width + ROOM).min(64);
    let wide: Vec<Term> = numbers
        .iter()
        .map(|&&(var, sort)| {
            let term = terms.var(var, sort);
            terms.resize(term, width, true)
        })
        .collect();
    for (at, &a) in wide.iter().enumerate() {
        for &b in &wide[at + 1..] {
            let (sum, difference) = (terms.add(a, b), terms.binary(Op::Sub, a, b));
            for term in [sum, difference] {
                let opposite = terms.unary(Op::BitNot, term);
                found.extend([term, opposite].map(|term| Rank { term, signed: true }));
            }
        }
    }
}
