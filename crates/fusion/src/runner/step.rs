//! One step of a thread: trying the edges of its location.

use super::{Runner, Taken};
use crate::inputs::Options;
use crate::statics::Backup;
use semantics::{Outcome, Property, Step, Tid, Violation};
use smallvec::SmallVec;
use xcfa::EdgeId;

impl Runner<'_, '_> {
    /// Takes one edge of a thread.
    pub(super) fn step(&mut self, tid: Tid) -> Taken {
        let loc = self.state.thread(tid).loc;
        let info = self.statics.loc(loc);
        if info.is_end {
            return Taken::Failed { blocked: false };
        }
        let out = self.machine.edges(&self.state, tid);
        let backup = match info.exclusive {
            true => info.backup,
            false => Backup::Everything,
        };
        let backup = match backup {
            Backup::Everything if !info.reaches_others => Backup::Shared,
            other => other,
        };
        self.save(backup, tid);
        let mark = self.oracle.mark();
        self.oracle.forget_returned();
        let seen = self.oracle.log.len();
        let mut feasible: SmallVec<[EdgeId; 4]> = SmallVec::new();
        let (mut blocked, mut asked) = (false, false);
        for &edge in out {
            let static_info = self.statics.edge(edge);
            if static_info.guarded && !self.machine.guard_holds(&self.state, tid, edge) {
                continue;
            }
            let logged = self.oracle.log.len();
            let looked = self.oracle.seen.len();
            match self.try_edge(tid, edge, backup, mark) {
                Taken::Edge if info.exclusive => {
                    self.oracle.log.drain(seen..logged);
                    return self.took(tid, edge, mark);
                }
                Taken::Edge => {
                    asked |= self.oracle.mark() != mark;
                    self.restore(backup, tid);
                    self.oracle.put_back(looked);
                    self.oracle.rewind(mark);
                    feasible.push(edge);
                }
                Taken::Violated(violation) => {
                    let choices = self.oracle.since(mark).collect();
                    self.push_step(tid, edge, choices);
                    return Taken::Violated(violation);
                }
                Taken::Failed { blocked: waits } => blocked |= waits,
            }
        }
        let Some(&first) = feasible.first() else {
            // Under another answer one of the edges might be possible.
            self.oracle.keep_returned();
            return Taken::Failed { blocked };
        };
        // An edge that failed may be possible under another answer.
        if asked || self.oracle.has_returned() {
            self.beyond = Some("an input and a free choice of edges meet");
        }
        let edge = match feasible.len() {
            1 => first,
            count => {
                let options: Options = (0..count as u64).collect();
                let picked = self.oracle.pick(options) as usize;
                // The answer may be from where more edges were possible.
                match feasible.get(picked) {
                    Some(&edge) => edge,
                    None => return self.give_up("which edges are possible depends on others"),
                }
            }
        };
        let mark = self.oracle.mark();
        self.save(backup, tid);
        match self.try_edge(tid, edge, backup, mark) {
            Taken::Edge => self.took(tid, edge, mark),
            other => other,
        }
    }

    pub(super) fn try_edge(
        &mut self,
        tid: Tid,
        edge: EdgeId,
        backup: Backup,
        mark: usize,
    ) -> Taken {
        let info = self.statics.edge(edge);
        let deadlock = self.machine.property == Property::Deadlock;
        self.record.lock = info.lock;
        if info.awaits && deadlock && self.state.thread(tid).waiting != 0 {
            self.record.waits = true;
            self.note_dependence(edge, None);
            return Taken::Failed { blocked: true };
        }
        if info.joins && self.statics.joins_or_not {
            self.beyond = Some("a thread may join another one or do something else instead");
        }
        self.oracle.joined = None;
        let (logged, looked) = (self.oracle.log.len(), self.oracle.seen.len());
        if info.frees {
            self.note_instances();
        }
        let waiting: SmallVec<[bool; 8]> = match info.signals && deadlock {
            true => self
                .state
                .threads
                .iter()
                .map(|thread| thread.waiting != 0)
                .collect(),
            false => SmallVec::new(),
        };
        let outcome = self
            .machine
            .step(&mut self.state, tid, edge, &mut self.oracle);
        let joined = self.oracle.joined;
        self.note_dependence(edge, joined);
        if info.joins {
            self.record.joined = joined;
        }
        let failed = |runner: &mut Self, blocked| {
            runner.restore(backup, tid);
            runner.oracle.give_back(mark);
            runner.oracle.put_back(looked);
            for access in &mut runner.oracle.log[logged..] {
                access.write = false;
            }
            Taken::Failed { blocked }
        };
        match outcome {
            Outcome::Moved { .. } if self.state.ended => {
                if self.machine.property == Property::Race && self.oracle.log.len() > logged {
                    self.beyond = Some("the process may end in a step that takes part in a race");
                }
                failed(self, false)
            }
            Outcome::Moved { .. } => {
                if info.frees {
                    self.log_vanished(tid, edge);
                }
                self.record.waits |= deadlock && (info.awaits || info.signals);
                self.note_woken(&waiting);
                if info.signals && !deadlock {
                    match self.machine.property {
                        Property::Race => self.note_signal(logged),
                        _ => self.hide_signals(logged),
                    }
                }
                Taken::Edge
            }
            Outcome::Blocked => failed(self, true),
            Outcome::Cut(undefined) => {
                // The first of two frees that race leaves nothing for the second one to free.
                let freed = undefined == Some(Violation::InvalidFree);
                if freed && self.machine.property == Property::Race {
                    self.beyond = Some("memory may be freed twice");
                }
                failed(self, false)
            }
            Outcome::Violation(violation) => Taken::Violated(violation),
            Outcome::Beyond(why) => {
                self.beyond = Some(why);
                failed(self, false)
            }
        }
    }

    pub(super) fn took(&mut self, tid: Tid, edge: EdgeId, mark: usize) -> Taken {
        let choices = self.oracle.since(mark).collect();
        self.push_step(tid, edge, choices);
        Taken::Edge
    }

    pub(super) fn push_step(&mut self, tid: Tid, edge: EdgeId, choices: Vec<u64>) {
        self.taken += 1;
        self.fresh_steps.push(Step::new(tid.0, edge.0, choices));
    }
}
