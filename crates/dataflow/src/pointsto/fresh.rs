//! Which bytes of objects may be read as numbers that were not stored there as pointers.
//!
//! Static objects hold the numbers of their initialisers. Fresh memory holds anything until it is
//! written; from each allocation the steps are followed to where the memory is first read, or its
//! address gets out of the variables of this activation. What has been written by then on every
//! way never shows what it held before.

use super::flow::{Flow, Flows, Source};
use super::ranges::Ranges;
use super::spot::Spot;
use crate::Liveness;
use crate::liveness::is_local;
use expr::{ObjId, Term, VarId};
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;
use xcfa::{Callee, EdgeId, Label, LocId, ObjectKind, Xcfa};

/// An allocation is followed through this many locations, counted each time that one is reached.
const MOST_STEPS: usize = 10_000;

/// By object: the ranges that hold numbers. Objects without such ranges are left out.
pub(super) fn numbers(xcfa: &Xcfa, unset: &FxHashMap<ObjId, Ranges>) -> FxHashMap<ObjId, Ranges> {
    let mut numbers = unset.clone();
    for object in xcfa.obj_ids() {
        if let ObjectKind::Static { init } = &xcfa[object].kind {
            let ranges = initial_numbers(xcfa, init);
            numbers.entry(object).or_default().join(&ranges);
        }
    }
    numbers.retain(|_, ranges| !ranges.is_empty());
    numbers
}

/// By object: the ranges that may be read before they are written. Objects without such ranges are left out.
pub(super) fn unset(
    xcfa: &Xcfa,
    flows: &mut Flows,
    liveness: &Liveness,
) -> FxHashMap<ObjId, Ranges> {
    let mut unset: FxHashMap<ObjId, Ranges> = FxHashMap::default();
    for edge in xcfa.edge_ids() {
        for (index, label) in xcfa[edge].labels.iter().enumerate() {
            if let Label::Alloc {
                var,
                object,
                zeroed: false,
                ..
            } = label
            {
                let mut life = Life {
                    xcfa,
                    flows,
                    liveness,
                    object: *object,
                    seen: Ranges::default(),
                };
                life.follow(edge, index, *var);
                unset.entry(*object).or_default().join(&life.seen);
            }
        }
    }
    unset.retain(|_, ranges| !ranges.is_empty());
    unset
}

fn initial_numbers(xcfa: &Xcfa, init: &[(u64, Term)]) -> Ranges {
    let mut ranges = Ranges::default();
    for &(offset, value) in init {
        let bytes = xcfa.terms.bytes(value) as i64;
        let is_number = match xcfa.terms.as_const(value) {
            Some(bits) => bits != 0,
            None => xcfa.terms.width(value) != xcfa.pointer_bits(),
        };
        if is_number {
            ranges.add(offset as i64, offset as i64 + bytes);
        }
    }
    ranges
}

/// One allocation and what becomes of its memory while only its own activation knows it.
struct Life<'a> {
    xcfa: &'a Xcfa,
    flows: &'a mut Flows,
    liveness: &'a Liveness,
    object: ObjId,
    /// What may be read before it is written.
    seen: Ranges,
}

/// What is known on the way.
#[derive(Clone)]
struct Young {
    /// The variables that hold the address, with their offsets.
    names: BTreeMap<VarId, i64>,
    /// What has not been written yet.
    unset: Ranges,
}

impl Life<'_> {
    fn follow(&mut self, edge: EdgeId, index: usize, var: VarId) {
        let size = self.xcfa[self.object].size;
        let mut unset = Ranges::default();
        unset.add(
            0,
            size.map_or(i64::MAX, |size| size.try_into().unwrap_or(i64::MAX)),
        );
        let mut young = Young {
            names: BTreeMap::from([(var, 0)]),
            unset,
        };
        if !is_local(self.xcfa, var) {
            return self.publish(&young);
        }
        // Nothing is left to know of a place where the address is public, or gone.
        let mut known: FxHashMap<LocId, Option<Young>> = FxHashMap::default();
        let mut work = Vec::new();
        if self.edge(edge, index + 1, &mut young) {
            self.arrive(&mut known, &mut work, self.xcfa[edge].target, young);
        }
        let mut steps = 0;
        while let Some(loc) = work.pop() {
            steps += 1;
            if steps > MOST_STEPS {
                return known
                    .values()
                    .flatten()
                    .for_each(|young| self.publish(young));
            }
            for &edge in &self.xcfa[loc].out {
                let Some(mut young) = known[&loc].clone() else {
                    break;
                };
                if self.edge(edge, 0, &mut young) {
                    self.arrive(&mut known, &mut work, self.xcfa[edge].target, young);
                }
            }
        }
    }

    fn arrive(
        &mut self,
        known: &mut FxHashMap<LocId, Option<Young>>,
        work: &mut Vec<LocId>,
        loc: LocId,
        mut young: Young,
    ) {
        young
            .names
            .retain(|&var, _| self.liveness.is_live(loc, var));
        let proc = &self.xcfa[self.xcfa[loc].proc];
        if young.names.is_empty() || young.unset.is_empty() {
            return;
        }
        if loc == proc.exit {
            return self.publish(&young);
        }
        match known.get_mut(&loc) {
            None => {
                known.insert(loc, Some(young));
                work.push(loc);
            }
            Some(None) => self.publish(&young),
            Some(Some(old)) if old.names == young.names => {
                if old.unset.join(&young.unset) {
                    work.push(loc);
                }
            }
            Some(old) => {
                let old = old.take().expect("it was some");
                self.publish(&old);
                self.publish(&young);
            }
        }
    }

    /// Follows the labels from `first` on; is there more to follow behind them?
    fn edge(&mut self, edge: EdgeId, first: usize, young: &mut Young) -> bool {
        let xcfa = self.xcfa;
        let labels = &xcfa[edge].labels[first..];
        labels.iter().all(|label| self.label(label, young))
    }

    fn label(&mut self, label: &Label, young: &mut Young) -> bool {
        if self.tells(label, young) {
            self.publish(young);
            return false;
        }
        let xcfa = self.xcfa;
        let mut name = None;
        match label {
            Label::Load { var, addr } => {
                if let Some(at) = young.offset(xcfa, *addr) {
                    let end = at.saturating_add(xcfa[*var].sort.bytes() as i64);
                    if young.unset.touch(at, end) {
                        self.seen.add(at, end);
                    }
                }
            }
            Label::Store { addr, value } => {
                if let Some(at) = young.offset(xcfa, *addr) {
                    let end = at.saturating_add(xcfa.terms.bytes(*value) as i64);
                    young.unset.remove(at, end);
                }
            }
            Label::Assign { var, value } if is_local(xcfa, *var) => {
                name = young.offset(xcfa, *value).map(|at| (*var, at));
            }
            Label::Free(addr) if young.offset(xcfa, *addr) == Some(0) => return false,
            Label::Dealloc(object) if *object == self.object => return false,
            Label::Alloc { object, .. }
                if *object == self.object && xcfa[*object].kind == ObjectKind::Stack =>
            {
                return false;
            }
            Label::ThreadExit(_) | Label::Exit(_) => return false,
            _ => {}
        }
        if let Some(var) = label.defines() {
            young.names.remove(&var);
        }
        young.names.extend(name);
        !young.names.is_empty()
    }

    /// Does the label let others know the address, or read at an unknown place?
    fn tells(&mut self, label: &Label, young: &Young) -> bool {
        let xcfa = self.xcfa;
        let leaks = label.terms().any(|term| {
            let leaks = self.flows.leaks(xcfa, term);
            leaks
                .iter()
                .any(|flow| young.leaks(xcfa, self.object, flow))
        });
        let mut holds = |term: Term| {
            let flows = self.flows.of(xcfa, term);
            flows.iter().any(|flow| young.holds(flow.source))
        };
        leaks
            || match label {
                Label::Load { addr, .. } => holds(*addr) && young.offset(xcfa, *addr).is_none(),
                Label::Store { value, .. } => holds(*value),
                Label::Assign { var, value } => {
                    holds(*value) && (young.offset(xcfa, *value).is_none() || !is_local(xcfa, *var))
                }
                Label::Start { arg, .. } => holds(*arg),
                Label::ThreadExit(value) => holds(*value),
                Label::Call { callee, args, .. } => {
                    args.iter().any(|&arg| holds(arg))
                        || matches!(callee, Callee::Pointer(pointer) if holds(*pointer))
                }
                _ => false,
            }
    }

    /// Code that knows the address may now read what has not been written.
    fn publish(&mut self, young: &Young) {
        self.seen.join(&young.unset);
    }
}

impl Young {
    /// Does any thread learn the address that goes this way?
    fn leaks(&self, xcfa: &Xcfa, object: ObjId, flow: &Flow) -> bool {
        let Source::Var(var) = flow.source else {
            return false;
        };
        self.names.get(&var).is_some_and(|&at| {
            let (told, _) = flow.shift.apply(xcfa, Spot::at(object, at));
            told.is_some()
        })
    }

    fn holds(&self, source: Source) -> bool {
        matches!(source, Source::Var(var) if self.names.contains_key(&var))
    }

    /// Where in the memory an address is, if it certainly is in it.
    fn offset(&self, xcfa: &Xcfa, addr: Term) -> Option<i64> {
        let (base, by) = crate::validity::split(&xcfa.terms, addr);
        let at = self.names.get(&xcfa.terms.as_var(base)?)?;
        Some(at.wrapping_add(expr::sign_extend(by, xcfa.terms.width(addr))))
    }
}
