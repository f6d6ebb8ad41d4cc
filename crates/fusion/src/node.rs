//! A point of the current execution: what was run from there and what still has to be.

use crate::event::{Answers, Shape};
use crate::wakeup::Branch;
use std::sync::Arc;

/// A point to whose tree more branches than this were added is a hasty one.
const LARGEST_TREE: usize = 1_024;

/// What is to be run next from a point.
#[derive(Clone, Debug)]
pub struct Next {
    /// The thread that runs.
    pub tid: u32,
    /// With which answers.
    pub answers: Answers,
    /// And what after it.
    pub then: Vec<Branch>,
    /// Only with these answers?
    pub exact: bool,
    /// May it ask for other things than these are answers to?
    pub tentative: bool,
}

impl Next {
    /// A step of a thread, with nothing planned after it.
    pub fn step(tid: u32, answers: Answers) -> Next {
        Next {
            tid,
            answers,
            then: Vec::new(),
            exact: false,
            tentative: false,
        }
    }
}

/// A step that is being run from a point.
#[derive(Clone, Debug)]
pub struct Running {
    /// The step.
    pub shape: Arc<Shape>,
    /// It stands for the thread with any answers.
    pub any_answers: bool,
}

impl Running {
    /// Is a step with these answers one that this stands for?
    pub fn covers(&self, tid: u32, answers: &Answers) -> bool {
        self.shape.tid == tid && (self.any_answers || self.shape.answers == *answers)
    }
}

/// A point of an execution.
#[derive(Clone, Debug, Default)]
pub struct Node {
    /// Threads whose next steps have been run from here or need not be.
    pub sleep: Vec<Arc<Shape>>,
    /// Sequences still to be run (optimal).
    pub tree: Vec<Branch>,
    /// Threads to run, or run already (classic, source, none).
    pub backtrack: Vec<u32>,
    /// The thread that is being run, with its accesses under all answers so far.
    pub running: Option<Running>,
    /// Answers to try next with the thread that is being run.
    pub combination: Option<Answers>,
    /// A thread that is to be tried with other answers, because the first ones are asleep.
    pub retry: Option<u32>,
    /// Threads whose steps are asleep with each of their answers.
    pub refused: Vec<u32>,
    /// Threads that there are.
    pub threads: u32,
    /// Has anything been run from here?
    pub begun: bool,
    /// What is run from here was begun, or will be, before everything was noted that has to be run
    /// and is like it: before what was run earlier was finished, or because it was too much, or
    /// because a part of it was given up. That ends where nothing sleeps and no sequence is given
    /// any more.
    pub hasty: bool,
    /// How many branches were added to the tree, at most.
    pub added: usize,
}

impl Node {
    /// Is the next step of a thread asleep, whatever the answers?
    pub fn sleeps(&self, tid: u32) -> bool {
        let any = |shape: &Arc<Shape>| shape.tid == tid && shape.any_answers;
        self.sleep.iter().any(any)
    }

    /// Is it asleep with these answers?
    pub fn sleeps_with(&self, tid: u32, answers: &Answers) -> bool {
        self.sleep.iter().any(|shape| shape.covers(tid, answers))
    }

    /// Will it be run with these answers, or is it asleep?
    pub fn deals_with(&self, tid: u32, answers: &Answers) -> bool {
        let mut tree = self.tree.iter();
        self.sleeps_with(tid, answers) || tree.any(|branch| branch.shape.covers(tid, answers))
    }

    /// Is the thread run from here at some time with all answers, or need it not be?
    pub fn runs(&self, tid: u32) -> bool {
        let whole =
            |shape: &Shape| shape.tid == tid && (shape.any_answers || shape.answers.is_empty());
        let running = self.running.as_ref();
        running.is_some_and(|it| whole(&it.shape) || (it.shape.tid == tid && it.any_answers))
            || self.backtrack.contains(&tid)
            || self.sleep.iter().any(|shape| whole(shape))
            || self.tree.iter().any(|branch| whole(&branch.shape))
    }

    /// Nothing more is run from here.
    pub fn give_up_rest(&mut self) {
        self.tree.clear();
        self.backtrack.clear();
        self.combination = None;
        self.retry = None;
    }

    /// Is anything left to be run from here?
    pub fn has_more(&self) -> bool {
        let running = self.running.as_ref().map(|running| running.shape.tid);
        self.combination.is_some()
            || !self.tree.is_empty()
            || self.backtrack.iter().any(|&tid| {
                Some(tid) != running && !self.sleeps(tid) && !self.refused.contains(&tid)
            })
    }

    /// Resets it to a point where nothing has been run; returns the emptied list of its tree.
    pub fn reset(&mut self, threads: u32, tree: Vec<Branch>) -> Vec<Branch> {
        self.sleep.clear();
        self.backtrack.clear();
        self.refused.clear();
        self.running = None;
        self.combination = None;
        self.retry = None;
        self.threads = threads;
        self.begun = false;
        self.hasty = false;
        self.added = 0;
        let mut old = std::mem::replace(&mut self.tree, tree);
        old.clear();
        old
    }

    /// A step is run from here. If it stands for the thread with any answers, then what is said
    /// of its accesses holds for all of them.
    pub fn note_running(&mut self, shape: Arc<Shape>, any_answers: bool) {
        self.begun = true;
        match &mut self.running {
            Some(known) if known.any_answers => {
                let known = Arc::make_mut(&mut known.shape);
                known.marks.add(shape.marks);
                for touch in &shape.touches {
                    match known.touches.iter_mut().find(|old| old.cell == touch.cell) {
                        Some(old) => old.write |= touch.write,
                        None => known.touches.push(*touch),
                    }
                }
            }
            _ => {
                self.put_to_sleep();
                self.running = Some(Running { shape, any_answers });
            }
        }
    }

    /// What was being run has been run.
    pub fn put_to_sleep(&mut self) {
        if let Some(mut done) = self.running.take() {
            if !done.shape.stable || done.any_answers {
                let shape = Arc::make_mut(&mut done.shape);
                // It was run from this very point, so its accesses are what they are.
                shape.stable = true;
                shape.any_answers = done.any_answers;
            }
            self.sleep.push(done.shape);
        }
    }

    /// From now on several workers run things from here. What is being run by one of them is
    /// asleep for the others, but as long as there are other answers to try it is not known what
    /// it may access.
    pub fn share(&mut self) {
        self.hasty = true;
        if self.combination.is_none() && self.retry.is_none() {
            self.put_to_sleep();
        }
    }

    /// A sequence was added to the tree. A tree can become as large as the number of executions is;
    /// so that memory stays flat, it is made as large as this and no larger.
    pub fn note_added(&mut self, length: usize) {
        self.added += length;
        self.hasty |= self.added > LARGEST_TREE;
    }

    /// Puts a thread on the list of those to run.
    pub fn wake(&mut self, tid: u32) {
        if !self.backtrack.contains(&tid) {
            self.backtrack.push(tid);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cells::Cells;
    use crate::event::tests::shape;

    #[test]
    fn what_was_run_sleeps_and_what_is_woken_is_run() {
        let mut cells = Cells::default();
        let mut node = Node::default();
        assert!(!node.has_more() && !node.runs(1));
        node.note_running(shape(&mut cells, 1, "w0"), false);
        node.wake(2);
        node.wake(2);
        assert_eq!(node.backtrack, [2]);
        assert!(node.has_more() && node.runs(1) && node.runs(2));
        node.put_to_sleep();
        assert!(node.sleeps_with(1, &Answers::new()));
        node.give_up_rest();
        assert!(!node.has_more());
    }

    /// As long as other answers may be tried, the accesses of the sleeping step are not all known.
    #[test]
    fn accesses_of_all_answers_are_added() {
        let mut cells = Cells::default();
        let mut node = Node::default();
        node.note_running(shape(&mut cells, 1, "r0"), true);
        node.note_running(shape(&mut cells, 1, "w0 r1"), true);
        node.put_to_sleep();
        assert!(node.sleeps(1) && node.sleep.len() == 1);
        let both = shape(&mut cells, 2, "r0");
        assert!(node.sleep[0].conflicts(&cells, &both), "it may write");
        let other = shape(&mut cells, 2, "w1");
        assert!(node.sleep[0].conflicts(&cells, &other), "it may read");
    }

    #[test]
    fn a_large_tree_makes_a_point_hasty() {
        let mut node = Node::default();
        node.note_added(LARGEST_TREE);
        assert!(!node.hasty);
        node.note_added(1);
        assert!(node.hasty);
        let old = node.reset(2, Vec::new());
        assert!(old.is_empty() && !node.hasty && !node.begun);
    }
}
