//! Points that several workers search below, and workers that have nothing to do.
//!
//! A worker owns the end of its execution; what lies before is shared. It gives away the first
//! point of its own where something is left to be run as soon as another worker has nothing to
//! do. No worker waits for a subtree to be finished: what is learnt in it about points above is
//! noted there at once, and a point where nothing is left can be opened again by that.

use crate::event::Event;
use crate::node::Node;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};

/// A point that more than one worker knows.
pub struct Point {
    /// The point before it and the event between them; nothing at the start of the program.
    pub before: Option<(Arc<Point>, Event)>,
    node: Mutex<Node>,
    /// Is it on the list of those where something may be left?
    listed: AtomicBool,
}

impl Point {
    /// A point that was a worker's own.
    pub fn new(before: Option<(Arc<Point>, Event)>, node: Node) -> Arc<Point> {
        Arc::new(Point {
            before,
            node: Mutex::new(node),
            listed: AtomicBool::new(false),
        })
    }

    /// What was and has to be run from there. While you hold this, ask only for earlier points.
    pub fn node(&self) -> MutexGuard<'_, Node> {
        self.node.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// All points up to this one, from the start.
    pub fn path(self: &Arc<Point>) -> Vec<Arc<Point>> {
        let mut path = vec![self.clone()];
        let mut last = self;
        while let Some((before, _)) = &last.before {
            path.push(before.clone());
            last = before;
        }
        path.reverse();
        path
    }
}

#[derive(Default)]
struct Desk {
    open: Vec<Arc<Point>>,
    /// Workers that are searching.
    working: usize,
    /// Workers that wait for something to do.
    waiting: usize,
    stopped: bool,
}

/// What workers share.
#[derive(Default)]
pub struct Pool {
    desk: Mutex<Desk>,
    changed: Condvar,
    /// More workers wait than there are points for them.
    wanted: AtomicBool,
    stopped: AtomicBool,
}

impl Pool {
    /// For this many workers.
    pub fn new(workers: usize) -> Pool {
        let pool = Pool::default();
        pool.desk().working = workers;
        pool
    }

    fn desk(&self) -> MutexGuard<'_, Desk> {
        self.desk.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Is there a worker for which there is nothing to do?
    pub fn is_wanted(&self) -> bool {
        self.wanted.load(Ordering::Relaxed)
    }

    /// Something may be left at a point.
    pub fn list(&self, point: &Arc<Point>) {
        if !point.listed.swap(true, Ordering::SeqCst) {
            let mut desk = self.desk();
            desk.open.push(point.clone());
            self.note_wanted(&desk);
            self.changed.notify_one();
        }
    }

    fn note_wanted(&self, desk: &Desk) {
        let wanted = desk.waiting > desk.open.len();
        self.wanted.store(wanted, Ordering::Relaxed);
    }

    /// A worker has finished what it had: a point where something may be left, as soon as there is
    /// one; `None` if there never will be.
    pub fn take(&self) -> Option<Arc<Point>> {
        let mut desk = self.desk();
        desk.working -= 1;
        loop {
            if desk.stopped {
                return None;
            }
            if let Some(point) = desk.open.pop() {
                desk.working += 1;
                point.listed.store(false, Ordering::SeqCst);
                self.note_wanted(&desk);
                return Some(point);
            }
            if desk.working == 0 {
                self.changed.notify_all();
                return None;
            }
            desk.waiting += 1;
            self.note_wanted(&desk);
            let woken = self.changed.wait(desk);
            desk = woken.unwrap_or_else(PoisonError::into_inner);
            desk.waiting -= 1;
            self.note_wanted(&desk);
        }
    }

    /// No worker has to search any more.
    pub fn stop(&self) {
        self.desk().stopped = true;
        self.stopped.store(true, Ordering::Relaxed);
        self.changed.notify_all();
    }

    /// Was it stopped?
    pub fn is_stopped(&self) -> bool {
        self.stopped.load(Ordering::Relaxed)
    }
}
