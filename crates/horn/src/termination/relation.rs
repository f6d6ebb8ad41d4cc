//! Several rounds one after the other as one.

use super::rounds::Rounds;
use expr::{Node, Sort, Term, Terms, VarId};
use rustc_hash::FxHashMap;

/// What leads from a situation to another.
pub struct Relation {
    /// When, over the situation before and inputs.
    pub guard: Term,
    /// The parameters of the situation after, over those before.
    pub after: Vec<Term>,
}

impl Relation {
    /// Follows a way; every round has inputs of its own.
    pub fn along(terms: &mut Terms, rounds: &Rounds, way: &[usize]) -> Relation {
        let first = way.first().map(|&at| rounds.rounds[at].from);
        let mut relation = Relation {
            guard: terms.bool(true),
            after: first.map_or(Vec::new(), |node| rounds.params(node).to_vec()),
        };
        for &at in way {
            let round = &rounds.rounds[at];
            let mut with: FxHashMap<VarId, Term> = FxHashMap::default();
            for (&param, &value) in rounds.params(round.from).iter().zip(&relation.after) {
                with.extend(terms.as_var(param).map(|var| (var, value)));
            }
            for &term in round.after.iter().chain([&round.guard]) {
                for (var, sort) in variables(terms, term) {
                    with.entry(var).or_insert_with(|| rounds.fresh(terms, sort));
                }
            }
            let guard = terms.substitute(round.guard, &with);
            relation.guard = terms.and(relation.guard, guard);
            let after = round.after.iter();
            relation.after = after.map(|&value| terms.substitute(value, &with)).collect();
        }
        relation
    }

    /// A term over the situation after, as one over the situation before.
    pub fn later(&self, terms: &mut Terms, params: &[Term], term: Term) -> Term {
        let both = params.iter().zip(&self.after);
        let with: FxHashMap<VarId, Term> = both
            .filter_map(|(&param, &value)| Some((terms.as_var(param)?, value)))
            .collect();
        terms.substitute(term, &with)
    }
}

fn variables(terms: &Terms, term: Term) -> Vec<(VarId, Sort)> {
    let mut found = Vec::new();
    terms.for_each_subterm(term, &mut |_, node| {
        if let Node::Var(var, sort) = node {
            found.push((var, sort));
        }
    });
    found
}
