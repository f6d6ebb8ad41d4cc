//! The reduced product of the threads.
//!
//! A state is where the threads are, what is known about threads and locks, whose turn it is, and
//! which letters are asleep. A letter that is asleep need not be taken: some execution that takes it
//! earlier is equivalent and was kept. After a letter, those letters fall asleep that come before it in
//! the order, or were asleep, and can be swapped with it (Godefroid 1996). If letters can be
//! swapped in some states only, the step is split by that condition.
//!
//! Law: every execution of the program to an error has the same length and the same end as one
//! that the product keeps. The product is over locations, so it is an over-approximation that says
//! nothing about data.

use crate::commute::Commutes;
use crate::history::{Histories, History};
use crate::known::{Followed, Known, is_impossible};
use crate::letters::{LetterId, Letters};
use crate::membrane::Membranes;
use crate::order::Order;
use abstraction::Program;
use expr::{Term, Terms};
use rustc_hash::FxHashMap;
use verdict::{Budget, Reason};
use xcfa::LocId;

/// Larger products are not built.
const MOST_STATES: usize = 20_000;

/// A product that tells histories apart has at most this many states.
const MOST_SPLIT_STATES: usize = 1_500;

/// At most this many letters fall asleep under conditions in one step.
const MOST_CONDITIONS: usize = 3;

/// A state of the product.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct ProductState {
    /// By thread: where it is, if it has been started.
    pub locs: Vec<Option<LocId>>,
    /// What is known about threads and locks.
    pub known: Known,
    /// The letters that need not be taken, in order.
    pub sleep: Vec<LetterId>,
    /// What the order remembers.
    pub turn: usize,
    /// How the threads got there, if that is told apart.
    pub history: History,
}

/// A step of the product.
#[derive(Clone, Debug)]
pub struct ProductStep {
    /// The letter that is taken.
    pub letter: LetterId,
    /// Taken only where this holds, before the letter.
    pub condition: Option<Term>,
    /// Where it leads.
    pub target: usize,
}

/// A state with its steps.
#[derive(Clone, Debug)]
pub struct Node {
    /// The state.
    pub state: ProductState,
    /// The steps in the order of preference.
    pub steps: Vec<ProductStep>,
    /// The only thread that is to be followed, if there is one.
    pub membrane: Option<usize>,
    /// Is a thread at an error?
    pub error: bool,
    /// Can no error be reached from here by following steps?
    pub dead: bool,
}

/// The reduced product; the first node is the start.
#[derive(Clone, Debug)]
pub struct Product {
    /// All nodes.
    pub nodes: Vec<Node>,
}

/// What a product is made of.
pub struct Builder<'a> {
    /// The program.
    pub program: &'a Program,
    /// Its letters.
    pub letters: &'a Letters,
    /// What is followed of it.
    pub followed: &'a Followed,
    /// Which executions are kept.
    pub order: &'a Order,
    /// Are membranes used?
    pub use_membranes: bool,
    /// Which branches are told apart after they have met again.
    pub histories: Option<&'a Histories>,
}

impl Builder<'_> {
    /// Builds the product.
    pub fn build(
        &self,
        terms: &mut Terms,
        commutes: &mut Commutes<'_>,
        budget: &Budget,
    ) -> Result<Product, Reason> {
        let mut locs = vec![None; self.program.threads.len()];
        locs[0] = Some(self.program.threads[0].init);
        let first = ProductState {
            locs,
            known: self.followed.initial(self.program),
            sleep: Vec::new(),
            turn: self.order.first_turn(),
            history: self
                .histories
                .map(|it| it.start(self.program.threads.len()))
                .unwrap_or_default(),
        };
        let mut product = Product { nodes: Vec::new() };
        let mut numbers: FxHashMap<ProductState, usize> = FxHashMap::default();
        product.number(&mut numbers, self.letters, first);
        let mut next = 0;
        while next < product.nodes.len() {
            if let Some(reason) = budget.exceeded(0) {
                return Err(reason);
            }
            let most = match self.histories {
                Some(_) => MOST_SPLIT_STATES,
                None => MOST_STATES,
            };
            if product.nodes.len() > most {
                let what = format!("the reduced product has more than {most} states");
                return Err(Reason::Inconclusive(what));
            }
            if !product.nodes[next].error {
                self.expand(terms, commutes, &mut product, &mut numbers, next);
            }
            next += 1;
        }
        product.mark_dead();
        Ok(product)
    }

    fn expand(
        &self,
        terms: &mut Terms,
        commutes: &mut Commutes<'_>,
        product: &mut Product,
        numbers: &mut FxHashMap<ProductState, usize>,
        at: usize,
    ) {
        let state = product.nodes[at].state.clone();
        if self.use_membranes {
            product.nodes[at].membrane = self.missing(terms, commutes, &state);
            if product.nodes[at].membrane.is_some() {
                return;
            }
        }
        let mut before: Vec<LetterId> = Vec::new();
        let mut steps = Vec::new();
        for thread in self.order.threads(state.turn) {
            let Some(loc) = state.locs[thread] else {
                continue;
            };
            let possible = self.letters.out(loc).iter().copied();
            let possible: Vec<LetterId> = possible
                .filter(|&id| !is_impossible(self.program, terms, &state.known, &self.letters[id]))
                .collect();
            if possible.is_empty() {
                continue;
            }
            let alone = before.is_empty() && self.use_membranes && {
                let (locs, known) = (&state.locs, &state.known);
                self.membranes()
                    .is_membrane(terms, commutes, locs, known, thread)
            };
            for &letter in possible.iter().filter(|id| !state.sleep.contains(id)) {
                for (condition, next) in self.successors(terms, commutes, &state, letter, &before) {
                    let target = product.number(numbers, self.letters, next);
                    steps.push(ProductStep {
                        letter,
                        condition,
                        target,
                    });
                }
            }
            if alone {
                product.nodes[at].membrane = Some(thread);
                break;
            }
            before.extend(possible);
        }
        product.nodes[at].steps = steps;
    }

    /// Is its thread at the end of its way after a letter?
    fn is_stuck_after(&self, letter: LetterId) -> bool {
        let target = self.letters[letter].target;
        self.letters.out(target).is_empty() && !self.letters.is_error(target)
    }

    /// A thread that cannot move any more, and that every error needs.
    fn missing(
        &self,
        terms: &mut Terms,
        commutes: &mut Commutes<'_>,
        state: &ProductState,
    ) -> Option<usize> {
        let ended = |thread: usize| state.known.get(&self.program.about[thread].ended) == Some(&1);
        let stuck = (0..state.locs.len()).filter(|&thread| {
            let loc = state.locs[thread];
            loc.is_some_and(|loc| self.letters.out(loc).is_empty()) && !ended(thread)
        });
        let stuck: Vec<usize> = stuck.collect();
        let membranes = self.membranes();
        stuck.into_iter().find(|&thread| {
            membranes.is_membrane(terms, commutes, &state.locs, &state.known, thread)
        })
    }

    fn membranes(&self) -> Membranes<'_> {
        Membranes {
            program: self.program,
            letters: self.letters,
            followed: self.followed,
        }
    }

    /// The states after a letter, with the conditions that tell them apart.
    fn successors(
        &self,
        terms: &mut Terms,
        commutes: &mut Commutes<'_>,
        state: &ProductState,
        letter: LetterId,
        before: &[LetterId],
    ) -> Vec<(Option<Term>, ProductState)> {
        let drowsy = state.sleep.iter().chain(before).copied();
        let mut drowsy: Vec<LetterId> = drowsy.collect();
        drowsy.sort_unstable();
        drowsy.dedup();
        drowsy.retain(|&other| self.letters[other].thread != self.letters[letter].thread);
        let mut always = Vec::new();
        let mut sometimes = Vec::new();
        for other in drowsy {
            if commutes.given(terms, letter, other, &state.known) {
                always.push(other);
            } else if sometimes.len() < MOST_CONDITIONS && !self.is_stuck_after(other) {
                let condition = commutes.condition(terms, letter, other);
                sometimes.extend(condition.map(|condition| (other, condition)));
            }
        }
        let mut cases = vec![(None, always)];
        for (other, condition) in sometimes {
            cases = self.split(terms, cases, other, condition);
        }
        let after = |(condition, mut sleep): (Option<Term>, Vec<LetterId>)| {
            sleep.sort_unstable();
            (condition, self.after(terms, state, letter, sleep))
        };
        cases.into_iter().map(after).collect()
    }

    /// Tells apart where a letter falls asleep and where it does not.
    fn split(
        &self,
        terms: &mut Terms,
        cases: Vec<(Option<Term>, Vec<LetterId>)>,
        letter: LetterId,
        condition: Term,
    ) -> Vec<(Option<Term>, Vec<LetterId>)> {
        let otherwise = terms.not(condition);
        let mut finer = Vec::new();
        for (case, sleep) in cases {
            let mut more = sleep.clone();
            more.push(letter);
            for (part, sleep) in [(condition, more), (otherwise, sleep)] {
                let case = match case {
                    Some(case) => terms.and(case, part),
                    None => part,
                };
                if terms.as_const(case) != Some(0) {
                    finer.push((Some(case), sleep));
                }
            }
        }
        finer
    }

    fn after(
        &self,
        terms: &mut Terms,
        state: &ProductState,
        id: LetterId,
        sleep: Vec<LetterId>,
    ) -> ProductState {
        let letter = &self.letters[id];
        let mut locs = state.locs.clone();
        locs[letter.thread] = Some(letter.target);
        for &started in &letter.starts {
            locs[started] = Some(self.program.threads[started].init);
        }
        ProductState {
            locs,
            known: self
                .followed
                .after(self.program, terms, &state.known, letter),
            sleep,
            turn: self.order.next_turn(state.turn, id, letter),
            history: match self.histories {
                Some(histories) => histories.after(&state.history, id, letter),
                None => History::new(),
            },
        }
    }
}

impl Product {
    fn number(
        &mut self,
        numbers: &mut FxHashMap<ProductState, usize>,
        letters: &Letters,
        state: ProductState,
    ) -> usize {
        if let Some(&number) = numbers.get(&state) {
            return number;
        }
        let number = self.nodes.len();
        numbers.insert(state.clone(), number);
        let error = state
            .locs
            .iter()
            .flatten()
            .any(|&loc| letters.is_error(loc));
        self.nodes.push(Node {
            state,
            steps: Vec::new(),
            membrane: None,
            error,
            dead: false,
        });
        number
    }

    /// Marks what cannot reach an error.
    fn mark_dead(&mut self) {
        let mut sources = vec![Vec::new(); self.nodes.len()];
        for (number, node) in self.nodes.iter().enumerate() {
            for step in &node.steps {
                sources[step.target].push(number);
            }
        }
        let errors = (0..self.nodes.len()).filter(|&number| self.nodes[number].error);
        let mut open: Vec<usize> = errors.collect();
        let mut alive = vec![false; self.nodes.len()];
        open.iter().for_each(|&number| alive[number] = true);
        while let Some(number) = open.pop() {
            for &source in &sources[number] {
                if !std::mem::replace(&mut alive[source], true) {
                    open.push(source);
                }
            }
        }
        for (node, alive) in self.nodes.iter_mut().zip(alive) {
            node.dead = !alive;
        }
    }
}
