//! Threads in an order that does not depend on which was started first.

use super::places::Places;
use dataflow::Analysed;
use semantics::{Machine, State, Status, Thread, Tid};
use xcfa::Scope;

/// Puts threads in order.
pub struct Order {
    /// Where their handles are.
    handles: Places,
    thread_locals: Vec<usize>,
    /// By location: slots of live locals in the frame.
    live: Vec<Box<[usize]>>,
}

impl Order {
    /// For the states of a machine.
    pub fn new(xcfa: &Analysed, machine: &Machine<'_>, handles: Places) -> Order {
        let slot = |var| machine.layout.slot(var) as usize;
        let is_own = |&var: &expr::VarId| xcfa[var].scope == Scope::ThreadLocal;
        let liveness = xcfa.liveness();
        let live = |loc| liveness.live(loc).iter().map(|&var| slot(var)).collect();
        Order {
            handles,
            thread_locals: xcfa.var_ids().filter(is_own).map(slot).collect(),
            live: xcfa.loc_ids().map(live).collect(),
        }
    }

    /// Puts the threads of a state into the order of what they are doing, the first one excepted;
    /// their handles change with them. Any order would be right; this one makes more states equal.
    pub fn apply(&self, addresses: Option<&Places>, state: &mut State) {
        let threads = state.threads.iter();
        let keys: Vec<Vec<u64>> = threads.map(|thread| self.key(addresses, thread)).collect();
        let mut order: Vec<usize> = (0..keys.len()).collect();
        order[1..].sort_by(|&a, &b| keys[a].cmp(&keys[b]));
        if order.is_sorted() {
            return;
        }
        let mut threads: Vec<Option<Thread>> = state.threads.drain(..).map(Some).collect();
        let moved = order.iter().map(|&old| threads[old].take());
        state.threads = moved
            .map(|thread| thread.expect("each thread moves once"))
            .collect();
        let mut new = vec![Tid(0); order.len()];
        for (now, &old) in order.iter().enumerate() {
            new[old] = Tid(now as u32);
        }
        self.rename(state, &new);
    }

    /// What a thread is doing; of names it matters only whether there is one.
    fn key(&self, addresses: Option<&Places>, thread: &Thread) -> Vec<u64> {
        let waits = u64::from(thread.waiting != 0);
        let mut key = vec![u64::from(thread.loc.0), thread.status as u64, waits];
        if thread.status != Status::Running {
            return key;
        }
        let mut slots = thread.slots.clone();
        for places in [Some(&self.handles), addresses].into_iter().flatten() {
            for slot in places.slots(thread) {
                slots[slot] = u64::from(slots[slot] != 0);
            }
        }
        key.extend(self.thread_locals.iter().map(|&slot| slots[slot]));
        let live = self.live[thread.loc.0 as usize].iter();
        key.extend(live.map(|&slot| slots[thread.base as usize + slot]));
        key
    }

    /// Writes the new number of each thread wherever its handle is.
    fn rename(&self, state: &mut State, new: &[Tid]) {
        let mut visit = |handle: &mut u64| {
            if let Some(tid) = Tid::from_handle(*handle)
                && let Some(now) = new.get(tid.0 as usize)
            {
                *handle = now.handle();
            }
        };
        self.handles.variables(state, &mut visit);
        state.holder = state.holder.map(|tid| new[tid.0 as usize]);
        state.memory.rebuild(|statics, instances, bytes| {
            self.handles.statics(statics, &mut visit);
            let mut start = 0;
            for instance in instances.iter() {
                let end = start + instance.size as usize;
                self.handles
                    .instance(instance, &mut bytes[start..end], &mut visit);
                start += instance.footprint();
            }
        });
    }
}
