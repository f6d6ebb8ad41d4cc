//! Locks that a thread believes to hold.
//!
//! A thread believes in a lock from the label that takes it to the first label of its own that may
//! change its words, as long as it is known which lock that was. Which labels that take locks may be
//! believed in is decided by [`crate::custody`], which also says why belief is knowledge then.

use crate::branch::{Branch, Branches};
use crate::lock::{Identity, Lock};
use crate::program::Program;
use crate::prover::Prover;
use crate::values::{Site, Values};
use crate::words::{At, Change, Effect, Words};
use dataflow::BitSet;
use rustc_hash::FxHashMap;
use std::collections::BTreeSet;

use expr::{Term, VarId};
use xcfa::{Callee, EdgeId, Label, LocId};

/// What variables hold where ways meet is remembered if the term has no more parts than this.
const MOST_PARTS: usize = 12;

/// The locks of a program that threads believe to hold.
pub struct Held {
    at: Vec<Branches>,
    /// By edge: what is believed before the step whenever it can be taken; none if it never can.
    during: Vec<Option<BTreeSet<Lock>>>,
    /// By change: does the thread believe in the lock that it unlocks, whenever it does that?
    own: BitSet,
}

impl Held {
    /// Follows the locks along the paths of every procedure; each starts with nothing held.
    pub fn of<'v>(
        program: &Program<'_>,
        words: &Words,
        trusted: &BitSet,
        mut knowledge: Knowledge<'v>,
    ) -> Held {
        let mut follower = Follower {
            program,
            words,
            trusted,
            arrivals: FxHashMap::default(),
            asked: FxHashMap::default(),
        };
        let at = follower.follow(&mut knowledge);
        let xcfa = program.xcfa;
        let mut held = Held {
            at,
            during: vec![None; xcfa.edges.len()],
            own: (0..words.changes.len()).collect(),
        };
        for edge in xcfa.edge_ids() {
            for branch in &held.at[xcfa[edge].source.0 as usize].all {
                let mut own = held.own.clone();
                if follower
                    .take(&mut knowledge, edge, branch, &mut own)
                    .is_none()
                {
                    continue;
                }
                held.own = own;
                let locks = branch.locks.keys().copied();
                match &mut held.during[edge.0 as usize] {
                    None => held.during[edge.0 as usize] = Some(locks.collect()),
                    Some(known) => known.retain(|lock| branch.locks.contains_key(lock)),
                }
            }
        }
        held
    }

    /// The locks that are held whenever a thread is there.
    pub fn at(&self, loc: LocId) -> BTreeSet<Lock> {
        let mut branches = self.at[loc.0 as usize].all.iter();
        let first = branches.next().map(|it| it.locks.keys().copied());
        let mut common: BTreeSet<Lock> = first.into_iter().flatten().collect();
        for branch in branches {
            common.retain(|lock| branch.locks.contains_key(lock));
        }
        common
    }

    /// Where a thread may be that has taken a lock with this label and still believes in it.
    pub fn believers(&self, taken: At) -> impl Iterator<Item = LocId> + '_ {
        let believes = move |branches: &Branches| {
            let mut sites = branches.all.iter().flat_map(|it| it.locks.values());
            sites.any(|it| it.contains(&taken))
        };
        let locs = self.at.iter().enumerate();
        locs.filter(move |(_, branches)| believes(branches))
            .map(|(loc, _)| LocId(loc as u32))
    }

    /// Has every lock of this identity that is held there been taken at that label?
    pub fn was_taken_at(&self, loc: LocId, identity: Option<Identity>, at: At) -> bool {
        let branches = self.at[loc.0 as usize].all.iter();
        let mut held = branches.flat_map(|it| &it.locks);
        held.all(|(lock, taken)| Some(lock.identity) != identity || taken.iter().eq([&at]))
    }

    /// Whenever this change is made, is it to a lock that the thread believes in?
    pub fn is_own(&self, change: usize) -> bool {
        self.own.contains(change)
    }

    /// The locks that are held during the whole step.
    pub fn during(&self, program: &Program<'_>, edge: EdgeId) -> BTreeSet<Lock> {
        let unlocks = |label: &Label| {
            matches!(
                label,
                Label::Unlock { .. } | Label::Wait { .. } | Label::Call { .. }
            )
        };
        match program.xcfa[edge].labels.iter().any(unlocks) {
            true => BTreeSet::new(),
            false => self.before(edge),
        }
    }

    /// The locks that are held when the step is taken.
    pub fn before(&self, edge: EdgeId) -> BTreeSet<Lock> {
        self.during[edge.0 as usize].clone().unwrap_or_default()
    }

    /// Does a thread that comes from one edge to another, without taking the second one in between,
    /// hold the lock all the time, the two steps included?
    pub fn throughout(&self, program: &Program<'_>, lock: Lock, from: EdgeId, to: EdgeId) -> bool {
        let xcfa = program.xcfa;
        let holds = |edge: EdgeId| self.during(program, edge).contains(&lock);
        if !holds(from) || !holds(to) {
            return false;
        }
        let between = |loc: LocId| {
            program.reaches(xcfa[from].target, loc, |edge| edge == to)
                && program.reaches(loc, xcfa[to].source, |edge| edge == to)
        };
        let proc = xcfa[xcfa[from].source].proc;
        let locs = xcfa.loc_ids().filter(|&loc| xcfa[loc].proc == proc);
        locs.filter(|&loc| between(loc)).all(|loc| {
            let inner = xcfa[loc]
                .out
                .iter()
                .filter(|&&edge| between(xcfa[edge].target) && edge != to);
            self.at(loc).contains(&lock) && inner.into_iter().all(|&edge| holds(edge))
        })
    }
}

type Knowledge<'v> = Option<(&'v mut Values, &'v mut Prover)>;

struct Follower<'f, 'a> {
    program: &'f Program<'a>,
    words: &'f Words,
    /// The changes that take a lock that may be believed in.
    trusted: &'f BitSet,
    /// By edge: what the symbols that are set at its target are equal to.
    arrivals: FxHashMap<EdgeId, Vec<(Term, Term)>>,
    /// Questions that the prover has answered.
    asked: FxHashMap<Vec<Term>, bool>,
}

impl Follower<'_, '_> {
    fn follow(&mut self, knowledge: &mut Knowledge<'_>) -> Vec<Branches> {
        let xcfa = self.program.xcfa;
        let mut at = vec![Branches::default(); xcfa.locs.len()];
        let mut work: Vec<LocId> = xcfa.procs.iter().map(|proc| proc.init).collect();
        for &loc in &work {
            at[loc.0 as usize].add(Branch::default());
        }
        while let Some(loc) = work.pop() {
            for &edge in &xcfa[loc].out {
                let target = xcfa[edge].target;
                for before in at[loc.0 as usize].all.clone() {
                    let mut own = BitSet::new();
                    let Some(mut after) = self.take(knowledge, edge, &before, &mut own) else {
                        continue;
                    };
                    if let Some((values, _)) = knowledge {
                        self.arrive(values, edge, &mut after);
                    }
                    if at[target.0 as usize].add(after) && !work.contains(&target) {
                        work.push(target);
                    }
                }
            }
        }
        at
    }

    /// Executes an edge; none if one of its conditions is certainly false. Changes of locks that are
    /// not believed in are taken out of `own`.
    fn take(
        &mut self,
        knowledge: &mut Knowledge<'_>,
        edge: EdgeId,
        before: &Branch,
        own: &mut BitSet,
    ) -> Option<Branch> {
        if let Some((values, _)) = knowledge
            && !values.is_feasible(edge)
        {
            return None;
        }
        let mut branch = before.clone();
        for (index, label) in self.program.xcfa[edge].labels.iter().enumerate() {
            let at = (edge, index);
            if let Some((values, prover)) = knowledge {
                let sets = [Site::Label(edge, index), Site::Aged(edge, index)];
                branch.forget(values, |_, site| sets.contains(&site));
                if let Label::Assume(_) | Label::Await(_) = label {
                    let condition = *values.evaluated(edge, index).first()?;
                    if branch.excludes(values, prover, &mut self.asked, condition) {
                        return None;
                    }
                    branch.learn(values, condition);
                }
            }
            if let Label::Call { callee, .. } = label {
                self.call(callee, &mut branch);
            }
            if let Some(number) = self.words.number(at) {
                let values = knowledge.as_mut().map(|(values, _)| &mut **values);
                self.change(values, number, &mut branch, own);
            }
        }
        Some(branch)
    }

    fn change(
        &self,
        values: Option<&mut Values>,
        number: usize,
        branch: &mut Branch,
        own: &mut BitSet,
    ) {
        let change = &self.words.changes[number];
        let identity = change.identity;
        if let Effect::Lock(mode) = change.effect {
            if let Some(identity) = identity.filter(|_| self.trusted.contains(number)) {
                let lock = Lock { identity, mode };
                branch.locks.entry(lock).or_default().insert(change.at);
            }
            return;
        }
        let fits = |lock: Lock| match change.effect {
            Effect::Unlock(mode) => lock.is_unlocked_by(mode),
            Effect::Overwrite => lock.is_exclusive(),
            _ => false,
        };
        let mine = identity.and_then(|identity| branch.holds(values, identity, fits));
        match mine {
            // Whatever else the thread believes in is another lock.
            Some(lock) => {
                branch.locks.remove(&lock);
            }
            None => {
                own.remove(number);
                let hit = |taken: &BTreeSet<At>| self.may_hit(change, taken);
                branch.locks.retain(|_, taken| !hit(taken));
            }
        }
    }

    /// May the change be to a lock that was taken at one of these labels?
    fn may_hit(&self, change: &Change, taken: &BTreeSet<At>) -> bool {
        let takes = taken.iter().filter_map(|&at| self.words.number(at));
        change.is_wild()
            || takes
                .into_iter()
                .any(|it| self.words.changes[it].meets(change))
    }

    /// A procedure that is called may change what its caller has taken.
    fn call(&self, callee: &Callee, branch: &mut Branch) {
        branch.facts.clear();
        let Callee::Direct(proc) = callee else {
            branch.locks.clear();
            return;
        };
        let reached = self.words.reached(*proc);
        branch.locks.retain(|lock, taken| {
            let takes = |it: usize| self.words.changes[it].taken().is_some();
            let mut changes = reached.iter().filter(|&it| !takes(it));
            lock.address().is_none()
                && !changes.any(|it| self.may_hit(&self.words.changes[it], taken))
        });
    }

    /// Symbols are set where ways meet.
    fn arrive(&mut self, values: &mut Values, edge: EdgeId, branch: &mut Branch) {
        let xcfa = self.program.xcfa;
        let target = xcfa[edge].target;
        let known = self.arrivals.entry(edge).or_insert_with(|| {
            let mut found = Vec::new();
            for var in xcfa.var_ids() {
                let (Some(now), Some(before)) = (values.at(target, var), values.after(edge, var))
                else {
                    continue;
                };
                let symbol = values.terms.as_var(now).and_then(|it| values.symbol(it));
                let set = symbol.is_some_and(|it| it.site == Site::Loc(target));
                if set && is_small(values, before) {
                    found.push((now, before));
                }
            }
            found
        });
        let known = known.clone();
        let unchanged = known.iter().filter(|(now, before)| now == before);
        let kept: Vec<VarId> = unchanged
            .filter_map(|&(now, _)| values.terms.as_var(now))
            .collect();
        branch.forget(values, |symbol, site| {
            site == Site::Loc(target) && !kept.contains(&symbol)
        });
        for (now, before) in known {
            if !values.mentions(before, Site::Loc(target)) {
                let equal = values.terms.eq(now, before);
                branch.learn(values, equal);
            }
        }
    }
}

/// Is the term worth remembering?
fn is_small(values: &Values, term: Term) -> bool {
    let mut parts = 0;
    let count = &mut |_, _| parts += 1;
    values.terms.for_each_subterm(term, count);
    parts <= MOST_PARTS
}
