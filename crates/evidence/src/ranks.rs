//! Checks an argument that every fair execution comes to an end.
//!
//! The evidence says what holds in every combination of locations (a *situation*), and lists terms
//! over the variables of the program. The steps are made here, from the program's actions, without
//! any reduction: a thread does one action at a time, and is alone while it is in an atomic section.
//! A plain solver is asked about each of them. What has to be shown:
//!
//! 1. the invariants hold at the start, and no step leads out of them;
//! 2. in no state of theirs do all threads wait for others;
//! 3. no fair execution goes round for ever. In every strongly connected part of the situations, some
//!    term becomes smaller in some steps and larger in none (terms are bit vectors, so that ends), or
//!    some thread could move all the time and never does. The same holds of what is left.
//!
//! Nothing in the evidence is trusted, and nothing is shared with the engine that searches for ranks
//! (`horn`) but the program as actions ([`abstraction::Program`]) and the solver.

mod invariants;
mod rounds;
mod steps;

use abstraction::Program;
use expr::{Portable, Sort, Term, Terms, VarId};
use invariants::Invariants;
use rounds::Rounds;
use rustc_hash::FxHashMap;
use serde::Deserialize;
use serde_json::Value;
use smt::{Check, Solver, on_worker};
use steps::Steps;

pub(crate) use steps::sections;
use verdict::{Budget, Objection, Reason, Task};
use xcfa::LocId;

/// No evidence of ours unrolls loops more often.
const MOST_ROUNDS: u32 = 64;

/// What is written down.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Certificate {
    /// How often loops that start threads are unrolled.
    rounds: u32,
    situations: Vec<Claimed>,
    ranks: Vec<ClaimedRank>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Claimed {
    /// By thread: where it is, if it has been started.
    places: Vec<Option<u32>>,
    /// What holds then, over the variables of the program.
    invariant: Portable,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct ClaimedRank {
    term: Portable,
    signed: bool,
}

/// Where the threads are.
type Places = Vec<Option<LocId>>;

/// A term that becomes smaller.
#[derive(Clone, Copy, Debug)]
struct Rank {
    term: Term,
    signed: bool,
}

/// Does the certificate show that every fair execution ends?
pub fn recheck(task: &Task, certificate: &Value, budget: &Budget) -> Result<(), Objection> {
    let over = || budget.exceeded(0).is_some();
    let checked = on_worker(over, || recheck_here(task, certificate, budget));
    checked.unwrap_or_else(|| Err(Reason::NotProved("the check failed".into()).into()))
}

fn recheck_here(task: &Task, certificate: &Value, budget: &Budget) -> Result<(), Objection> {
    let certificate = Certificate::deserialize(certificate).map_err(|error| error.to_string())?;
    if !(1..=MOST_ROUNDS).contains(&certificate.rounds) {
        return Err("loops cannot be unrolled so often".into());
    }
    let program = Program::waiting(&task.xcfa, certificate.rounds);
    let (program, mut terms) = program.map_err(|refused| Reason::unsupported(refused.what))?;
    let claimed = certificate.situations.iter();
    let claimed: Option<Vec<(Places, Term)>> = claimed
        .map(|claimed| claimed.read(&program, &mut terms))
        .collect();
    let claimed = claimed.ok_or("the invariants do not fit the program")?;
    let ranks = certificate.ranks.iter();
    let ranks: Option<Vec<Rank>> = ranks.map(|rank| rank.read(&program, &mut terms)).collect();
    let ranks = ranks.ok_or("the ranks do not fit the program")?;
    let stops = claimed.iter().flat_map(|(places, _)| places).flatten();
    let steps = Steps::of(&program, &mut terms, stops.copied())?;
    let mut oracle = Oracle { budget };
    let mut invariants = Invariants::new(&program, &steps, claimed)?;
    let edges = invariants.check(&mut terms, &mut oracle)?;
    let mut rounds = Rounds::new(&invariants, &ranks, edges);
    rounds.check(&mut terms, &mut oracle)
}

impl Claimed {
    fn read(&self, program: &Program, terms: &mut Terms) -> Option<(Places, Term)> {
        let there = |&place: &Option<u32>| match place {
            Some(loc) if loc as usize >= program.locations() => None,
            place => Some(place.map(LocId)),
        };
        let places: Option<Places> = self.places.iter().map(there).collect();
        let invariant = read(&self.invariant, program, terms)?;
        let fits = self.places.len() == program.threads.len();
        (fits && terms.sort(invariant) == Sort::Bool).then_some((places?, invariant))
    }
}

impl ClaimedRank {
    fn read(&self, program: &Program, terms: &mut Terms) -> Option<Rank> {
        let term = read(&self.term, program, terms)?;
        let signed = self.signed;
        matches!(terms.sort(term), Sort::Bv(_)).then_some(Rank { term, signed })
    }
}

/// A term over the state of the program; inputs are no part of that.
fn read(term: &Portable, program: &Program, terms: &mut Terms) -> Option<Term> {
    match read_all(term, program, terms)?[..] {
        [term] => Some(term),
        _ => None,
    }
}

/// Conditions over the state of the program.
pub(crate) fn read_facts(
    facts: &Portable,
    program: &Program,
    terms: &mut Terms,
) -> Option<Vec<Term>> {
    let facts = read_all(facts, program, terms)?;
    let mut sorts = facts.iter().map(|&fact| terms.sort(fact));
    sorts.all(|sort| sort == Sort::Bool).then_some(facts)
}

fn read_all(written: &Portable, program: &Program, terms: &mut Terms) -> Option<Vec<Term>> {
    let sort_of = |var: VarId| {
        let about = program.vars.get(var.0 as usize)?;
        let state = !about.input && program.spurious != Some(var);
        state.then_some(about.sort)
    };
    written.build(terms, sort_of)
}

/// A plain solver, a new one for each question.
pub(crate) struct Oracle<'a> {
    pub(crate) budget: &'a Budget,
}

impl Oracle<'_> {
    /// Can these not all hold together?
    pub(crate) fn exclude(&mut self, terms: &Terms, parts: &[Term]) -> Result<bool, Objection> {
        if parts.iter().any(|&part| terms.as_const(part) == Some(0)) {
            return Ok(true);
        }
        if let Some(reason) = self.budget.exceeded(verdict::resident_bytes()) {
            return Err(reason.into());
        }
        let mut solver = Solver::new();
        for &part in parts {
            solver.assert(terms, part);
        }
        solver.set_timeout(self.budget.remaining());
        match solver.check(terms, &[]) {
            Check::Unsat => Ok(true),
            Check::Sat => Ok(false),
            Check::Unknown(why) => {
                Err(Reason::Inconclusive(format!("the solver says {why}")).into())
            }
        }
    }
}

/// A condition without spurious wake-ups.
fn quiet(program: &Program, terms: &mut Terms, term: Term) -> Term {
    let Some(var) = program.spurious else {
        return term;
    };
    let never = terms.bool(false);
    terms.substitute(term, &FxHashMap::from_iter([(var, never)]))
}
