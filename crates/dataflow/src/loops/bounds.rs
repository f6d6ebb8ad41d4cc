//! Bounds of counting loops.
//!
//! A loop counts if one local is set by one edge of the loop, to itself plus a constant, exactly
//! once in each round; enters the loop with known constants; and is compared with constants at a
//! location that each round passes. The rounds are then simply counted out, which is right for
//! every comparison and every wrap-around; rounds in which no comparison can change are counted at
//! once ([`Cuts`]).

use super::Loop;
use super::cuts::Cuts;
use expr::{Env, Node, ObjId, Op, Term, VarId};
use rustc_hash::FxHashSet;
use xcfa::{EdgeId, Label, LocId, Scope, Xcfa};

/// More rounds than this are as good as no bound.
const MOST_ROUNDS: u64 = 1 << 20;
/// Most bounds are small, and of several the smallest counts: this far all tests are followed first.
const FEW_ROUNDS: u64 = 1 << 8;

/// How often the loop can go round, if it counts.
pub(super) fn bound(
    xcfa: &Xcfa,
    loops: &[Loop],
    innermost: &[Option<usize>],
    at: usize,
) -> Option<u64> {
    let l = &loops[at];
    if !l.reducible {
        return None;
    }
    let tests = l.body.iter().filter_map(|&loc| Test::at(xcfa, l, loc));
    let tests: Vec<Test> = tests.collect();
    let least = |most: u64| {
        let bounds = tests.iter().filter_map(|test| {
            let step = single_step(xcfa, l, innermost, at, test.counter)?;
            let starts = initial_values(xcfa, l, test.counter)?;
            let seen = Seen {
                before: is_reachable(xcfa, l, l.head, test.loc, step.edge),
                after: !l.back_edges.contains(&step.edge)
                    && is_reachable(xcfa, l, xcfa[step.edge].target, test.loc, step.edge),
            };
            let mut rounds = starts
                .into_iter()
                .map(|start| test.rounds(xcfa, start, step.by, &seen, most));
            rounds.try_fold(0, |most, rounds| Some(most.max(rounds?)))
        });
        bounds.min()
    };
    least(FEW_ROUNDS).or_else(|| least(MOST_ROUNDS))
}

/// A location that each round passes, where the loop goes on only if a counter says so.
struct Test {
    loc: LocId,
    counter: VarId,
    /// The loop goes on if one of these holds.
    goes_on: Vec<Term>,
}

/// Can the test see the counter as it was at the start of a round, or as it is at its end?
struct Seen {
    before: bool,
    after: bool,
}

/// The one edge of a loop that sets its counter, and the constant that it adds.
struct Step {
    edge: EdgeId,
    by: u64,
}

struct Counter(u64);

impl Env for Counter {
    fn var(&self, _: VarId) -> u64 {
        self.0
    }

    fn base(&self, object: ObjId) -> u64 {
        unreachable!("the test of a counter mentions the object {}", object.0)
    }
}

impl Test {
    fn at(xcfa: &Xcfa, l: &Loop, loc: LocId) -> Option<Test> {
        let staying = xcfa[loc]
            .out
            .iter()
            .filter(|&&edge| l.contains(xcfa[edge].target));
        let goes_on: Vec<Term> = staying
            .map(|&edge| match xcfa[edge].labels.first() {
                Some(Label::Assume(cond)) => Some(*cond),
                _ => None,
            })
            .collect::<Option<_>>()?;
        let mut vars: Vec<VarId> = goes_on
            .iter()
            .flat_map(|&cond| xcfa.terms.vars(cond))
            .collect();
        vars.dedup();
        let &[counter] = &*vars else { return None };
        let plain = goes_on
            .iter()
            .all(|&cond| xcfa.terms.bases(cond).is_empty());
        let local = matches!(xcfa[counter].scope, Scope::Local(_));
        (plain && local && is_unavoidable(xcfa, l, |edge| xcfa[edge].source == loc)).then_some(
            Test {
                loc,
                counter,
                goes_on,
            },
        )
    }

    /// Rounds that can be completed from `start`: in the round of number k the counter is
    /// `start + k * step` before it is set and one step further after that. `None` if they may be `most` or more.
    fn rounds(&self, xcfa: &Xcfa, start: u64, step: u64, seen: &Seen, most: u64) -> Option<u64> {
        let mask = xcfa[self.counter].sort.mask();
        let goes_on = |value: u64| {
            self.goes_on
                .iter()
                .any(|&cond| xcfa.terms.eval(cond, &Counter(value)) != 0)
        };
        let cuts = Cuts::of(&xcfa.terms, &self.goes_on, self.counter, mask);
        let (mut value, mut round) = (start & mask, 0_u64);
        while round < most {
            let next = value.wrapping_add(step) & mask;
            let seen_value = match (seen.before && goes_on(value), seen.after && goes_on(next)) {
                (true, _) => value,
                (false, true) => next,
                (false, false) => return Some(round),
            };
            let more = cuts.steps_within(seen_value, step).min(MOST_ROUNDS) + 1;
            value = value.wrapping_add(step.wrapping_mul(more)) & mask;
            round += more;
        }
        None
    }
}

/// Does every round take an edge that `hits` accepts?
fn is_unavoidable(xcfa: &Xcfa, l: &Loop, hits: impl Fn(EdgeId) -> bool) -> bool {
    let mut seen: FxHashSet<LocId> = FxHashSet::default();
    let mut work = vec![l.head];
    while let Some(loc) = work.pop() {
        for &edge in xcfa[loc].out.iter().filter(|&&edge| !hits(edge)) {
            if l.back_edges.contains(&edge) {
                return false;
            }
            let target = xcfa[edge].target;
            if l.contains(target) && seen.insert(target) {
                work.push(target);
            }
        }
    }
    true
}

/// Can a round get from one location to another without the edge `avoided`?
fn is_reachable(xcfa: &Xcfa, l: &Loop, from: LocId, to: LocId, avoided: EdgeId) -> bool {
    let mut seen: FxHashSet<LocId> = FxHashSet::default();
    let mut work = vec![from];
    while let Some(loc) = work.pop() {
        if loc == to {
            return true;
        }
        for &edge in xcfa[loc].out.iter().filter(|&&edge| edge != avoided) {
            let target = xcfa[edge].target;
            let same_round = !l.back_edges.contains(&edge);
            if same_round && l.contains(target) && seen.insert(target) {
                work.push(target);
            }
        }
    }
    false
}

/// The constant that each round adds to the counter, once.
fn single_step(
    xcfa: &Xcfa,
    l: &Loop,
    innermost: &[Option<usize>],
    at: usize,
    counter: VarId,
) -> Option<Step> {
    let inside = l.body.iter().flat_map(|&loc| &xcfa[loc].out).copied();
    let inside = inside.filter(|&edge| l.contains(xcfa[edge].target));
    let sets = inside.flat_map(|edge| xcfa[edge].labels.iter().map(move |label| (edge, label)));
    let mut sets = sets.filter(|(_, label)| label.defines() == Some(counter));
    let (edge, label) = sets.next()?;
    if sets.next().is_some() {
        return None;
    }
    // An edge of an inner loop could be taken more than once in a round.
    let (source, target) = (xcfa[edge].source, xcfa[edge].target);
    let here = |loc: LocId| innermost[loc.0 as usize] == Some(at);
    let once = here(source) || here(target);
    let Label::Assign { value, .. } = label else {
        return None;
    };
    let Node::Binary(Op::Add, base, step) = xcfa.terms.node(*value) else {
        return None;
    };
    let counts = xcfa.terms.as_var(base) == Some(counter);
    let by = xcfa.terms.as_const(step)?;
    (once && counts && is_unavoidable(xcfa, l, |other| other == edge)).then_some(Step { edge, by })
}

/// The constants that the counter can hold when the loop is entered.
fn initial_values(xcfa: &Xcfa, l: &Loop, counter: VarId) -> Option<Vec<u64>> {
    let entering = |&edge: &EdgeId| !l.back_edges.contains(&edge);
    let mut work: Vec<EdgeId> = xcfa[l.head].inc.iter().copied().filter(entering).collect();
    let proc = &xcfa[xcfa[l.head].proc];
    let mut seen: FxHashSet<EdgeId> = work.iter().copied().collect();
    let mut values = Vec::new();
    if l.head == proc.init {
        return None;
    }
    while let Some(edge) = work.pop() {
        let set = xcfa[edge]
            .labels
            .iter()
            .rev()
            .find(|label| label.defines() == Some(counter));
        match set {
            Some(Label::Assign { value, .. }) => values.push(xcfa.terms.as_const(*value)?),
            Some(_) => return None,
            None if xcfa[edge].source == proc.init => return None,
            None => {
                let before = xcfa[xcfa[edge].source].inc.iter().copied();
                work.extend(before.filter(|&edge| seen.insert(edge)));
            }
        }
    }
    Some(values)
}
