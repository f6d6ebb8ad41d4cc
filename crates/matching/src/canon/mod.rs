//! States that differ only in names match.
//!
//! A copy of a state is made in which heap objects have the addresses that come first when they are
//! followed from the variables, and threads that do the same thing are in the order of where they are.
//! What nothing refers to any more is left out, and so are static objects that are never read. The copy
//! is only compared, never run; the search goes on from the state itself.
//!
//! Law: two states with equal copies take the same steps to states with equal copies, up to names.

mod heap;
mod names;
mod order;
mod places;

use dataflow::{Analysed, PointsTo};
use heap::Relocation;
use names::{Names, Of};
use order::Order;
use places::Places;
use semantics::{Machine, State};
use xcfa::{Label, ObjectKind, Xcfa};

/// Makes copies.
pub struct Canon {
    copy: State,
    /// Where the addresses of heap objects are, if they are but names.
    objects: Option<Places>,
    /// Changes the places of threads, if they may.
    order: Option<Order>,
    relocation: Relocation,
    /// Static bytes that are never read: from, to.
    unread: Vec<(usize, usize)>,
}

impl Canon {
    /// For a program; nothing if its states have no names that could be changed. With `symmetry`
    /// threads may change places.
    pub fn new(xcfa: &Analysed, machine: &Machine<'_>, symmetry: bool) -> Option<Canon> {
        let labels = || xcfa.edges.iter().flat_map(|edge| &edge.labels);
        let calls = labels().any(|label| matches!(label, Label::Call { .. }));
        // What is lost in memory matters to memory safety.
        if calls || machine.property.is_memsafety() {
            return None;
        }
        let points_to = xcfa.points_to();
        let allocated = |wanted: fn(&xcfa::Object) -> bool| {
            labels()
                .any(|label| matches!(label, Label::Alloc { object, .. } if wanted(&xcfa[*object])))
        };
        let on_heap = allocated(|object| object.kind == ObjectKind::Heap);
        // Stack objects whose size is not known are kept where heap objects are.
        let odd = allocated(|object| object.kind == ObjectKind::Stack && object.size.is_none());
        let find = |of| {
            let names = Names::find(machine, points_to, of)?;
            Some(Places::new(xcfa, machine, &names))
        };
        let objects = (on_heap && !odd).then(|| find(Of::Objects)).flatten();
        let movable = symmetry
            && has_twins(xcfa)
            && !odd
            && !stacks_in_threads(xcfa)
            && (!on_heap || objects.is_some());
        let handles = movable.then(|| find(Of::Threads)).flatten();
        let order = handles.map(|handles| Order::new(xcfa, machine, handles));
        let unread = unread(xcfa, points_to);
        if objects.is_none() && order.is_none() && unread.is_empty() {
            return None;
        }
        Some(Canon {
            copy: machine.initial(),
            relocation: Relocation::new(machine),
            objects,
            order,
            unread,
        })
    }

    /// The representative of a state.
    pub fn of<'a>(&'a mut self, state: &'a State) -> &'a State {
        let alone = state.threads.len() < 3;
        let heap = self.objects.as_ref();
        let heap = heap.filter(|_| self.relocation.concerns(state));
        let order = self.order.as_ref().filter(|_| !alone);
        if state.ended || (heap.is_none() && order.is_none() && self.unread.is_empty()) {
            return state;
        }
        self.copy.clone_from(state);
        let unread = &self.unread;
        self.copy.memory.rebuild(|statics, _, _| {
            for &(from, to) in unread {
                statics[from..to].fill(0);
            }
        });
        // An address of something that is gone is not a name: nothing is moved then.
        if heap.is_some_and(|places| !self.relocation.possible(places, &mut self.copy)) {
            return &self.copy;
        }
        if let Some(order) = order {
            order.apply(self.objects.as_ref(), &mut self.copy);
        }
        if let Some(places) = heap {
            self.relocation.apply(places, &mut self.copy);
        }
        &self.copy
    }
}

/// Can there be two threads that run the same procedure?
fn has_twins(xcfa: &Analysed) -> bool {
    let threads = xcfa.threads();
    let mut roots = threads.roots().iter();
    roots.any(|&root| !threads.starts_at_most_once(root))
}

/// Do other threads than the first have stack objects? Their addresses would have to change with them.
fn stacks_in_threads(xcfa: &Xcfa) -> bool {
    let main = |edge: &xcfa::Edge| xcfa[edge.source].proc == xcfa.main;
    let edges = xcfa.edges.iter().filter(|edge| !main(edge));
    let mut labels = edges.flat_map(|edge| &edge.labels);
    labels.any(|label| matches!(label, Label::Alloc { object, .. } if xcfa[*object].kind == ObjectKind::Stack))
}

/// Where static objects are that nothing reads; the machine keeps static objects one after the other.
fn unread(xcfa: &Xcfa, points_to: &PointsTo) -> Vec<(usize, usize)> {
    let mut read = vec![false; xcfa.objects.len()];
    for label in xcfa.edges.iter().flat_map(|edge| &edge.labels) {
        let addr = match label {
            Label::Store { .. } | Label::Free(_) => continue,
            _ => label.address(),
        };
        let Some(addr) = addr else { continue };
        for object in points_to.objects(xcfa, addr) {
            read[object.0 as usize] = true;
        }
    }
    let mut unread = Vec::new();
    let mut at = 0;
    for (object, read) in xcfa.objects.iter().zip(read) {
        if let ObjectKind::Static { .. } = object.kind {
            let end = at + object.size.unwrap_or(0) as usize;
            if !read && end > at {
                unread.push((at, end));
            }
            at = end;
        }
    }
    unread
}
