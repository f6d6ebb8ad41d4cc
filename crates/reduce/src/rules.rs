//! The Horn clauses of a reduced product: one predicate for each node that is kept.

use crate::cuts::{Cuts, Path, Paths, Transition};
use expr::{Term, Terms, VarId};
use smt::horn::{Application, HornSystem, PredId, Rule};
use std::collections::{BTreeMap, BTreeSet};

/// A system of clauses, and where its predicates come from.
pub struct Rules {
    /// The clauses.
    pub system: HornSystem,
    /// By predicate: the node of the product.
    pub nodes: Vec<usize>,
}

impl Rules {
    /// The clauses that invariants of the nodes have to obey so that no error is reached.
    pub fn of(terms: &mut Terms, paths: &Paths<'_>, cuts: &Cuts) -> Rules {
        let live = live(terms, paths, cuts);
        let mut system = HornSystem::new();
        for (object, base) in sorted(&paths.program.bases) {
            system.bind_base(object, base);
        }
        let mut predicates: BTreeMap<usize, PredId> = BTreeMap::new();
        for &node in &cuts.nodes {
            let params = live[&node].iter();
            let params = params.map(|&var| variable(terms, paths, var)).collect();
            predicates.insert(node, system.predicate(&format!("at {node}"), params));
        }
        let apply = |terms: &mut Terms, node: usize, path: Option<&Path>| {
            let args = live[&node].iter().map(|&var| {
                let changed = path.and_then(|path| path.updates.get(&var).copied());
                changed.unwrap_or_else(|| variable(terms, paths, var))
            });
            Application::new(predicates[&node], args.collect())
        };
        let start = paths.start(terms);
        let head = apply(terms, 0, Some(&start));
        system.rule(Rule::new(Vec::new(), start.guard, Some(head)));
        for Transition { from, to, path } in &cuts.transitions {
            if contradicts_itself(terms, path.guard) {
                continue;
            }
            let body = vec![apply(terms, *from, None)];
            let head = to.map(|to| apply(terms, to, Some(path)));
            system.rule(Rule::new(body, path.guard, head));
        }
        Rules {
            system,
            nodes: cuts.nodes.clone(),
        }
    }
}

/// Does a condition say something and the opposite?
fn contradicts_itself(terms: &mut Terms, condition: Term) -> bool {
    let parts: BTreeSet<Term> = terms.conjuncts(condition).into_iter().collect();
    let mut all = parts.iter();
    all.any(|&part| parts.contains(&terms.not(part)))
}

fn sorted<K: Ord + Copy, V: Copy>(map: &rustc_hash::FxHashMap<K, V>) -> BTreeMap<K, V> {
    map.iter().map(|(&key, &value)| (key, value)).collect()
}

fn variable(terms: &mut Terms, paths: &Paths<'_>, var: VarId) -> Term {
    terms.var(var, paths.program.vars[var.0 as usize].sort)
}

/// By node: the variables on which it depends whether an error can be reached.
fn live(terms: &Terms, paths: &Paths<'_>, cuts: &Cuts) -> BTreeMap<usize, BTreeSet<VarId>> {
    let mut live: BTreeMap<usize, BTreeSet<VarId>> = cuts
        .nodes
        .iter()
        .map(|&node| (node, BTreeSet::new()))
        .collect();
    let is_state = |var: &VarId| {
        let about = paths.program.vars.get(var.0 as usize);
        about.is_some_and(|about| !about.input)
    };
    loop {
        let mut changed = false;
        for Transition { from, to, path } in cuts.transitions.iter().rev() {
            let mut needed: BTreeSet<VarId> = terms.vars(path.guard).into_iter().collect();
            for var in to.map(|to| live[&to].clone()).into_iter().flatten() {
                match path.updates.get(&var) {
                    Some(&value) => needed.extend(terms.vars(value)),
                    None => {
                        needed.insert(var);
                    }
                }
            }
            let here = live.entry(*from).or_default();
            let before = here.len();
            here.extend(needed.into_iter().filter(is_state));
            changed |= here.len() > before;
        }
        if !changed {
            return live;
        }
    }
}
