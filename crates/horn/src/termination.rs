//! RuleTermination (Figure 3 of paper 2): every fair execution comes to an end.
//!
//! There are two ways not to: to wait for ever, and to go round for ever. [`stuck`] says in which
//! states some thread waits for ever, and that none of them can be reached is a question about
//! invariants. Rounds are ranked ([`ranking`], [`closure`]). The invariants are those of all
//! threads together. Why this is sound is written in docs/engines/horn.md.

mod candidates;
mod certificate;
mod closure;
mod fair;
mod finite;
mod lasso;
mod prover;
mod ranking;
mod relation;
mod rounds;
mod stuck;
mod synthesis;

use crate::Config;
use crate::blocks::Blocks;
use crate::control::Control;
use crate::counterexample::endless_execution;
use crate::rule::Builder;
use crate::sets::sets;
use crate::shown::{Invariant, invariants};
use crate::steps::{Step, Steps};
use crate::variables::Variables;
use abstraction::Program;
use candidates::{Rank, candidates};
use certificate::portable;
pub use certificate::{Certificate, PortableRank};
use closure::{Closure, close};
use expr::{Term, Terms, VarId};
use fair::is_unfair;
use prover::{Found, Prover};
use ranking::{Component, Ranking, cyclic};
use rounds::{Round, Rounds};
use smt::horn::{PredId, Rule};
use std::time::Duration;
use stuck::Waiting;
use verdict::{Budget, Reason, Stats, Task, Trace};
use xcfa::ErrorKind;

/// How long solvers are asked; each time after all else has failed.
const TURNS: [Duration; 6] = [
    Duration::ZERO,
    Duration::from_millis(100),
    Duration::from_millis(500),
    Duration::from_secs(2),
    Duration::from_secs(10),
    Duration::from_secs(60),
];

/// For others, ranks are searched for no longer than this at a time.
const LONGEST_RANKING: Duration = Duration::from_secs(2);

/// Terms for a component that has no rank yet; others try them in other ways.
const MOST_CANDIDATES: usize = 16;

/// What the attempt at one program came to.
pub enum TerminationResult {
    /// Every fair execution ends.
    Ends(Ending),
    /// Invariants, and terms that may be enough to rank all rounds: that is for others to see.
    Ranked(Certificate),
    /// One does not.
    Endless(Trace),
    /// Undecided, and why.
    Open(Reason),
}

/// Why every fair execution ends.
pub struct Ending {
    /// How many clauses say so.
    pub clauses: usize,
    /// What holds where.
    pub invariants: Vec<Invariant>,
    /// What becomes smaller, over the variables of the program.
    pub ranks: Vec<PortableRank>,
}

/// One program, as the rule sees it.
pub struct Termination<'a> {
    pub task: &'a Task,
    pub config: &'a Config,
    pub budget: &'a Budget,
    pub program: &'a Program,
    pub blocks: &'a Blocks,
    pub steps: &'a Steps,
    pub stats: &'a mut Stats,
    /// Are only invariants and ranks wanted, for others to check?
    pub ranks_only: bool,
}

impl<'a> Termination<'a> {
    /// Does every fair execution end?
    pub fn run(&mut self, terms: &mut Terms) -> TerminationResult {
        let all = sets(self.program, self.program.threads.len());
        let control = Control {
            program: self.program,
            blocks: self.blocks,
            steps: self.steps,
            sets: &all,
        };
        let variables = Variables::of(self.program, terms, &self.steps.steps);
        let built = Builder::new(control, terms, variables, ErrorKind::Unwound).build();
        let (safety, mut variables) = match built {
            Ok(built) => built,
            Err(why) => return TerminationResult::Open(Reason::Inconclusive(why)),
        };
        let situations = safety.invariants.clone();
        let preds: Vec<PredId> = situations.iter().map(|&(_, pred)| pred).collect();
        let steps = self.steps;
        let thread_of = |step: usize| steps.steps[step].thread;
        let (spurious, free) = (self.program.spurious, variables.free());
        let rounds = Rounds::of(terms, safety, thread_of, spurious, free);
        let mut waiting = Waiting::new(self.program, self.blocks, self.steps, &mut variables);
        let never_stuck = waiting.queries(terms, &rounds, &preds);
        if let Err(why) = self.dump(terms, &rounds, &never_stuck) {
            return TerminationResult::Open(Reason::Inconclusive(why));
        }
        let mut is_unfair = |terms: &mut Terms, members: &[&Round]| {
            is_unfair(terms, &mut waiting, &rounds, members)
        };
        let mut prover = Prover::new(terms, &never_stuck, &rounds, self.budget);
        self.stats
            .set("clauses", rounds.system.rules().len() as u64);
        self.stats.set("situations", preds.len() as u64);
        self.stats.set("rounds", rounds.rounds.len() as u64);
        if let Some(outcome) = self.never_reached(terms, &mut prover, &never_stuck) {
            return outcome;
        }
        let mut search = Rest {
            prover: &mut prover,
            is_unfair: &mut is_unfair,
            clauses: 0,
            ranks: Vec::new(),
            ranks_only: self.ranks_only,
        };
        let numbers: Vec<usize> = (0..rounds.rounds.len()).collect();
        let mut left = cyclic(&rounds, &numbers);
        self.stats.set("components", left.len() as u64);
        for turn in TURNS {
            left = search.rank(terms, left, turn);
            if left.is_empty() || search.prover.is_over() {
                break;
            }
            if self.ranks_only {
                match turn < LONGEST_RANKING {
                    true => continue,
                    false => break,
                }
            }
            for component in &left {
                let trace = self.endless(terms, search.prover, component, turn);
                if let Some(trace) = trace {
                    return TerminationResult::Endless(trace);
                }
            }
        }
        let (clauses, mut ranks) = (search.clauses, search.ranks);
        if self.ranks_only {
            for component in &left {
                let members = component.iter().map(|&at| &rounds.rounds[at]);
                let more = candidates(terms, &rounds, &members.collect::<Vec<_>>());
                ranks.extend(more.into_iter().take(MOST_CANDIDATES));
            }
            return match prover.recheck(terms) {
                Some(_) => {
                    let known = prover.all_known();
                    TerminationResult::Ranked(Certificate::of(terms, &situations, known, &ranks))
                }
                None => TerminationResult::Open(Reason::OutOfTime),
            };
        }
        if !left.is_empty() {
            let why = "no reason was found why some rounds come to an end";
            return TerminationResult::Open(Reason::Inconclusive(why.into()));
        }
        match prover.recheck(terms) {
            Some(more) => {
                let known: Vec<Term> = prover.all_known().to_vec();
                let shown = invariants(self.program, terms, &variables, &situations, &all, &known);
                TerminationResult::Ends(Ending {
                    clauses: clauses + more,
                    invariants: shown,
                    ranks: portable(terms, &ranks),
                })
            }
            None => TerminationResult::Open(Reason::OutOfTime),
        }
    }

    /// Writes the clauses that say that no thread waits for ever, if they are wanted.
    fn dump(&self, terms: &Terms, rounds: &Rounds, queries: &[Rule]) -> Result<(), String> {
        let Some(path) = &self.config.dump else {
            return Ok(());
        };
        let text = rounds.with(queries).to_smtlib(terms)?;
        std::fs::write(path, text).map_err(|error| format!("{}: {error}", path.display()))
    }

    /// Proves that no thread waits for ever and that the unrolling is enough; nothing if that works.
    fn never_reached(
        &self,
        terms: &mut Terms,
        prover: &mut Prover<'_>,
        never_stuck: &[Rule],
    ) -> Option<TerminationResult> {
        for (queries, what) in [
            (never_stuck, "some thread may wait for ever"),
            (
                &prover.rounds.queries,
                "the program goes on beyond the unrolling",
            ),
        ] {
            let mut found = Found::Open;
            for turn in &TURNS[1..] {
                found = prover.prove(terms, queries, *turn);
                if !matches!(found, Found::Open) || prover.is_over() {
                    break;
                }
            }
            match found {
                Found::Proved => {}
                Found::Refuted(chain) => {
                    let chain = self.chain(prover.rounds, &chain);
                    let trace = self.execution(terms, &chain, None);
                    return Some(match trace {
                        Some(trace) => TerminationResult::Endless(trace),
                        None => TerminationResult::Open(Reason::Inconclusive(what.into())),
                    });
                }
                Found::Open => {
                    let why = format!("perhaps {what}");
                    return Some(TerminationResult::Open(Reason::Inconclusive(why)));
                }
            }
        }
        None
    }

    fn chain(&self, rounds: &Rounds, rules: &[usize]) -> Vec<&'a Step> {
        let steps = rules.iter().filter_map(|&rule| *rounds.steps.get(rule)?);
        steps.map(|step| &self.steps.steps[step]).collect()
    }

    /// The execution, if it can be replayed.
    fn execution(
        &self,
        terms: &mut Terms,
        chain: &[&Step],
        again: Option<(usize, &[VarId])>,
    ) -> Option<Trace> {
        let patience = self.budget.remaining().unwrap_or(TURNS[4]).min(TURNS[4]);
        endless_execution(self.program, terms, self.task, chain, again, patience)
    }

    /// An execution that goes round a component for ever.
    fn endless(
        &self,
        terms: &mut Terms,
        prover: &mut Prover<'_>,
        component: &Component,
        turn: Duration,
    ) -> Option<Trace> {
        let rounds = prover.rounds;
        let turn = turn.max(TURNS[1]);
        lasso::lassos(terms, prover, component, turn, |terms, lasso| {
            let mut chain = self.chain(rounds, &lasso.stem);
            let start = chain.len();
            let node = rounds.rounds[*lasso.way.first()?].from;
            let params = rounds.params(node).iter();
            let repeated: Vec<VarId> = params.filter_map(|&param| terms.as_var(param)).collect();
            let way = lasso.way.iter().map(|&at| rounds.rounds[at].step);
            chain.extend(way.map(|step| &self.steps.steps[step]));
            self.execution(terms, &chain, Some((start, &repeated)))
        })
    }
}

/// What is left to be shown about rounds.
struct Rest<'p, 'a> {
    prover: &'p mut Prover<'a>,
    is_unfair: &'p mut dyn FnMut(&mut Terms, &[&Round]) -> bool,
    /// Clauses of arguments of their own.
    clauses: usize,
    /// What becomes smaller.
    ranks: Vec<Rank>,
    ranks_only: bool,
}

impl Rest<'_, '_> {
    /// The components for which no argument was found.
    fn rank(&mut self, terms: &mut Terms, left: Vec<Component>, turn: Duration) -> Vec<Component> {
        let mut ranking = Ranking {
            prover: &mut *self.prover,
            is_unfair: &mut *self.is_unfair,
            found: &mut self.ranks,
        };
        let left = ranking.run(terms, left, turn);
        if self.ranks_only {
            return left;
        }
        let mut open = Vec::new();
        for component in left {
            match close(terms, self.prover, &component, turn.max(TURNS[2])) {
                Closure::Closed(clauses) => self.clauses += clauses,
                Closure::Open => open.push(component),
            }
        }
        open
    }
}
