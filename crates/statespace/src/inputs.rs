//! Which values an input is tried with.

use crate::texts::texts;
use expr::{Node, Op, Sort, Terms};
use rustc_hash::FxHashSet;
use semantics::Choice;
use std::collections::BTreeSet;
use xcfa::Xcfa;

/// At most this many values a question, so that exploration stays a search and not a flood.
const MOST_VALUES: usize = 6;

/// Values for inputs, by what the program compares with.
pub struct Inputs {
    /// Constants that comparisons of the program mention, with their width.
    constants: Vec<(u32, u64)>,
    /// Texts for arguments of `main`, each as the number that its characters make.
    texts: Vec<u64>,
    /// Inputs that were not tried with all their values.
    not_covered: BTreeSet<String>,
    values: Vec<u64>,
}

impl Inputs {
    /// For a program.
    pub fn new(xcfa: &Xcfa) -> Inputs {
        let constants = compared_constants(xcfa);
        Inputs {
            texts: texts(xcfa, &constants),
            constants,
            not_covered: BTreeSet::new(),
            values: Vec::new(),
        }
    }

    /// The answers to try for a question.
    pub fn values(&mut self, choice: Choice<'_>) -> &[u64] {
        self.values.clear();
        match choice {
            Choice::Waiter(count) | Choice::Address(count) => self.values.extend(0..count as u64),
            Choice::Value(Sort::Bool, _) => self.values.extend([0, 1]),
            Choice::Value(sort, origin) => {
                self.not_covered.insert(origin.to_string());
                match origin.is_argument() {
                    true => self.values.extend(&self.texts),
                    false => self.some_values(sort),
                }
            }
        }
        &self.values
    }

    fn some_values(&mut self, sort: Sort) {
        let wanted = self
            .constants
            .iter()
            .filter(|(width, _)| *width == sort.width());
        let candidates = [0, 1].into_iter().chain(wanted.map(|&(_, bits)| bits));
        let last = [sort.mask(), sort.mask() >> 1];
        for bits in candidates.chain(last) {
            if self.values.len() < MOST_VALUES && !self.values.contains(&bits) {
                self.values.push(bits);
            }
        }
    }

    /// The inputs that were tried with some of their values only.
    pub fn not_covered(&self) -> Vec<String> {
        self.not_covered.iter().cloned().collect()
    }
}

/// Constants on one side of a comparison, small ones first.
fn compared_constants(xcfa: &Xcfa) -> Vec<(u32, u64)> {
    let mut found = FxHashSet::default();
    for term in xcfa
        .edges
        .iter()
        .flat_map(|edge| &edge.labels)
        .flat_map(xcfa::Label::terms)
    {
        xcfa.terms
            .for_each_subterm(term, &mut |_, node| note(&xcfa.terms, node, &mut found));
    }
    let mut constants: Vec<_> = found.into_iter().collect();
    constants.sort_unstable_by_key(|&(width, bits)| (bits, width));
    constants
}

fn note(terms: &Terms, node: Node, found: &mut FxHashSet<(u32, u64)>) {
    let Node::Binary(Op::Eq | Op::Slt | Op::Sle | Op::Ult | Op::Ule, a, b) = node else {
        return;
    };
    for (side, other) in [(a, b), (b, a)] {
        if let Some(bits) = terms.as_const(side)
            && terms.as_const(other).is_none()
        {
            found.insert((terms.width(side), bits));
        }
    }
}
