//! The orders that are worth trying for a program.
//!
//! An assertion often compares what some threads compute with what others do: those of the left side
//! are one group and those of the right side another, in lockstep. The other candidates are all
//! threads in lockstep, and one after the other.

use crate::config::OrderChoice;
use crate::letters::{LetterId, Letters};
use crate::order::Order;
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
    let single: Vec<Vec<usize>> = threads.iter().map(|&thread| vec![thread]).collect();
    let reversed: Vec<usize> = threads.iter().rev().copied().collect();
    let groups = finder.groups();
    let lockstep = |groups: &Vec<Vec<usize>>, heads: &BTreeSet<LocId>| Order::Lockstep {
        groups: groups.clone(),
        heads: heads.clone(),
    };
    let by_groups = groups.iter().map(|groups| lockstep(groups, &all));
    let by_groups_outer = groups.iter().map(|groups| lockstep(groups, &outer));
    let mut orders: Vec<Order> = match choice {
        OrderChoice::Sequential => vec![Order::Sequential(threads)],
        OrderChoice::Reversed => vec![Order::Sequential(reversed)],
        OrderChoice::Lockstep => vec![lockstep(&single, &all)],
        OrderChoice::Outer => vec![lockstep(&single, &outer)],
        OrderChoice::Groups => by_groups.collect(),
        OrderChoice::Auto => by_groups
            .chain([
                lockstep(&single, &all),
                Order::Sequential(threads),
                lockstep(&single, &outer),
            ])
            .chain(by_groups_outer)
            .chain([Order::Sequential(reversed)])
            .collect(),
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
