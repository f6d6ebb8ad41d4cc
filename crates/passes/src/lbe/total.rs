//! Locations from which a thread can always go on.

use dataflow::Validity;
use expr::{Node, Op, Sort, Term, Terms};
use rustc_hash::FxHashMap;
use xcfa::{EdgeId, Label, LocId, Xcfa};

/// More different conditions than this are not combined.
const MOST_ATOMS: usize = 10;

/// Is there, in every state, an edge out of `loc` that can be taken to its end? Asked for
/// locations whose edges are all local.
pub(super) fn is_total(xcfa: &Xcfa, validity: &Validity, loc: LocId) -> bool {
    let guards: Vec<Term> = xcfa[loc]
        .out
        .iter()
        .filter_map(|&edge| sure_guard(xcfa, validity, edge))
        .collect();
    let unguarded = |&edge: &EdgeId| {
        !matches!(xcfa[edge].labels.first(), Some(Label::Assume(_)))
            && cannot_fail(xcfa, validity, edge, 0)
    };
    xcfa[loc].out.iter().any(unguarded) || cover_all(&xcfa.terms, &guards)
}

/// The condition at the start of an edge that can be taken whenever it holds.
fn sure_guard(xcfa: &Xcfa, validity: &Validity, edge: EdgeId) -> Option<Term> {
    match xcfa[edge].labels.first() {
        Some(&Label::Assume(cond)) if cannot_fail(xcfa, validity, edge, 1) => Some(cond),
        _ => None,
    }
}

/// Can all labels from `first` on always happen?
fn cannot_fail(xcfa: &Xcfa, validity: &Validity, edge: EdgeId, first: usize) -> bool {
    (first..xcfa[edge].labels.len()).all(|index| match &xcfa[edge].labels[index] {
        Label::Assign { .. } | Label::Havoc { .. } | Label::Alloc { .. } | Label::Dealloc(_) => {
            true
        }
        Label::Load { .. } | Label::Store { .. } => validity.is_valid(xcfa, edge, index),
        _ => false,
    })
}

/// Does one of the conditions hold for all values of their parts?
fn cover_all(terms: &Terms, conditions: &[Term]) -> bool {
    let mut atoms = FxHashMap::default();
    for &condition in conditions {
        collect(terms, condition, &mut atoms);
    }
    atoms.len() <= MOST_ATOMS
        && (0..1u32 << atoms.len()).all(|row| {
            conditions
                .iter()
                .any(|&cond| holds(terms, cond, &atoms, row))
        })
}

fn collect(terms: &Terms, term: Term, atoms: &mut FxHashMap<Term, usize>) {
    debug_assert_eq!(terms.sort(term), Sort::Bool);
    match terms.node(term) {
        Node::Const(..) => {}
        Node::Unary(Op::Not, a) => collect(terms, a, atoms),
        Node::Binary(Op::And | Op::Or, a, b) => {
            collect(terms, a, atoms);
            collect(terms, b, atoms);
        }
        _ => {
            let next = atoms.len();
            atoms.entry(term).or_insert(next);
        }
    }
}

fn holds(terms: &Terms, term: Term, atoms: &FxHashMap<Term, usize>, row: u32) -> bool {
    match terms.node(term) {
        Node::Const(_, bits) => bits != 0,
        Node::Unary(Op::Not, a) => !holds(terms, a, atoms, row),
        Node::Binary(Op::And, a, b) => holds(terms, a, atoms, row) && holds(terms, b, atoms, row),
        Node::Binary(Op::Or, a, b) => holds(terms, a, atoms, row) || holds(terms, b, atoms, row),
        _ => row >> atoms[&term] & 1 == 1,
    }
}
