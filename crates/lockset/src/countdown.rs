//! Counters of threads that have not finished.
//!
//! `main` adds one for each thread that it starts, each thread takes one away when it has done its
//! work, and `main` waits until nothing is left. Then every thread is behind the step that takes one
//! away. What is followed in `main` is the *balance*: the value of the counter, plus what threads have
//! taken away, minus the threads started.

use crate::held::Held;
use crate::program::Program;
use crate::prover::Prover;
use crate::updates::{Update, guard, once_a_thread, updates};
use crate::values::{Site, Values};
use rustc_hash::FxHashMap;

use expr::{Op, VarId};
use xcfa::{EdgeId, Label, LocId};

/// A counter that has been understood.
pub struct Countdown {
    /// By start: the step of its threads that takes one away.
    finished: FxHashMap<usize, EdgeId>,
    /// By location of `main`: has the counter been seen at zero since the last start?
    over: Vec<bool>,
}

impl Countdown {
    /// Is a thread of the start certainly behind its step at this edge, when `main` is there?
    pub fn excludes(&self, program: &Program<'_>, at: LocId, start: usize, edge: EdgeId) -> bool {
        let xcfa = program.xcfa;
        let behind = |finished: &EdgeId| {
            !program.reaches(xcfa[*finished].target, xcfa[edge].source, |_| false)
        };
        self.over[at.0 as usize] && self.finished.get(&start).is_some_and(behind)
    }
}

/// All such counters of a program.
pub fn countdowns(
    program: &Program<'_>,
    values: &mut Values,
    prover: &mut Prover,
    held: &Held,
    atomic: &[bool],
) -> Vec<Countdown> {
    let alone = program.xcfa.before_threads();
    let mut found = Vec::new();
    for var in program.xcfa.var_ids() {
        // A narrow counter could come to zero by wrapping.
        if !program.xcfa.is_global(var) || program.xcfa[var].sort.width() < 32 {
            continue;
        }
        let Some(updates) = updates(program, values, alone, var) else {
            continue;
        };
        if updates.is_empty() || guard(program, held, atomic, &updates).is_none() {
            continue;
        }
        let Some(finished) = finished(program, values, var, &updates) else {
            continue;
        };
        let balance = Balance {
            program,
            var,
            updates: &updates,
            finished: &finished,
            alone,
        };
        if let Some(over) = balance.over(values, prover) {
            found.push(Countdown { finished, over });
        }
    }
    found
}

/// By start: the one step of its threads that takes one away. None if others than `main` do anything
/// else to the counter.
fn finished(
    program: &Program<'_>,
    values: &Values,
    var: VarId,
    updates: &[Update],
) -> Option<FxHashMap<usize, EdgeId>> {
    let xcfa = program.xcfa;
    let minus_one = xcfa[var].sort.mask();
    let mut found = FxHashMap::default();
    for it in updates {
        let proc = xcfa[xcfa[it.edge].source].proc;
        if proc == xcfa.main {
            continue;
        }
        if it.step != minus_one || !once_a_thread(program, it.edge) || !values.is_feasible(it.edge)
        {
            return None;
        }
        for (number, start) in program.starts.iter().enumerate() {
            if start.root != proc {
                continue;
            }
            if start.by != xcfa.main || found.insert(number, it.edge).is_some() {
                return None;
            }
        }
    }
    let main_once = program.threads.running(xcfa.main).eq([xcfa.main])
        && program.threads.starts_at_most_once(xcfa.main);
    (main_once && !found.is_empty()).then_some(found)
}

/// The balance of a counter along the paths of `main`.
struct Balance<'b, 'a> {
    program: &'b Program<'a>,
    var: VarId,
    updates: &'b [Update],
    finished: &'b FxHashMap<usize, EdgeId>,
    alone: &'b [bool],
}

/// Balances further from zero than this are not followed.
const MOST: i64 = 1 << 20;

impl Balance<'_, '_> {
    /// By location: has the counter been seen at zero, or below, with a balance that is not negative?
    fn over(&self, values: &mut Values, prover: &mut Prover) -> Option<Vec<bool>> {
        let xcfa = self.program.xcfa;
        let balances = self.balances(values)?;
        let mut over: Vec<Option<bool>> = vec![None; xcfa.locs.len()];
        let init = xcfa[xcfa.main].init;
        over[init.0 as usize] = Some(false);
        let mut work = vec![init];
        let mut any = false;
        while let Some(loc) = work.pop() {
            for &edge in &xcfa[loc].out {
                let enough = balances[loc.0 as usize].is_some_and(|it| it >= 0);
                let seen = enough && self.sees_end(values, prover, edge);
                any |= seen;
                let counts = |start: &usize| self.program.starts[*start].edge == edge;
                let starts = self.finished.keys().any(counts);
                let before = over[loc.0 as usize].expect("it was reached");
                let after = (before || seen) && !starts;
                let known = &mut over[xcfa[edge].target.0 as usize];
                if known.is_none_or(|known| known && !after) {
                    *known = Some(after);
                    work.push(xcfa[edge].target);
                }
            }
        }
        let over = over.into_iter().map(|it| it.unwrap_or(false)).collect();
        any.then_some(over)
    }

    /// Does the edge go on only if the counter, as it reads it first of all, is not above zero?
    fn sees_end(&self, values: &mut Values, prover: &mut Prover, edge: EdgeId) -> bool {
        let xcfa = self.program.xcfa;
        let mut read = None;
        for (index, label) in xcfa[edge].labels.iter().enumerate() {
            if label.defines() == Some(self.var)
                || matches!(label, Label::Start { .. } | Label::Call { .. })
            {
                return false;
            }
            let reads = |term| xcfa.terms.vars(term).contains(&self.var);
            if read.is_none() && label.terms().any(reads) {
                read = Some(values.symbol_term(xcfa, Site::Label(edge, index), self.var));
            }
            if let (Label::Assume(_), Some(read)) = (label, read) {
                let Some(&condition) = values.evaluated(edge, index).first() else {
                    return false;
                };
                let zero = values.terms.constant(xcfa[self.var].sort, 0);
                let above = values.terms.binary(Op::Slt, zero, read);
                if prover.excludes(values, &[condition, above]) {
                    return true;
                }
            }
        }
        false
    }

    /// By location: the balance, where it is the same on every way. None if it is not known at first.
    fn balances(&self, values: &Values) -> Option<Vec<Option<i64>>> {
        let xcfa = self.program.xcfa;
        let first = self.value(values, xcfa[self.var].init?)?;
        let mut known: Vec<Option<i64>> = vec![None; xcfa.locs.len()];
        let mut reached = vec![false; xcfa.locs.len()];
        let init = xcfa[xcfa.main].init;
        known[init.0 as usize] = Some(first);
        reached[init.0 as usize] = true;
        let mut work = vec![init];
        while let Some(loc) = work.pop() {
            let before = known[loc.0 as usize];
            for &edge in &xcfa[loc].out {
                let after = self.pass(values, edge, before);
                let target = xcfa[edge].target.0 as usize;
                if !std::mem::replace(&mut reached[target], true) {
                    known[target] = after;
                } else if known[target].is_some() && known[target] != after {
                    known[target] = None;
                } else {
                    continue;
                }
                work.push(xcfa[edge].target);
            }
        }
        Some(known)
    }

    fn pass(&self, values: &Values, edge: EdgeId, before: Option<i64>) -> Option<i64> {
        let xcfa = self.program.xcfa;
        let alone = self.alone[xcfa[edge].source.0 as usize];
        let mut balance = before;
        for (index, label) in xcfa[edge].labels.iter().enumerate() {
            if label.defines() == Some(self.var) {
                let mut updates = self.updates.iter();
                let update = updates.find(|it| (it.edge, it.label) == (edge, index));
                balance = match (update, alone) {
                    (Some(update), _) => {
                        let width = xcfa[self.var].sort.width();
                        balance.map(|it| it.saturating_add(expr::sign_extend(update.step, width)))
                    }
                    // No thread has been started yet, so the balance is the value.
                    (None, true) => {
                        let value = values.evaluated(edge, index).first();
                        value.and_then(|&value| self.value(values, value))
                    }
                    (None, false) => None,
                };
            }
            let here = |&&start: &&usize| {
                let it = self.program.starts[start];
                (it.edge, it.label) == (edge, index)
            };
            if self.finished.keys().any(|start| here(&start)) {
                balance = balance.map(|it| it - 1);
            }
            if matches!(label, Label::Call { .. }) {
                balance = None;
            }
        }
        balance.filter(|it| it.abs() <= MOST)
    }

    fn value(&self, values: &Values, term: expr::Term) -> Option<i64> {
        let bits = values.terms.as_const(term)?;
        Some(expr::sign_extend(bits, values.terms.width(term))).filter(|it| it.abs() <= MOST)
    }
}
