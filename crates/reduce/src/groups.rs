//! The orders that are worth trying for a program.
//!
//! An assertion often compares what some threads compute with what others do: those of the left side
//! are one group and those of the right side another, in lockstep. The other candidates are all
//! threads in lockstep, and one after the other.

use crate::config::OrderChoice;
use crate::letters::{LetterId, Letters};
use crate::order::{Block, Order, Passing};
use abstraction::Program;
use expr::{Node, Op, Term, Terms, VarId};
use std::collections::BTreeSet;
use xcfa::LocId;

/// The orders to try, the most promising first.
pub fn orders(
    program: &Program,
    terms: &Terms,
    letters: &Letters,
    choice: OrderChoice,
) -> Vec<Order> {
    let threads: Vec<usize> = (1..program.threads.len()).collect();
    if threads.len() < 2 {
        return vec![Order::Sequential(threads)];
    }
    let finder = Finder {
        program,
        terms,
        letters,
    };
    let (all, outer) = (finder.heads(false), finder.heads(true));
    let (all, outer) = (Passing::Heads(all), Passing::Heads(outer));
    let single: Vec<Block> = vec![threads.iter().map(|&thread| vec![thread]).collect()];
    let reversed: Vec<usize> = threads.iter().rev().copied().collect();
    let groups = finder.groups();
    let lockstep = |blocks: &Vec<Block>, passing: &Passing| Order::Lockstep {
        blocks: blocks.clone(),
        passing: passing.clone(),
    };
    let by_groups = |passing: &Passing| {
        let orders = groups.iter().map(|blocks| lockstep(blocks, passing));
        orders.collect::<Vec<Order>>()
    };
    let mut orders: Vec<Order> = match choice {
        OrderChoice::Sequential => vec![Order::Sequential(threads)],
        OrderChoice::Reversed => vec![Order::Sequential(reversed)],
        OrderChoice::Lockstep => vec![lockstep(&single, &all)],
        OrderChoice::Outer => vec![lockstep(&single, &outer)],
        OrderChoice::Groups => by_groups(&all),
        OrderChoice::Accesses => vec![lockstep(&single, &Passing::Accesses)],
        OrderChoice::Auto => {
            let mut orders = by_groups(&all);
            orders.extend([lockstep(&single, &all), Order::Sequential(threads)]);
            if finder.accesses_differ() {
                orders.push(lockstep(&single, &Passing::Accesses));
            }
            orders.push(lockstep(&single, &outer));
            orders.extend(by_groups(&outer));
            orders.push(Order::Sequential(reversed));
            orders
        }
    };
    let mut seen: Vec<Order> = Vec::new();
    orders.retain(|order| {
        let new = !seen.contains(order);
        seen.push(order.clone());
        new
    });
    orders
}

struct Finder<'a> {
    program: &'a Program,
    terms: &'a Terms,
    letters: &'a Letters,
}

impl Finder<'_> {
    /// The heads of loops, or only those of loops that are in no other.
    fn heads(&self, outer: bool) -> BTreeSet<LocId> {
        let all = self.letters.ids().map(|id| &self.letters[id]);
        let heads: BTreeSet<(usize, LocId)> = all
            .flat_map(|letter| letter.heads.iter().map(|&head| (letter.thread, head)))
            .collect();
        let is_outer = |&(thread, head): &(usize, LocId)| {
            let before = self.reached_without(self.program.threads[thread].init, head);
            !heads.iter().any(|&(_, other)| {
                other != head
                    && before.contains(&other)
                    && self.letters.later(other).contains(&head)
                    && self.letters.later(head).contains(&other)
            })
        };
        let chosen = heads.iter().filter(|head| !outer || is_outer(head));
        chosen.map(|&(_, head)| head).collect()
    }

    fn reached_without(&self, init: LocId, avoided: LocId) -> BTreeSet<LocId> {
        let mut open = vec![init];
        let mut seen: BTreeSet<LocId> = BTreeSet::new();
        while let Some(loc) = open.pop() {
            if loc != avoided && seen.insert(loc) {
                open.extend(
                    self.letters
                        .out(loc)
                        .iter()
                        .map(|&id| self.letters[id].target),
                );
            }
        }
        seen
    }

    /// Do threads access memory in loops, some more often in a round than others?
    fn accesses_differ(&self) -> bool {
        let counts: BTreeSet<usize> = (1..self.program.threads.len())
            .map(|thread| {
                let letters = self.letters.ids().map(|id| &self.letters[id]);
                let in_loops = letters.filter(|letter| {
                    letter.thread == thread
                        && self.letters.later(letter.target).contains(&letter.source)
                });
                in_loops.map(|letter| letter.accesses.len()).sum()
            })
            .collect();
        counts.len() > 1
    }

    /// Threads by the side of the assertion that they compute. Comparisons that have nothing to do with each
    /// other make blocks; the rest of the threads are groups of their own.
    fn groups(&self) -> Vec<Vec<Block>> {
        let mut found: Vec<Vec<Block>> = Vec::new();
        let mut together: Vec<Block> = Vec::new();
        for (left, right) in self.compared() {
            let (left, right) = (self.writers(left), self.writers(right));
            if left.is_empty() || right.is_empty() || !left.is_disjoint(&right) {
                continue;
            }
            let both: Block = [&left, &right]
                .map(|side| side.iter().copied().collect())
                .into();
            let new = |thread: &usize| !together.iter().flatten().flatten().any(|it| it == thread);
            if left.iter().chain(&right).all(new) {
                together.push(both.clone());
            }
            let rest = self.rest(std::slice::from_ref(&both));
            let blocks = vec![both.into_iter().chain(rest).collect()];
            if !found.contains(&blocks) {
                found.push(blocks);
            }
        }
        if together.len() > 1 {
            let rest = self.rest(&together);
            together.extend(rest.into_iter().map(|group| vec![group]));
            return vec![together];
        }
        found.truncate(2);
        found
    }

    /// The threads that are in none of the blocks, as groups of their own.
    fn rest(&self, blocks: &[Block]) -> Vec<Vec<usize>> {
        let all = 1..self.program.threads.len();
        let others = all.filter(|thread| !blocks.iter().flatten().flatten().any(|it| it == thread));
        others.map(|thread| vec![thread]).collect()
    }

    /// What the first thread compares on the way to an error once it starts no more threads, and what is
    /// compared in the step to the error.
    fn compared(&self) -> Vec<(Term, Term)> {
        let leads_to_error = |&id: &LetterId| {
            let letter = &self.letters[id];
            let mut later = self.letters.later(letter.target).iter();
            let at_end = letter.thread == 0 && !self.starts_later(letter.source);
            self.letters.is_error(letter.target)
                || at_end && later.any(|&loc| self.letters.is_error(loc))
        };
        let mut open: Vec<Term> = self
            .letters
            .ids()
            .filter(leads_to_error)
            .map(|id| self.letters[id].guard)
            .collect();
        let mut seen: BTreeSet<VarId> = BTreeSet::new();
        let mut pairs = Vec::new();
        while let Some(term) = open.pop() {
            self.terms.for_each_subterm(term, &mut |_, node| {
                if let Node::Binary(Op::Eq | Op::Slt | Op::Sle | Op::Ult | Op::Ule, a, b) = node {
                    pairs.push((a, b));
                }
            });
            for var in self.terms.vars(term) {
                if seen.insert(var) {
                    open.extend(self.set_by_first(var));
                }
            }
        }
        pairs
    }

    /// Are threads started from a location on?
    fn starts_later(&self, loc: LocId) -> bool {
        let later = self.letters.later(loc).iter();
        let mut letters = later.flat_map(|&loc| self.letters.out(loc));
        letters.any(|&id| !self.letters[id].starts.is_empty())
    }

    /// What the first thread sets a variable to.
    fn set_by_first(&self, var: VarId) -> Vec<Term> {
        let first = self.letters.ids().map(|id| &self.letters[id]);
        let first = first.filter(|letter| letter.thread == 0);
        first
            .filter_map(|letter| letter.updates.get(&var).copied())
            .collect()
    }

    /// The threads that write what a term is made of.
    fn writers(&self, term: Term) -> BTreeSet<usize> {
        let mut open = self.terms.vars(term);
        let mut seen: BTreeSet<VarId> = open.iter().copied().collect();
        let mut threads = BTreeSet::new();
        while let Some(var) = open.pop() {
            let writes = |id: &LetterId| self.letters[*id].updates.contains_key(&var);
            let by = self
                .letters
                .ids()
                .filter(writes)
                .map(|id| self.letters[id].thread);
            let by: BTreeSet<usize> = by.filter(|&thread| thread != 0).collect();
            if by.is_empty() {
                let read = self
                    .set_by_first(var)
                    .into_iter()
                    .flat_map(|term| self.terms.vars(term));
                open.extend(read.filter(|&var| seen.insert(var)));
            }
            threads.extend(by);
        }
        threads
    }
}
