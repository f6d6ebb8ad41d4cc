//! Loops that count.
//!
//! A loop counts if a local goes up or down by the same constant in every round. With the value at
//! the entrance and the condition for leaving this gives the values that the rounds see.

use crate::program::Program;
use crate::values::{Site, Values, as_sum};
use expr::{Term, VarId};
use xcfa::{EdgeId, Label, Xcfa};

/// A counter of a loop: at the start of the round of number k it is `init + k * step`.
#[derive(Clone, Copy, Debug)]
pub struct Counter {
    /// The loop.
    pub loop_: usize,
    /// The symbol of its value at the head.
    pub symbol: VarId,
    /// Its value when the loop is entered.
    pub init: Term,
    /// What each round adds, not zero.
    pub step: u64,
}

/// The counters of all loops with one entrance.
pub fn counters(program: &Program<'_>, values: &mut Values) -> Vec<Counter> {
    let mut found = Vec::new();
    for loop_ in 0..program.loops.loops.len() {
        for var in program.xcfa.var_ids() {
            found.extend(counter(program, values, loop_, var));
        }
    }
    found
}

fn counter(program: &Program<'_>, values: &Values, loop_: usize, var: VarId) -> Option<Counter> {
    let l = &program.loops.loops[loop_];
    let xcfa = program.xcfa;
    if !l.reducible || xcfa[xcfa[l.head].proc].init == l.head {
        return None;
    }
    let symbol = values.terms.as_var(values.at(l.head, var)?)?;
    let own = values.symbol(symbol)?;
    if own.site != Site::Loc(l.head) || own.var != var {
        return None;
    }
    let (mut init, mut step) = (None, None);
    for &edge in xcfa[l.head]
        .inc
        .iter()
        .filter(|&&edge| values.is_feasible(edge))
    {
        let value = values.after(edge, var)?;
        if l.contains(xcfa[edge].source) {
            let (base, by) = as_sum(&values.terms, value)?;
            let counts = values.terms.as_var(base) == Some(symbol);
            if !counts || step.replace(by).is_some_and(|other| other != by) {
                return None;
            }
        } else if init.replace(value).is_some_and(|other| other != value) {
            return None;
        }
    }
    Some(Counter {
        loop_,
        symbol,
        init: init?,
        step: step?,
    })
}

/// The condition on which an edge is taken, over symbols: the conjunction of what it assumes before
/// it does anything else that could fail or change a value in memory.
pub fn guard(xcfa: &Xcfa, values: &mut Values, edge: EdgeId) -> Term {
    let mut all = Vec::new();
    for (index, label) in xcfa[edge].labels.iter().enumerate() {
        match label {
            Label::Assume(_) => all.extend(values.evaluated(edge, index).first().copied()),
            Label::Assign { .. } => {}
            _ => break,
        }
    }
    values.terms.and_all(all)
}

/// The condition over the counter on which the loop is left, if it is left at its head only.
pub fn leaves_at_head(program: &Program<'_>, values: &mut Values, loop_: usize) -> Option<Term> {
    let head = program.loops.loops[loop_].head;
    let exits = program.exits(loop_);
    let exits: Vec<EdgeId> = exits
        .into_iter()
        .filter(|&edge| values.is_feasible(edge))
        .collect();
    if exits.iter().any(|&edge| program.xcfa[edge].source != head) {
        return None;
    }
    let guards: Vec<Term> = exits
        .into_iter()
        .map(|edge| guard(program.xcfa, values, edge))
        .collect();
    (!guards.is_empty()).then(|| values.terms.or_all(guards))
}

/// The condition on which a round begins at the head, if there is one for every edge.
pub fn enters_round(program: &Program<'_>, values: &mut Values, loop_: usize) -> Term {
    let l = &program.loops.loops[loop_];
    let inside: Vec<EdgeId> = program.xcfa[l.head]
        .out
        .iter()
        .copied()
        .filter(|&edge| l.contains(program.xcfa[edge].target) && values.is_feasible(edge))
        .collect();
    let guards: Vec<Term> = inside
        .into_iter()
        .map(|edge| guard(program.xcfa, values, edge))
        .collect();
    values.terms.or_all(guards)
}
