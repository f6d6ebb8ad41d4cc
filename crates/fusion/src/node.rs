//! A point of the execution at hand: what was run from there and what still has to be.

use crate::event::{Answers, Shape};
use crate::wakeup::Branch;
use std::rc::Rc;

/// What is to be run next from a point.
#[derive(Clone, Debug)]
pub struct Next {
    /// Which thread.
    pub tid: u32,
    /// With which answers.
    pub answers: Answers,
    /// And what after it.
    pub then: Vec<Branch>,
}

/// A point of an execution.
#[derive(Clone, Debug, Default)]
pub struct Node {
    /// Threads whose next steps have been run from here or need not be.
    pub sleep: Vec<Rc<Shape>>,
    /// Sequences still to be run (optimal).
    pub tree: Vec<Branch>,
    /// Threads to run, or run already (classic, source, none).
    pub backtrack: Vec<u32>,
    /// The thread that is being run, with its accesses under all answers so far.
    pub running: Option<Shape>,
    /// Answers to try next with the thread that is being run.
    pub combination: Option<Answers>,
    /// Answers that were tried first, out of turn.
    pub skip: Option<Answers>,
    /// Threads that there are.
    pub threads: u32,
    /// Has anything been run from here?
    pub begun: bool,
}

impl Node {
    /// Is the next step of a thread asleep?
    pub fn sleeps(&self, tid: u32) -> bool {
        self.sleep.iter().any(|shape| shape.tid == tid)
    }

    /// Is anything left to be run from here?
    pub fn has_more(&self) -> bool {
        let running = self.running.as_ref().map(|shape| shape.tid);
        self.combination.is_some()
            || !self.tree.is_empty()
            || self
                .backtrack
                .iter()
                .any(|&tid| Some(tid) != running && !self.sleeps(tid))
    }

    /// A step is run from here. Under other answers the thread may access something else: what is
    /// said of it later holds for all of them.
    pub fn note_running(&mut self, shape: &Shape) {
        self.begun = true;
        match &mut self.running {
            Some(known) => {
                for touch in &shape.touches {
                    match known.touches.iter_mut().find(|old| old.cell == touch.cell) {
                        Some(old) => old.write |= touch.write,
                        None => known.touches.push(*touch),
                    }
                }
            }
            none => *none = Some(shape.clone()),
        }
    }

    /// The thread that was being run has been run with all answers.
    pub fn put_to_sleep(&mut self) {
        self.skip = None;
        if let Some(done) = self.running.take() {
            // It was run from this very point, so its accesses are what they are.
            let stable = true;
            self.sleep.push(Rc::new(Shape { stable, ..done }));
        }
    }

    /// Puts a thread on the list of those to run.
    pub fn wake(&mut self, tid: u32) {
        if !self.backtrack.contains(&tid) {
            self.backtrack.push(tid);
        }
    }
}
