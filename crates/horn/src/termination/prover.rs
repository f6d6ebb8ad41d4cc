//! What is known to hold in each situation, and how more is proved.

use super::finite::{beside, counters, without};
use super::rounds::Rounds;
use expr::{Term, Terms};
use rustc_hash::FxHashSet;
use smt::horn::{
    Arithmetic, Enumerated, HornAnswer, HornSystem, PredId, Rule, derive, enumerate, is_solution,
    simple_invariants, solve_as,
};
use smt::{Check, Solver};
use std::time::Duration;
use verdict::Budget;

/// All facts are derived in this time, or not at all.
const LONGEST_ENUMERATION: Duration = Duration::from_secs(10);

/// Equalities and comparisons are searched for in this time, or not at all.
const LONGEST_SEARCH: Duration = Duration::from_secs(4);

/// No question to the plain solver takes longer.
const PATIENCE: Duration = Duration::from_secs(2);

/// What became of a question.
pub enum Found {
    /// It is so.
    Proved,
    /// The clauses by which it can be refuted, from the first to the last.
    Refuted(Vec<usize>),
    /// Nothing.
    Open,
}

/// What is known, and the solvers that find out more.
pub struct Prover<'a> {
    pub rounds: &'a Rounds,
    budget: &'a Budget,
    /// By predicate: what holds there, proved.
    known: Vec<Term>,
    solver: Solver,
    /// Clauses without a head that have been proved.
    proved: Vec<Rule>,
}

impl<'a> Prover<'a> {
    /// Knows whatever can be derived, if that is not much.
    pub fn new(
        terms: &mut Terms,
        asked: &[Rule],
        rounds: &'a Rounds,
        budget: &'a Budget,
    ) -> Prover<'a> {
        let mut solver = Solver::new();
        solver.set_timeout(Some(PATIENCE));
        let anything = terms.bool(true);
        let mut prover = Prover {
            rounds,
            budget,
            known: vec![anything; rounds.system.predicates().len()],
            solver,
            proved: Vec::new(),
        };
        prover.enumerate(terms, asked);
        prover
    }

    /// Derives all facts; if there are too many, all facts about what does not count; and if there
    /// are still too many, all facts about what will be asked first. What is not derived so is said by
    /// equalities and comparisons.
    fn enumerate(&mut self, terms: &mut Terms, asked: &[Rule]) {
        let counters = counters(terms, self.rounds);
        let has_counters = !counters.is_empty();
        let asked: Vec<Term> = asked.iter().map(|query| query.constraint).collect();
        let data = beside(terms, self.rounds, &asked);
        for left_out in [FxHashSet::default(), counters, data] {
            let system = without(terms, &self.rounds.system, &left_out);
            let limit = self.at_most(LONGEST_ENUMERATION);
            if let Some(Enumerated::Solution(facts)) = enumerate(terms, &system, limit) {
                self.known = facts;
                break;
            }
        }
        let limit = self.at_most(LONGEST_SEARCH);
        if has_counters && let Some(facts) = simple_invariants(terms, &self.rounds.system, limit) {
            for (known, fact) in self.known.iter_mut().zip(facts) {
                *known = terms.and(*known, fact);
            }
        }
    }

    /// No longer than this, and no longer than a quarter of the time that is left.
    pub fn at_most(&self, limit: Duration) -> Duration {
        let left = self.budget.remaining();
        left.map_or(limit, |left| limit.min(left / 4))
    }

    /// Is the time over?
    pub fn is_over(&self) -> bool {
        self.budget.exceeded(verdict::resident_bytes()).is_some()
    }

    /// What is known about a situation.
    pub fn known(&self, node: PredId) -> Term {
        self.known[node.index()]
    }

    /// By predicate: what is known.
    pub fn all_known(&self) -> &[Term] {
        &self.known
    }

    /// Can these not hold together? If the solver does not know, the answer is no.
    pub fn excludes(&mut self, terms: &Terms, parts: &[Term]) -> bool {
        if parts.iter().any(|&part| terms.as_const(part) == Some(0)) {
            return true;
        }
        self.solver.check(terms, parts) == Check::Unsat
    }

    /// Does a clause without a head follow from what is known?
    pub fn follows(&mut self, terms: &mut Terms, query: &Rule) -> bool {
        let mut parts = vec![query.constraint];
        for part in &query.body {
            let known = self.known[part.pred.index()];
            parts.push(self.rounds.system.instance(terms, part, known));
        }
        self.excludes(terms, &parts)
    }

    /// Do all these clauses hold? If so, whatever was needed for it is known from then on.
    pub fn prove(&mut self, terms: &mut Terms, queries: &[Rule], turn: Duration) -> Found {
        let mut open = Vec::new();
        for query in queries {
            if self.is_over() {
                return Found::Open;
            }
            if !self.follows(terms, query) {
                open.push(query.clone());
            }
        }
        if !open.is_empty() {
            let system = self.rounds.with(&open);
            match self.solve(terms, &system, turn) {
                Found::Proved => {}
                other => return other,
            }
        }
        self.proved.extend(queries.iter().cloned());
        Found::Proved
    }

    /// Asks for a solution, in one arithmetic after the other.
    fn solve(&mut self, terms: &mut Terms, system: &HornSystem, turn: Duration) -> Found {
        if let Some(Enumerated::Falsity {
            chain: Some(chain),
            certain: true,
        }) = enumerate(terms, system, self.at_most(turn * 2))
        {
            return Found::Refuted(chain);
        }
        match solution(terms, system, self.at_most(turn), self.at_most(turn * 4)) {
            Solved::Solution(solution) => {
                for (known, new) in self.known.iter_mut().zip(solution) {
                    *known = terms.and(*known, new);
                }
                Found::Proved
            }
            Solved::Refuted(chain) => Found::Refuted(chain),
            Solved::Open => Found::Open,
        }
    }

    /// Notes clauses that follow from what is known.
    pub fn note(&mut self, queries: impl IntoIterator<Item = Rule>) {
        self.proved.extend(queries);
    }

    /// Checks everything again, clause by clause: how many clauses there are, if they all hold.
    pub fn recheck(&self, terms: &mut Terms) -> Option<usize> {
        let system = self.rounds.with(&self.proved);
        let limit = self.budget.remaining();
        let holds = is_solution(terms, &system, &self.known, limit);
        holds.then(|| system.rules().len())
    }
}

/// What became of a system of clauses.
pub enum Solved {
    /// It has this solution, which has been checked.
    Solution(Vec<Term>),
    /// Falsity is derived by these clauses.
    Refuted(Vec<usize>),
    Open,
}

/// Looks for a solution, each arithmetic having a turn.
pub fn solution(
    terms: &mut Terms,
    system: &HornSystem,
    turn: Duration,
    for_derivation: Duration,
) -> Solved {
    for arithmetic in [Arithmetic::Ideal, Arithmetic::Wrapped, Arithmetic::Bits] {
        match solve_as(terms, system, arithmetic, Some(turn)) {
            HornAnswer::Solution(solution) => return Solved::Solution(solution),
            HornAnswer::Refuted(Some(chain)) => return Solved::Refuted(chain),
            HornAnswer::Refuted(None) => {
                if let Some(chain) = derive(terms, system, for_derivation) {
                    return Solved::Refuted(chain);
                }
            }
            HornAnswer::Unknown(_) => {}
        }
    }
    Solved::Open
}
