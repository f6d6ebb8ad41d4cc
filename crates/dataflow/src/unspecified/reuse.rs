//! Objects where the program may detect that a new one is at the address of an old one.
//!
//! It can detect this only by an address that it has kept of an object that is gone: by comparing it with
//! that of a newer object (arithmetic on two addresses counts as a comparison; a comparison
//! with a null pointer tells nothing), or, if memory safety is checked, by an access.
//!
//! On the heap, a pair of sites is marked if something derived from an address of the one meets
//! something derived from an address of the other in an operator, and one of the two can be freed.
//! Both are marked: the one has to remember its freed objects, the other may take their place. A
//! site that runs once and is compared with itself alone is not.
//!
//! On the stack, an object is marked if it can be made more than once by a thread, an address of it
//! may still be held where it is made, and either memory safety is checked or an operator
//! meets two addresses of it. That a local may have the address of *another* local that is gone is
//! not tried, but found ([`stack_reuse`]).

use super::carriers::Carriers;
use crate::pointsto::Target;
use crate::{CallGraph, Liveness, PointsTo, Threads, graph, threads};
use expr::{Node, ObjId, Op, Term, VarId};
use rustc_hash::FxHashSet;
use xcfa::{EdgeId, Label, ObjectKind, ProcId, Scope, Xcfa};

/// Marks the objects whose address is open in a way that the program may notice.
pub fn mark_reuse(xcfa: &mut Xcfa, points_to: &PointsTo, memory_safety: bool) {
    let marks = Marks::of(xcfa, points_to);
    let mut marked = marks.on_heap();
    marked.extend(marks.on_stack(memory_safety));
    for object in marked {
        xcfa[object].reuses = true;
    }
}

/// The first local whose address may meet that of another local that is gone, in words. Real stacks
/// put it there; the machine does not try that.
pub fn stack_reuse(xcfa: &Xcfa, points_to: &PointsTo) -> Option<String> {
    let marks = Marks::of(xcfa, points_to);
    let object = marks.behind_another()?;
    let what = "whether a local has the address of one that is gone, which is open, may matter";
    Some(xcfa.remark(xcfa[object].span, what))
}

/// Whether memory whose size changes has moved, if the program may notice, in words. It always moves here. Call
/// this after [`mark_reuse`].
pub fn resized_in_place(xcfa: &Xcfa) -> Option<String> {
    let mut objects = xcfa.objects.iter();
    let noticed = objects.find(|object| object.resized && object.reuses)?;
    let what = "whether `realloc` moves memory, which is open, may matter";
    Some(xcfa.remark(noticed.span, what))
}

struct Marks<'a> {
    xcfa: &'a Xcfa,
    points_to: &'a PointsTo,
    /// By object: the edges that make it.
    made: Vec<Vec<EdgeId>>,
    /// Pairs of objects whose addresses meet in an operator.
    compared: FxHashSet<(ObjId, ObjId)>,
    threads: Threads,
    calls: CallGraph,
}

impl Marks<'_> {
    fn of<'a>(xcfa: &'a Xcfa, points_to: &'a PointsTo) -> Marks<'a> {
        let mut made = vec![Vec::new(); xcfa.objects.len()];
        for edge in xcfa.edge_ids() {
            for label in &xcfa[edge].labels {
                if let Label::Alloc { object, .. } = label {
                    made[object.0 as usize].push(edge);
                }
            }
        }
        Marks {
            xcfa,
            points_to,
            made,
            compared: compared(&Carriers::new(xcfa, points_to)),
            threads: Threads::of(xcfa),
            calls: CallGraph::of(xcfa),
        }
    }

    fn on_heap(&self) -> Vec<ObjId> {
        let mut freed = FxHashSet::default();
        for label in self.xcfa.edges.iter().flat_map(|edge| &edge.labels) {
            if let Label::Free(addr) = label {
                freed.extend(self.points_to.objects(self.xcfa, *addr));
            }
        }
        let is_heap = |object: ObjId| self.xcfa[object].kind == ObjectKind::Heap;
        let mut marked = Vec::new();
        for &(a, b) in &self.compared {
            let is_open = is_heap(a) && is_heap(b) && (freed.contains(&a) || freed.contains(&b));
            let is_itself = a == b && self.is_made_once(a);
            if is_open && !is_itself {
                marked.extend([a, b]);
            }
        }
        marked
    }

    fn on_stack(&self, memory_safety: bool) -> Vec<ObjId> {
        let told = |object: &ObjId| memory_safety || self.compared.contains(&(*object, *object));
        let is_tried = |object: &ObjId| self.is_stack(*object) && !self.is_variable(*object);
        let stack: Vec<ObjId> = self.xcfa.obj_ids().filter(is_tried).collect();
        if !stack.iter().any(told) {
            return Vec::new();
        }
        let liveness = Liveness::of(self.xcfa);
        let kept = |object: &ObjId| {
            let made = &self.made[object.0 as usize];
            !self.is_made_once_by_thread(*object) && self.may_be_kept(*object, made, &liveness)
        };
        stack.into_iter().filter(told).filter(kept).collect()
    }

    /// Is there at most one instance in every run?
    fn is_made_once(&self, object: ObjId) -> bool {
        let made = &self.made[object.0 as usize];
        let proc = made.first().map(|&edge| self.proc_of(edge));
        let once = proc.is_none_or(|proc| self.threads.starts_at_most_once(proc));
        once && self.is_made_once_by_thread(object)
    }

    /// Does every thread make at most one instance?
    fn is_made_once_by_thread(&self, object: ObjId) -> bool {
        let made = &self.made[object.0 as usize];
        let Some(proc) = made.first().map(|&edge| self.proc_of(edge)) else {
            return true;
        };
        let is_root = self.threads.roots().contains(&proc) && !self.calls.is_recursive(proc);
        made.iter().all(|&edge| self.proc_of(edge) == proc)
            && is_root
            && threads::exclude_each_other(self.xcfa, made)
    }

    fn proc_of(&self, edge: EdgeId) -> ProcId {
        self.xcfa[self.xcfa[edge].source].proc
    }

    fn is_stack(&self, object: ObjId) -> bool {
        self.xcfa[object].kind == ObjectKind::Stack
    }

    /// Is it an array of variable length? The machine does not know when one is gone, and gives each
    /// an address of its own.
    fn is_variable(&self, object: ObjId) -> bool {
        self.xcfa[object].size.is_none()
    }

    /// A stack object that may be made when another one is gone whose address it is compared with.
    fn behind_another(&self) -> Option<ObjId> {
        let stack = |object: ObjId| self.is_stack(object);
        let pairs = self.compared.iter().filter(|(a, b)| stack(*a) && stack(*b));
        let mut pairs: Vec<(ObjId, ObjId)> = pairs.copied().collect();
        if pairs.is_empty() {
            return None;
        }
        pairs.sort_unstable();
        let liveness = Liveness::of(self.xcfa);
        let stacks_come_back = super::handles::may_come_back(self.xcfa);
        let found = pairs.into_iter().find(|&(old, new)| {
            let made = &self.made[new.0 as usize];
            let is_tried = old == new && !self.is_variable(old);
            let in_place = !is_tried && self.ends_before(old, made);
            let in_thread = stacks_come_back && !self.is_in_main(old) && !self.is_in_main(new);
            (in_place || in_thread) && self.may_be_kept(old, made, &liveness)
        });
        found.map(|(_, new)| new)
    }

    /// Does a way lead from the end of an object to one of these edges? An array of variable length may
    /// end as soon as it is made.
    fn ends_before(&self, object: ObjId, edges: &[EdgeId]) -> bool {
        let is_variable = self.is_variable(object);
        let ends = |label: &Label| match label {
            Label::Dealloc(it) => *it == object,
            Label::Alloc { object: it, .. } => is_variable && *it == object,
            _ => false,
        };
        let all = self.xcfa.edges.iter();
        let ending = all.filter(|edge| edge.labels.iter().any(ends));
        let after = graph::reachable(self.xcfa, ending.map(|edge| edge.target));
        let mut edges = edges.iter();
        edges.any(|&edge| after[self.xcfa[edge].source.0 as usize])
    }

    fn is_in_main(&self, object: ObjId) -> bool {
        let mut made = self.made[object.0 as usize].iter();
        made.all(|&edge| self.proc_of(edge) == self.xcfa.main)
    }

    /// May an address of the object still be held where one of these edges makes an object?
    fn may_be_kept(&self, object: ObjId, made: &[EdgeId], liveness: &Liveness) -> bool {
        let names = |targets: &[Target]| targets.iter().any(|target| target.object == object);
        let stored = |other: ObjId| names(self.points_to.contents(other));
        if names(self.points_to.thread_results()) || self.xcfa.obj_ids().any(stored) {
            return true;
        }
        let held_at = |var: VarId, edge: EdgeId| {
            let Scope::Local(proc) = self.xcfa[var].scope else {
                return true;
            };
            let source = self.xcfa[edge].source;
            proc != self.xcfa[source].proc || liveness.is_live(source, var)
        };
        let holders = self.xcfa.var_ids();
        let mut holders = holders.filter(|&var| names(self.points_to.var(var)));
        holders.any(|var| made.iter().any(|&edge| held_at(var, edge)))
    }
}

/// Which pairs of objects meet in an operator, in both orders. Those that are compared by order or
/// subtracted are left out: where they are not addresses of one object that is alive, that is found
/// by [`address_use`](super::address_use), or by the machine.
fn compared(carriers: &Carriers<'_>) -> FxHashSet<(ObjId, ObjId)> {
    let xcfa = carriers.xcfa;
    let mut found = FxHashSet::default();
    let mut seen = FxHashSet::default();
    let mut meet = |a: Term, b: Term| {
        if !carriers.carries(a) || !carriers.carries(b) || !seen.insert((a, b)) {
            return;
        }
        let others = carriers.objects(b);
        for a in carriers.objects(a) {
            found.extend(others.iter().flat_map(|&b| [(a, b), (b, a)]));
        }
    };
    for label in xcfa.edges.iter().flat_map(|edge| &edge.labels) {
        for term in label.terms() {
            xcfa.terms.for_each_subterm(term, &mut |_, node| {
                if let Node::Binary(op, a, b) = node
                    && !matches!(op, Op::Sub | Op::Ult | Op::Ule | Op::Slt | Op::Sle)
                {
                    meet(a, b);
                }
            });
        }
    }
    found
}
