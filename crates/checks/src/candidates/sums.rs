//! Counters to which several threads add, once each: no more was added than by those that have.

use super::Collector;
use crate::leaves::leaves;
use abstraction::Addition;
use expr::{Node, Op, Sort, Term, VarId};
use std::collections::BTreeSet;

/// More additions to one variable than this are not summed up.
const MOST_ADDED: usize = 12;

/// A counter starts with one of so many numbers.
const MOST_STARTS: usize = 3;

/// A value is followed to so many copies.
const MOST_COPIES: usize = 24;

/// So many loops are looked at for how many threads they start.
const MOST_LOOPS: usize = 8;

impl Collector<'_> {
    /// Who has added, and what is the most and the least that can have come of it.
    pub(super) fn sums(&mut self) {
        let additions = &self.program.additions;
        let vars: BTreeSet<VarId> = additions.iter().map(|addition| addition.var).collect();
        let mut counted = BTreeSet::new();
        for var in vars {
            let own = additions.iter().filter(|addition| addition.var == var);
            let own: Vec<Addition> = own.copied().collect();
            let read = self.read(var);
            if own.len() > MOST_ADDED || !self.matters(read) {
                continue;
            }
            for addition in &own {
                self.taken(addition);
                counted.extend(addition.started);
            }
            let copies = self.copies_of(var);
            for start in self.first_numbers(var) {
                let most = self.sum(start, &own, false);
                let least = self.sum(start, &own, true);
                for &copy in &copies {
                    let copy = self.read(copy);
                    if self.terms.sort(copy) == self.terms.sort(most) {
                        let above = self.terms.binary(Op::Sle, copy, most);
                        let below = self.terms.binary(Op::Sle, least, copy);
                        self.add(above);
                        self.add(below);
                    }
                }
            }
        }
        for started in counted {
            self.starts_in_loops(started);
        }
    }

    /// Whether an action was taken, or that no more threads have taken it than were started.
    fn taken(&mut self, addition: &Addition) {
        let taken = self.read(addition.taken);
        match addition.started {
            Some(started) => {
                let started = self.read(started);
                let fewer = self.terms.binary(Op::Ule, taken, started);
                self.add(fewer);
            }
            None => {
                let negation = self.terms.not(taken);
                self.add(taken);
                self.add(negation);
            }
        }
    }

    /// A number, and what was added to it that is negative, or that is not.
    fn sum(&mut self, start: Term, added: &[Addition], negative: bool) -> Term {
        let mut sum = start;
        let zero = self.constant(start, 0);
        let width = self.terms.width(start);
        for addition in added {
            let bits = self.terms.as_const(addition.step).unwrap_or(0);
            if (bits >> (width - 1) & 1 == 1) != negative {
                continue;
            }
            let taken = self.read(addition.taken);
            let part = match addition.started {
                Some(_) => {
                    let often = self.terms.resize(taken, width, false);
                    self.terms.binary(Op::Mul, often, addition.step)
                }
                None => self.terms.ite(taken, addition.step, zero),
            };
            sum = self.terms.add(sum, part);
        }
        sum
    }

    /// Numbers that the variable may start with: what it holds at first, is set to, or is compared with.
    fn first_numbers(&mut self, var: VarId) -> Vec<Term> {
        let read = self.read(var);
        let mut found = self.compared_with(read);
        for action in &self.program.actions {
            for &(set, value) in &action.updates {
                found.extend(self.terms.as_const(value).filter(|_| set == var));
            }
        }
        let first = self.program.vars[var.0 as usize].init;
        let others = found.into_iter().filter(|&bits| Some(bits) != first);
        let found: Vec<u64> = first.into_iter().chain(others).take(MOST_STARTS).collect();
        let found = found.into_iter().map(|bits| self.constant(read, bits));
        found.collect()
    }

    /// The constants that conditions compare a variable, or what is computed from it alone, with.
    fn compared_with(&self, read: Term) -> BTreeSet<u64> {
        let mut found = BTreeSet::new();
        for action in &self.program.actions {
            for leaf in leaves(self.terms, action.guard) {
                let Node::Binary(_, a, b) = self.terms.node(leaf) else {
                    continue;
                };
                if self.terms.vars(leaf) == self.terms.vars(read) {
                    found.extend([a, b].into_iter().filter_map(|it| self.terms.as_const(it)));
                }
            }
        }
        found
    }

    /// The variable, and those that get its value by copies.
    fn copies_of(&self, var: VarId) -> Vec<VarId> {
        let mut found = vec![var];
        let mut next = 0;
        while next < found.len() && found.len() < MOST_COPIES {
            let source = found[next];
            next += 1;
            let updates = self.program.actions.iter().flat_map(|it| &it.updates);
            for &(set, value) in updates {
                if self.terms.as_var(value) == Some(source) && !found.contains(&set) {
                    found.push(set);
                }
            }
        }
        found
    }

    /// A loop that starts threads may have started as many as it has had rounds.
    fn starts_in_loops(&mut self, started: VarId) {
        let actions = self.program.actions.iter();
        let starting = actions.filter(|action| action.writes.contains(started.0 as usize));
        let threads: BTreeSet<usize> = starting.map(|action| action.thread).collect();
        let started = self.read(started);
        let nobody = self.constant(started, 0);
        let first = self.terms.eq(started, nobody);
        self.add(first);
        let counted = threads.iter().flat_map(|&thread| self.counted(thread));
        let counted: BTreeSet<VarId> = counted.collect();
        for var in counted.into_iter().take(MOST_LOOPS) {
            let read = self.read(var);
            if !matches!(self.terms.sort(read), Sort::Bv(_)) {
                continue;
            }
            let rounds = self.terms.resize(read, 64, false);
            let one = self.terms.bv(64, 1);
            let next = self.terms.add(rounds, one);
            for number in [rounds, next] {
                let same = self.terms.eq(started, number);
                self.add(same);
            }
            let none = self.constant(read, 0);
            let counts_up = self.terms.binary(Op::Sle, none, read);
            self.add(counts_up);
            for bits in self.compared_with(read) {
                let most = self.terms.bv(64, bits);
                let bounded = self.terms.binary(Op::Ule, started, most);
                self.add(bounded);
                let most = self.constant(read, bits);
                for order in [Op::Sle, Op::Slt] {
                    let bounded = self.terms.binary(order, read, most);
                    self.add(bounded);
                }
            }
        }
    }
}
