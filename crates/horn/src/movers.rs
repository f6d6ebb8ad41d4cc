//! Which actions commute with everything that other threads do (section V-A of paper 2).
//!
//! A right mover can be put behind whatever another thread does directly after it, a left mover
//! before whatever another thread does directly before it, and the program comes to the same
//! state. Beyond the paper, two actions that touch the same variables may still commute, which a
//! solver decides; starting a thread moves left, waiting for its end moves right.

use crate::commute::Commutes;
use crate::locks::Locks;
use crate::order::Order;
use crate::variables::relevant;
use abstraction::{Action, ActionId, Program};
use dataflow::BitSet;
use expr::Terms;
use verdict::Budget;

/// How an action moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Mover {
    /// Both to the right and to the left.
    Both,
    /// To the right only.
    Right,
    /// To the left only.
    Left,
    /// Not at all.
    Non,
}

impl Mover {
    fn of(right: bool, left: bool) -> Mover {
        match (right, left) {
            (true, true) => Mover::Both,
            (true, false) => Mover::Right,
            (false, true) => Mover::Left,
            (false, false) => Mover::Non,
        }
    }
}

/// The movers of a program, by action; whatever there is no time for does not move.
pub fn movers(program: &Program, terms: &mut Terms, locks: &Locks, budget: &Budget) -> Vec<Mover> {
    let relevant = relevant(program, terms);
    let mut search = Search {
        program,
        locks,
        order: Order::of(program, terms, budget),
        synchronising: synchronising(program),
        commutes: Commutes::new(program, relevant.clone(), budget),
        relevant,
    };
    let actions = program.action_ids();
    actions
        .map(|action| match budget.exceeded(0) {
            Some(_) => Mover::Non,
            None => search.mover(terms, action),
        })
        .collect()
}

/// Variables whose only use is that some thread waits until another thread has ended.
fn synchronising(program: &Program) -> BitSet {
    let about = program.about.iter();
    about
        .flat_map(|about| [about.ended.0 as usize, about.result.0 as usize])
        .collect()
}

struct Search<'a> {
    program: &'a Program,
    locks: &'a Locks,
    /// None if there was no time to find it.
    order: Option<Order>,
    synchronising: BitSet,
    commutes: Commutes<'a>,
    /// Whatever else is changed makes no difference.
    relevant: BitSet,
}

impl Search<'_> {
    fn mover(&mut self, terms: &mut Terms, id: ActionId) -> Mover {
        let action = &self.program[id];
        if action.nesting > 0 {
            // What follows in the atomic section moves with it, or does not.
            return Mover::Non;
        }
        let waits = self.synchronising.intersects(&action.reads);
        let ends = self.synchronising.intersects(&action.writes);
        let mut right = action.starts.is_empty() && !ends && !self.locks.releases(id);
        let mut left = !waits && !self.locks.acquires(id);
        for other in self.program.action_ids() {
            if !right && !left {
                break;
            }
            if self.conflict(id, other) {
                let (to_right, to_left) = self.commutes.ask(terms, id, other);
                right &= to_right;
                left &= to_left;
            }
        }
        Mover::of(right, left)
    }

    /// Could the actions be done by two threads one after the other, and touch the same variable?
    fn conflict(&self, a: ActionId, b: ActionId) -> bool {
        let (first, second) = (&self.program[a], &self.program[b]);
        let other = first.thread != second.thread || self.program.threads[first.thread].many;
        other
            && self.meet(first, second)
            && !self.starts(first, second)
            && !self.starts(second, first)
            && !self.locks.keep_apart(self.program, a, b)
            && !self.absent(first, second.thread)
            && !self.absent(second, first.thread)
    }

    /// Is the other thread not there while the action can be done?
    fn absent(&self, action: &Action, other: usize) -> bool {
        self.order
            .as_ref()
            .is_some_and(|it| it.excludes(self.program, action.source, action.thread, other))
    }

    /// Do they touch a common variable, and one of them changes it?
    fn meet(&self, a: &Action, b: &Action) -> bool {
        let touched = |var: usize| b.reads.contains(var) || b.writes.contains(var);
        let mut changed = a.writes.iter().filter(|&var| touched(var));
        let mut looked_at = a.reads.iter().filter(|&var| b.writes.contains(var));
        changed.any(|var| self.is_shared(var)) || looked_at.any(|var| self.is_shared(var))
    }

    /// Threads of a template have variables of their own; locks and ends are dealt with apart.
    fn is_shared(&self, var: usize) -> bool {
        let id = expr::VarId(var as u32);
        self.relevant.contains(var)
            && self.program.template(id).is_none()
            && !self.locks.is_lock(id)
            && !self.synchronising.contains(var)
    }

    /// Does the first start the thread of the second, which therefore comes later, whatever
    /// happens? A thread's own actions never have to be moved across its start. Of a template
    /// there may be other threads already.
    fn starts(&self, first: &Action, second: &Action) -> bool {
        !self.program.threads[second.thread].many && first.starts.contains(&second.thread)
    }
}
