//! The orders that are worth trying for a program.
//!
//! An assertion often compares what some threads compute with what others do: those of the left side
//! are one group and those of the right side another, in lockstep. Where some threads wait for others,
//! those that wait come first. The other candidates are all threads in lockstep, and one after the
//! other.

use crate::config::OrderChoice;
use crate::letters::{Letter, LetterId, Letters};
use crate::order::{Order, Passes};
use crate::waits::waits;
use abstraction::Program;
use expr::{Node, Op, Term, Terms, VarId};
use std::collections::BTreeSet;
use xcfa::LocId;

/// An order that is worth trying.
pub struct Proposed {
    /// The order.
    pub order: Order,
    /// Does it put threads that wait before those that they wait for? What commutes then depends on
    /// whether there is something to wait for.
    pub waits: bool,
}

/// The orders to try, the most promising first.
pub fn orders(
    program: &Program,
    terms: &Terms,
    letters: &Letters,
    choice: OrderChoice,
) -> Vec<Proposed> {
    let threads: Vec<usize> = (1..program.threads.len()).collect();
    if threads.len() < 2 {
        return vec![Proposed {
            order: Order::Sequential(threads),
            waits: false,
        }];
    }
    let finder = Finder {
        program,
        terms,
        letters,
    };
    let single: Vec<Vec<usize>> = threads.iter().map(|&thread| vec![thread]).collect();
    let reversed: Vec<usize> = threads.iter().rev().copied().collect();
    let sides = finder.groups();
    let [all, outer] = [false, true].map(|outer| Passes::Heads(finder.heads(outer)));
    let waits = waits(program, terms, letters);
    let lockstep = |groups: &Vec<Vec<usize>>, passes: &Passes| Order::Lockstep {
        groups: groups.clone(),
        passes: passes.clone(),
        waits: waits.clone(),
    };
    let by_sides = |passes: &Passes| -> Vec<Order> {
        let orders = sides.iter().map(|groups| lockstep(groups, passes));
        orders.collect()
    };
    let pipes = finder.pipes();
    let by_pipes = || match &pipes[..] {
        [only] => Order::Sequential(only.clone()),
        _ => lockstep(&pipes, &all),
    };
    let by_accesses = || {
        let has_accesses = letters.ids().any(|id| is_by_others(&letters[id]));
        let groups = [&single].into_iter().chain(&sides);
        let orders = groups.map(|groups| lockstep(groups, &Passes::Accesses));
        orders.filter(|_| has_accesses).collect::<Vec<Order>>()
    };
    let orders: Vec<Order> = match choice {
        OrderChoice::Sequential => vec![Order::Sequential(threads)],
        OrderChoice::Reversed => vec![Order::Sequential(reversed)],
        OrderChoice::Lockstep => vec![lockstep(&single, &all)],
        OrderChoice::Outer => vec![lockstep(&single, &outer)],
        OrderChoice::Groups => by_sides(&all),
        OrderChoice::Pipes => vec![by_pipes()],
        OrderChoice::Accesses => by_accesses(),
        OrderChoice::Auto => by_sides(&all)
            .into_iter()
            .chain([
                lockstep(&single, &all),
                by_pipes(),
                Order::Sequential(threads),
                lockstep(&single, &outer),
            ])
            .chain(by_accesses())
            .chain(by_sides(&outer))
            .chain([Order::Sequential(reversed)])
            .collect(),
    };
    let mut proposed: Vec<Proposed> = Vec::new();
    for order in orders {
        if !proposed.iter().any(|it| it.order == order) {
            let waits = finder.has_waiting() && order == by_pipes();
            proposed.push(Proposed { order, waits });
        }
    }
    proposed
}

/// Does a thread other than the first access memory that did not become variables?
fn is_by_others(letter: &Letter) -> bool {
    letter.thread != 0 && !letter.accesses.is_empty()
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
                    && self.letters.later(other).contains(head.0 as usize)
                    && self.letters.later(head).contains(other.0 as usize)
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

    /// Threads by the side of the assertion that they compute; the rest are groups of their own.
    fn groups(&self) -> Vec<Vec<Vec<usize>>> {
        let mut found: Vec<Vec<Vec<usize>>> = Vec::new();
        for (left, right) in self.compared() {
            let (left, right) = (self.writers(left), self.writers(right));
            if left.is_empty() || right.is_empty() || !left.is_disjoint(&right) {
                continue;
            }
            let rest = (1..self.program.threads.len())
                .filter(|thread| !left.contains(thread) && !right.contains(thread))
                .map(|thread| vec![thread]);
            let both = [
                left.iter().copied().collect(),
                right.iter().copied().collect(),
            ];
            let groups: Vec<Vec<usize>> = both.into_iter().chain(rest).collect();
            if !found.contains(&groups) {
                found.push(groups);
            }
        }
        found.truncate(2);
        found
    }

    /// Threads that wait for each other, as a producer and a consumer do: one waits for what the other
    /// writes. Each such group starts with those that wait for the others, so that what is produced is
    /// consumed at once.
    fn pipes(&self) -> Vec<Vec<usize>> {
        let threads: Vec<usize> = (1..self.program.threads.len()).collect();
        let feeds: BTreeSet<(usize, usize)> = threads
            .iter()
            .flat_map(|&from| threads.iter().map(move |&to| (from, to)))
            .filter(|&(from, to)| from != to && self.feeds(from, to))
            .collect();
        let mut group: Vec<usize> = (0..self.program.threads.len()).collect();
        for &(from, to) in &feeds {
            let (old, new) = (group[from].max(group[to]), group[from].min(group[to]));
            group
                .iter_mut()
                .filter(|it| **it == old)
                .for_each(|it| *it = new);
        }
        let mut pipes: Vec<Vec<usize>> = Vec::new();
        for &first in threads.iter().filter(|&&thread| group[thread] == thread) {
            let mut left: Vec<usize> = threads
                .iter()
                .copied()
                .filter(|&it| group[it] == first)
                .collect();
            let mut pipe = Vec::new();
            while !left.is_empty() {
                // One that feeds no other of those that are left; the last one if there is none.
                let is_last = |&from: &usize| !left.iter().any(|&to| feeds.contains(&(from, to)));
                let at = left.iter().rposition(is_last).unwrap_or(left.len() - 1);
                pipe.push(left.remove(at));
            }
            pipes.push(pipe);
        }
        pipes
    }

    /// Does a thread wait for another?
    fn has_waiting(&self) -> bool {
        let threads = 1..self.program.threads.len();
        let mut pairs = threads
            .clone()
            .flat_map(|from| threads.clone().map(move |to| (from, to)));
        pairs.any(|(from, to)| from != to && self.feeds(from, to))
    }

    /// Is a condition of one thread about what another one writes?
    fn feeds(&self, from: usize, to: usize) -> bool {
        let letters = self.letters;
        let of = |thread: usize| {
            letters
                .ids()
                .map(move |id| &letters[id])
                .filter(move |it| it.thread == thread)
        };
        let written: BTreeSet<VarId> = of(from).flat_map(|it| it.updates.keys().copied()).collect();
        of(to).any(|it| {
            self.terms
                .vars(it.guard)
                .iter()
                .any(|var| written.contains(var))
        })
    }

    /// What is compared on the way to an error.
    fn compared(&self) -> Vec<(Term, Term)> {
        let mut open: Vec<Term> = self
            .letters
            .ids()
            .filter(|&id| self.letters.is_error(self.letters[id].target))
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
