//! Errors that the ranges of numbers exclude, before anything else is asked.

use crate::formula::{Formula, Found};
use crate::growth::{Group, groups};
use dataflow::Analysed;
use expr::{Op, Term, Terms, VarId};
use serde_json::{Value, json};
use verdict::{Budget, Reason};
use xcfa::{EdgeId, ErrorKind, Label, Xcfa};

/// What is known to be unreachable, and why.
pub struct Discharged {
    groups: Vec<Group>,
    edges: Vec<EdgeId>,
    /// The program without these edges.
    pub rest: Analysed,
    /// Does any edge of it lead to an error?
    pub has_errors: bool,
}

impl Discharged {
    /// Looks at every edge that leads to an error.
    pub fn of(xcfa: &Analysed, target: ErrorKind, budget: &Budget) -> Result<Discharged, Reason> {
        let mut rest = Xcfa::clone(xcfa);
        let found = groups(xcfa);
        let (mut used, mut edges, mut has_errors) = (vec![false; found.len()], Vec::new(), false);
        for edge in xcfa.edge_ids() {
            if xcfa[xcfa[edge].target].error != Some(target) {
                continue;
            }
            match excluded(xcfa, &mut rest.terms, &found, edge, budget)? {
                Some(by) => {
                    by.into_iter().for_each(|group| used[group] = true);
                    edges.push(edge);
                }
                None => has_errors = true,
            }
        }
        for &edge in &edges {
            let never = rest.terms.bool(false);
            rest[edge].labels = vec![Label::Assume(never)];
        }
        let used = found.into_iter().zip(used).filter(|&(_, used)| used);
        Ok(Discharged {
            groups: used.map(|(group, _)| group).collect(),
            edges,
            rest: Analysed::from(rest),
            has_errors,
        })
    }

    /// For others to check.
    pub fn certificate(&self) -> Value {
        let groups = self.groups.iter().map(|group| {
            let vars: Vec<u32> = group.vars.iter().map(|var| var.0).collect();
            let cells = group.cells.iter();
            let cells = cells.map(|it| (it.object.0, it.at, it.stride, it.bytes));
            let cells: Vec<_> = cells.collect();
            json!({"vars": vars, "cells": cells, "low": group.low, "high": group.high})
        });
        let groups: Vec<Value> = groups.collect();
        let edges: Vec<u32> = self.edges.iter().map(|edge| edge.0).collect();
        json!({"groups": groups, "edges": edges})
    }
}

/// The groups whose ranges do not allow some assumption of an edge; nothing if they allow all.
fn excluded(
    xcfa: &Xcfa,
    terms: &mut Terms,
    groups: &[Group],
    edge: EdgeId,
    budget: &Budget,
) -> Result<Option<Vec<usize>>, Reason> {
    for label in &xcfa[edge].labels {
        let Label::Assume(condition) = label else {
            continue;
        };
        let (mut known, mut by) = (Vec::new(), Vec::new());
        for var in terms.vars(*condition) {
            if let Some(number) = groups.iter().position(|group| group.vars.contains(&var)) {
                known.extend(bounds(xcfa, terms, var, &groups[number]));
                by.push(number);
            }
        }
        if by.is_empty() {
            continue;
        }
        let found = Formula::new(terms, known, budget).ask(terms, *condition)?;
        if matches!(found, Found::Nothing) {
            return Ok(Some(by));
        }
    }
    Ok(None)
}

/// That a variable is in its range.
fn bounds(xcfa: &Xcfa, terms: &mut Terms, var: VarId, group: &Group) -> [Term; 2] {
    let sort = xcfa[var].sort;
    let read = terms.var(var, sort);
    let low = terms.constant(sort, group.low as u64);
    let high = terms.constant(sort, group.high as u64);
    [
        terms.binary(Op::Sle, low, read),
        terms.binary(Op::Sle, read, high),
    ]
}
