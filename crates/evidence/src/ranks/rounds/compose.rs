//! Steps from the head of one loop to the next, put together.

use super::{Component, Edge, Oracle, Rounds};
use expr::{Node, Sort, Term, Terms, VarId};
use rustc_hash::{FxHashMap, FxHashSet};
use verdict::Objection;

/// More ways than this are not followed.
const MOST_WAYS: usize = 600;

impl Rounds<'_, '_> {
    /// What can lead from one head of a loop of the component to the next; nothing if that is no news.
    pub(super) fn composed(
        &mut self,
        terms: &mut Terms,
        oracle: &mut Oracle<'_>,
        component: &[usize],
    ) -> Result<Option<Component>, Objection> {
        let heads = self.heads(component);
        let mut open: Vec<Edge> = Vec::new();
        for &at in component {
            if heads.contains(&self.edges[at].from) {
                open.push(self.edges[at].clone());
            }
        }
        let (mut found, mut ways, mut news) = (Vec::new(), 0, open.len() < component.len());
        while let Some(way) = open.pop() {
            ways += 1;
            if ways > MOST_WAYS {
                return Ok(None);
            }
            let invariant = self.invariants.situations[way.from].1;
            if oracle.exclude(terms, &[invariant, way.guard])? {
                news = true;
                continue;
            }
            if heads.contains(&way.to) {
                self.edges.push(way);
                found.push(self.edges.len() - 1);
                continue;
            }
            let edges = component.iter().map(|&at| &self.edges[at]);
            let on: Vec<Edge> = edges.filter(|edge| edge.from == way.to).cloned().collect();
            for next in &on {
                open.push(self.then(terms, &way, next));
            }
        }
        Ok(news.then_some(found))
    }

    /// Situations without which nothing can be gone round: where a search comes back to its own path.
    fn heads(&self, component: &[usize]) -> FxHashSet<usize> {
        let mut out: FxHashMap<usize, Vec<usize>> = FxHashMap::default();
        for &at in component {
            let Edge { from, to, .. } = self.edges[at];
            out.entry(from).or_default().push(to);
        }
        let mut heads = FxHashSet::default();
        let mut seen = FxHashSet::default();
        for root in component.iter().map(|&at| self.edges[at].from) {
            if !seen.insert(root) {
                continue;
            }
            let mut path = vec![(root, 0)];
            while let Some((node, next)) = path.last_mut() {
                let to = out.get(node).and_then(|out| out.get(*next)).copied();
                *next += 1;
                match to {
                    None => drop(path.pop()),
                    Some(to) if path.iter().any(|&(node, _)| node == to) => {
                        heads.insert(to);
                    }
                    Some(to) if seen.insert(to) => path.push((to, 0)),
                    Some(_) => {}
                }
            }
        }
        heads
    }

    /// One way after another; the second has inputs of its own.
    fn then(&mut self, terms: &mut Terms, first: &Edge, second: &Edge) -> Edge {
        let mut with = first.updates.clone();
        for &term in second.updates.values().chain([&second.guard]) {
            for (var, sort) in self.inputs(terms, term) {
                with.entry(var).or_insert_with(|| {
                    self.next += 1;
                    terms.var(VarId(self.next), sort)
                });
            }
        }
        let holds = self.invariants.situations[first.to].1;
        let holds = terms.substitute(holds, &first.updates);
        let guard = terms.substitute(second.guard, &with);
        let guard = terms.and(holds, guard);
        let mut updates = first.updates.clone();
        let later = second.updates.iter();
        let later: Vec<(VarId, Term)> = later
            .map(|(&var, &value)| (var, terms.substitute(value, &with)))
            .collect();
        updates.extend(later);
        Edge {
            from: first.from,
            to: second.to,
            through: [&first.through[..], &[first.to], &second.through].concat(),
            threads: [&first.threads[..], &second.threads].concat(),
            guard: terms.and(first.guard, guard),
            updates,
        }
    }

    /// The variables of a term that are no part of the state.
    fn inputs(&self, terms: &Terms, term: Term) -> Vec<(VarId, Sort)> {
        let program = self.invariants.program;
        let mut found = Vec::new();
        terms.for_each_subterm(term, &mut |_, node| {
            if let Node::Var(var, sort) = node {
                let state = program.vars.get(var.0 as usize);
                let state = state.is_some_and(|about| !about.input);
                if !state || program.spurious == Some(var) {
                    found.push((var, sort));
                }
            }
        });
        found
    }
}
