//! The guarded independence relation (section 2.2 of the paper).
//!
//! For two transitions of different threads, a condition on the state under which they neither
//! enable nor disable each other and give the same result in both orders. How much of it is used is
//! a [`Reduction`]:
//!
//! | case | of the paper | here |
//! | --- | --- | --- |
//! | 1 | no common variable that one of them writes | `static` and up |
//! | 2, 3 | `a[i]`, `a[j]` or `*p`, `*q` with different addresses | `simple` and up |
//! | 4a, 4b, 4c, and combinations | the write changes nothing that the other one sees | `full` |
//!
//! Cases 4a to 4c are one here: what each of the two evaluates stays the same when the other one's
//! updates are put in for the variables, and what both write is the same in the end. That is what
//! the paper's conditions say for a read, for two writes and for a branch, and it is the disjunction
//! that the paper requires where patterns meet (`i != j` or both values on one side of the branch).

use super::footprint::{Footprint, Memory};
use super::system::System;
use abstraction::Action;
use expr::{Node, Sort, Term, Terms, VarId};
use rustc_hash::FxHashMap;

/// Which cases of the relation are used.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum Reduction {
    /// None: every interleaving is searched.
    None,
    /// Case 1.
    Static,
    /// Cases 1 to 3.
    Simple,
    /// All cases.
    #[default]
    Full,
}

/// The relation.
#[derive(Default)]
pub struct Independence {
    /// By two transitions, that of the smaller thread first: when they are independent. Pairs that
    /// never are are not listed.
    pub guards: FxHashMap<(usize, usize), Term>,
    /// The same, as a condition that many pairs of two threads have in common if they can.
    pub common: FxHashMap<(usize, usize), Term>,
    /// Inputs of a transition as they are one step later.
    pub later: FxHashMap<VarId, VarId>,
}

impl Independence {
    /// Finds the relation between the transitions of a system.
    pub fn of(system: &mut System, footprints: &[Footprint], reduction: Reduction) -> Independence {
        let mut relation = Independence::default();
        if reduction == Reduction::None {
            return relation;
        }
        let all = 0..system.actions().len();
        for first in all.clone() {
            let later = system.later_inputs(first, &mut relation.later);
            for second in all.clone() {
                let (a, b) = (&system.actions()[first], &system.actions()[second]);
                if a.thread >= b.thread || b.starts.contains(&a.thread) {
                    continue;
                }
                // What begins or ends an atomic section decides whether others may move.
                if system.holds(a) || system.holds(b) {
                    continue;
                }
                let pair = (&footprints[first], &footprints[second]);
                let (apart, guard) = guard(system, (first, second), pair, reduction);
                let guard = system.terms.substitute(guard, &later);
                if system.terms.as_const(guard) == Some(0) {
                    continue;
                }
                let apart = system.terms.substitute(apart, &later);
                let common = match system.terms.as_const(apart) {
                    Some(0) => guard,
                    _ => apart,
                };
                relation.guards.insert((first, second), guard);
                relation.common.insert((first, second), common);
            }
        }
        relation
    }
}

impl System {
    /// The inputs of a transition renamed to those of the next step.
    fn later_inputs(
        &mut self,
        transition: usize,
        later: &mut FxHashMap<VarId, VarId>,
    ) -> FxHashMap<VarId, Term> {
        let inputs = self.actions()[transition].inputs.clone();
        let mut renamed = FxHashMap::default();
        for input in inputs {
            let var = input.symbol;
            let sort = self.program.vars[var.0 as usize].sort;
            let copy = *later.entry(var).or_insert_with(|| self.fresh());
            renamed.insert(var, self.terms.var(copy, sort));
        }
        renamed
    }
}

/// When two transitions are independent, as far as the cases in use tell: by cases 1 to 3, and by all.
fn guard(
    system: &mut System,
    (first, second): (usize, usize),
    (a, b): (&Footprint, &Footprint),
    reduction: Reduction,
) -> (Term, Term) {
    let conflicts = a.conflicts(b);
    if conflicts.is_empty() {
        let always = system.terms.bool(true);
        return (always, always);
    }
    let mut simple = system.terms.bool(false);
    if reduction >= Reduction::Simple && conflicts.iter().all(|&var| a.is_memory(var)) {
        simple = apart(system, &a.memory, &b.memory);
    }
    let mut guard = simple;
    if reduction >= Reduction::Full {
        let same = commute(system, first, second);
        guard = system.terms.or(guard, same);
    }
    (simple, guard)
}

/// Cases 2 and 3: all addresses differ that could be the same.
fn apart(system: &mut System, a: &[Memory], b: &[Memory]) -> Term {
    let mut all = system.terms.bool(true);
    for x in a {
        for y in b {
            if !(x.write || y.write) || !x.objects.iter().any(|at| y.objects.contains(at)) {
                continue;
            }
            let (Some(p), Some(q)) = (x.address, y.address) else {
                return system.terms.bool(false);
            };
            let differ = differ(system, (p, x.bytes), (q, y.bytes));
            all = system.terms.and(all, differ);
        }
    }
    all
}

fn differ(system: &mut System, (p, p_bytes): (Term, u64), (q, q_bytes): (Term, u64)) -> Term {
    let terms = &mut system.terms;
    let distance = terms.binary(expr::Op::Sub, p, q);
    let Sort::Bv(width) = terms.sort(p) else {
        return terms.bool(false);
    };
    // They overlap if q <= p < q + q_bytes or p <= q < p + p_bytes.
    let limit = terms.bv(width, q_bytes);
    let behind = terms.binary(expr::Op::Ult, distance, limit);
    let back = terms.binary(expr::Op::Sub, q, p);
    let limit = terms.bv(width, p_bytes);
    let before = terms.binary(expr::Op::Ult, back, limit);
    if p_bytes == 1 && q_bytes == 1 {
        return terms.ne(p, q);
    }
    let overlap = terms.or(behind, before);
    terms.not(overlap)
}

/// Case 4: neither changes what the other one evaluates, and both orders end the same.
fn commute(system: &mut System, first: usize, second: usize) -> Term {
    let (a, b) = (
        system.actions()[first].clone(),
        system.actions()[second].clone(),
    );
    let a_then: FxHashMap<VarId, Term> = a.updates.iter().copied().collect();
    let b_then: FxHashMap<VarId, Term> = b.updates.iter().copied().collect();
    let mut all = unchanged(system, &a, &b_then);
    let other = unchanged(system, &b, &a_then);
    all = system.terms.and(all, other);
    for (var, value) in &a.updates {
        let Some(&last) = b_then.get(var) else {
            continue;
        };
        let same = same_in_the_end(&mut system.terms, *var, (*value, &a_then), (last, &b_then));
        let terms = &mut system.terms;
        all = terms.and(all, same);
    }
    all
}

/// A transition's value for a variable, and all its updates.
type Update<'a> = (Term, &'a FxHashMap<VarId, Term>);

/// Do two updates of a variable leave the same in both orders?
fn same_in_the_end(
    terms: &mut Terms,
    var: VarId,
    (a, a_then): Update<'_>,
    (b, b_then): Update<'_>,
) -> Term {
    // Two writes of one cell, each at an address that the other one does not change: a cell that
    // only one of them hits is the same in both orders.
    if let (Some((hits_a, x)), Some((hits_b, y))) = (hit(terms, var, a), hit(terms, var, b)) {
        let stays = |terms: &mut Terms, term, others| terms.substitute(term, others) == term;
        let both_stay = stays(terms, hits_a, b_then)
            && stays(terms, x, b_then)
            && stays(terms, hits_b, a_then)
            && stays(terms, y, a_then);
        if both_stay {
            let both = terms.and(hits_a, hits_b);
            let (apart, same) = (terms.not(both), terms.eq(x, y));
            return terms.or(apart, same);
        }
    }
    // `a` first leaves what `b` writes after it, and the other way round.
    let (after_b, after_a) = (terms.substitute(b, a_then), terms.substitute(a, b_then));
    terms.eq(after_b, after_a)
}

/// A value that is another one only under a condition, and else the variable's own.
fn hit(terms: &mut Terms, var: VarId, value: Term) -> Option<(Term, Term)> {
    let Node::Ite(condition, a, b) = terms.node(value) else {
        return None;
    };
    let own = |term: Term| matches!(terms.node(term), Node::Var(other, _) if other == var);
    match (own(a), own(b)) {
        (false, true) => Some((condition, a)),
        (true, false) => Some((terms.not(condition), b)),
        _ => None,
    }
}

/// Does a transition do the same after another one's updates?
fn unchanged(system: &mut System, action: &Action, others: &FxHashMap<VarId, Term>) -> Term {
    let after = system.terms.substitute(action.guard, others);
    let mut all = system.terms.eq(action.guard, after);
    for &(var, value) in &action.updates {
        let owner = system.program.vars[var.0 as usize].owner;
        let dead =
            owner == Some(action.thread) && (action.ends || system.is_dead(action.target, var));
        if dead || others.contains_key(&var) {
            continue;
        }
        let terms = &mut system.terms;
        let after = terms.substitute(value, others);
        let same = terms.eq(value, after);
        all = terms.and(all, same);
    }
    all
}
