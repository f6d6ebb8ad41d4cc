//! Comparisons that may be invariants: those that the program itself makes.
//!
//! A condition on the way from a node is about the variables there. A condition on the way to a node
//! is about values before the last assignments; where these can be undone, it says something about
//! the variables afterwards. A condition that says *or* is tried as a whole too. What is found for one
//! node is tried for all.

use super::Parts;
use crate::horn::{Application, HornSystem};
use expr::{Node, Op, Sort, Term, Terms, VarId};
use rustc_hash::FxHashMap;
use std::collections::BTreeSet;

/// At most this many comparisons are tried for a predicate.
const MOST_ATOMS: usize = 80;

/// A condition that is true in one of several cases is tried as a whole if it has at most so many nodes.
const MOST_NODES: usize = 24;

/// By predicate: comparisons of its parameters, those of its own rules first.
pub fn atoms(terms: &mut Terms, system: &HornSystem) -> Parts {
    let mut own: Vec<BTreeSet<Term>> = vec![BTreeSet::new(); system.predicates().len()];
    let mut all = BTreeSet::new();
    for rule in system.rules() {
        let mut compared = compared(terms, rule.constraint);
        compared.extend(choices(terms, rule.constraint));
        all.extend(&compared);
        for body in &rule.body {
            own[body.pred.index()].extend(&compared);
        }
        if let Some(head) = &rule.head {
            let later = afterwards(terms, system, head, &compared);
            all.extend(&later);
            own[head.pred.index()].extend(later);
        }
    }
    let predicates = system.predicates().iter().zip(&own);
    let found = predicates.map(|(predicate, own)| {
        let params = predicate.params.iter();
        let params: BTreeSet<VarId> = params.filter_map(|&it| terms.as_var(it)).collect();
        let about = |term: &Term| terms.vars(*term).iter().all(|var| params.contains(var));
        let foreign = all.iter().filter(|term| !own.contains(*term));
        let fit: Vec<Term> = own.iter().chain(foreign).copied().filter(about).collect();
        let mut tried: Vec<Term> = Vec::new();
        for term in fit {
            for variant in variants(terms, term) {
                if terms.as_const(variant).is_none() && !tried.contains(&variant) {
                    tried.push(variant);
                }
            }
            if tried.len() >= MOST_ATOMS {
                break;
            }
        }
        tried
    });
    found.collect()
}

/// The comparisons in a formula.
fn compared(terms: &Terms, formula: Term) -> BTreeSet<Term> {
    let mut found = BTreeSet::new();
    terms.for_each_subterm(formula, &mut |term, node| {
        if let Node::Binary(Op::Slt | Op::Sle | Op::Ult | Op::Ule | Op::Eq, a, _) = node
            && matches!(terms.sort(a), Sort::Bv(2..=32))
        {
            found.insert(term);
        }
    });
    found
}

/// The parts of a formula that say *or*, as long as they are small.
fn choices(terms: &mut Terms, formula: Term) -> Vec<Term> {
    let mut parts = terms.conjuncts(formula);
    parts.retain(|&part| {
        let mut nodes = 0;
        if is_choice(terms, part) {
            terms.for_each_subterm(part, &mut |_, _| nodes += 1);
        }
        (1..=MOST_NODES).contains(&nodes)
    });
    parts
}

fn is_choice(terms: &Terms, part: Term) -> bool {
    match terms.node(part) {
        Node::Binary(Op::Or, ..) => true,
        Node::Unary(Op::Not, a) => matches!(terms.node(a), Node::Binary(Op::And, ..)),
        _ => false,
    }
}

/// A comparison, what it excludes, and what is left of it if both sides may be equal.
fn variants(terms: &mut Terms, term: Term) -> Vec<Term> {
    if is_choice(terms, term) {
        return vec![term];
    }
    let otherwise = terms.not(term);
    let mut found = vec![term, otherwise];
    if let Node::Binary(op @ (Op::Slt | Op::Sle | Op::Ult | Op::Ule), a, b) = terms.node(term) {
        let weak = match op {
            Op::Slt | Op::Sle => Op::Sle,
            _ => Op::Ule,
        };
        found.extend([terms.binary(weak, a, b), terms.binary(weak, b, a)]);
    }
    found
}

/// The same comparisons in terms of the parameters of the head, as far as that is possible.
fn afterwards(
    terms: &mut Terms,
    system: &HornSystem,
    head: &Application,
    compared: &BTreeSet<Term>,
) -> BTreeSet<Term> {
    let params = &system.predicates()[head.pred.index()].params;
    let mut now: FxHashMap<VarId, Term> = FxHashMap::default();
    let both = || params.iter().copied().zip(head.args.iter().copied());
    for (param, arg) in both() {
        if let Some(var) = terms.as_var(arg) {
            // A variable that kept its value is called by its own name.
            let entry = now.entry(var).or_insert(param);
            if param == arg {
                *entry = param;
            }
        }
    }
    for (param, arg) in both() {
        if let Some((var, before)) = undone(terms, param, arg) {
            now.entry(var).or_insert(before);
        }
    }
    let known = |terms: &Terms, term: Term| terms.vars(term).iter().all(|it| now.contains_key(it));
    let mut found = BTreeSet::new();
    for &term in compared {
        if known(&*terms, term) {
            found.insert(terms.substitute(term, &now));
        }
    }
    found
}

/// What a variable was before, if the parameter is that and a constant more.
fn undone(terms: &mut Terms, param: Term, arg: Term) -> Option<(VarId, Term)> {
    let Node::Binary(op @ (Op::Add | Op::Sub), a, b) = terms.node(arg) else {
        return None;
    };
    let (var, constant) = match (terms.as_var(a), terms.as_var(b)) {
        (Some(var), _) if terms.as_const(b).is_some() => (var, b),
        (_, Some(var)) if op == Op::Add && terms.as_const(a).is_some() => (var, a),
        _ => return None,
    };
    let back = if op == Op::Add { Op::Sub } else { Op::Add };
    Some((var, terms.binary(back, param, constant)))
}
