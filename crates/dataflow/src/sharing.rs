//! What threads really share.
//!
//! Law: a variable or object that is not shared is, while more than one thread exists, touched
//! by one thread only, or never written. So it takes part in no race, and steps that touch
//! nothing shared commute with every step of other threads.
//!
//! Three arguments are used: the address of a stack or heap object that never gets into a global,
//! a thread's argument or result, or memory reachable from those stays with its thread; a thread
//! procedure that is started at most once is one thread; and what `main` does before it starts
//! the first thread happens before everything else. Which threads run at the same time later on
//! is not examined.

use crate::pointsto::{Offset, PointsTo, Target};
use crate::touch::{Storage, Touch, touches};
use crate::{BitSet, CallGraph, Threads, graph};
use expr::{ObjId, VarId};
use xcfa::{Callee, Edge, Label, ObjectKind, ProcId, Scope, Xcfa};

/// The shared variables and objects of a program.
#[derive(Clone, Debug, Default)]
pub struct Sharing {
    vars: BitSet,
    objects: BitSet,
}

impl Sharing {
    /// Computes what is shared.
    pub fn of(xcfa: &Xcfa, points_to: &PointsTo) -> Sharing {
        let threads = Threads::of(xcfa);
        let calls = CallGraph::of(xcfa);
        let alone = locations_before_threads(xcfa);
        let mut uses = Uses::new(xcfa);
        for edge in &xcfa.edges {
            let proc = xcfa[edge.source].proc;
            if alone[edge.source.0 as usize] && !starts_threads(&calls, edge) {
                continue;
            }
            for label in &edge.labels {
                for touch in touches(xcfa, points_to, label) {
                    uses.add(&threads, proc, touch);
                }
            }
        }
        let escaped = escaped_objects(xcfa, points_to);
        let vars = (0..xcfa.vars.len())
            .filter(|&var| uses.vars[var].is_shared())
            .collect();
        let objects = (0..xcfa.objects.len())
            .filter(|&object| escaped.contains(object) && uses.objects[object].is_shared())
            .collect();
        Sharing { vars, objects }
    }

    /// Can two threads meet at this variable?
    pub fn is_shared_var(&self, var: VarId) -> bool {
        self.vars.contains(var.0 as usize)
    }

    /// Can two threads meet at this object?
    pub fn is_shared_object(&self, object: ObjId) -> bool {
        self.objects.contains(object.0 as usize)
    }

    /// Can two threads meet at this place?
    pub fn is_shared(&self, place: Storage) -> bool {
        match place {
            Storage::Var(var) => self.is_shared_var(var),
            Storage::Memory(target, _) => self.is_shared_object(target.object),
        }
    }
}

/// Which threads use something while other threads may exist.
#[derive(Clone, Default)]
struct Use {
    by: Option<ProcId>,
    several: bool,
    written: bool,
}

impl Use {
    fn is_shared(&self) -> bool {
        self.several && self.written
    }
}

struct Uses {
    vars: Vec<Use>,
    objects: Vec<Use>,
}

impl Uses {
    fn new(xcfa: &Xcfa) -> Uses {
        Uses {
            vars: vec![Use::default(); xcfa.vars.len()],
            objects: vec![Use::default(); xcfa.objects.len()],
        }
    }

    fn add(&mut self, threads: &Threads, proc: ProcId, touch: Touch) {
        let entry = match touch.place {
            Storage::Var(var) => &mut self.vars[var.0 as usize],
            Storage::Memory(target, _) => &mut self.objects[target.object.0 as usize],
        };
        entry.written |= touch.write;
        for root in threads.running(proc) {
            let another = entry.by.replace(root).is_some_and(|before| before != root);
            entry.several |= another || !threads.starts_at_most_once(root);
        }
    }
}

/// The locations of `main` that are only reached before the first thread starts.
pub fn locations_before_threads(xcfa: &Xcfa) -> Vec<bool> {
    let (calls, threads) = (CallGraph::of(xcfa), Threads::of(xcfa));
    let main = xcfa.main;
    let mut alone = vec![false; xcfa.locs.len()];
    // If `main` can run twice its start is no longer the start of the program.
    if !threads.starts_at_most_once(main) {
        return alone;
    }
    let starting = xcfa
        .edges
        .iter()
        .filter(|edge| starts_threads(&calls, edge));
    let after = graph::reachable(xcfa, starting.map(|edge| edge.target));
    for loc in xcfa.loc_ids() {
        alone[loc.0 as usize] = xcfa[loc].proc == main && !after[loc.0 as usize];
    }
    alone
}

/// Can a thread start on this edge, or in a call that it makes?
fn starts_threads(calls: &CallGraph, edge: &Edge) -> bool {
    edge.labels.iter().any(|label| match label {
        Label::Start { .. } => true,
        Label::Call {
            callee: Callee::Direct(proc),
            ..
        } => calls.starts_threads(*proc),
        Label::Call {
            callee: Callee::Pointer(_),
            ..
        } => true,
        _ => false,
    })
}

/// The objects whose address more than one thread can get hold of.
pub fn escaped_objects(xcfa: &Xcfa, points_to: &PointsTo) -> BitSet {
    let mut escaped = BitSet::new();
    let mut work: Vec<ObjId> = Vec::new();
    let mut add = |work: &mut Vec<ObjId>, targets: &[Target]| {
        for target in targets {
            if escaped.insert(target.object.0 as usize) {
                work.push(target.object);
            }
        }
    };
    for var in xcfa
        .var_ids()
        .filter(|&var| xcfa[var].scope == Scope::Global)
    {
        add(&mut work, points_to.var(var));
    }
    for label in xcfa.edges.iter().flat_map(|edge| &edge.labels) {
        if let Label::Start { arg, .. } = label {
            add(&mut work, &points_to.targets(xcfa, *arg));
        }
    }
    add(&mut work, points_to.thread_results());
    add(&mut work, points_to.exposed());
    for object in xcfa.obj_ids() {
        if matches!(xcfa[object].kind, ObjectKind::Static { .. }) {
            let itself = Target::new(object, Offset::Any);
            add(&mut work, &[itself]);
        }
    }
    while let Some(object) = work.pop() {
        add(&mut work, points_to.contents(object));
    }
    escaped
}

#[cfg(test)]
mod tests {
    use super::Sharing;
    use crate::PointsTo;
    use automata::parse;
    use expect_test::{Expect, expect};

    fn check(text: &str, expected: Expect) {
        let xcfa = parse(text);
        let sharing = Sharing::of(&xcfa, &PointsTo::of(&xcfa));
        let vars = xcfa.var_ids().filter(|&var| sharing.is_shared_var(var));
        let objects = xcfa
            .obj_ids()
            .filter(|&object| sharing.is_shared_object(object));
        let names: Vec<_> = vars
            .map(|var| xcfa[var].name.clone())
            .chain(objects.map(|object| xcfa[object].name.clone()))
            .collect();
        expected.assert_eq(&names.join(" "));
    }

    #[test]
    fn globals_of_one_thread_and_constants_after_the_start_are_not_shared() {
        check(
            "global shared
             global config
             global mine
             global counter
             static table[8]
             static flags[8]
             proc worker(pa)
               in -> 1: t := shared; t2 := config; t3 := *&table
               1 -> 2: mine := mine + 1
               2 -> out: *&flags := 1
             proc many(pa)
               in -> out: counter := counter + 1
             proc main()
               in -> 1: config := 5; *&table := 7
               1 -> 2: h := start worker()
               2 -> 3: shared := 1
               3 -> 4: t := *(&flags + 4)
               4 -> 4: h := start many()
               4 -> out: t2 := config",
            expect!["shared counter flags"],
        );
    }

    #[test]
    fn memory_is_shared_when_its_address_gets_out() {
        check(
            "heap private
             heap given
             heap published
             heap inner
             stack local[8]
             global pg
             proc worker(pa)
               in -> 1: p := alloc private
               1 -> 2: *p := 1
               2 -> 3: *pa := 1
               3 -> 4: pl := alloc local
               4 -> 5: *pl := 2
               5 -> 6: p2 := pg
               6 -> 7: p3 := *p2
               7 -> out: *p3 := 3
             proc main()
               in -> 1: p := alloc given
               1 -> 2: p2 := alloc published
               2 -> 3: p3 := alloc inner
               3 -> 4: *p2 := p3
               4 -> 5: pg := p2
               5 -> 6: h := start worker(p)
               6 -> 7: h := start worker(p)
               7 -> out: *p3 := 4",
            expect!["given inner"],
        );
    }
}
