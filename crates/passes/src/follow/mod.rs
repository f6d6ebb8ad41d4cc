//! Loops of the library's models that only constants decide are followed beforehand: printing by a format, or the length of
//! a literal.
//!
//! Law: the same runs. Each location of such a loop has a copy for each set of values that some locals may have there; an
//! edge that these values exclude is left out of the copy, and what is read of an object that cannot be written is its
//! content.
//!
//! A loop round the others is followed only if each time it is clear whether it goes on. One inside that is not clear stays
//! a loop: nothing is said at its head about what it changes.

use crate::constprop::{Env, Propagation};
use dataflow::{BitSet, Loop, Loops};
use expr::{Node, ObjId, Op, Term, VarId};
use rustc_hash::{FxHashMap, FxHashSet};
use xcfa::{Edge, EdgeId, Label, LocId, ObjectKind, Xcfa};

/// More copies of locations than this are not made for one way into a loop, nor for all of them.
const MOST_COPIES: usize = 2_000;
const MOST_IN_ALL: usize = 20_000;

/// More locations than this are not looked at, those of loops that are not followed in the end included.
const MOST_WORK: usize = 60_000;

/// More accesses and the like than this are left in loops: unrolled, they would only make the program larger.
const MOST_EFFECTS: usize = 160;

/// Follows them; were there any?
pub fn follow_models(xcfa: &mut Xcfa) -> bool {
    follow(xcfa, &is_of_library)
}

/// Follows loops with nothing but edges that are wanted.
fn follow(xcfa: &mut Xcfa, wanted: &dyn Fn(&Xcfa, &Edge) -> bool) -> bool {
    let loops = Loops::of(xcfa);
    let modelled = loops.loops.iter();
    let modelled = modelled.map(|round| may_be_followed(xcfa, round, wanted));
    let modelled: Vec<bool> = modelled.collect();
    if !modelled.contains(&true) {
        return false;
    }
    let mut propagation = Propagation::of(xcfa);
    propagation.solve();
    let mut follower = Follower {
        propagation,
        loops: &loops,
        ways: Vec::new(),
        copies: 0,
        work: 0,
    };
    for at in 0..loops.loops.len() {
        let outer = loops.loops[at].parent;
        if modelled[at] && !outer.is_some_and(|outer| modelled[outer]) {
            follower.follow_loop(at);
        }
    }
    let ways = follower.ways;
    let changed = !ways.is_empty();
    for way in ways {
        way.put_into(xcfa);
    }
    if changed {
        rebuild(xcfa);
    }
    changed
}

/// Has a loop wanted edges only, and one head?
fn may_be_followed(xcfa: &Xcfa, round: &Loop, wanted: &dyn Fn(&Xcfa, &Edge) -> bool) -> bool {
    let head = &xcfa[round.head];
    round.reducible
        && xcfa[head.proc].init != round.head
        && round.body.iter().all(|&loc| {
            let out = xcfa[loc].out.iter();
            let mut inside = out.filter(|&&edge| round.contains(xcfa[edge].target));
            inside.all(|&edge| wanted(xcfa, &xcfa[edge]))
        })
}

/// Is an edge part of a model?
pub(crate) fn is_of_library(xcfa: &Xcfa, edge: &Edge) -> bool {
    let file = xcfa.sources.files().get(edge.span.file.0 as usize);
    file.is_some_and(|file| file.is_library)
}

struct Follower<'a, 'x> {
    propagation: Propagation<'x>,
    loops: &'a Loops,
    ways: Vec<Way>,
    copies: usize,
    work: usize,
}

/// Why a loop was not followed to its ends.
enum Stop {
    /// It is not clear whether this loop goes on.
    Unclear(usize),
    /// There is too much to copy.
    Large,
}

/// One way into a loop, and the copies that stand behind it; the first one is entered.
struct Way {
    entry: EdgeId,
    copies: Vec<LocId>,
    edges: Vec<(usize, Goal, EdgeId, Vec<Label>)>,
}

/// Where a copy of an edge leads.
#[derive(Clone, Copy)]
enum Goal {
    Copy(usize),
    Outside(LocId),
}

impl Follower<'_, '_> {
    /// Follows a loop from each way in; if it is not clear how often it goes round, those inside it.
    fn follow_loop(&mut self, at: usize) {
        let round = &self.loops.loops[at];
        let xcfa = &*self.propagation.xcfa;
        let ways_in = xcfa[round.head].inc.iter().copied();
        let ways_in = ways_in.filter(|&edge| !round.contains(xcfa[edge].source));
        let mut all = true;
        for entry in ways_in.collect::<Vec<_>>() {
            match self.follow_way(at, entry) {
                Some(way) => self.ways.push(way),
                None => all = false,
            }
        }
        if !all {
            for inner in 0..self.loops.loops.len() {
                if self.loops.loops[inner].parent == Some(at) && self.loops.loops[inner].reducible {
                    self.follow_loop(inner);
                }
            }
        }
    }

    fn follow_way(&mut self, at: usize, entry: EdgeId) -> Option<Way> {
        let (env, _) = self.propagation.step(entry)?;
        let mut unclear: FxHashSet<usize> = FxHashSet::default();
        loop {
            match self.copy(at, entry, env.clone(), &unclear) {
                Ok(way) => {
                    self.copies += way.copies.len();
                    return Some(way);
                }
                Err(Stop::Unclear(inner)) if inner != at && unclear.insert(inner) => {}
                Err(_) => return None,
            }
        }
    }

    /// Makes the copies of a loop behind an edge that enters it.
    fn copy(
        &mut self,
        at: usize,
        entry: EdgeId,
        env: Env,
        unclear: &FxHashSet<usize>,
    ) -> Result<Way, Stop> {
        let round = &self.loops.loops[at];
        let mut way = Way {
            entry,
            copies: Vec::new(),
            edges: Vec::new(),
        };
        let mut envs: Vec<Env> = Vec::new();
        let mut numbers: FxHashMap<(LocId, Env), usize> = FxHashMap::default();
        self.number(round.head, env, unclear, &mut numbers, &mut way, &mut envs);
        let (mut done, mut effects) = (0, 0);
        while done < way.copies.len() {
            self.work += 1;
            if way.copies.len() > MOST_COPIES
                || self.copies + way.copies.len() > MOST_IN_ALL
                || self.work > MOST_WORK
            {
                return Err(Stop::Large);
            }
            let (loc, env) = (way.copies[done], envs[done].clone());
            let mut targets = Vec::new();
            for edge in self.propagation.xcfa[loc].out.clone() {
                let Some((after, labels)) = self.step(&env, edge) else {
                    continue;
                };
                effects += labels.iter().filter(|label| !is_local(label)).count();
                let target = self.propagation.xcfa[edge].target;
                if self.propagation.xcfa[target].error.is_none() {
                    targets.push(target);
                }
                let goal = match round.contains(target) {
                    true => Goal::Copy(self.number(
                        target,
                        after,
                        unclear,
                        &mut numbers,
                        &mut way,
                        &mut envs,
                    )),
                    false => Goal::Outside(target),
                };
                way.edges.push((done, goal, edge, labels));
            }
            if effects > MOST_EFFECTS {
                return Err(Stop::Large);
            }
            if let Some(inner) = self.unclear_loop(loc, &targets, unclear) {
                return Err(Stop::Unclear(inner));
            }
            done += 1;
        }
        Ok(way)
    }

    /// The copy of a location with what is known there.
    fn number(
        &mut self,
        loc: LocId,
        mut env: Env,
        unclear: &FxHashSet<usize>,
        numbers: &mut FxHashMap<(LocId, Env), usize>,
        way: &mut Way,
        envs: &mut Vec<Env>,
    ) -> usize {
        for &inner in unclear {
            if self.loops.loops[inner].head == loc {
                self.forget_changes(inner, &mut env);
            }
        }
        env.retain(|var| self.propagation.liveness.is_live(loc, var));
        let next = way.copies.len();
        let number = *numbers.entry((loc, env.clone())).or_insert(next);
        if number == next {
            way.copies.push(loc);
            envs.push(env);
        }
        number
    }

    /// Forgets what a loop changes.
    fn forget_changes(&self, at: usize, env: &mut Env) {
        let (round, xcfa) = (&self.loops.loops[at], &*self.propagation.xcfa);
        let edges = round.body.iter().flat_map(|&loc| &xcfa[loc].out);
        let inside = edges.filter(|&&edge| round.contains(xcfa[edge].target));
        for label in inside.flat_map(|&edge| &xcfa[edge].labels) {
            if let Some(var) = label.defines() {
                env.forget(var);
            }
        }
    }

    /// What holds after an edge and what becomes of its labels; nothing if it cannot be taken.
    fn step(&mut self, env: &Env, edge: EdgeId) -> Option<(Env, Vec<Label>)> {
        let mut env = env.clone();
        let mut labels = Vec::new();
        for mut label in self.propagation.xcfa[edge].labels.clone() {
            label.map_terms(|term| self.propagation.substitute(&env, term));
            if let Label::Load { var, addr } = label
                && let Some(value) = content(self.propagation.xcfa, var, addr)
            {
                label = Label::Assign { var, value };
            }
            if self.propagation.apply(&label, &mut env)? {
                labels.push(label);
            }
        }
        Some((env, labels))
    }

    /// The innermost loop round a location that may go on there, or not.
    fn unclear_loop(
        &self,
        loc: LocId,
        targets: &[LocId],
        unclear: &FxHashSet<usize>,
    ) -> Option<usize> {
        let mut at = self.loops.innermost(loc)?;
        loop {
            let round = &self.loops.loops[at];
            let staying = targets.iter().filter(|&&to| round.contains(to)).count();
            if staying > 0 && staying < targets.len() && !unclear.contains(&at) {
                return Some(at);
            }
            at = round.parent?;
        }
    }
}

/// Does a label touch nothing but locals?
fn is_local(label: &Label) -> bool {
    matches!(label, Label::Assign { .. } | Label::Assume(_))
}

impl Way {
    /// Adds the copies and lets the way lead to them.
    fn put_into(self, xcfa: &mut Xcfa) {
        let mut locs = Vec::new();
        for &old in &self.copies {
            let (proc, error, misuse) = (xcfa[old].proc, xcfa[old].error, xcfa[old].misuse.clone());
            let new = xcfa.add_loc(proc);
            xcfa[new].error = error;
            xcfa[new].misuse = misuse;
            locs.push(new);
        }
        let mut leaves = BitSet::new();
        for (from, goal, old, labels) in self.edges {
            let target = match goal {
                Goal::Copy(number) => locs[number],
                Goal::Outside(loc) => loc,
            };
            let source = locs[from];
            leaves.insert(from);
            let edge = Edge {
                source,
                target,
                labels,
                ..xcfa[old].clone()
            };
            xcfa.add_edge(edge);
        }
        // Where nothing can go on a run is cut off, as it was before.
        for (number, &old) in self.copies.iter().enumerate() {
            if let Some(&first) = xcfa[old].out.first()
                && !leaves.contains(number)
            {
                let falsity = xcfa.terms.bool(false);
                let edge = Edge {
                    source: locs[number],
                    labels: vec![Label::Assume(falsity)],
                    ..xcfa[first].clone()
                };
                xcfa.add_edge(edge);
            }
        }
        xcfa[self.entry].target = locs[0];
    }
}

/// Makes the lists of edges of all locations anew, and drops what is not reached any more.
fn rebuild(xcfa: &mut Xcfa) {
    for loc in &mut xcfa.locs {
        loc.out.clear();
        loc.inc.clear();
    }
    for edge in std::mem::take(&mut xcfa.edges) {
        xcfa.add_edge(edge);
    }
    xcfa.retain_edges(|_, _| true);
}

/// What is read at an address of an object that cannot be written.
fn content(xcfa: &mut Xcfa, var: VarId, addr: Term) -> Option<Term> {
    let (object, offset) = place(xcfa, addr)?;
    let sort = xcfa[var].sort;
    let found = &xcfa[object];
    let ObjectKind::Static { init } = &found.kind else {
        return None;
    };
    let end = offset.checked_add(sort.bytes())?;
    if !found.constant || found.size.is_none_or(|size| end > size) {
        return None;
    }
    let mut bits = 0_u64;
    for (number, at) in (offset..end).enumerate() {
        let covers =
            |&&(start, value): &&(u64, Term)| start <= at && at - start < xcfa.terms.bytes(value);
        let byte = match init.iter().find(covers) {
            Some(&(start, value)) => xcfa.terms.as_const(value)? >> (8 * (at - start)) & 0xff,
            None => 0,
        };
        bits |= byte << (8 * number);
    }
    matches!(sort, expr::Sort::Bv(8 | 16 | 32 | 64)).then(|| xcfa.terms.constant(sort, bits))
}

/// The object and the offset that an address without variables says.
fn place(xcfa: &Xcfa, addr: Term) -> Option<(ObjId, u64)> {
    match xcfa.terms.node(addr) {
        Node::Base(object, _) => Some((object, 0)),
        Node::Binary(Op::Add, a, b) => {
            let (base, offset) = match xcfa.terms.as_const(b) {
                Some(offset) => (a, offset),
                None => (b, xcfa.terms.as_const(a)?),
            };
            match xcfa.terms.node(base) {
                Node::Base(object, _) => Some((object, offset)),
                _ => None,
            }
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests;
