//! Joins of which it is not known what they do: threads that may wait for their own end or for each
//! other's, and joins of threads that may be detached.
//!
//! The machine lets all of them wait. Libraries may return an error instead (POSIX: `EDEADLK`; glibc:
//! `EINVAL` for a detached thread), and then the thread goes on; so nothing is proved about such a program.
//!
//! Which thread may join which follows from where handles come from: they are followed as if each were the
//! address of an object that is made where its thread is started, or where a thread asks for its own.
//! A thread joins itself or one of its own procedure that joins it only if it has asked for its handle,
//! or has learnt one from somewhere else: a thread that joins what it has started itself does not wait for its
//! parent.

use crate::{PointsTo, Sharing, Threads};
use expr::{ObjId, Term, VarId};
use std::collections::{BTreeMap, BTreeSet};
use xcfa::{EdgeId, Label, Object, ObjectKind, ProcId, Span, Xcfa};

/// A join of which it is not known what it does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DoubtfulJoin {
    /// The join.
    pub edge: EdgeId,
    /// Why.
    pub doubt: Doubt,
}

/// Why it is not known what a join does.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Doubt {
    /// The thread may be detached: the join may not wait for it.
    Detached,
    /// A thread may join itself, or one that is joining it: it may be told so.
    Mutual,
}

impl DoubtfulJoin {
    /// What and where, in words.
    pub fn remark(&self, xcfa: &Xcfa) -> String {
        let what = match self.doubt {
            Doubt::Detached => {
                "a thread may be joined that is detached, which the library may refuse"
            }
            Doubt::Mutual => {
                "a thread may join itself or one that joins it, which the library may refuse"
            }
        };
        xcfa.remark(xcfa[self.edge].span, what)
    }
}

/// All doubtful joins.
pub fn doubtful_joins(xcfa: &Xcfa) -> Vec<DoubtfulJoin> {
    let joins: Vec<(EdgeId, Term)> = joins(xcfa).collect();
    let in_main = |edge: EdgeId| xcfa[xcfa[edge].source].proc == xcfa.main;
    let asks = |label: &Label| asks_for_handle(xcfa, label).is_some();
    let nobody_asks = !xcfa.edges.iter().any(|edge| edge.labels.iter().any(asks));
    let nobody_detaches = detached_vars(xcfa).next().is_none();
    let only_main_joins = joins.iter().all(|&(edge, _)| in_main(edge));
    if joins.is_empty() || (nobody_asks && nobody_detaches && only_main_joins) {
        return Vec::new();
    }
    let threads = Threads::of(xcfa);
    let (marked, handles) = with_handles(xcfa, &threads);
    let points_to = PointsTo::of(&marked);
    let follow = Follow {
        xcfa,
        marked: &marked,
        handles: &handles,
        points_to: &points_to,
    };
    let detached = follow.joins_of_detached(&joins);
    let mutual = follow.mutual(&joins, &threads);
    detached.into_iter().chain(mutual).collect()
}

/// Handles, and where they may be.
struct Follow<'a> {
    xcfa: &'a Xcfa,
    marked: &'a Xcfa,
    handles: &'a [Handle],
    points_to: &'a PointsTo,
}

impl Follow<'_> {
    fn meant(&self, thread: Term) -> impl Iterator<Item = &Handle> {
        let objects = self.points_to.objects(self.marked, thread);
        let handles = self.handles.iter();
        handles.filter(move |handle| objects.contains(&handle.object))
    }

    fn joins_of_detached(&self, joins: &[(EdgeId, Term)]) -> Vec<DoubtfulJoin> {
        let mut objects = BTreeSet::new();
        // A thread that detaches itself may be any one of its procedure.
        let mut procs = BTreeSet::new();
        for var in detached_vars(self.xcfa) {
            let targets = self.points_to.var(var).iter().map(|target| target.object);
            let targets: BTreeSet<ObjId> = targets.collect();
            let asked = |handle: &&Handle| handle.asked && targets.contains(&handle.object);
            procs.extend(self.handles.iter().filter(asked).map(|handle| handle.whose));
            objects.extend(targets);
        }
        let is_detached =
            |handle: &Handle| objects.contains(&handle.object) || procs.contains(&handle.whose);
        let found = joins
            .iter()
            .filter(|(_, thread)| self.meant(*thread).any(is_detached));
        let doubt = Doubt::Detached;
        found
            .map(|&(edge, _)| DoubtfulJoin { edge, doubt })
            .collect()
    }

    fn mutual(&self, joins: &[(EdgeId, Term)], threads: &Threads) -> Vec<DoubtfulJoin> {
        let sharing = Sharing::of(self.marked, self.points_to);
        let mut joined: BTreeMap<(ProcId, ProcId), Vec<(EdgeId, bool)>> = BTreeMap::new();
        for &(edge, thread) in joins {
            let own = keeps_for_itself(self.marked, self.points_to, &sharing, edge, thread);
            for handle in self.meant(thread) {
                for who in threads.running(self.xcfa[self.xcfa[edge].source].proc) {
                    let known = joined.entry((who, handle.whose)).or_default();
                    known.push((edge, own && !handle.asked));
                }
            }
        }
        let mut found: Vec<EdgeId> = Vec::new();
        for (&(who, whose), edges) in &joined {
            let is_doubtful = match who == whose {
                true => edges.iter().any(|&(_, own)| !own),
                false => joined.contains_key(&(whose, who)),
            };
            if is_doubtful {
                found.extend(edges.iter().map(|&(edge, _)| edge));
            }
        }
        found.sort_unstable();
        found.dedup();
        let doubt = Doubt::Mutual;
        let found = found.into_iter();
        found.map(|edge| DoubtfulJoin { edge, doubt }).collect()
    }
}

/// The variables that get the handles of detached threads.
fn detached_vars(xcfa: &Xcfa) -> impl Iterator<Item = VarId> + '_ {
    let labels = xcfa.edges.iter().flat_map(|edge| &edge.labels);
    let defined = labels.filter_map(Label::defines);
    defined.filter(|&var| xcfa[var].temp && xcfa[var].name == xcfa::DETACHED)
}

fn joins(xcfa: &Xcfa) -> impl Iterator<Item = (EdgeId, Term)> + '_ {
    let labels = |edge: EdgeId| xcfa[edge].labels.iter().map(move |label| (edge, label));
    let labels = xcfa.edge_ids().flat_map(labels);
    labels.filter_map(|(edge, label)| match label {
        Label::Join { thread, .. } => Some((edge, *thread)),
        _ => None,
    })
}

/// Does a handle come from memory that no other thread uses?
fn keeps_for_itself(
    xcfa: &Xcfa,
    points_to: &PointsTo,
    sharing: &Sharing,
    edge: EdgeId,
    thread: Term,
) -> bool {
    let proc = xcfa[xcfa[edge].source].proc;
    let of_proc = |edge: &&xcfa::Edge| xcfa[edge.source].proc == proc;
    let from_own = |var: VarId| {
        let edges = xcfa.edges.iter().filter(of_proc);
        let labels = edges.flat_map(|edge| &edge.labels);
        let setting: Vec<&Label> = labels
            .filter(|label| label.defines() == Some(var))
            .collect();
        let from_own = |label: &&Label| match label {
            Label::Load { addr, .. } => {
                let objects = points_to.objects(xcfa, *addr);
                let mut objects = objects.into_iter();
                objects.all(|object| !sharing.is_shared_object(object))
            }
            Label::Start { .. } | Label::Alloc { .. } => true,
            _ => false,
        };
        // A variable that is never set is an argument.
        !setting.is_empty() && setting.iter().all(from_own)
    };
    let vars = xcfa.terms.vars(thread);
    vars.iter()
        .all(|&var| !sharing.is_shared_var(var) && from_own(var))
}

/// An object that stands for the handles of the threads of a procedure.
struct Handle {
    object: ObjId,
    whose: ProcId,
    /// Has the thread asked for it?
    asked: bool,
}

/// The variable that gets the thread's own handle.
fn asks_for_handle(xcfa: &Xcfa, label: &Label) -> Option<VarId> {
    match label {
        Label::Assign { var, value } if xcfa.terms.as_var(*value) == Some(xcfa.self_var) => {
            Some(*var)
        }
        _ => None,
    }
}

/// The program in which handles are addresses of objects.
fn with_handles(xcfa: &Xcfa, threads: &Threads) -> (Xcfa, Vec<Handle>) {
    let mut marked = xcfa.clone();
    let mut handles = Vec::new();
    let size = marked.terms.bv(xcfa.pointer_bits(), 1);
    for edge in xcfa.edge_ids() {
        let mut labels = Vec::new();
        for label in &xcfa[edge].labels {
            labels.push(label.clone());
            let asked = asks_for_handle(xcfa, label);
            let (var, whose): (VarId, Vec<ProcId>) = match (label, asked) {
                (Label::Start { handle, proc, .. }, _) => (*handle, vec![*proc]),
                (_, Some(var)) => {
                    let proc = xcfa[xcfa[edge].source].proc;
                    (var, threads.running(proc).collect())
                }
                _ => continue,
            };
            for whose in whose {
                let object = marked.add_object(stand_in());
                let asked = asked.is_some();
                handles.push(Handle {
                    object,
                    whose,
                    asked,
                });
                labels.push(Label::Alloc {
                    var,
                    object,
                    size,
                    zeroed: false,
                });
            }
        }
        marked[edge].labels = labels;
    }
    (marked, handles)
}

fn stand_in() -> Object {
    Object {
        align: 1,
        ..Object::new("thread".into(), ObjectKind::Heap, Some(1), Span::default())
    }
}

#[cfg(test)]
mod tests {
    use super::doubtful_joins;
    use automata::parse;

    /// `first` and `second` are what two threads do; the handles are in globals.
    fn found(first: &str, second: &str) -> bool {
        let text = format!(
            "global pa
             global pb
             proc one(px)
               in -> 1: {first}
               1 -> out: thread_exit 0
             proc two(px)
               in -> 1: {second}
               1 -> out: thread_exit 0
             proc main()
               in -> 1: pa := start one()
               1 -> 2: pb := start two()
               2 -> out: join pb"
        );
        !doubtful_joins(&parse(&text)).is_empty()
    }

    #[test]
    fn threads_that_join_each_other() {
        assert!(found("join pb", "join pa"));
        assert!(!found("join pb", "skip"));
        assert!(!found("skip", "join pa"));
        assert!(!found("skip", "skip"));
        assert!(!found("pc := start two(); join pc", "skip"));
    }

    #[test]
    fn a_thread_that_joins_itself() {
        assert!(found("join pa", "skip"));
        assert!(found("pc := self; join pc", "skip"));
        assert!(!found("pc := start one(); join pc", "skip"));
    }
}
