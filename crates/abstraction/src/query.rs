//! Questions to a solver whose answers are kept.

use expr::{Term, Terms};
use rustc_hash::FxHashMap;
use smt::{Check, Solver};
use std::time::Duration;

/// A solver that has seen this many formulas is replaced by a new one.
const MOST_FORMULAS: usize = 200;

/// No question may take longer; what is not answered is taken as possible.
const PATIENCE: Duration = Duration::from_secs(2);

/// Combinations of values; none if there are too many.
type Cases = Option<Vec<Vec<u64>>>;

/// A solver and what it has answered.
pub struct Queries {
    solver: Solver,
    seen: usize,
    calls: u64,
    unanswered: u64,
    satisfiable: FxHashMap<Vec<Term>, bool>,
    cases: FxHashMap<(Vec<Term>, Vec<Term>), Cases>,
}

impl Default for Queries {
    fn default() -> Queries {
        Queries::new()
    }
}

impl Queries {
    /// Nothing asked yet.
    pub fn new() -> Queries {
        Queries {
            solver: new_solver(),
            seen: 0,
            calls: 0,
            unanswered: 0,
            satisfiable: FxHashMap::default(),
            cases: FxHashMap::default(),
        }
    }

    /// How many questions the solver has answered.
    pub fn calls(&self) -> u64 {
        self.calls
    }

    /// How many questions the solver gave up on.
    pub fn unanswered(&self) -> u64 {
        self.unanswered
    }

    /// Can all facts and the condition hold together? Yes, if in doubt.
    pub fn satisfiable(&mut self, terms: &Terms, mut facts: Vec<Term>, cond: Term) -> bool {
        match terms.as_const(cond) {
            Some(0) => return false,
            Some(_) if facts.is_empty() => return true,
            _ => {}
        }
        facts.push(cond);
        if let Some(&answer) = self.satisfiable.get(&facts) {
            return answer;
        }
        let answer = self.ask(terms, &facts) != Check::Unsat;
        self.satisfiable.insert(facts, answer);
        answer
    }

    fn ask(&mut self, terms: &Terms, facts: &[Term]) -> Check {
        self.seen += facts.len();
        if self.seen > MOST_FORMULAS {
            self.solver = new_solver();
            self.seen = 0;
        }
        self.calls += 1;
        let answer = self.solver.check(terms, facts);
        self.unanswered += u64::from(matches!(answer, Check::Unknown(_)));
        answer
    }

    /// The combinations of values that the asked terms can have where facts and condition hold;
    /// none if there are more than `most`, which must be the same for the same question.
    pub fn cases(
        &mut self,
        terms: &mut Terms,
        mut facts: Vec<Term>,
        cond: Term,
        asked: Vec<Term>,
        most: usize,
    ) -> Cases {
        facts.push(cond);
        let key = (facts, asked);
        if let Some(cases) = self.cases.get(&key) {
            return cases.clone();
        }
        let cases = self.enumerate(terms, &key.0, &key.1, most);
        self.cases.insert(key, cases.clone());
        cases
    }

    fn enumerate(
        &mut self,
        terms: &mut Terms,
        facts: &[Term],
        asked: &[Term],
        most: usize,
    ) -> Cases {
        let mut facts = facts.to_vec();
        let mut cases = Vec::new();
        loop {
            match self.ask(terms, &facts) {
                Check::Unsat => return Some(cases),
                Check::Unknown(_) => return None,
                Check::Sat if cases.len() == most => return None,
                Check::Sat => {}
            }
            let mut case = Vec::new();
            let mut same = terms.bool(true);
            for &term in asked {
                let value = self.solver.value(terms, term)?;
                let constant = terms.constant(terms.sort(term), value);
                let equal = terms.eq(term, constant);
                same = terms.and(same, equal);
                case.push(value);
            }
            cases.push(case);
            facts.push(terms.not(same));
        }
    }
}

fn new_solver() -> Solver {
    let mut solver = Solver::new();
    solver.set_timeout(Some(PATIENCE));
    solver
}
