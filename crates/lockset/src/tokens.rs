//! Semaphores that hold one token.
//!
//! A thread that waits takes the token, a thread that posts returns it. If the value is at most one
//! before there are threads, and a thread that posts has certainly taken a token that it has not released,
//! then the value and the tokens that threads hold are at most one together: two threads never hold
//! one at the same time.

use crate::program::Program;
use crate::prover::Prover;
use crate::values::{Values, as_sum};
use dataflow::pointsto::{Offset, Target};
use dataflow::{BitSet, Storage, Touch, touches};
use rustc_hash::FxHashMap;

use expr::{Node, ObjId, Term, Terms};
use xcfa::{EdgeId, Label, LocId, ObjectKind};

/// What a step does to a semaphore.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Operation {
    Wait,
    Post,
}

/// The first byte of a semaphore.
type Semaphore = (ObjId, i64);

/// Bytes of a semaphore's value.
const SIZE: u64 = 4;

/// The tokens that threads certainly hold.
#[derive(Default)]
pub struct Tokens {
    operations: FxHashMap<(EdgeId, usize), Operation>,
    held: Vec<Option<BitSet>>,
    semaphores: Vec<Semaphore>,
}

impl Tokens {
    pub fn of(
        program: &Program<'_>,
        values: &mut Values,
        prover: &mut Prover,
        atomic: &[bool],
    ) -> Tokens {
        let mut tokens = Tokens::default();
        for edge in program
            .xcfa
            .edge_ids()
            .filter(|edge| atomic[edge.0 as usize])
        {
            if let Some((semaphore, operation)) = operation(program, values, prover, edge) {
                let number = tokens.number(semaphore);
                tokens.operations.insert((edge, number), operation);
            }
        }
        loop {
            tokens.follow(program);
            let usable = |number: &usize| tokens.is_usable(program, values, *number);
            let count = tokens.semaphores.len();
            let lost: Vec<usize> = (0..count)
                .filter(|number| tokens.is_listed(*number) && !usable(number))
                .collect();
            if lost.is_empty() {
                return tokens;
            }
            tokens
                .operations
                .retain(|(_, number), _| !lost.contains(number));
        }
    }

    /// Do both threads hold the same token during these steps?
    pub fn exclude_each_other(&self, program: &Program<'_>, a: EdgeId, b: EdgeId) -> bool {
        let held = self.during(program, a);
        held.intersects(&self.during(program, b))
    }

    fn during(&self, program: &Program<'_>, edge: EdgeId) -> BitSet {
        let held = self.held[program.xcfa[edge].source.0 as usize].clone();
        let held = held.unwrap_or_default();
        let kept = |number: &usize| {
            self.is_listed(*number) && !self.operations.contains_key(&(edge, *number))
        };
        held.iter().filter(kept).collect()
    }

    fn is_listed(&self, number: usize) -> bool {
        self.operations.keys().any(|&(_, other)| other == number)
    }

    fn number(&mut self, semaphore: Semaphore) -> usize {
        match self.semaphores.iter().position(|&it| it == semaphore) {
            Some(number) => number,
            None => {
                self.semaphores.push(semaphore);
                self.semaphores.len() - 1
            }
        }
    }

    /// Which tokens have been taken and not been returned, on every path to a location.
    fn follow(&mut self, program: &Program<'_>) {
        let xcfa = program.xcfa;
        self.held = vec![None; xcfa.locs.len()];
        let mut work: Vec<LocId> = xcfa.procs.iter().map(|proc| proc.init).collect();
        for loc in &work {
            self.held[loc.0 as usize] = Some(BitSet::new());
        }
        while let Some(loc) = work.pop() {
            for &edge in &xcfa[loc].out {
                let mut after = self.held[loc.0 as usize].clone().expect("it was reached");
                for number in 0..self.semaphores.len() {
                    match self.operations.get(&(edge, number)) {
                        Some(Operation::Wait) => {
                            after.insert(number);
                        }
                        Some(Operation::Post) => {
                            after.remove(number);
                        }
                        None => {}
                    }
                }
                let labels = &xcfa[edge].labels;
                if labels.iter().any(|it| matches!(it, Label::Call { .. })) {
                    after = BitSet::new();
                }
                let target = xcfa[edge].target;
                let changed = match &mut self.held[target.0 as usize] {
                    Some(old) => old.intersect_with(&after),
                    unknown => {
                        *unknown = Some(after);
                        true
                    }
                };
                if changed {
                    work.push(target);
                }
            }
        }
    }

    /// Does every post return what was taken, and does nothing else change the value once there are
    /// threads?
    fn is_usable(&self, program: &Program<'_>, values: &Values, number: usize) -> bool {
        let xcfa = program.xcfa;
        let posts_own = self.operations.iter().all(|(&(edge, other), &operation)| {
            let held = &self.held[xcfa[edge].source.0 as usize];
            let has = held.as_ref().is_none_or(|held| held.contains(number));
            other != number || operation == Operation::Wait || has
        });
        posts_own && self.starts_with_one(program, values, number)
    }

    fn starts_with_one(&self, program: &Program<'_>, values: &Values, number: usize) -> bool {
        let xcfa = program.xcfa;
        let (object, offset) = self.semaphores[number];
        let ObjectKind::Static { init } = &xcfa[object].kind else {
            return false;
        };
        let at_most_one = |bits: Option<u64>| bits.is_some_and(|bits| bits <= 1);
        let initial = init.iter().all(|&(at, value)| {
            let bytes = xcfa.terms.bytes(value) as i64;
            let at = at as i64;
            let outside = at + bytes <= offset || offset + SIZE as i64 <= at;
            outside || at == offset && at_most_one(xcfa.terms.as_const(value))
        });
        let alone = xcfa.before_threads();
        let used: Vec<EdgeId> = self
            .operations
            .keys()
            .filter(|&&(_, other)| other == number)
            .map(|&(edge, _)| edge)
            .collect();
        let sets = |edge: EdgeId, label: usize| {
            let is_store = matches!(&xcfa[edge].labels[label], Label::Store { value, .. }
                if u64::from(xcfa.terms.width(*value)) == 8 * SIZE);
            let value = values.evaluated(edge, label).get(1);
            let target = Target::new(object, Offset::At(offset));
            let exact = xcfa[edge].labels[label]
                .terms()
                .next()
                .is_some_and(|addr| program.points_to.targets(xcfa, addr) == [target]);
            let starts = |it: &Label| matches!(it, Label::Start { .. } | Label::Call { .. });
            let starts = xcfa[edge].labels.iter().any(starts);
            let before_use = used
                .iter()
                .all(|&it| !program.reaches(xcfa[it].target, xcfa[edge].source, |_| false));
            is_store
                && exact
                && !starts
                && alone[xcfa[edge].source.0 as usize]
                && before_use
                && at_most_one(value.and_then(|&value| values.terms.as_const(value)))
        };
        initial
            && writes(program, object, offset)
                .into_iter()
                .all(|(edge, label)| used.contains(&edge) || sets(edge, label))
    }
}

/// The labels that may change the value of a semaphore.
fn writes(program: &Program<'_>, object: ObjId, offset: i64) -> Vec<(EdgeId, usize)> {
    let xcfa = program.xcfa;
    let hits = |place: Storage| match place {
        Storage::Memory(target, size) if target.object == object => match target.offset {
            Offset::Any => true,
            Offset::At(at) => {
                at < offset + SIZE as i64 && offset < at.saturating_add_unsigned(size)
            }
        },
        _ => false,
    };
    let mut found = Vec::new();
    for edge in xcfa.edge_ids() {
        for (label, it) in xcfa[edge].labels.iter().enumerate() {
            let touches = touches(xcfa, program.points_to, it);
            if touches.iter().any(|touch| touch.write && hits(touch.place)) {
                found.push((edge, label));
            }
        }
    }
    found
}

/// A semaphore that is full stays as it is: of one more and no more, one more. A post that adds
/// nothing returns fewer tokens than it may.
fn largest(terms: &Terms, stored: Term) -> Term {
    match terms.node(stored) {
        Node::Ite(_, more, same) if as_sum(terms, more) == Some((same, 1)) => more,
        _ => stored,
    }
}

/// What an atomic step does to a semaphore: it loads the value, goes on only if it is not zero and
/// stores one less; or it stores one more. Nothing else in the step writes to its object.
fn operation(
    program: &Program<'_>,
    values: &mut Values,
    prover: &mut Prover,
    edge: EdgeId,
) -> Option<(Semaphore, Operation)> {
    let xcfa = program.xcfa;
    let labels = &xcfa[edge].labels;
    let is_store = |index: &usize| matches!(labels[*index], Label::Store { .. });
    let mut stores = (0..labels.len()).filter(is_store);
    let store = stores.next()?;
    if stores.next().is_some() {
        return None;
    }
    let Label::Store { addr, value } = &labels[store] else {
        return None;
    };
    let &[
        Target {
            object,
            offset: Offset::At(offset),
        },
    ] = &*program.points_to.targets(xcfa, *addr)
    else {
        return None;
    };
    // The end of another object does not affect the semaphore.
    let elsewhere = |touch: &Touch| match touch.place {
        Storage::Memory(target, _) => target.object != object && !touch.sync,
        Storage::Var(_) => false,
    };
    let mut others = (0..labels.len()).filter(|&index| index != store);
    let quiet = others.all(|index| {
        let touches = touches(xcfa, program.points_to, &labels[index]);
        touches.iter().all(|touch| !touch.write || elsewhere(touch))
    });
    if !quiet {
        return None;
    }
    if u64::from(xcfa.terms.width(*value)) != 8 * SIZE {
        return None;
    }
    let stored = *values.evaluated(edge, store).get(1)?;
    let (base, step) = as_sum(&values.terms, largest(&values.terms, stored))?;
    let is_load = |index: &usize| {
        let Label::Load { var, .. } = &labels[*index] else {
            return false;
        };
        let site = crate::values::Site::Label(edge, *index);
        let symbol = values.terms.as_var(base).and_then(|it| values.symbol(it));
        symbol == Some(crate::values::Symbol { site, var: *var })
            && values.evaluated(edge, *index).first() == values.evaluated(edge, store).first()
    };
    (0..store).find(is_load)?;
    if step == 1 {
        return Some(((object, offset), Operation::Post));
    }
    let guards =
        (0..store).filter(|&index| matches!(labels[index], Label::Await(_) | Label::Assume(_)));
    let mut conditions: Vec<_> = guards
        .filter_map(|index| values.evaluated(edge, index).first().copied())
        .collect();
    let zero = values.terms.bv(32, 0);
    conditions.push(values.terms.eq(base, zero));
    let takes = step == u64::from(u32::MAX) && prover.excludes(values, &conditions);
    takes.then_some(((object, offset), Operation::Wait))
}
