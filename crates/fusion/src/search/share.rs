//! Searching together with other workers.
//!
//! The first points of an execution are shared, the rest is the worker's own. Below a shared point
//! each branch is searched by one worker, with those that were begun before it asleep, whether or
//! not they are finished: the sleep sets are those of one worker. What has to be run from a
//! shared point because of a race below it is noted there under its lock. See
//! docs/engines/fusion.md for why nothing is missed or run twice.

use super::{Found, Search};
use crate::cells::{Cells, Register};
use crate::pool::{Point, Pool};
use semantics::Trace;
use std::sync::Arc;

/// After this many executions a worker shares points only on request.
const FREELY_SHARED: u64 = 16;

impl Search<'_, '_> {
    /// Makes it one of several workers.
    pub fn join(&mut self, pool: Arc<Pool>, register: Register) {
        self.pool = Some(pool);
        self.runner.cells = Cells::shared(register);
        self.snapshots.note(0, &self.runner);
    }

    /// Searches until no worker has anything left; the first one begins at the start of the program.
    pub fn work(&mut self, first: bool) -> Found {
        let Some(pool) = self.pool.clone() else {
            return self.run();
        };
        let mut found = match first {
            true => self.run(),
            false => Found::Nothing,
        };
        while matches!(found, Found::Nothing) && !pool.is_stopped() {
            let Some(point) = pool.take() else {
                return Found::Nothing;
            };
            found = match self.begin_branch(&pool, &point) {
                Ok(true) => self.run(),
                Ok(false) => Found::Nothing,
                Err(trace) => Found::Violation(trace),
            };
        }
        if !matches!(found, Found::Nothing) {
            pool.stop();
        }
        found
    }

    /// At the end of an execution: gives away the first of its own points where something is left,
    /// if there is, or will be, a worker that has nothing to do.
    pub(super) fn share(&mut self) {
        let Some(pool) = &self.pool else {
            return;
        };
        if !pool.is_wanted() && self.counters.executions > FREELY_SHARED {
            return;
        }
        let own = self.path.len();
        let mut begun = own..self.events.len();
        let Some(last) = begun.find(|&at| self.nodes[at].has_more()) else {
            return;
        };
        for at in own..=last {
            let mut node = std::mem::take(&mut self.nodes[at]);
            node.share();
            let before = self.path.last().cloned();
            let before = before.map(|point| (point, self.events[at - 1].clone()));
            self.path.push(Point::new(before, node));
        }
        pool.list(&self.path[last]);
    }

    /// Goes to a shared point and begins with what is to be run next from there; is there anything?
    fn begin_branch(&mut self, pool: &Pool, point: &Arc<Point>) -> Result<bool, Trace> {
        self.go_to(point);
        let index = self.events.len();
        let mut node = point.node();
        self.runner.cells.learn();
        // For the time of one event, the point is the worker's own.
        self.path.pop();
        std::mem::swap(&mut self.nodes[index], &mut node);
        let mut begun = Ok(false);
        while matches!(begun, Ok(false))
            && let Some(next) = self.pending()
        {
            begun = self.try_next(next);
        }
        std::mem::swap(&mut self.nodes[index], &mut node);
        self.path.push(point.clone());
        node.share();
        if matches!(begun, Ok(true)) && node.has_more() {
            pool.list(point);
        }
        begun
    }

    /// Makes the current execution the one that leads to a shared point.
    fn go_to(&mut self, point: &Arc<Point>) {
        let path = point.path();
        let both = path.iter().zip(&self.path);
        let common = both.take_while(|(a, b)| Arc::ptr_eq(a, b)).count();
        while self.events.len() >= common.max(1) {
            self.drop_last();
        }
        self.return_to(self.events.len());
        self.runner.cells.learn();
        for point in path.iter().skip(self.events.len() + 1) {
            let (_, event) = point.before.as_ref().expect("only the first has none");
            self.repeat(event.clone());
        }
        self.path = path;
    }
}
