//! Looking for an order of the events that violates the property.

use super::{Goal, Op, TraceProgram};
use expr::{Op as Operator, Sort, Term, VarId};
use semantics::Cell;
use smt::{Check, Solver};
use std::time::{Duration, Instant};

/// A question takes no longer than this; not knowing means going on without.
const TIMEOUT: Duration = Duration::from_millis(500);

/// And all questions about one execution no longer than this.
const TIME_FOR_ALL: Duration = Duration::from_secs(1);

/// The events before an error, in order, and the event that takes the branch to it; `calls` counts
/// the questions.
pub fn violating_order(program: &mut TraceProgram, calls: &mut u64) -> Option<(Vec<usize>, usize)> {
    let start = Instant::now();
    for goal in std::mem::take(&mut program.goals) {
        if start.elapsed() > TIME_FOR_ALL {
            return None;
        }
        *calls += 1;
        if let Some(order) = solve(program, &goal) {
            return Some((order, goal.op));
        }
    }
    None
}

fn solve(program: &mut TraceProgram, goal: &Goal) -> Option<Vec<usize>> {
    let count = program.ops.len();
    let bits = usize::BITS - (count + 1).leading_zeros();
    let times: Vec<Term> = (0..count as u32)
        .map(|at| {
            program
                .terms
                .var(VarId(program.next_var + at), Sort::Bv(bits))
        })
        .collect();
    let mut formula = Formula { program, times };
    let mut solver = Solver::new();
    solver.set_timeout(Some(TIMEOUT));
    for constraint in formula.constraints(goal) {
        solver.assert(&formula.program.terms, constraint);
    }
    if solver.check(&formula.program.terms, &[]) != Check::Sat {
        return None;
    }
    let terms = &formula.program.terms;
    let mut when: Vec<(u64, usize)> = Vec::new();
    for (at, &time) in formula.times.iter().enumerate() {
        when.push((solver.value(terms, time)?, at));
    }
    let error = when[goal.op].0;
    when.retain(|&(time, at)| time < error && at != goal.op);
    when.sort_unstable();
    Some(when.into_iter().map(|(_, at)| at).collect())
}

struct Formula<'p> {
    program: &'p mut TraceProgram,
    /// By event: when it happens.
    times: Vec<Term>,
}

impl Formula<'_> {
    fn before(&mut self, a: usize, b: usize) -> Term {
        let (a, b) = (self.times[a], self.times[b]);
        self.program.terms.binary(Operator::Ult, a, b)
    }

    fn constraints(&mut self, goal: &Goal) -> Vec<Term> {
        let mut all = Vec::new();
        for (a, b) in self.program.order.clone() {
            let ordered = self.before(a, b);
            all.push(ordered);
        }
        for at in 0..self.program.ops.len() {
            let Op { guards, reads, .. } = self.program.ops[at].clone();
            let mut needed = if at == goal.op {
                goal.guards.clone()
            } else {
                guards
            };
            for (cell, found) in reads {
                let sources = self.sources(at, cell, found);
                needed.push(sources);
            }
            let needed = self.program.terms.and_all(needed);
            let constraint = match at == goal.op {
                true => needed,
                // What comes after the error need not be possible.
                false => {
                    let happens = self.before(at, goal.op);
                    let later = self.program.terms.not(happens);
                    self.program.terms.or(later, needed)
                }
            };
            all.push(constraint);
        }
        all
    }

    /// A pi function: what is found is the last write before, or what was there at first.
    fn sources(&mut self, at: usize, cell: Cell, found: Term) -> Term {
        let writes: Vec<(usize, Term)> = self
            .program
            .ops
            .iter()
            .enumerate()
            .filter(|(other, _)| *other != at)
            .filter_map(|(other, op)| {
                let write = op.writes.iter().find(|(written, _)| *written == cell);
                write.map(|(_, value)| (other, *value))
            })
            .collect();
        let mut options = Vec::new();
        for &(source, value) in &writes {
            let same = self.program.terms.eq(found, value);
            let mut all = vec![same, self.before(source, at)];
            for &(other, _) in writes.iter().filter(|(other, _)| *other != source) {
                let earlier = self.before(other, source);
                let later = self.before(at, other);
                all.push(self.program.terms.or(earlier, later));
            }
            options.push(self.program.terms.and_all(all));
        }
        let initial = self
            .program
            .initial
            .iter()
            .find(|(known, _)| *known == cell);
        if let Some(&(_, value)) = initial {
            let mut all = vec![self.program.terms.eq(found, value)];
            for &(other, _) in &writes {
                all.push(self.before(at, other));
            }
            options.push(self.program.terms.and_all(all));
        }
        self.program.terms.or_all(options)
    }
}
