//! What is known of every edge and location before anything runs.

use expr::{Term, VarId};
use passes::{Accesses, Liveness, Loops, PointsTo, Sharing};
use rustc_hash::FxHashSet;
use semantics::Property;
use xcfa::{Edge, EdgeId, ErrorKind, Label, LocId, LockMode, Xcfa};

use crate::event::LockOp;

/// How much has to be put back if a step turns out to be impossible half-way.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Backup {
    /// Nothing: what can fail comes first.
    Nothing,
    /// The thread that takes the step.
    Thread,
    /// That, and what all threads share.
    Shared,
    /// Anything.
    Everything,
}

/// An edge.
#[derive(Clone, Copy, Debug)]
pub struct EdgeInfo {
    /// What it does to a lock, if that is its only shared operation.
    pub lock: LockOp,
    /// It waits for a signal or sends one.
    pub signals: bool,
    /// It has to wait for a signal.
    pub awaits: bool,
    /// It makes or ends stack objects, or ends the thread.
    pub frees: bool,
    /// It joins a thread.
    pub joins: bool,
    /// Its first label is a condition over locals.
    pub guarded: bool,
    /// Accesses are the same whatever the values read.
    stable: bool,
}

/// A location.
#[derive(Clone, Copy, Debug)]
pub struct LocInfo {
    /// Others can neither see nor influence what the thread does next.
    pub local: bool,
    /// For trying its edges.
    pub backup: Backup,
    /// A step from here can change other threads, or begins an atomic section.
    pub reaches_others: bool,
    /// At most one of its edges can be taken in any state, and that one looks at all that rules
    /// the others out.
    pub exclusive: bool,
    /// All edges make the same accesses, whatever the values read.
    pub stable: bool,
    /// The thread has to take a lock, and nothing else can be done.
    pub insists: bool,
    /// Is it part of a loop?
    pub in_loop: bool,
    /// The process ends here, and nothing else happens.
    pub is_end: bool,
}

/// What is known of a program.
pub struct Statics {
    /// By edge.
    pub edges: Vec<EdgeInfo>,
    /// By location.
    pub locs: Vec<LocInfo>,
    /// Locals whose value can still be used.
    pub liveness: Liveness,
}

impl Statics {
    /// Analyses a program.
    pub fn of(xcfa: &Xcfa, property: Property) -> Statics {
        let points_to = PointsTo::of(xcfa);
        let sharing = Sharing::of(xcfa, &points_to);
        let checked = match property {
            Property::Reach => Some(ErrorKind::Reached),
            Property::Overflow => Some(ErrorKind::Overflow),
            _ => None,
        };
        let accesses = Accesses::of(xcfa, &points_to, &sharing, checked);
        let loops = Loops::of(xcfa);
        let meeting = Meeting {
            xcfa,
            points_to: &points_to,
            sharing: &sharing,
        };
        let edges: Vec<EdgeInfo> = xcfa
            .edges
            .iter()
            .map(|edge| edge_info(&meeting, edge))
            .collect();
        let locs = xcfa
            .loc_ids()
            .map(|loc| loc_info(&meeting, &accesses, &loops, &edges, checked, loc))
            .collect();
        Statics {
            edges,
            locs,
            liveness: Liveness::of(xcfa),
        }
    }

    /// An edge.
    pub fn edge(&self, edge: EdgeId) -> &EdgeInfo {
        &self.edges[edge.0 as usize]
    }

    /// A location.
    pub fn loc(&self, loc: LocId) -> &LocInfo {
        &self.locs[loc.0 as usize]
    }
}

fn edge_info(meeting: &Meeting<'_>, edge: &Edge) -> EdgeInfo {
    let any = |test: fn(&Label) -> bool| edge.labels.iter().any(test);
    let xcfa = meeting.xcfa;
    let shared = meeting.shared_labels(edge);
    let mut locking = shared.clone();
    locking.retain(|label| !matches!(label, Label::Wait { .. } | Label::AwaitSignal { .. }));
    let lock = match locking[..] {
        [Label::Lock { mode, .. }] if *mode == LockMode::Read => LockOp::AcquireRead,
        [Label::Lock { .. }] => LockOp::Acquire,
        [Label::Unlock { mode, .. }] if *mode == LockMode::Exclusive => LockOp::Release,
        [Label::Unlock { .. }] => LockOp::ReleaseShared,
        _ => LockOp::None,
    };
    let guard = edge.labels.first();
    EdgeInfo {
        lock,
        signals: any(|label| matches!(label, Label::Wait { .. } | Label::Signal { .. })),
        awaits: any(|label| matches!(label, Label::AwaitSignal { timed: false })),
        frees: any(|label| {
            matches!(
                label,
                Label::Alloc { .. } | Label::Dealloc(_) | Label::ThreadExit(_) | Label::Call { .. }
            )
        }) || edge.target == xcfa[xcfa[edge.source].proc].exit,
        joins: any(|label| matches!(label, Label::Join { .. })),
        guarded: matches!(guard, Some(Label::Assume(cond)) if is_local(xcfa, *cond)),
        stable: shared.len() <= 1
            || (!edge.labels.iter().any(can_fail_on_values) && fixed(xcfa, edge)),
    }
}

/// What two threads can meet at.
struct Meeting<'x> {
    xcfa: &'x Xcfa,
    points_to: &'x PointsTo,
    sharing: &'x Sharing,
}

impl<'x> Meeting<'x> {
    /// Labels that another thread could notice or influence.
    fn shared_labels(&self, edge: &'x Edge) -> Vec<&'x Label> {
        let shared = |label: &&Label| {
            let synchronises = matches!(
                label,
                Label::Lock { .. }
                    | Label::Unlock { .. }
                    | Label::Wait { .. }
                    | Label::Signal { .. }
                    | Label::AwaitSignal { .. }
                    | Label::Start { .. }
                    | Label::Join { .. }
                    | Label::AtomicBegin
                    | Label::ThreadExit(_)
            );
            let touches = passes::touches(self.xcfa, self.points_to, label);
            synchronises
                || touches
                    .iter()
                    .any(|touch| self.sharing.is_shared(touch.place))
        };
        edge.labels.iter().filter(shared).collect()
    }
}

fn is_local(xcfa: &Xcfa, term: Term) -> bool {
    !xcfa
        .terms
        .vars(term)
        .into_iter()
        .any(|var| xcfa.is_global(var))
}

fn can_fail_on_values(label: &Label) -> bool {
    matches!(
        label,
        Label::Assume(_) | Label::Await(_) | Label::AtomicBegin | Label::Call { .. }
    )
}

/// No address depends on what the same edge reads.
fn fixed(xcfa: &Xcfa, edge: &Edge) -> bool {
    let mut read: FxHashSet<VarId> = FxHashSet::default();
    for label in &edge.labels {
        let addr = match label {
            Label::Load { addr, .. } | Label::Store { addr, .. } => Some(*addr),
            Label::Lock { addr, .. } | Label::Unlock { addr, .. } | Label::Free(addr) => {
                Some(*addr)
            }
            Label::Wait { cond } | Label::Signal { cond, .. } => Some(*cond),
            Label::Join { thread, .. } => Some(*thread),
            _ => None,
        };
        let depends = |term| {
            let vars = xcfa.terms.vars(term);
            vars.iter()
                .any(|var| read.contains(var) || xcfa.is_global(*var))
        };
        if addr.is_some_and(depends) {
            return false;
        }
        read.extend(label.defines());
    }
    true
}

fn loc_info(
    meeting: &Meeting<'_>,
    accesses: &Accesses,
    loops: &Loops,
    edges: &[EdgeInfo],
    checked: Option<ErrorKind>,
    loc: LocId,
) -> LocInfo {
    let xcfa = meeting.xcfa;
    let out = &xcfa[loc].out;
    let info = |edge: &EdgeId| &edges[edge.0 as usize];
    let ends = |edge: &Edge| {
        let exits = edge.labels.iter().any(|label| matches!(label, Label::Exit));
        exits
            || xcfa[edge.target]
                .error
                .is_some_and(|kind| Some(kind) != checked)
    };
    let backup = out
        .iter()
        .map(|&edge| match ends(&xcfa[edge]) {
            true => Backup::Everything,
            false => backup(xcfa, &xcfa[edge]),
        })
        .max();
    let labels: Vec<&[Label]> = out.iter().map(|&edge| &xcfa[edge].labels[..]).collect();
    LocInfo {
        local: !out.is_empty() && out.iter().all(|&edge| accesses.edge(edge).is_local()),
        backup: backup.unwrap_or(Backup::Nothing),
        reaches_others: out
            .iter()
            .any(|&edge| xcfa[edge].labels.iter().any(reaches_others)),
        exclusive: decides(xcfa, &labels),
        stable: out.iter().all(|edge| info(edge).stable)
            && (out.len() < 2
                || same_reads(meeting, out)
                || out.iter().all(|edge| info(edge).guarded)),
        insists: !out.is_empty() && out.iter().all(|edge| info(edge).lock.blocks()),
        in_loop: loops.innermost(loc).is_some(),
        is_end: !out.is_empty()
            && out
                .iter()
                .all(|&edge| matches!(xcfa[edge].labels[..], [Label::Exit])),
    }
}

fn reaches_others(label: &Label) -> bool {
    matches!(
        label,
        Label::Signal { .. } | Label::Start { .. } | Label::Join { .. } | Label::AtomicBegin
    )
}

/// How much an edge may have changed before it fails.
fn backup(xcfa: &Xcfa, edge: &Edge) -> Backup {
    let (mut dirty, mut needed) = (Backup::Nothing, Backup::Nothing);
    for label in &edge.labels {
        let may_fail = !matches!(
            label,
            Label::Assign { .. }
                | Label::Havoc { .. }
                | Label::Dealloc(_)
                | Label::AtomicEnd
                | Label::AwaitSignal { .. }
                | Label::ThreadExit(_)
        );
        if may_fail {
            needed = needed.max(dirty);
        }
        let changes = match label {
            Label::Assume(_) | Label::Await(_) => Backup::Nothing,
            Label::Assign { var, .. } | Label::Havoc { var, .. } if !xcfa.is_global(*var) => {
                Backup::Thread
            }
            _ => Backup::Everything,
        };
        // A load may also fix what is undefined.
        dirty = dirty.max(changes);
        if matches!(label, Label::AtomicBegin | Label::Call { .. }) {
            needed = Backup::Everything;
        }
    }
    if xcfa[edge.target].error.is_some() {
        needed = needed.max(dirty);
    }
    needed
}

/// Do the edges form a tree of decisions: the same labels up to conditions that rule each other
/// out, and so on in every group? Then one that is taken has looked at all that decided against
/// the others.
fn decides(xcfa: &Xcfa, lists: &[&[Label]]) -> bool {
    let [first, others @ ..] = lists else {
        return true;
    };
    if others.is_empty() {
        return true;
    }
    let common = |at: &usize| others.iter().all(|list| list.get(*at) == first.get(*at));
    let Some(differ) = (0..first.len()).find(|at| !common(at)) else {
        return false;
    };
    let mut groups: Vec<(Term, Vec<&[Label]>)> = Vec::new();
    for list in lists {
        let Some(&Label::Assume(cond)) = list.get(differ) else {
            return false;
        };
        let rest = &list[differ + 1..];
        match groups.iter_mut().find(|(known, _)| *known == cond) {
            Some((_, group)) => group.push(rest),
            None => groups.push((cond, vec![rest])),
        }
    }
    let apart = |at: usize| {
        let (cond, before) = (groups[at].0, &groups[..at]);
        before.iter().all(|(other, _)| rule_out(xcfa, *other, cond))
    };
    (0..groups.len()).all(apart) && groups.iter().all(|(_, group)| decides(xcfa, group))
}

/// Can the two conditions never hold together?
fn rule_out(xcfa: &Xcfa, a: Term, b: Term) -> bool {
    if is_negation(xcfa, a, b) || is_negation(xcfa, b, a) {
        return true;
    }
    let mut solver = smt::Solver::new();
    solver.set_timeout(Some(std::time::Duration::from_millis(100)));
    solver.assert(&xcfa.terms, a);
    solver.assert(&xcfa.terms, b);
    solver.check(&xcfa.terms, &[]) == smt::Check::Unsat
}

fn is_negation(xcfa: &Xcfa, a: Term, b: Term) -> bool {
    matches!(xcfa.terms.node(a), expr::Node::Unary(expr::Op::Not, inner) if inner == b)
}

/// All edges read the same one place, and write nothing.
fn same_reads(meeting: &Meeting<'_>, out: &[EdgeId]) -> bool {
    let xcfa = meeting.xcfa;
    let labels = |&edge: &EdgeId| meeting.shared_labels(&xcfa[edge]);
    let reads: Vec<Vec<&Label>> = out.iter().map(labels).collect();
    let plain = |label: &&Label| {
        matches!(label, Label::Load { .. } | Label::Assume(_))
            || matches!(label, Label::Assign { var, .. } if !xcfa.is_global(*var))
    };
    let vars = |labels: &[&Label]| -> Vec<VarId> {
        let terms = labels.iter().flat_map(|label| label.terms());
        terms
            .flat_map(|term| xcfa.terms.vars(term))
            .filter(|&var| xcfa.is_global(var))
            .collect()
    };
    let loads = |labels: &[&Label]| -> Vec<Term> {
        let addr = |label: &&Label| match label {
            Label::Load { addr, .. } => Some(*addr),
            _ => None,
        };
        labels.iter().filter_map(addr).collect()
    };
    reads.iter().all(|labels| {
        labels.iter().all(plain)
            && vars(labels) == vars(&reads[0])
            && loads(labels) == loads(&reads[0])
    })
}
