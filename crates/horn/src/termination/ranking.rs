//! Lexicographic orders: what becomes smaller in some steps and larger in none (T1 to T4).

use super::candidates::{Rank, candidates, changed};
use super::prover::{Found, Prover};
use super::rounds::{Round, Rounds};
use super::synthesis::{Change, linear};
use dataflow::graph::components;
use expr::Terms;
use smt::horn::Rule;
use std::time::Duration;

/// The rounds of a component, by number.
pub type Component = Vec<usize>;

/// The components of some rounds that contain a cycle.
pub fn cyclic(rounds: &Rounds, among: &[usize]) -> Vec<Component> {
    let nodes = rounds.places.len();
    let mut successors = vec![Vec::new(); nodes];
    for &number in among {
        let round = &rounds.rounds[number];
        successors[round.from.index()].push(round.to.index());
    }
    let component = components(&successors);
    let mut found: Vec<Component> = vec![Vec::new(); nodes];
    for &number in among {
        let round = &rounds.rounds[number];
        let (from, to) = (component[round.from.index()], component[round.to.index()]);
        if from == to {
            found[from].push(number);
        }
    }
    found.retain(|rounds| !rounds.is_empty());
    found
}

/// Looks for orders.
pub struct Ranking<'p, 'a> {
    pub prover: &'p mut Prover<'a>,
    /// May a component be left out because no execution that stays there is fair?
    pub is_unfair: &'p mut dyn FnMut(&mut Terms, &[&Round]) -> bool,
    /// What became smaller.
    pub found: &'p mut Vec<Rank>,
}

impl Ranking<'_, '_> {
    /// The components that are left when all orders have been found that can be.
    pub fn run(
        &mut self,
        terms: &mut Terms,
        all: Vec<Component>,
        turn: Duration,
    ) -> Vec<Component> {
        let rounds = self.prover.rounds;
        let mut work = all;
        let mut left = Vec::new();
        while let Some(component) = work.pop() {
            let members: Vec<&Round> = component.iter().map(|&at| &rounds.rounds[at]).collect();
            if (self.is_unfair)(terms, &members) {
                continue;
            }
            match self.smaller(terms, &members, turn) {
                Some((rank, smaller)) => {
                    self.found.push(rank);
                    let rest = component.iter().enumerate();
                    let rest = rest.filter(|(at, _)| !smaller.contains(at));
                    let rest: Vec<usize> = rest.map(|(_, &number)| number).collect();
                    work.extend(cyclic(rounds, &rest));
                }
                None => left.push(component),
            }
        }
        left
    }

    /// Rounds of a component that make something smaller that no round of it makes larger.
    fn smaller(
        &mut self,
        terms: &mut Terms,
        members: &[&Round],
        turn: Duration,
    ) -> Option<(Rank, Vec<usize>)> {
        if let Some(rank) = self.synthesised(terms, members)
            && let Some(found) = self.ordered(terms, members, rank)
        {
            return Some((rank, found));
        }
        let all = candidates(terms, self.prover.rounds, members);
        for &rank in &all {
            let found = self.ordered(terms, members, rank);
            if found.is_some() || self.prover.is_over() {
                return found.map(|found| (rank, found));
            }
        }
        if turn.is_zero() {
            return None;
        }
        for &rank in &all {
            if self.prover.is_over() {
                return None;
            }
            let Some(changing) = self.changing(terms, members, rank) else {
                continue;
            };
            let strictly = changing.iter().map(|&at| (members[at], true));
            let queries = self.queries(terms, rank, strictly);
            if !queries.is_empty()
                && matches!(self.prover.prove(terms, &queries, turn), Found::Proved)
            {
                return Some((rank, changing));
            }
            let not_larger = changing.iter().map(|&at| (members[at], false));
            let queries = self.queries(terms, rank, not_larger);
            if matches!(self.prover.prove(terms, &queries, turn), Found::Proved)
                && let Some(found) = self.ordered(terms, members, rank)
            {
                return Some((rank, found));
            }
        }
        None
    }

    /// A sum of what all situations of the component know that no round makes larger and one smaller.
    fn synthesised(&self, terms: &mut Terms, members: &[&Round]) -> Option<Rank> {
        let rounds = self.prover.rounds;
        let mut vars = changed(terms, rounds, members);
        vars.retain(|&(var, sort)| {
            let var = terms.var(var, sort);
            let knows = |node| rounds.params(node).contains(&var);
            members
                .iter()
                .all(|round| knows(round.from) && knows(round.to))
        });
        let changes = members.iter().map(|round| {
            let known = self.prover.known(round.from);
            let after = vars.iter().map(|&(var, sort)| {
                let var = terms.var(var, sort);
                rounds.later(terms, round, var)
            });
            Change {
                after: after.collect(),
                guard: terms.and(known, round.guard),
            }
        });
        let changes: Vec<Change> = changes.collect();
        linear(terms, &vars, &changes)
    }

    /// The rounds that change the rank; nothing if it is not known everywhere.
    fn changing(&self, terms: &mut Terms, members: &[&Round], rank: Rank) -> Option<Vec<usize>> {
        let rounds = self.prover.rounds;
        let mut changing = Vec::new();
        for (at, round) in members.iter().enumerate() {
            if !rounds.knows(terms, round.from, rank.term)
                || !rounds.knows(terms, round.to, rank.term)
            {
                return None;
            }
            if rounds.later(terms, round, rank.term) != rank.term {
                changing.push(at);
            }
        }
        Some(changing)
    }

    /// With what is known: do no rounds make the rank larger, and which make it smaller?
    fn ordered(&mut self, terms: &mut Terms, members: &[&Round], rank: Rank) -> Option<Vec<usize>> {
        let changing = self.changing(terms, members, rank)?;
        let mut smaller = Vec::new();
        let mut needed = Vec::new();
        for at in changing {
            let strictly = self.query(terms, rank, members[at], true);
            if self.prover.follows(terms, &strictly) {
                smaller.push(at);
                needed.push(strictly);
                continue;
            }
            let not_larger = self.query(terms, rank, members[at], false);
            if !self.prover.follows(terms, &not_larger) {
                return None;
            }
            needed.push(not_larger);
        }
        if smaller.is_empty() {
            return None;
        }
        self.prover.note(needed);
        Some(smaller)
    }

    fn queries<'r>(
        &self,
        terms: &mut Terms,
        rank: Rank,
        about: impl Iterator<Item = (&'r Round, bool)>,
    ) -> Vec<Rule> {
        about
            .map(|(round, strictly)| self.query(terms, rank, round, strictly))
            .collect()
    }

    /// That a round makes the rank smaller, or at least not larger.
    fn query(&self, terms: &mut Terms, rank: Rank, round: &Round, strictly: bool) -> Rule {
        let rounds = self.prover.rounds;
        let after = rounds.later(terms, round, rank.term);
        let broken = match strictly {
            true => {
                let smaller = rank.less(terms, after, rank.term);
                terms.not(smaller)
            }
            false => rank.less(terms, rank.term, after),
        };
        Rule::new(
            vec![rounds.here(round.from)],
            terms.and(round.guard, broken),
            None,
        )
    }
}
