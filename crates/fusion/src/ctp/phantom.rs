//! Phantom edges: leaving the trace at a branch that was not taken, and coming back.

use super::build::{Builder, Merge};
use super::region::Region;
use super::{Goal, GoalKind, Op, Phantom};
use expr::{Sort, Term};
use semantics::Tid;
use xcfa::{EdgeId, ErrorKind, Label};

impl Builder<'_, '_> {
    /// Beside an edge that was taken, notes what happens if the thread takes another one; `was` is
    /// the condition under which it came there.
    pub fn leave_beside(&mut self, index: usize, op: &Op, taken: EdgeId, was: Term) {
        let xcfa = self.machine.xcfa;
        let source = xcfa[taken].source;
        let mut others = xcfa[source].out.iter().filter(|&&edge| edge != taken);
        let error = |edge: &EdgeId| xcfa[xcfa[*edge].target].error == Some(ErrorKind::Reached);
        if others.all(error) {
            return;
        }
        let stays = self.line(op.tid).guard;
        let mut leaves = self.program.terms.not(stays);
        if !self.statics.loc(source).exclusive {
            let chosen = self.fresh(Sort::Bool);
            leaves = self.program.terms.or(leaves, chosen);
            let not_chosen = self.program.terms.not(chosen);
            self.line(op.tid).guard = self.program.terms.and(stays, not_chosen);
        }
        let guard = self.program.terms.and(was, leaves);
        if self.program.terms.as_const(guard) == Some(0) {
            return;
        }
        let region = self.regions.beside(self.statics.xcfa, taken);
        match self.comes_back(op.tid, &region) {
            Some(at) => {
                let phantom = self.program.phantoms.len();
                self.program.phantoms.push(Phantom {
                    tid: op.tid,
                    guard,
                    after: index,
                    until: None,
                    cells: Vec::new(),
                });
                self.line(op.tid).merges.push(Merge {
                    at,
                    phantom,
                    locals: region.locals.clone(),
                    reached: false,
                });
                self.places.push(region);
            }
            None => self.program.goals.push(Goal {
                op: index,
                guard,
                kind: GoalKind::Unclear,
            }),
        }
    }

    /// How many edges the thread has taken when the other branch comes back to the trace; `None`
    /// if it does not, or if something is left out on the way that matters later.
    fn comes_back(&mut self, tid: u32, region: &Region) -> Option<usize> {
        let xcfa = self.machine.xcfa;
        let merge = region.merge.filter(|_| !region.unclear)?;
        let inside = |state: &semantics::State| state.thread(Tid(tid)).atomic_depth > 0;
        if inside(&self.before) || inside(&self.state) {
            return None;
        }
        let line = self.line(tid);
        let from = line.taken;
        let rest = &line.path[from..];
        let at = rest.iter().position(|&edge| xcfa[edge].target == merge)?;
        let skipped = rest[..=at].iter().flat_map(|&edge| &xcfa[edge].labels);
        let mut depth = 0;
        for label in skipped {
            match label {
                Label::AtomicBegin => depth += 1,
                Label::AtomicEnd => depth -= 1,
                Label::Start { .. }
                | Label::Alloc { .. }
                | Label::Free(_)
                | Label::Join { .. }
                | Label::ThreadExit(_) => return None,
                _ => {}
            }
        }
        (depth == 0).then_some(from + at + 1)
    }

    /// Where phantom edges come back, the thread may be here because of them: phi functions.
    pub fn merge_here(&mut self, tid: u32) {
        for at in 0..self.lines[tid as usize].merges.len() {
            let line = &mut self.lines[tid as usize];
            if line.merges[at].reached || line.merges[at].at != line.taken {
                continue;
            }
            line.merges[at].reached = true;
            let locals = std::mem::take(&mut line.merges[at].locals);
            let guard = self.program.phantoms[line.merges[at].phantom].guard;
            line.guard = self.program.terms.or(line.guard, guard);
            for var in locals {
                let other = self.fresh(self.machine.xcfa[var].sort);
                let value = match self.local(tid, var) {
                    Some(value) => self.program.terms.ite(guard, other, value),
                    None => other,
                };
                self.line(tid).locals.insert(var, value);
            }
        }
    }
}
