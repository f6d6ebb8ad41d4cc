//! Copying edges: what starts a thread or calls gets a copy of the procedure.

use super::activation::{Activation, Caller};
use super::location::{Next, UnrolledLocation};
use super::{Unroller, Unsupported};
use expr::VarId;
use xcfa::{Callee, Edge, EdgeId, Label, LocId, ProcId};

/// Where the copy of an edge ends.
enum End {
    At(LocId),
    /// The edge is never taken.
    Nowhere,
}

impl Unroller<'_> {
    pub(super) fn new_thread(&mut self, proc: ProcId, starter: Option<usize>) -> ProcId {
        let number = self.number(proc);
        let old = &self.old[proc];
        let name = match number {
            1 => old.name.clone(),
            _ => format!("{}#{number}", old.name),
        };
        let host = self.new.add_proc(name, old.span);
        self.procs.push(proc);
        let activation = self.activations.len();
        self.activations
            .push(Activation::new(proc, host, number, None, starter));
        let rename = |&var: &VarId| self.rename_var(activation, var);
        self.new[host].params = old.params.iter().map(rename).collect();
        let result = old.result.map(|var| self.rename_var(activation, var));
        self.new[host].result = result;
        let start = self.start(activation);
        let init = self.new[host].init;
        self.new[init].error = self.old[start.loc].error;
        self.locs.insert(start.clone(), init);
        self.work.push_back(start);
        host
    }

    /// The procedure that a started thread runs; none if the limits do not allow the thread.
    fn thread(&mut self, starter: usize, proc: ProcId) -> Option<ProcId> {
        if self.limits.shared.contains(&proc) {
            if let Some(&copy) = self.shared_copies.get(&proc) {
                return Some(copy);
            }
            let copy = self.new_thread(proc, Some(starter));
            self.shared_copies.insert(proc, copy);
            return Some(copy);
        }
        if !self.may_start(starter, proc) {
            return None;
        }
        self.threads += 1;
        Some(self.new_thread(proc, Some(starter)))
    }

    fn number(&mut self, proc: ProcId) -> u32 {
        let number = self.copies.entry(proc).or_default();
        *number += 1;
        *number
    }

    pub(super) fn copy_edge(
        &mut self,
        from: &UnrolledLocation,
        edge: EdgeId,
    ) -> Result<(), Unsupported> {
        let span = self.old[edge].span;
        self.check_size(span)?;
        let source = self.loc_of(from.clone());
        let mut labels = Vec::new();
        if let End::At(target) = self.copy_labels(from, edge, &mut labels)? {
            self.origin.push(edge);
            self.new.add_edge(Edge {
                source,
                target,
                labels,
                ..self.old[edge].clone()
            });
        }
        Ok(())
    }

    fn copy_labels(
        &mut self,
        from: &UnrolledLocation,
        edge: EdgeId,
        labels: &mut Vec<Label>,
    ) -> Result<End, Unsupported> {
        let host = self.activations[from.activation].host;
        let old = self.old;
        let Edge {
            labels: originals,
            span,
            ..
        } = &old[edge];
        for (at, label) in originals.iter().enumerate() {
            match label {
                Label::Start { proc, .. } => {
                    let Some(started) = self.thread(from.activation, *proc) else {
                        return Ok(End::At(self.unwound(host)));
                    };
                    let mut copy = self.rename(from.activation, label);
                    if let Label::Start { proc, .. } = &mut copy {
                        *proc = started;
                    }
                    labels.push(copy);
                }
                Label::Call { .. } if at + 1 < originals.len() => {
                    let what = "a call with something behind it on its edge";
                    return Err(Unsupported::at(*span, what));
                }
                Label::Call {
                    callee: Callee::Direct(proc),
                    ..
                } => return Ok(self.call(from, edge, *proc, labels)),
                Label::Call { .. } => {
                    let what = "a call through a pointer that was not resolved";
                    return Err(Unsupported::at(*span, what));
                }
                Label::ThreadExit(_) | Label::Exit(_) => {
                    labels.push(self.rename(from.activation, label));
                    return Ok(End::At(self.new[host].exit));
                }
                other => labels.push(self.rename(from.activation, other)),
            }
        }
        let next = self.next(from, edge);
        Ok(self.arrive(host, next, labels))
    }

    /// Enters a copy of the callee, unless that would nest too deep.
    fn call(
        &mut self,
        from: &UnrolledLocation,
        edge: EdgeId,
        proc: ProcId,
        labels: &mut Vec<Label>,
    ) -> End {
        let host = self.activations[from.activation].host;
        let Some(original) = self.old[edge].labels.last() else {
            unreachable!("the edge of a call has the call as its last label")
        };
        if self.call_depth(from.activation, proc) >= self.limits.rounds {
            return End::At(self.unwound(host));
        }
        let Label::Call { args, result, .. } = self.rename(from.activation, original) else {
            unreachable!("renaming keeps what a label does")
        };
        let number = self.number(proc);
        let activation = self.activations.len();
        let from = from.clone();
        let caller = Some(Caller { from, edge, result });
        self.activations
            .push(Activation::new(proc, host, number, caller, None));
        for (&param, value) in self.old[proc].params.iter().zip(args) {
            let var = self.rename_var(activation, param);
            labels.push(Label::Assign { var, value });
        }
        let start = self.start(activation);
        self.arrive(host, Next::To(start), labels)
    }

    /// Ends an edge at a place. The end of a called procedure is left in the same step: the
    /// result is handed over and the stack objects of the activation end.
    fn arrive(&mut self, host: ProcId, mut next: Next, labels: &mut Vec<Label>) -> End {
        loop {
            let place = match next {
                Next::Never => return End::Nowhere,
                Next::Unwound => return End::At(self.unwound(host)),
                Next::To(place) => place,
            };
            let activation = &self.activations[place.activation];
            let at_end = place.loc == self.old[activation.proc].exit;
            let Some(caller) = activation.caller.clone().filter(|_| at_end) else {
                return End::At(self.loc_of(place));
            };
            if let Some(var) = caller.result {
                let value = match self.old[activation.proc].result {
                    Some(result) => {
                        let result = self.rename_var(place.activation, result);
                        self.new.read(result)
                    }
                    None => self
                        .new
                        .terms
                        .constant(self.new.vars[var.0 as usize].sort, 0),
                };
                labels.push(Label::Assign { var, value });
            }
            let frame = self.frame(place.activation);
            labels.extend(frame.into_iter().map(Label::Dealloc));
            next = self.next(&caller.from, caller.edge);
        }
    }

    /// How many calls of `proc` have not returned where this activation runs.
    fn call_depth(&self, activation: usize, proc: ProcId) -> u32 {
        let mut depth = 0;
        let mut at = activation;
        while let Some(caller) = &self.activations[at].caller {
            depth += u32::from(self.activations[at].proc == proc);
            at = caller.from.activation;
        }
        depth
    }

    /// Do the limits allow one more thread in `proc`?
    fn may_start(&self, activation: usize, proc: ProcId) -> bool {
        let mut depth = 0;
        let mut at = activation;
        loop {
            let activation = &self.activations[at];
            if let Some(caller) = &activation.caller {
                at = caller.from.activation;
                continue;
            }
            depth += u32::from(activation.proc == proc);
            match activation.starter {
                Some(starter) => at = starter,
                None => break,
            }
        }
        self.threads < self.limits.threads && depth <= self.limits.rounds
    }
}
