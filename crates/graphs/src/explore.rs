//! Every graph once, without remembering any.
//!
//! The algorithm of TruSt, with its names: one thread goes on at a time. A read is tried with every write that
//! is there. A write may also be what an earlier read finds (*backward revisit*): the events that came after the
//! read and that the write does not depend on are deleted. Each graph has one maximal way to be made, so a read is
//! revisited only if what is deleted was added maximally: then the same graph is not made twice.

use crate::code::Code;
use crate::exec::{Choice, Exec};
use crate::outcome::{Limits, Outcome, Stop};
use crate::pool::{Pool, StopOnExit};
use crate::revisit::{NewWrite, seen_by};
use crate::run::Next;
use models::{Location, Model};
use semantics::Property;
use verdict::Task;

/// The executions of a program that was prepared with [`verdict::Preparation::Ordered`].
///
/// Law: the same as [`crate::reference()`], but that it stops at the first violation of the property.
pub fn explore(task: &Task, model: &Model, limits: &Limits) -> Result<Outcome, Stop> {
    let code = Code::new(task);
    let mut search = Search::new(model, limits, 1);
    let mut open = vec![Exec::new(&code, limits)];
    while let Some(exec) = open.pop() {
        search.visit(&code, exec, &mut open)?;
        if search.is_over(&code) {
            break;
        }
    }
    Ok(search.outcome)
}

/// The same on several cores. The counts are the same; which of several violations is found may differ.
pub fn explore_on(
    jobs: usize,
    task: &Task,
    model: &Model,
    limits: &Limits,
) -> Result<Outcome, Stop> {
    if jobs <= 1 {
        return explore(task, model, limits);
    }
    let code = Code::new(task);
    let pool = Pool::new(jobs, Exec::new(&code, limits));
    let work = || -> Result<Outcome, Stop> {
        let _guard = StopOnExit(&pool);
        let mut search = Search::new(model, limits, jobs);
        let mut open = Vec::new();
        while let Some(exec) = open.pop().or_else(|| pool.take()) {
            search.visit(&code, exec, &mut open)?;
            if search.is_over(&code) || pool.stopped() {
                break;
            }
            pool.share(&mut open);
        }
        Ok(search.outcome)
    };
    std::thread::scope(|scope| {
        let workers: Vec<_> = (0..jobs).map(|_| scope.spawn(work)).collect();
        let mut sum = Outcome::default();
        let mut stop = None;
        for worker in workers {
            match worker.join() {
                Ok(Ok(outcome)) => sum.add(outcome),
                Ok(Err(why)) => stop = stop.or(Some(why)),
                Err(panic) => std::panic::resume_unwind(panic),
            }
        }
        // A violation is one, whatever another worker has met.
        match stop.filter(|_| sum.error.is_none() && !sum.races(&code)) {
            Some(why) => Err(why),
            None => Ok(sum),
        }
    })
}

struct Search<'a> {
    model: &'a Model,
    limits: &'a Limits,
    /// How many search at the same time.
    jobs: usize,
    outcome: Outcome,
}

impl<'a> Search<'a> {
    fn new(model: &'a Model, limits: &'a Limits, jobs: usize) -> Search<'a> {
        Search {
            model,
            limits,
            jobs,
            outcome: Outcome::default(),
        }
    }

    /// Was a violation found?
    fn is_over(&self, code: &Code<'_>) -> bool {
        self.outcome.error.is_some() || self.outcome.races(code)
    }

    /// Makes one execution to its end, and puts the graphs that branch off on the stack.
    ///
    /// An event that is added last is possible in every shipped model: a read from the last write, a write as the last
    /// one, a fence. Nothing in these models leads from such an event to another one, so that it is on no cycle.
    /// All other graphs are judged before they are kept.
    fn visit(&mut self, code: &Code<'_>, mut exec: Exec, open: &mut Vec<Exec>) -> Result<(), Stop> {
        loop {
            let bytes = self.jobs * open.len() * 256 * exec.graph.events.len();
            self.limits.check(self.outcome.graphs, bytes as u64)?;
            self.outcome.graphs += 1;
            let outcome = &mut self.outcome;
            let Some(ways) = outcome.visit(code, self.model, &mut exec, self.limits)? else {
                return Ok(());
            };
            let goes_on = match *ways.first(&exec.graph) {
                Choice::Other(thread, action) => {
                    exec.add_other(code, thread, action);
                    true
                }
                Choice::Input(thread, is_all) => {
                    let mut other = exec.clone();
                    other.add_input(code, thread, 1, is_all)?;
                    open.push(other);
                    exec.add_input(code, thread, 0, is_all)?;
                    true
                }
                Choice::Read(thread, location) => {
                    self.read(code, &mut exec, (thread, location), open)?;
                    true
                }
                Choice::Write(thread, access, exchange) => {
                    let write = NewWrite::new(&exec.graph, thread, access, exchange);
                    self.write(code, &mut exec, write, open)?
                }
            };
            if !goes_on {
                return Ok(());
            }
        }
    }

    /// Does the model allow a graph?
    fn is_possible(&mut self, exec: &Exec) -> bool {
        self.outcome.graphs += 1;
        self.model.allows_valid(&exec.graph)
    }

    /// A read finds the last write, or, in graphs that branch off, another one.
    fn read(
        &mut self,
        code: &Code<'_>,
        exec: &mut Exec,
        (thread, location): (u32, Location),
        open: &mut Vec<Exec>,
    ) -> Result<(), Stop> {
        exec.remember();
        let first = seen_by(&exec.graph, thread, location);
        let writes = exec.graph.coherence[location.0 as usize][first..].to_vec();
        let (&last, others) = writes.split_last().expect("an initial write");
        for &write in others {
            let mut other = exec.clone();
            other.add_read(code, thread, location, write)?;
            if self.is_possible(&other) && !self.waits_for_nothing(code, &mut other, thread)? {
                open.push(other);
            }
        }
        exec.add_read(code, thread, location, last)
    }

    /// Does a thread wait because it has found another write than the last one? No later write is found by that read
    /// instead, and no other event comes after it. What other threads do in such an execution, they do as well
    /// where the thread finds the last write: an error needs no graph of this kind. A race or a cycle may.
    fn waits_for_nothing(
        &self,
        code: &Code<'_>,
        exec: &mut Exec,
        thread: u32,
    ) -> Result<bool, Stop> {
        let is_asked = code.machine.property == Property::Reach;
        Ok(is_asked && exec.run.next(code, thread)? == Next::Blocked)
    }

    /// A write is the last one, or, in graphs that branch off, comes earlier, or is what an earlier read finds. Is it
    /// possible as the last one?
    fn write(
        &mut self,
        code: &Code<'_>,
        exec: &mut Exec,
        write: NewWrite,
        open: &mut Vec<Exec>,
    ) -> Result<bool, Stop> {
        for (part, read) in write.revisits(&exec.graph) {
            let other = exec.again(code, part, read)?;
            if self.is_possible(&other) {
                open.push(other);
            }
        }
        let places = write.places(&exec.graph);
        let last = exec.graph.coherence[write.access.location.0 as usize].len();
        for place in places.clone().filter(|&place| place != last) {
            let mut other = exec.clone();
            other.add_write(code, write.thread, write.access, write.exchange, place);
            if self.is_possible(&other) {
                open.push(other);
            }
        }
        let goes_on = places.contains(&last);
        if goes_on {
            exec.add_write(code, write.thread, write.access, write.exchange, last);
        }
        Ok(goes_on)
    }
}
