//! Deadlocks: where threads are blocked when all have gone as far as they get.
//!
//! A node after all others reads the final state. A thread that has stopped at a location is
//! blocked there if none of its edges is possible in that state, and one of them only because it
//! has to wait for others. It is a deadlock if some thread is blocked and every started thread is
//! blocked or has ended; a thread that an assumption has cut off is neither.
//!
//! Waiting on a condition variable is followed here, unlike for errors: a wake-up may still be
//! spurious, but a thread that has not been woken in the end is blocked.

use super::events::{Goal, GoalKind, NodeId, Thread, ThreadId};
use super::regions::depth_after;
use super::state::State;
use super::walk::{Moment, Walker};
use super::{Checked, Unsupported};
use expr::{Sort, Term};
use rustc_hash::FxHashMap;
use xcfa::{Label, LocId};

/// A location at which a thread can be blocked.
pub struct Stop {
    thread: ThreadId,
    loc: LocId,
    state: State,
    /// Conditions under which the thread has moved on.
    moved: Vec<Term>,
}

impl Walker<'_> {
    /// A variable for each thread that says what it waits on.
    pub(super) fn prepare_waiting(&mut self) {
        let sort = Sort::Bv(self.xcfa.pointer_bits());
        for _ in 0..self.events.threads.len() {
            let zero = self.events.terms.constant(sort, 0);
            let var = self.new_variable(sort, zero, true);
            self.waiting.push(var);
        }
    }

    /// Remembers a location at which a thread can be blocked.
    pub(super) fn note_stop(
        &mut self,
        moment: &Moment,
        loc: LocId,
        state: &State,
        conditions: &[Term],
    ) -> Result<(), Unsupported> {
        if self.checked != Checked::Deadlock || self.at_end {
            return Ok(());
        }
        let mut edges = self.xcfa[loc].out.iter().map(|&edge| &self.xcfa[edge]);
        let Some(edge) = edges.find(|edge| edge.labels.iter().any(Label::can_wait)) else {
            return Ok(());
        };
        if self.regions.depth(loc) > 0 || depth_after(edge, 0).is_some_and(|depth| depth > 0) {
            let what = "waiting inside an atomic section of several steps";
            return Err(Unsupported::at(edge.span, what));
        }
        self.stops.push(Stop {
            thread: moment.thread,
            loc,
            state: state.clone(),
            moved: conditions.to_vec(),
        });
        Ok(())
    }

    /// Adds the goal that there is a deadlock.
    pub(super) fn find_deadlock(&mut self) -> Result<(), Unsupported> {
        let end = self.end_node();
        self.at_end = true;
        let falsity = self.events.terms.bool(false);
        let mut blocked = vec![falsity; self.start_guards.len()];
        for stop in std::mem::take(&mut self.stops) {
            let here = self.is_blocked(&stop, end)?;
            let all = &mut blocked[stop.thread];
            *all = self.events.terms.or(*all, here);
        }
        let mut somebody = falsity;
        let mut everybody = self.events.terms.bool(true);
        for (thread, &blocked) in blocked.iter().enumerate() {
            let Some(started) = self.start_guards[thread] else {
                continue;
            };
            let ended = self.events.threads[thread].ended;
            let terms = &mut self.events.terms;
            let ended = terms.var(ended, Sort::Bool);
            let absent = terms.not(started);
            let settled = terms.or(ended, blocked);
            let fine = terms.or(absent, settled);
            everybody = terms.and(everybody, fine);
            somebody = terms.or(somebody, blocked);
        }
        let guard = self.events.terms.and(somebody, everybody);
        self.events.goals.push(Goal {
            kind: GoalKind::Error,
            guard,
            node: end,
            step: None,
        });
        Ok(())
    }

    /// A node behind everything, in a thread of its own.
    pub(super) fn end_node(&mut self) -> NodeId {
        let (ended, _) = self.events.unknown(Sort::Bool);
        let width = Sort::Bv(self.xcfa.pointer_bits());
        let ((result, _), (handle, _)) = (self.events.unknown(width), self.events.unknown(width));
        let thread = self.events.threads.len();
        self.events.threads.push(Thread {
            nodes: Vec::new(),
            start: None,
            parent: None,
            ended,
            result,
            handle,
        });
        let terms = &mut self.events.terms;
        let (never, none) = (terms.bool(false), terms.constant(width, 0));
        let known = [(ended, never), (result, none), (handle, none)];
        self.events.definitions.extend(known);
        let node = self.events.add_node(thread);
        self.events.end = Some(node);
        node
    }

    fn is_blocked(&mut self, stop: &Stop, end: NodeId) -> Result<Term, Unsupported> {
        let mut moment = Moment {
            thread: stop.thread,
            guard: stop.state.guard,
            node: Some(end),
            reads: FxHashMap::default(),
            only_way: false,
        };
        let xcfa = self.xcfa;
        let (mut moves, mut waits) = (self.events.terms.bool(false), self.events.terms.bool(false));
        for &edge in &xcfa[stop.loc].out {
            let effect = self.edge(&mut moment, edge, &stop.state)?;
            let terms = &mut self.events.terms;
            moves = terms.or(moves, effect.condition);
            waits = terms.or(waits, effect.blocked);
        }
        let terms = &mut self.events.terms;
        let moved = terms.or_all(stop.moved.iter().copied());
        let (stays, stuck) = (terms.not(moved), terms.not(moves));
        let all = [stop.state.guard, stays, stuck, waits];
        Ok(terms.and_all(all))
    }
}
