//! The engine: letters, orders, products, and invariants of them, in turns.

use crate::Config;
use crate::certificate::Certificate;
use crate::commute::{Commutativity, Commutes};
use crate::cuts::{Cuts, Paths};
use crate::groups::{Proposed, orders};
use crate::history::Histories;
use crate::horn::{Problem, Solution};
use crate::known::Followed;
use crate::letters::Letters;
use crate::order::Order;
use crate::product::{Builder, Node, Product};
use crate::recheck::check_certificate;
use crate::rules::Rules;
use abstraction::Program;
use expr::{Term, Terms};
use passes::Unsupported;
use smt::horn::Arithmetic;
use smt::on_worker;
use std::collections::BTreeMap;
use std::time::Duration;
use verdict::{Answer, Budget, Objection, Proof, Reason, Stats, Task, Verdict};
use xcfa::ErrorKind;

/// Loops that start threads are unrolled this often, unless they have a small bound.
const ROUNDS: u32 = 1;

/// Simple invariants alone are searched for in so many rounds, of turns of this length and then longer ones.
const SIMPLE_ROUNDS: u32 = 3;
const SIMPLE_TURN: Duration = Duration::from_millis(400);

/// The first turn of each candidate with Spacer.
const FIRST_TURN: Duration = Duration::from_millis(2000);

/// Each further round of turns is this many times longer.
const GROWTH: u32 = 4;
const LONGEST_TURN: Duration = Duration::from_secs(86_400);

/// A candidate that ends its turns without an answer before their time is over has no more of them.
const MOST_TURNS: u32 = 24;

/// A product is built for at most this long in the first round.
const BUILDING: Duration = Duration::from_secs(3);

/// Checks a program by proving a reduction of it.
pub fn check(task: &Task, config: &Config, budget: &Budget) -> Answer {
    let over = || budget.exceeded(0).is_some();
    let answer = on_worker(over, || check_with_stats(task, config, budget));
    answer.unwrap_or_else(Answer::crashed)
}

/// The same on this thread, whose stack has to be deep.
pub fn check_with_stats(task: &Task, config: &Config, budget: &Budget) -> Answer {
    let Some(target) = task.property.error() else {
        let what = format!("proofs over reductions do not check {}", task.property);
        return Answer::unknown(Reason::unsupported(what));
    };
    let mut attempt = Attempt {
        task,
        config,
        budget,
        target,
        stats: Stats::default(),
    };
    let verdict = match attempt.run() {
        Ok(proof) => Verdict::Safe(proof),
        Err(reason) => Verdict::Unknown(reason),
    };
    Answer::new(verdict, attempt.stats)
}

struct Attempt<'a> {
    task: &'a Task,
    config: &'a Config,
    budget: &'a Budget,
    target: ErrorKind,
    stats: Stats,
}

/// What is reduced.
struct Subject<'a> {
    program: &'a Program,
    letters: &'a Letters,
    followed: &'a Followed,
    branches: &'a Histories,
    exits: &'a Histories,
}

/// How much of the way there a state of the product knows, and which of them get an invariant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Shape {
    /// States know nothing of it.
    Plain,
    /// Branches are told apart after they have met again.
    Split,
    /// Only the ways out of loops are told apart, and only states on cycles have an invariant.
    Large,
}

/// A way to reduce the program.
struct Candidate {
    order: Order,
    level: Commutativity,
    /// The number of the letters: with conditions that keep sums in their range, or without.
    loose: bool,
    shape: Shape,
    /// Was the same order tried without conditions?
    second: bool,
    /// Once it has been built.
    built: Option<Built>,
    /// Is it of no use?
    given_up: bool,
}

impl Candidate {
    /// Is nothing more to be expected of simple invariants alone?
    fn is_settled(&self) -> bool {
        let over = |it: &Built| it.problem.is_simple_done() || it.problem.is_hopeless();
        self.given_up || self.built.as_ref().is_some_and(over)
    }
}

struct Built {
    product: Product,
    problem: Problem,
}

impl Attempt<'_> {
    fn run(&mut self) -> Result<Proof, Reason> {
        let (program, mut terms) = self.beyond(Program::remembering(&self.task.xcfa, ROUNDS))?;
        if program.has_templates() {
            return Err(Reason::unsupported("threads without a bound"));
        }
        let exact = self.beyond(Letters::of(&program, &mut terms, self.target, false))?;
        let loose = self.beyond(Letters::of(&program, &mut terms, self.target, true))?;
        let followed = Followed::of(&program, &terms, &exact);
        let mut lines = self.candidates(&program, &terms, &exact, &loose);
        self.stats.set("letters", exact.ids().count() as u64);
        let count = lines.iter().flatten().count();
        self.stats.set("candidates", count as u64);
        let branches = [&exact, &loose].map(Histories::of_branches);
        let exits = [&exact, &loose].map(Histories::of_exits);
        let mut turn = SIMPLE_TURN;
        let mut open = Reason::Inconclusive(
            "no reduction has an invariant of the kind that is searched for".into(),
        );
        for round in 0..MOST_TURNS {
            let arithmetic = match round {
                ..SIMPLE_ROUNDS => None,
                _ if round % 3 == 0 => Some(Arithmetic::Wrapped),
                _ => Some(Arithmetic::Ideal),
            };
            for line in &mut lines {
                for candidate in line.iter_mut().filter(|it| !it.given_up) {
                    if let Some(reason) = self.budget.exceeded(0) {
                        return Err(reason);
                    }
                    if arithmetic.is_none() && candidate.is_settled() {
                        continue;
                    }
                    let subject = Subject {
                        program: &program,
                        letters: if candidate.loose { &loose } else { &exact },
                        followed: &followed,
                        branches: &branches[usize::from(candidate.loose)],
                        exits: &exits[usize::from(candidate.loose)],
                    };
                    match self.turn(&subject, &mut terms, candidate, turn, arithmetic) {
                        Ok(Some(proof)) => return Ok(proof),
                        Ok(None) => {}
                        Err(reason) => open = reason,
                    }
                    // What comes later tells more apart, which may not be needed.
                    if round + 1 < SIMPLE_ROUNDS && !candidate.is_settled() {
                        break;
                    }
                }
            }
            if lines.iter().flatten().all(|it| it.given_up) {
                return Err(open);
            }
            turn = match round + 1 {
                SIMPLE_ROUNDS => FIRST_TURN,
                _ => (turn * GROWTH).min(LONGEST_TURN),
            };
        }
        Err(open)
    }

    fn beyond<T>(&self, result: Result<T, Unsupported>) -> Result<T, Reason> {
        result
            .map_err(|refused| Reason::unsupported_at(&self.task.xcfa, refused.span, refused.what))
    }

    /// By order: ways to use it, those that are most likely to work first.
    fn candidates(
        &self,
        program: &Program,
        terms: &Terms,
        exact: &Letters,
        loose: &Letters,
    ) -> Vec<Vec<Candidate>> {
        let guards = |letters: &Letters| {
            letters
                .ids()
                .map(|id| letters[id].guard)
                .collect::<Vec<Term>>()
        };
        let differ = guards(exact) != guards(loose);
        let loosest = if differ { loose } else { exact };
        let line = |proposed: Proposed| {
            let levels = match self.config.commutativity {
                Some(level) => vec![level],
                None if proposed.waits => vec![Commutativity::Conditional],
                None => vec![Commutativity::Semantic, Commutativity::Conditional],
            };
            let mut line = Vec::new();
            for (rank, level) in levels.into_iter().enumerate() {
                for loose in [true, false] {
                    if loose && !differ {
                        continue;
                    }
                    let shapes = [Shape::Plain, Shape::Split, Shape::Large];
                    line.extend(shapes.map(|shape| Candidate {
                        order: proposed.order.clone(),
                        level,
                        loose,
                        shape,
                        second: rank > 0,
                        built: None,
                        given_up: false,
                    }));
                }
            }
            line
        };
        let orders = orders(program, terms, loosest, self.config.order);
        orders.into_iter().map(line).collect()
    }

    /// One turn of a candidate: a proof, nothing yet, or a reason to give it up.
    fn turn(
        &mut self,
        subject: &Subject<'_>,
        terms: &mut Terms,
        candidate: &mut Candidate,
        time: Duration,
        arithmetic: Option<Arithmetic>,
    ) -> Result<Option<Proof>, Reason> {
        if candidate.built.is_none() {
            match self.build(subject, terms, candidate, BUILDING.max(time)) {
                Ok(built) => candidate.built = built,
                Err(reason) => {
                    candidate.given_up = reason != Reason::OutOfTime;
                    return Err(reason);
                }
            }
        }
        let settled = candidate.is_settled();
        let Some(built) = &mut candidate.built else {
            candidate.given_up = true;
            return Ok(None);
        };
        let left = self.budget.remaining().unwrap_or(time);
        // Where branches are told apart, simple invariants are likely to be enough.
        let simply = candidate.shape == Shape::Split && !settled;
        let Some(arithmetic) = arithmetic.filter(|_| !simply) else {
            let simple = built.problem.prove_simply(terms, time.min(left));
            let proof = simple.map(|it| self.proof(terms, candidate.loose, built, &it));
            return proof.transpose();
        };
        match built.problem.prove(terms, arithmetic, time.min(left)) {
            Solution::Proved(formulas) => self
                .proof(terms, candidate.loose, built, &formulas)
                .map(Some),
            Solution::Refuted => {
                candidate.given_up = arithmetic == Arithmetic::Ideal;
                let what = format!("{} have no invariant", candidate.order);
                self.budget.tell(|| what.clone());
                Err(Reason::Inconclusive(what))
            }
            Solution::Open(why) => {
                self.budget.tell(|| format!("{}: {why}", candidate.order));
                Err(Reason::Inconclusive(why))
            }
        }
    }

    fn build(
        &mut self,
        subject: &Subject<'_>,
        terms: &mut Terms,
        candidate: &Candidate,
        time: Duration,
    ) -> Result<Option<Built>, Reason> {
        let Subject {
            program,
            letters,
            followed,
            branches,
            exits,
        } = *subject;
        let mut commutes = Commutes::new(program, terms, letters, candidate.level);
        let builder = Builder {
            program,
            letters,
            followed,
            order: &candidate.order,
            use_membranes: self.config.membranes,
            histories: match candidate.shape {
                Shape::Plain => None,
                Shape::Split => Some(branches),
                Shape::Large => Some(exits),
            },
        };
        let budget = self.budget.at_most(time);
        let product = builder.build(terms, &mut commutes, &budget)?;
        let nothing_split = |node: &Node| node.state.history.iter().all(Vec::is_empty);
        if candidate.shape == Shape::Split && product.nodes.iter().all(nothing_split) {
            return Ok(None);
        }
        if product.nodes[0].error {
            return Err(Reason::Inconclusive(
                "the program starts with an error".into(),
            ));
        }
        let mut steps = product.nodes.iter().flat_map(|node| &node.steps);
        if candidate.second && steps.all(|step| step.condition.is_none()) {
            // The same product was tried without conditions.
            return Ok(None);
        }
        let mut paths = Paths::new(program, letters);
        let cuts = match candidate.shape {
            Shape::Large => Cuts::large(terms, &mut paths, &product),
            _ => Cuts::of(terms, &mut paths, &product),
        };
        let rules = Rules::of(terms, &paths, &cuts);
        let clauses = rules.system.rules().len();
        let states = product.nodes.len();
        self.stats.set("states", states as u64);
        self.stats.set("invariants", rules.nodes.len() as u64);
        self.stats.set("clauses", clauses as u64);
        self.budget
            .tell(|| format!("{}: {states} states, {clauses} clauses", candidate.order));
        let problem = Problem::new(program, terms, rules);
        Ok(Some(Built { product, problem }))
    }

    /// A solution as evidence, after it has been checked by itself.
    fn proof(
        &self,
        terms: &Terms,
        loose: bool,
        built: &Built,
        formulas: &[Term],
    ) -> Result<Proof, Reason> {
        let nodes = built.problem.rules.nodes.iter().copied();
        let invariants: BTreeMap<usize, Term> = nodes.zip(formulas.iter().copied()).collect();
        let certificate = Certificate::of(terms, &built.product, &invariants, ROUNDS, loose);
        match check_certificate(self.task, &certificate, self.budget) {
            Ok(()) => Ok(Proof::ReducedProduct {
                states: built.product.nodes.len() as u64,
                clauses: built.problem.rules.system.rules().len() as u64,
                certificate: certificate.value(),
            }),
            Err(Objection::Open(reason)) => Err(reason),
            Err(Objection::Wrong(why)) => Err(Reason::NotProved(why)),
        }
    }
}
