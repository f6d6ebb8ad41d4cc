//! Attempts at one program: how many threads an invariant is about, and how it is searched for.
//!
//! Which attempt succeeds is not known beforehand, and one that does not may run for ever. So all
//! get a turn, then all a turn of twice the time, and so on.

use crate::blocks::Blocks;
use crate::certificate::portable;
use crate::control::Control;
use crate::counterexample::execution;
use crate::external;
use crate::rule::{Builder, Safety};
use crate::sets::{sets, whole};
use crate::shown::{Invariant, invariants};
use crate::steps::{Step, Steps};
use crate::variables::{Member, Variables};
use crate::{Config, Index};
use abstraction::Program;
use expr::{Portable, Term, Terms};
use smt::horn::{Arithmetic, Enumerated, HornAnswer, derive, enumerate, solve_as, solve_simply};
use std::time::{Duration, Instant};
use verdict::{Budget, Reason, Stats, Task, Trace};
use xcfa::ErrorKind;

/// The first turn.
const FIRST_TURN: Duration = Duration::from_millis(500);

/// No turn is longer.
const LONGEST_TURN: Duration = Duration::from_secs(300);

/// All facts are derived in this time, or not at all.
const LONGEST_ENUMERATION: Duration = Duration::from_secs(20);

/// This many combinations of places are few.
const SMALL: usize = 500;

/// A proof, and how to show it.
pub struct Proved {
    pub index: usize,
    pub clauses: usize,
    pub invariants: Vec<Invariant>,
    /// A formula for each unknown of the clauses, over its parameters.
    pub solution: Vec<Portable>,
}

/// What the attempts came to.
pub enum AttemptResult {
    Proved(Proved),
    Execution(Trace),
    Open(Reason),
}

/// Everything that attempts at one program need.
pub struct Attempts<'a> {
    pub task: &'a Task,
    pub config: &'a Config,
    pub budget: &'a Budget,
    pub program: &'a Program,
    pub blocks: &'a Blocks,
    pub steps: &'a Steps,
    pub stats: &'a mut Stats,
}

/// Clauses for invariants about this many threads.
pub struct Clauses<'a> {
    index: usize,
    sets: Vec<Vec<Member>>,
    pub safety: Safety,
    variables: Variables<'a>,
}

/// How clauses are solved.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Manner {
    /// By deriving whatever can be derived.
    Enumerate,
    /// By equalities and comparisons, for each case of what takes few values.
    Simple,
    /// By Spacer.
    Solve(Arithmetic),
}

/// Clauses by number, and how they are solved.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Attempt {
    clauses: usize,
    manner: Manner,
}

/// What came of a turn.
enum Turn {
    Done(AttemptResult),
    /// A longer one may tell more.
    OutOfTime,
    /// Another one tells nothing else; why, if that matters in the end.
    Failed(Option<String>),
    /// The clauses have no solution.
    Refuted,
    /// They have none over unbounded integers. Wrap-around is rarely the reason, but an attempt
    /// with exact rules may still succeed.
    RefutedIdeally,
}

impl<'a> Attempts<'a> {
    /// Are the locations of this kind out of reach?
    pub fn run(&mut self, terms: &mut Terms, target: ErrorKind) -> AttemptResult {
        let mut open = String::from("the clauses have no solution");
        let mut all: Vec<Clauses<'a>> = Vec::new();
        for index in self.indices() {
            match self.clauses(terms, index, target) {
                Ok(clauses) => all.push(clauses),
                Err(why) => open = why,
            }
        }
        if let Some(command) = &self.config.solver {
            return self.by_command(terms, &all, command, open);
        }
        let solve = [Arithmetic::Ideal, Arithmetic::Wrapped, Arithmetic::Bits].map(Manner::Solve);
        let manners = [Manner::Enumerate, Manner::Simple].into_iter().chain(solve);
        let mut attempts: Vec<Attempt> = manners
            .flat_map(|manner| (0..all.len()).map(move |clauses| Attempt { clauses, manner }))
            .collect();
        let mut turn = FIRST_TURN;
        while !attempts.is_empty() {
            for attempt in attempts.clone() {
                if !attempts.contains(&attempt) {
                    continue;
                }
                if let Some(reason) = self.budget.exceeded(verdict::resident_bytes()) {
                    return AttemptResult::Open(reason);
                }
                match self.turn(terms, &all[attempt.clauses], attempt.manner, turn) {
                    Turn::Done(outcome) => return outcome,
                    Turn::OutOfTime => {}
                    Turn::Failed(why) => {
                        attempts.retain(|other| *other != attempt);
                        open = why.unwrap_or(open);
                    }
                    Turn::Refuted => attempts.retain(|other| other.clauses != attempt.clauses),
                    Turn::RefutedIdeally => attempts.retain(|other| {
                        let exact = other.manner == Manner::Solve(Arithmetic::Wrapped);
                        other.clauses != attempt.clauses || exact
                    }),
                }
            }
            turn = (turn * 2).min(LONGEST_TURN);
        }
        AttemptResult::Open(Reason::Inconclusive(open))
    }

    fn turn(
        &mut self,
        terms: &mut Terms,
        clauses: &Clauses<'a>,
        manner: Manner,
        turn: Duration,
    ) -> Turn {
        self.describe(clauses);
        let left = self.budget.remaining().unwrap_or(LONGEST_TURN);
        match manner {
            Manner::Enumerate => {
                // Where there is much to derive, twice the time is not twice as good.
                let rounds = (turn.as_millis() / FIRST_TURN.as_millis()) as u32;
                let limit = (turn * rounds).min(LONGEST_ENUMERATION).min(left);
                self.few_values(terms, clauses, limit)
            }
            Manner::Simple => self.simple(terms, clauses, turn.min(left)),
            Manner::Solve(arithmetic) => self.solve(terms, clauses, arithmetic, turn.min(left)),
        }
    }

    fn simple(&self, terms: &mut Terms, clauses: &Clauses<'a>, limit: Duration) -> Turn {
        let start = Instant::now();
        match solve_simply(terms, &clauses.safety.system, limit) {
            Some(solution) => Turn::Done(AttemptResult::Proved(
                self.proved(terms, clauses, &solution),
            )),
            None if start.elapsed() >= limit => Turn::OutOfTime,
            None => Turn::Failed(None),
        }
    }

    fn solve(
        &mut self,
        terms: &mut Terms,
        clauses: &Clauses<'a>,
        arithmetic: Arithmetic,
        limit: Duration,
    ) -> Turn {
        match solve_as(terms, &clauses.safety.system, arithmetic, Some(limit)) {
            HornAnswer::Solution(solution) => Turn::Done(AttemptResult::Proved(
                self.proved(terms, clauses, &solution),
            )),
            HornAnswer::Refuted(_) => {
                let left = self.budget.remaining().unwrap_or(LONGEST_TURN);
                match self.execution(terms, clauses, left) {
                    Some(trace) => Turn::Done(AttemptResult::Execution(trace)),
                    None if arithmetic == Arithmetic::Ideal => Turn::RefutedIdeally,
                    None => Turn::Refuted,
                }
            }
            answer if answer.is_out_of_time() => Turn::OutOfTime,
            HornAnswer::Unknown(why) => Turn::Failed(Some(why)),
        }
    }

    /// Asks the solver of the user about one number of threads after the other.
    fn by_command(
        &mut self,
        terms: &mut Terms,
        all: &[Clauses<'a>],
        command: &str,
        mut open: String,
    ) -> AttemptResult {
        for (at, clauses) in all.iter().enumerate() {
            self.describe(clauses);
            let left = self.budget.remaining().unwrap_or(LONGEST_TURN);
            let turn = left / (all.len() - at) as u32;
            match external::ask(
                terms,
                &clauses.safety.system,
                command,
                &self.budget.at_most(turn),
            ) {
                external::Answer::Solution(solution) => {
                    return AttemptResult::Proved(self.proved(terms, clauses, &solution));
                }
                external::Answer::NoSolution => {
                    open = format!("{command} says that the clauses have no solution");
                    let left = self.budget.remaining().unwrap_or(LONGEST_TURN);
                    if let Some(trace) = self.execution(terms, clauses, left) {
                        return AttemptResult::Execution(trace);
                    }
                }
                external::Answer::Nothing(why) => open = why,
            }
        }
        AttemptResult::Open(Reason::Inconclusive(open))
    }

    /// Derives whatever can be derived, if that is not much.
    fn few_values(&self, terms: &mut Terms, clauses: &Clauses<'a>, limit: Duration) -> Turn {
        let start = Instant::now();
        let (chain, certain) = match enumerate(terms, &clauses.safety.system, limit) {
            Some(Enumerated::Solution(solution)) => {
                return Turn::Done(AttemptResult::Proved(
                    self.proved(terms, clauses, &solution),
                ));
            }
            Some(Enumerated::Falsity { chain, certain }) => (chain, certain),
            None if start.elapsed() >= limit && limit < LONGEST_ENUMERATION => {
                return Turn::OutOfTime;
            }
            None => (None, false),
        };
        let left = self.budget.remaining().unwrap_or(LONGEST_TURN);
        let chain = chain.filter(|_| self.is_whole(clauses));
        let execution = chain.and_then(|chain| self.along(terms, clauses, chain, left));
        match execution {
            Some(trace) => Turn::Done(AttemptResult::Execution(trace)),
            None if certain => Turn::Refuted,
            None => Turn::Failed(None),
        }
    }

    /// How many threads invariants speak about.
    fn indices(&self) -> Vec<usize> {
        let all = whole(self.program);
        let most = all.unwrap_or(3);
        match self.config.index {
            Index::Threads(index) => vec![index.min(most)],
            Index::Auto => {
                let mut indices: Vec<usize> = (1..=most.min(3)).collect();
                if most > 3 {
                    indices[2] = most;
                }
                // Small programs are best taken as a whole.
                if all.is_some() && self.is_small(most) {
                    indices.rotate_right(1);
                }
                indices
            }
        }
    }

    fn control<'s>(&self, sets: &'s [Vec<Member>]) -> Control<'s>
    where
        'a: 's,
    {
        Control {
            program: self.program,
            blocks: self.blocks,
            steps: self.steps,
            sets,
        }
    }

    /// Are there few combinations of places of all threads?
    fn is_small(&self, all: usize) -> bool {
        let sets = sets(self.program, all);
        let situations = self.control(&sets).situations();
        situations.is_some_and(|situations| situations.len() <= SMALL)
    }

    /// What invariants about this many threads have to obey.
    pub fn clauses(
        &self,
        terms: &mut Terms,
        index: usize,
        target: ErrorKind,
    ) -> Result<Clauses<'a>, String> {
        let sets = sets(self.program, index);
        let variables = Variables::of(self.program, terms, &self.steps.steps);
        let control = self.control(&sets);
        let (safety, variables) = Builder::new(control, terms, variables, target).build()?;
        if let Some(path) = &self.config.dump {
            let text = safety.system.to_smtlib(terms)?;
            std::fs::write(path, text).map_err(|error| format!("{}: {error}", path.display()))?;
        }
        Ok(Clauses {
            index,
            sets,
            safety,
            variables,
        })
    }

    fn describe(&mut self, clauses: &Clauses<'_>) {
        let system = &clauses.safety.system;
        let (index, rules) = (clauses.index, system.rules().len());
        self.budget
            .tell(|| format!("{rules} clauses about {index} threads at a time"));
        self.stats.set("index", clauses.index as u64);
        self.stats.set("variables", clauses.variables.len() as u64);
        self.stats.set("clauses", system.rules().len() as u64);
        self.stats
            .set("predicates", system.predicates().len() as u64);
    }

    /// A solution as evidence, and as text.
    pub fn proved(&self, terms: &mut Terms, clauses: &Clauses<'_>, solution: &[Term]) -> Proved {
        let (safety, sets) = (&clauses.safety, &clauses.sets);
        let variables = &clauses.variables;
        Proved {
            index: clauses.index,
            clauses: safety.system.rules().len(),
            invariants: invariants(
                self.program,
                terms,
                variables,
                &safety.invariants,
                sets,
                solution,
            ),
            solution: portable(terms, &safety.system, solution),
        }
    }

    /// Is no thread left out? Only then is a derivation of falsity a schedule.
    fn is_whole(&self, clauses: &Clauses<'_>) -> bool {
        whole(self.program) == Some(clauses.index)
    }

    fn execution(&self, terms: &mut Terms, clauses: &Clauses<'_>, left: Duration) -> Option<Trace> {
        if !self.is_whole(clauses) {
            return None;
        }
        let chain = derive(terms, &clauses.safety.system, left / 2)?;
        self.along(terms, clauses, chain, left)
    }

    /// The execution that a chain of clauses stands for.
    fn along(
        &self,
        terms: &mut Terms,
        clauses: &Clauses<'_>,
        chain: Vec<usize>,
        patience: Duration,
    ) -> Option<Trace> {
        let steps = chain.into_iter();
        let steps = steps.filter_map(|rule| clauses.safety.steps[rule]);
        let steps: Vec<&Step> = steps.map(|step| &self.steps.steps[step]).collect();
        execution(self.program, terms, self.task, &steps, patience)
    }
}
