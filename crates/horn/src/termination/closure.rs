//! A disjunctive argument: whatever leads from a situation back to it makes one of several terms
//! smaller (Popeea and Rybalchenko, "Compositional Termination Proofs for Multi-Threaded
//! Programs", TACAS 2012).
//!
//! The values of the terms at an earlier visit are remembered, and the clauses say with what one
//! can come back. If in every case one of the terms is smaller, no execution comes back for ever:
//! of infinitely many visits, infinitely many would pairwise be smaller by the same term, which
//! has only finitely many values. A term is added for every way back that no term covers.

use super::candidates::{Rank, candidates};
use super::prover::{Prover, Solved, solution};
use super::ranking::{Component, cyclic};
use super::relation::Relation;
use super::rounds::Round;
use super::synthesis::{Change, linear};
use expr::{Sort, Term, Terms, VarId};
use rustc_hash::FxHashMap;
use smt::horn::{Application, Enumerated, HornSystem, PredId, Rule, enumerate};
use std::time::Duration;

/// This many terms are enough, or it is given up.
const MOST_TERMS: usize = 6;

/// What became of a component.
pub enum Closure {
    /// No execution stays in it for ever; how many clauses say so.
    Closed(usize),
    /// Undecided.
    Open,
}

/// Tries a component.
pub fn close(
    terms: &mut Terms,
    prover: &mut Prover<'_>,
    component: &Component,
    turn: Duration,
) -> Closure {
    let rounds = prover.rounds;
    let mut work = vec![component.clone()];
    let mut clauses = 0;
    while let Some(component) = work.pop() {
        let node = busiest(
            &component
                .iter()
                .map(|&at| &rounds.rounds[at])
                .collect::<Vec<_>>(),
        );
        // What is known may be enough; otherwise it is asked what can be reached at all.
        let mut attempt = |from_start| {
            let mut visit = Visit {
                prover: &mut *prover,
                node,
                component: &component,
                ranks: Vec::new(),
                from_start,
            };
            visit.run(terms, turn)
        };
        match attempt(false) {
            Closure::Closed(more) => clauses += more,
            Closure::Open => match attempt(true) {
                Closure::Closed(more) => clauses += more,
                Closure::Open => return Closure::Open,
            },
        }
        let elsewhere = component.iter().copied().filter(|&at| {
            let round = &rounds.rounds[at];
            round.from != node && round.to != node
        });
        work.extend(cyclic(rounds, &elsewhere.collect::<Vec<_>>()));
    }
    Closure::Closed(clauses)
}

/// The situation that most rounds touch.
fn busiest(members: &[&Round]) -> PredId {
    let mut counts: FxHashMap<PredId, usize> = FxHashMap::default();
    for round in members {
        *counts.entry(round.from).or_default() += 1;
        *counts.entry(round.to).or_default() += 1;
    }
    let most = counts
        .into_iter()
        .max_by_key(|&(node, count)| (count, node));
    most.expect("a component has rounds").0
}

struct Visit<'p, 'a> {
    prover: &'p mut Prover<'a>,
    /// The situation whose visits are compared.
    node: PredId,
    component: &'p Component,
    ranks: Vec<Rank>,
    /// Do the clauses say what can be reached, or is what is known taken for it?
    from_start: bool,
}

/// Clauses, and the rounds that those behind the first ones stand for.
struct Clauses {
    system: HornSystem,
    first: usize,
    rounds: Vec<usize>,
}

impl Visit<'_, '_> {
    fn run(&mut self, terms: &mut Terms, turn: Duration) -> Closure {
        let rounds = self.prover.rounds;
        let members: Vec<&Round> = self
            .component
            .iter()
            .map(|&at| &rounds.rounds[at])
            .collect();
        let pool = candidates(terms, rounds, &members);
        while !self.prover.is_over() {
            let clauses = self.clauses(terms);
            let way = match self.solve(terms, &clauses.system, turn) {
                Solved::Solution(_) => return Closure::Closed(clauses.system.rules().len()),
                Solved::Refuted(chain) => chain,
                Solved::Open => return Closure::Open,
            };
            let way = way.into_iter().filter(|&rule| rule >= clauses.first);
            let way = way.filter_map(|rule| clauses.rounds.get(rule - clauses.first));
            let way: Component = way.copied().collect();
            // Of several visits along the way, the last two are the ones that are compared, or any.
            match self.covering(terms, &pool, &way) {
                Some(rank) if self.ranks.len() < MOST_TERMS => self.ranks.push(rank),
                _ => return Closure::Open,
            }
        }
        Closure::Open
    }

    fn solve(&self, terms: &mut Terms, system: &HornSystem, turn: Duration) -> Solved {
        match enumerate(terms, system, self.prover.at_most(turn)) {
            Some(Enumerated::Solution(solution)) => return Solved::Solution(solution),
            Some(Enumerated::Falsity {
                chain: Some(chain),
                certain: true,
            }) => return Solved::Refuted(chain),
            _ => {}
        }
        solution(
            terms,
            system,
            self.prover.at_most(turn),
            self.prover.at_most(turn * 4),
        )
    }

    /// A new term that becomes smaller along a way.
    fn covering(&mut self, terms: &mut Terms, pool: &[Rank], way: &[usize]) -> Option<Rank> {
        let rounds = self.prover.rounds;
        let relation = Relation::along(terms, rounds, way);
        let known = self.prover.known(self.node);
        for &rank in pool {
            if self.ranks.contains(&rank) || !rounds.knows(terms, self.node, rank.term) {
                continue;
            }
            let after = relation.later(terms, rounds.params(self.node), rank.term);
            let smaller = rank.less(terms, after, rank.term);
            let not = terms.not(smaller);
            if self.prover.excludes(terms, &[known, relation.guard, not]) {
                return Some(rank);
            }
        }
        let params = rounds.params(self.node).iter();
        let vars = params.filter_map(|&param| Some((terms.as_var(param)?, terms.sort(param))));
        let vars: Vec<(VarId, Sort)> = vars.collect();
        let change = Change {
            guard: terms.and(known, relation.guard),
            after: relation.after,
        };
        let rank = linear(terms, &vars, &[change])?;
        (!self.ranks.contains(&rank)).then_some(rank)
    }

    fn clauses(&self, terms: &mut Terms) -> Clauses {
        let rounds = self.prover.rounds;
        let system = match self.from_start {
            true => rounds.system.clone(),
            false => HornSystem::new(),
        };
        let mut clauses = Clauses {
            first: system.rules().len(),
            system,
            rounds: Vec::new(),
        };
        let remembered: Vec<Term> = self.remembered(terms);
        let mut preds: FxHashMap<PredId, PredId> = FxHashMap::default();
        for &at in self.component {
            let round = &rounds.rounds[at];
            for node in [round.from, round.to] {
                preds.entry(node).or_insert_with(|| {
                    let params = [&remembered[..], rounds.params(node)].concat();
                    clauses.system.predicate("since", params)
                });
            }
        }
        for &at in self.component {
            let round = &rounds.rounds[at];
            let to = preds[&round.to];
            let since = Application::new(
                preds[&round.from],
                [&remembered[..], rounds.params(round.from)].concat(),
            );
            let args = [&remembered[..], &round.after[..]].concat();
            let known = self.prover.known(round.from);
            let guard = terms.and(known, round.guard);
            clauses.add(at, vec![since], guard, Application { pred: to, args });
            if round.from == self.node {
                let now: Vec<Term> = self.ranks.iter().map(|rank| rank.term).collect();
                let args = [&now[..], &round.after[..]].concat();
                let here = self.from_start.then(|| rounds.here(self.node));
                let here = here.into_iter().collect();
                clauses.add(at, here, guard, Application { pred: to, args });
            }
        }
        let mut constraint = terms.bool(true);
        for (rank, &before) in self.ranks.iter().zip(&remembered) {
            let smaller = rank.less(terms, rank.term, before);
            let not = terms.not(smaller);
            constraint = terms.and(constraint, not);
        }
        let back = Application::new(
            preds[&self.node],
            [&remembered[..], rounds.params(self.node)].concat(),
        );
        clauses.system.rule(Rule::new(vec![back], constraint, None));
        clauses
    }

    /// Variables for the values of the terms at an earlier visit.
    fn remembered(&self, terms: &mut Terms) -> Vec<Term> {
        let ranks = self.ranks.iter();
        let sorts: Vec<Sort> = ranks.map(|rank| terms.sort(rank.term)).collect();
        sorts
            .into_iter()
            .map(|sort| self.prover.rounds.fresh(terms, sort))
            .collect()
    }
}

impl Clauses {
    fn add(&mut self, round: usize, body: Vec<Application>, constraint: Term, head: Application) {
        self.system.rule(Rule::new(body, constraint, Some(head)));
        self.rounds.push(round);
    }
}
