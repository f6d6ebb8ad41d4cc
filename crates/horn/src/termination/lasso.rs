//! Rounds that lead back to the same state.

use super::prover::{Solved, solution};
use super::relation::Relation;
use super::rounds::Rounds;
use super::{Prover, ranking::Component};
use expr::Terms;
use smt::horn::{Enumerated, PredId, Rule, enumerate};
use std::time::{Duration, Instant};

/// No way round has more steps.
const LONGEST: usize = 12;

/// The search in a component takes at most this many turns.
const PATIENCE: u32 = 10;

/// At most this many ways are examined in one component.
const MOST_WAYS: usize = 400;

/// A way to a situation, as clauses, and from there back to the same state, as rounds.
pub struct Lasso {
    pub stem: Vec<usize>,
    pub way: Vec<usize>,
}

/// Shows all lassos of a component to `found` until it takes one.
pub fn lassos<T>(
    terms: &mut Terms,
    prover: &mut Prover<'_>,
    component: &Component,
    turn: Duration,
    mut found: impl FnMut(&mut Terms, Lasso) -> Option<T>,
) -> Option<T> {
    let end = Instant::now() + prover.at_most(turn * PATIENCE);
    for way in ways(prover.rounds, component) {
        if prover.is_over() || Instant::now() >= end {
            return None;
        }
        let Some(stem) = stem(terms, prover, &way, turn) else {
            continue;
        };
        let taken = found(terms, Lasso { stem, way });
        if taken.is_some() {
            return taken;
        }
    }
    None
}

/// Clauses that lead to a state from which the way leads back to it.
fn stem(
    terms: &mut Terms,
    prover: &mut Prover<'_>,
    way: &[usize],
    turn: Duration,
) -> Option<Vec<usize>> {
    let rounds = prover.rounds;
    let node = rounds.rounds[*way.first()?].from;
    let relation = Relation::along(terms, rounds, way);
    let mut constraint = relation.guard;
    for (&before, &after) in rounds.params(node).iter().zip(&relation.after) {
        let equal = terms.eq(before, after);
        constraint = terms.and(constraint, equal);
    }
    let query = Rule::new(vec![rounds.here(node)], constraint, None);
    if prover.follows(terms, &query) {
        return None;
    }
    let system = rounds.with(&[query]);
    let mut chain = match enumerate(terms, &system, prover.at_most(turn)) {
        Some(Enumerated::Falsity {
            chain: Some(chain), ..
        }) => chain,
        Some(Enumerated::Solution(_)) => return None,
        _ => match solution(
            terms,
            &system,
            prover.at_most(turn),
            prover.at_most(turn * 4),
        ) {
            Solved::Refuted(chain) => chain,
            _ => return None,
        },
    };
    chain.pop();
    Some(chain)
}

/// Cycles of a component, those of many threads first: in a fair one every enabled thread moves.
fn ways(rounds: &Rounds, component: &Component) -> Vec<Vec<usize>> {
    let mut found: Vec<Vec<usize>> = Vec::new();
    let mut starts: Vec<PredId> = component.iter().map(|&at| rounds.rounds[at].from).collect();
    starts.sort_unstable();
    starts.dedup();
    for longest in 1..=LONGEST {
        for &start in &starts {
            let mut search = Ways {
                rounds,
                component,
                start,
                longest,
                found: &mut found,
            };
            search.extend(&mut Vec::new());
            if found.len() >= MOST_WAYS {
                break;
            }
        }
    }
    let threads = |way: &Vec<usize>| {
        let mut threads: Vec<usize> = way.iter().map(|&at| rounds.rounds[at].thread).collect();
        threads.sort_unstable();
        threads.dedup();
        threads.len()
    };
    found.sort_by_key(|way| (usize::MAX - threads(way), way.len()));
    found
}

struct Ways<'a> {
    rounds: &'a Rounds,
    component: &'a Component,
    start: PredId,
    longest: usize,
    found: &'a mut Vec<Vec<usize>>,
}

impl Ways<'_> {
    /// Ways with exactly so many rounds that begin like this one.
    fn extend(&mut self, way: &mut Vec<usize>) {
        let here = way
            .last()
            .map_or(self.start, |&at| self.rounds.rounds[at].to);
        if way.len() == self.longest {
            if here == self.start {
                self.found.push(way.clone());
            }
            return;
        }
        for &at in self.component {
            let round = &self.rounds.rounds[at];
            if round.from == here && self.found.len() < MOST_WAYS {
                way.push(at);
                self.extend(way);
                way.pop();
            }
        }
    }
}
