//! No fair execution goes round the situations for ever.
//!
//! Where no term becomes smaller, steps are put together: a thread that loops in a component for ever comes
//! through the heads of its loops again and again, so what leads from one head to the next is all that
//! counts, and what the solver excludes of that does not. The same is then asked of what is left.

mod compose;

use super::invariants::{Edge, Invariants};
use super::{Oracle, Rank};
use crate::fair::components;
use expr::{Op, Terms};
use rustc_hash::FxHashMap;
use verdict::Objection;

/// What a step does to a rank.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Effect {
    Smaller,
    NotLarger,
    PerhapsLarger,
}

/// Steps by number.
type Component = Vec<usize>;

/// No program has this many variables.
const FIRST_FREE: u32 = 1 << 31;

pub struct Rounds<'a, 'p> {
    invariants: &'a Invariants<'p>,
    ranks: &'a [Rank],
    edges: Vec<Edge>,
    /// What is known, by rank and step.
    effects: FxHashMap<(usize, usize), Effect>,
    /// The same: by situation and thread, may it have to wait?
    waits: FxHashMap<(usize, usize), bool>,
    /// The next unused variable.
    next: u32,
}

impl Edge {
    /// All situations that it touches.
    fn nodes(&self) -> impl Iterator<Item = usize> {
        let between = self.through.iter().copied();
        [self.from, self.to].into_iter().chain(between)
    }
}

impl<'a, 'p> Rounds<'a, 'p> {
    pub fn new(
        invariants: &'a Invariants<'p>,
        ranks: &'a [Rank],
        edges: Vec<Edge>,
    ) -> Rounds<'a, 'p> {
        Rounds {
            invariants,
            ranks,
            edges,
            effects: FxHashMap::default(),
            waits: FxHashMap::default(),
            next: FIRST_FREE,
        }
    }

    /// Takes components apart until there is nothing to go round.
    pub fn check(&mut self, terms: &mut Terms, oracle: &mut Oracle<'_>) -> Result<(), Objection> {
        let all: Component = (0..self.edges.len()).collect();
        let mut open = self.cyclic(&all);
        while let Some(component) = open.pop() {
            if self.is_unfair(terms, oracle, &component)? {
                continue;
            }
            let rest = match self.reduced(terms, oracle, &component)? {
                Some(rest) => Some(rest),
                None => self.composed(terms, oracle, &component)?,
            };
            let rest = rest.ok_or("nothing shows that some rounds come to an end")?;
            open.extend(self.cyclic(&rest));
        }
        Ok(())
    }

    /// The components of some steps that contain a cycle.
    fn cyclic(&self, among: &[usize]) -> Vec<Component> {
        let mut forward = vec![Vec::new(); self.invariants.situations.len()];
        for &at in among {
            forward[self.edges[at].from].push(self.edges[at].to as u32);
        }
        let number = components(&forward);
        let mut found: Vec<Component> = vec![Vec::new(); forward.len()];
        for &at in among {
            let Edge { from, to, .. } = self.edges[at];
            if number[from] == number[to] {
                found[number[from] as usize].push(at);
            }
        }
        found.retain(|component| !component.is_empty());
        found
    }

    /// The component without steps that make a rank smaller that none of its steps makes larger.
    fn reduced(
        &mut self,
        terms: &mut Terms,
        oracle: &mut Oracle<'_>,
        component: &[usize],
    ) -> Result<Option<Component>, Objection> {
        'ranks: for rank in 0..self.ranks.len() {
            let mut rest = Vec::new();
            for &edge in component {
                match self.effect(terms, oracle, rank, edge)? {
                    Effect::Smaller => {}
                    Effect::NotLarger => rest.push(edge),
                    Effect::PerhapsLarger => continue 'ranks,
                }
            }
            if rest.len() < component.len() {
                return Ok(Some(rest));
            }
        }
        Ok(None)
    }

    fn effect(
        &mut self,
        terms: &mut Terms,
        oracle: &mut Oracle<'_>,
        rank: usize,
        edge: usize,
    ) -> Result<Effect, Objection> {
        if let Some(&known) = self.effects.get(&(rank, edge)) {
            return Ok(known);
        }
        let Rank { term, signed } = self.ranks[rank];
        let less = if signed { Op::Slt } else { Op::Ult };
        let step = &self.edges[edge];
        let after = terms.substitute(term, &step.updates);
        let happens = [self.invariants.situations[step.from].1, step.guard];
        let smaller = terms.binary(less, after, term);
        let not_smaller = terms.not(smaller);
        let larger = terms.binary(less, term, after);
        let effect = match () {
            () if after == term => Effect::NotLarger,
            () if oracle.exclude(terms, &[&happens[..], &[not_smaller]].concat())? => {
                Effect::Smaller
            }
            () if oracle.exclude(terms, &[&happens[..], &[larger]].concat())? => Effect::NotLarger,
            () => Effect::PerhapsLarger,
        };
        self.effects.insert((rank, edge), effect);
        Ok(effect)
    }

    /// Is there a thread that never moves in these steps although it never has to wait? Then no
    /// execution that stays there is fair, unless it stays in an atomic section, which keeps the
    /// others from moving.
    fn is_unfair(
        &mut self,
        terms: &mut Terms,
        oracle: &mut Oracle<'_>,
        component: &[usize],
    ) -> Result<bool, Objection> {
        let held = |&&at: &&usize| {
            let mut nodes = self.edges[at].nodes();
            nodes.all(|node| self.invariants.is_held(node))
        };
        let held: Component = component.iter().filter(held).copied().collect();
        if !self.cyclic(&held).is_empty() {
            return Ok(false);
        }
        let nodes = component.iter().flat_map(|&at| self.edges[at].nodes());
        let mut nodes: Vec<usize> = nodes.collect();
        nodes.sort_unstable();
        nodes.dedup();
        'threads: for thread in 0..self.invariants.program.threads.len() {
            let moves = |&at: &usize| self.edges[at].threads.contains(&thread);
            if component.iter().any(moves) {
                continue;
            }
            for &node in &nodes {
                if self.may_wait(terms, oracle, node, thread)? {
                    continue 'threads;
                }
            }
            return Ok(true);
        }
        Ok(false)
    }

    /// May a thread have to wait in a situation? One that is not there or has ended does.
    fn may_wait(
        &mut self,
        terms: &mut Terms,
        oracle: &mut Oracle<'_>,
        node: usize,
        thread: usize,
    ) -> Result<bool, Objection> {
        if let Some(&known) = self.waits.get(&(node, thread)) {
            return Ok(known);
        }
        let invariants = self.invariants;
        let place = invariants.place(node, thread);
        let place = place.filter(|&loc| !invariants.steps.has_ended(loc));
        let place = place.filter(|&loc| invariants.program.error(loc).is_none());
        let may_wait = match place {
            None => true,
            Some(loc) => {
                let waits = invariants.waits(terms, loc);
                !oracle.exclude(terms, &[invariants.situations[node].1, waits])?
            }
        };
        self.waits.insert((node, thread), may_wait);
        Ok(may_wait)
    }
}
