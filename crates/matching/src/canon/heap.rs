//! Heap objects at addresses that do not depend on when and by which thread they were allocated.

use super::places::Places;
use semantics::{Instance, Machine, State, Tid};
use xcfa::ObjectKind;

/// Gives objects other addresses.
pub struct Relocation {
    on_heap: Vec<bool>,
    /// Where the first thread's objects start.
    start: u64,
    /// How many addresses the stack of a thread has, and its heap.
    half: u64,
}

/// Objects keep this distance.
const GAP: u64 = 16;

impl Relocation {
    /// For the states of a machine.
    pub fn new(machine: &Machine<'_>) -> Relocation {
        let stack = machine.layout.stack_range(Tid(0), 0);
        let objects = machine.xcfa.objects.iter();
        let on_heap = objects.map(|object| object.kind == ObjectKind::Heap);
        Relocation {
            on_heap: on_heap.collect(),
            start: stack.start,
            half: stack.end - stack.start,
        }
    }

    /// Has anything been allocated?
    pub fn concerns(&self, state: &State) -> bool {
        let is_heap = |instance: &Instance| self.on_heap[instance.obj.0 as usize];
        state.threads.iter().any(|thread| thread.heap_used != 0)
            || state.memory.instances().iter().any(is_heap)
    }

    /// Does every address of the heap belong to an object that is there?
    pub fn possible(&self, places: &Places, state: &mut State) -> bool {
        let live = state.memory.instances().to_vec();
        let mut possible = true;
        let mut visit = |value: &mut u64| {
            let on_heap = *value >= self.start && (*value - self.start) / self.half % 2 == 1;
            possible &= !on_heap || find(&live, *value).is_some();
        };
        places.variables(state, &mut visit);
        for thread in &mut state.threads {
            visit(&mut thread.waiting);
        }
        state.memory.rebuild(|statics, _, bytes| {
            places.statics(statics, &mut visit);
            for (instance, start) in live.iter().zip(starts(&live)) {
                let end = start + instance.size as usize;
                places.instance(instance, &mut bytes[start..end], &mut visit);
            }
        });
        possible
    }

    /// Moves the objects that can be reached, and leaves out the others.
    pub fn apply(&self, places: &Places, state: &mut State) {
        let old = state.memory.instances().to_vec();
        let mut renaming = Renaming {
            on_heap: &self.on_heap,
            new: vec![None; old.len()],
            reached: Vec::new(),
            next: self.start + self.half,
            old: &old,
        };
        places.variables(state, &mut |value| renaming.name(value));
        for thread in &mut state.threads {
            thread.heap_used = 0;
            renaming.name(&mut thread.waiting);
        }
        let starts = starts(&old);
        state.memory.rebuild(|statics, instances, bytes| {
            places.statics(statics, &mut |value| renaming.name(value));
            let mut look_into = |renaming: &mut Renaming<'_>, at: usize| {
                let contents = &mut bytes[starts[at]..starts[at] + old[at].size as usize];
                places.instance(&old[at], contents, &mut |value| renaming.name(value));
            };
            // Objects of stacks stay where they are.
            let on_heap = |at: &usize| self.on_heap[old[*at].obj.0 as usize];
            for at in (0..old.len()).filter(|at| !on_heap(at)) {
                look_into(&mut renaming, at);
            }
            let mut looked = 0;
            while let Some(&at) = renaming.reached.get(looked) {
                look_into(&mut renaming, at);
                looked += 1;
            }
            let base = |at: usize| match on_heap(&at) {
                true => renaming.new[at],
                false => Some(old[at].base),
            };
            let mut kept: Vec<(u64, usize)> = (0..old.len())
                .filter_map(|at| Some((base(at)?, at)))
                .collect();
            kept.sort_unstable();
            let all = std::mem::take(bytes);
            instances.clear();
            for (base, at) in kept {
                let Instance { size, obj, .. } = old[at];
                instances.push(Instance::new(base, size, obj, bytes.len()));
                bytes.extend_from_slice(&all[starts[at]..starts[at] + old[at].footprint()]);
            }
        });
    }
}

/// New addresses, in the order in which objects are reached.
struct Renaming<'a> {
    on_heap: &'a [bool],
    old: &'a [Instance],
    /// By instance: its new address.
    new: Vec<Option<u64>>,
    /// Instances that have got one, in that order.
    reached: Vec<usize>,
    next: u64,
}

impl Renaming<'_> {
    /// Changes an address, if it is one of the heap.
    fn name(&mut self, value: &mut u64) {
        let Some(at) = find(self.old, *value) else {
            return;
        };
        let instance = &self.old[at];
        if !self.on_heap[instance.obj.0 as usize] {
            return;
        }
        let base = match self.new[at] {
            Some(base) => base,
            None => {
                self.reached.push(at);
                let base = self.next;
                self.next += instance.size.next_multiple_of(GAP) + GAP;
                self.new[at] = Some(base);
                base
            }
        };
        *value = base + (*value - instance.base);
    }
}

/// The instance that has the address, the one behind its last byte included.
fn find(instances: &[Instance], addr: u64) -> Option<usize> {
    let after = instances.partition_point(|instance| instance.base <= addr);
    let at = after.checked_sub(1)?;
    (addr - instances[at].base <= instances[at].size).then_some(at)
}

/// Where the bytes of each instance start.
fn starts(instances: &[Instance]) -> Vec<usize> {
    let mut next = 0;
    let start = |instance: &Instance| {
        let start = next;
        next += instance.footprint();
        start
    };
    instances.iter().map(start).collect()
}
