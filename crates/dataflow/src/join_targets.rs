//! Which thread a join waits for, where the text tells.
//!
//! Handles are followed through variables and memory, forwards along each procedure. Law: where a join has a
//! target, it waits for the one thread that starts in that procedure, in every execution: what it joins
//! holds the handle of that thread, and no other procedure can change it.

use crate::pointsto::{Offset, PointsTo};
use crate::touch::{Storage, touches};
use crate::{BitSet, CallGraph, Threads, exclude_each_other};
use expr::{ObjId, Term, VarId};
use rustc_hash::{FxHashMap, FxHashSet};
use xcfa::{EdgeId, Label, LocId, ObjectKind, ProcId, Scope, Xcfa};

/// Where a handle may be.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Holder {
    Var(VarId),
    /// In an object, at this offset.
    Memory(ObjId, i64),
}

/// Whose handle is where.
type Handles = FxHashMap<Holder, ProcId>;

/// By edge: the thread that its join waits for.
#[derive(Clone, Debug, Default)]
pub struct JoinTargets {
    targets: FxHashMap<EdgeId, ProcId>,
}

impl JoinTargets {
    /// Follows the handles of all threads that start at most once.
    pub fn of(xcfa: &Xcfa, points_to: &PointsTo) -> JoinTargets {
        let threads = Threads::of(xcfa);
        let mut targets = FxHashMap::default();
        let is_join = |label: &Label| matches!(label, Label::Join { .. });
        if xcfa
            .edges
            .iter()
            .any(|edge| edge.labels.iter().any(is_join))
        {
            let follow = Follow {
                xcfa,
                points_to,
                threads: &threads,
                foreign: Foreign::of(xcfa, points_to, &threads),
            };
            for proc in xcfa.proc_ids() {
                follow.joins_of(proc, &mut targets);
            }
        }
        JoinTargets { targets }
    }

    /// The procedure of the thread that the join of an edge waits for.
    pub fn of_edge(&self, edge: EdgeId) -> Option<ProcId> {
        self.targets.get(&edge).copied()
    }
}

/// What may change while a thread is not looking: what several procedures set, or one procedure that several
/// threads run; and objects of which there may be several.
struct Foreign {
    vars: FxHashSet<VarId>,
    objects: BitSet,
}

impl Foreign {
    fn of(xcfa: &Xcfa, points_to: &PointsTo, threads: &Threads) -> Foreign {
        let single = SingleObjects::of(xcfa, threads);
        let mut setter: FxHashMap<Storage, ProcId> = FxHashMap::default();
        let mut is_foreign = |place: Storage, shared: bool, proc: ProcId| {
            // A call of itself may set it as well.
            let alone = !shared || single.has_one_frame(proc);
            *setter.entry(place).or_insert(proc) != proc || !alone
        };
        let (mut vars, mut objects) = (FxHashSet::default(), BitSet::new());
        for object in xcfa.obj_ids() {
            if !single.contains(object) {
                objects.insert(object.0 as usize);
            }
        }
        for edge in &xcfa.edges {
            let proc = xcfa[edge.source].proc;
            for label in &edge.labels {
                let shared = |var: VarId| xcfa[var].scope == Scope::Global;
                if let Some(var) = label.defines()
                    && is_foreign(Storage::Var(var), shared(var), proc)
                {
                    vars.insert(var);
                }
                for object in written(xcfa, points_to, label).map(|(object, _)| object) {
                    let whole = crate::pointsto::Target::new(object, Offset::Any);
                    // A thread that runs the same procedure has a stack of its own, but may know this one.
                    if is_foreign(Storage::Memory(whole, 1), true, proc) {
                        objects.insert(object.0 as usize);
                    }
                }
            }
        }
        Foreign { vars, objects }
    }

    fn contains(&self, holder: Holder) -> bool {
        match holder {
            Holder::Var(var) => self.vars.contains(&var),
            Holder::Memory(object, _) => self.objects.contains(object.0 as usize),
        }
    }
}

/// Objects of which there is at most one at a time.
struct SingleObjects<'a> {
    xcfa: &'a Xcfa,
    threads: &'a Threads,
    calls: CallGraph,
    /// By object: the edges that make it.
    made: Vec<Vec<EdgeId>>,
}

impl SingleObjects<'_> {
    fn of<'a>(xcfa: &'a Xcfa, threads: &'a Threads) -> SingleObjects<'a> {
        let mut made = vec![Vec::new(); xcfa.objects.len()];
        for edge in xcfa.edge_ids() {
            for label in &xcfa[edge].labels {
                if let Label::Alloc { object, .. } = label {
                    made[object.0 as usize].push(edge);
                }
            }
        }
        let calls = CallGraph::of(xcfa);
        SingleObjects {
            xcfa,
            threads,
            calls,
            made,
        }
    }

    /// Is the procedure run once at most in any execution?
    fn has_one_frame(&self, proc: ProcId) -> bool {
        self.threads.starts_at_most_once(proc) && !self.calls.is_recursive(proc)
    }

    fn contains(&self, object: ObjId) -> bool {
        let made = &self.made[object.0 as usize];
        match self.xcfa[object].kind {
            ObjectKind::Static { .. } => true,
            // One for each frame; but `alloca` makes one each time, and all stay.
            ObjectKind::Stack => {
                let procs = made
                    .iter()
                    .map(|&edge| self.xcfa[self.xcfa[edge].source].proc);
                let mut procs = procs.peekable();
                let Some(&first) = procs.peek() else {
                    return true;
                };
                procs.all(|proc| proc == first)
                    && self.has_one_frame(first)
                    && (self.xcfa[object].size.is_some() || exclude_each_other(self.xcfa, made))
            }
            _ => false,
        }
    }
}

/// The memory that a label may write.
fn written<'a>(
    xcfa: &'a Xcfa,
    points_to: &'a PointsTo,
    label: &Label,
) -> impl Iterator<Item = (ObjId, Offset)> + use<'a> {
    let touched = touches(xcfa, points_to, label).into_iter();
    touched.filter_map(|touch| match touch.place {
        Storage::Memory(target, _) if touch.write => Some((target.object, target.offset)),
        _ => None,
    })
}

struct Follow<'a> {
    xcfa: &'a Xcfa,
    points_to: &'a PointsTo,
    threads: &'a Threads,
    foreign: Foreign,
}

impl Follow<'_> {
    fn joins_of(&self, proc: ProcId, targets: &mut FxHashMap<EdgeId, ProcId>) {
        let mut known: FxHashMap<LocId, Handles> = FxHashMap::default();
        let init = self.xcfa[proc].init;
        known.insert(init, Handles::default());
        let mut work = vec![init];
        while let Some(loc) = work.pop() {
            for &edge in &self.xcfa[loc].out {
                let mut handles = known[&loc].clone();
                match self.after(edge, &mut handles) {
                    Some(target) => _ = targets.insert(edge, target),
                    None => _ = targets.remove(&edge),
                }
                if meet(&mut known, self.xcfa[edge].target, handles) {
                    work.push(self.xcfa[edge].target);
                }
            }
        }
    }

    /// What is known behind an edge, and the thread that it joins if it joins just one.
    fn after(&self, edge: EdgeId, handles: &mut Handles) -> Option<ProcId> {
        let (mut joins, mut target) = (0, None);
        for label in &self.xcfa[edge].labels {
            if let Label::Join { thread, .. } = label {
                joins += 1;
                target = self.held_by(*thread, handles);
            }
            let held = match label {
                Label::Start { proc, .. } => Some(*proc),
                Label::Assign { value, .. } | Label::Store { value, .. } => {
                    self.held_by(*value, handles)
                }
                Label::Load { addr, .. } => {
                    let place = self.place(*addr);
                    place.and_then(|place| handles.get(&place).copied())
                }
                _ => None,
            };
            self.forget(label, handles);
            let held = held.filter(|&proc| self.threads.starts_at_most_once(proc));
            let holder = match label {
                Label::Store { addr, .. } => self.place(*addr),
                _ => label.defines().map(Holder::Var),
            };
            let holder = holder.filter(|&holder| !self.foreign.contains(holder));
            if let (Some(holder), Some(held)) = (holder, held) {
                handles.insert(holder, held);
            }
        }
        target.filter(|_| joins == 1)
    }

    fn held_by(&self, term: Term, handles: &Handles) -> Option<ProcId> {
        let var = self.xcfa.terms.as_var(term)?;
        handles.get(&Holder::Var(var)).copied()
    }

    /// The one place that an address means.
    fn place(&self, addr: Term) -> Option<Holder> {
        let targets = self.points_to.targets(self.xcfa, addr);
        let mut targets = targets.into_iter();
        match (targets.next(), targets.next()) {
            (Some(target), None) => match target.offset {
                Offset::At(at) => Some(Holder::Memory(target.object, at)),
                Offset::Any => None,
            },
            _ => None,
        }
    }

    /// Drops what a label may change. Handles are as wide as anything, so a write anywhere else in an
    /// object leaves only those that it cannot overlap.
    fn forget(&self, label: &Label, handles: &mut Handles) {
        const WIDEST: i64 = 8;
        if let Some(var) = label.defines() {
            handles.remove(&Holder::Var(var));
        }
        let mut gone: Vec<(ObjId, Offset)> = written(self.xcfa, self.points_to, label).collect();
        if let Label::Alloc { object, .. } = label {
            gone.push((*object, Offset::Any));
        }
        for (object, offset) in gone {
            handles.retain(|holder, _| match (holder, offset) {
                (Holder::Memory(other, at), Offset::At(written)) if *other == object => {
                    (at - written).abs() >= WIDEST
                }
                (Holder::Memory(other, _), Offset::Any) => *other != object,
                _ => true,
            });
        }
    }
}

/// Joins what is known at a location with what comes along another edge. Has it changed?
fn meet(known: &mut FxHashMap<LocId, Handles>, at: LocId, handles: Handles) -> bool {
    match known.get_mut(&at) {
        None => {
            known.insert(at, handles);
            true
        }
        Some(before) => {
            let count = before.len();
            before.retain(|holder, proc| handles.get(holder) == Some(proc));
            before.len() != count
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{JoinTargets, PointsTo};
    use automata::parse;

    /// The procedures that joins of `main` wait for, in the order of the text.
    fn found(main: &str) -> Vec<Option<String>> {
        let text = format!(
            "global pg
             global ph
             static m[16]
             static shared[8]
             proc one(px)
               in -> out: thread_exit 0
             proc two(px)
               in -> 1: ph := px
               1 -> 2: *&shared := px
               2 -> out: thread_exit 0
             proc main()
               {main}"
        );
        let xcfa = parse(&text);
        let targets = JoinTargets::of(&xcfa, &PointsTo::of(&xcfa));
        let joins = xcfa.edge_ids().filter(|&edge| {
            let mut labels = xcfa[edge].labels.iter();
            labels.any(|label| matches!(label, xcfa::Label::Join { .. }))
        });
        let names = joins.map(|edge| targets.of_edge(edge).map(|it| xcfa[it].name.clone()));
        names.collect()
    }

    fn one() -> Option<String> {
        Some("one".into())
    }

    #[test]
    fn handles_in_variables_are_followed() {
        assert_eq!(
            found("in -> 1: pa := start one()\n 1 -> out: join pa"),
            [one()]
        );
        assert_eq!(
            found("in -> 1: pa := start one(); pb := pa\n 1 -> out: join pb"),
            [one()]
        );
        assert_eq!(
            found("in -> 1: pg := start one()\n 1 -> 2: pb := start two()\n 2 -> out: join pg"),
            [one()]
        );
    }

    #[test]
    fn handles_in_memory_are_followed() {
        const START: &str = "in -> 1: pa := start one(); *&m := pa\n 1 -> 2: pb := start two()";
        let joined = |rest: &str| found(&format!("{START}\n {rest}"));
        assert_eq!(joined("2 -> 3: pc := *&m\n 3 -> out: join pc"), [one()]);
        assert_eq!(
            joined("2 -> 3: *(&m + 8) := pb; pc := *&m\n 3 -> out: join pc"),
            [one()]
        );
        assert_eq!(
            joined("2 -> 3: *(&m + 4) := pb; pc := *&m\n 3 -> out: join pc"),
            [None]
        );
        assert_eq!(
            joined("2 -> 3: *&shared := pa; pc := *&shared\n 3 -> out: join pc"),
            [None]
        );
    }

    #[test]
    fn other_values_are_not() {
        // It may not have been started.
        assert_eq!(
            found("in -> 1: pa := start one()\n in -> 1: skip\n 1 -> out: join pa"),
            [None]
        );
        // One of two.
        assert_eq!(
            found("in -> 1: pa := start one()\n in -> 1: pa := start two()\n 1 -> out: join pa"),
            [None]
        );
        // Another thread sets it.
        assert_eq!(
            found("in -> 1: ph := start one()\n 1 -> 2: pb := start two()\n 2 -> out: join ph"),
            [None]
        );
        // More than one thread of the procedure.
        assert_eq!(
            found("in -> 1: pa := start one()\n 1 -> 2: pb := start one()\n 2 -> out: join pa"),
            [None]
        );
        // Behind a loop, where the edge has been seen with less before.
        assert_eq!(
            found(
                "in -> 1: pa := start one()\n 1 -> 2: join pa\n 2 -> 1: pa := 5\n 2 -> out: skip"
            ),
            [None]
        );
    }
}
