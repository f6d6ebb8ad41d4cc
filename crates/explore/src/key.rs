//! States as short byte strings.
//!
//! Two states with equal keys behave alike: the key leaves out local variables that are not read
//! before they are written again, and everything about a process that has ended. Memory is kept as
//! its difference from the initial memory, of which only the words that are not zero are written.

use expr::{Sort, VarId};
use semantics::{Frame, Machine, Memory, State, Status, Thread, Tid};
use xcfa::{EdgeId, LocId, Scope};

/// Turns states into keys and back.
pub struct Codec<'m, 'x> {
    machine: &'m Machine<'x>,
    /// By location: the live locals of its procedure.
    live: passes::Liveness,
    globals: Vec<VarId>,
    thread_locals: Vec<VarId>,
    initial: Memory,
    /// A thread, fresh, to copy what a key does not say.
    template: Thread,
    frame_sizes: Vec<usize>,
}

const WAITING: u8 = 1;
const ATOMIC: u8 = 2;
const HEAP: u8 = 4;
const CALLS: u8 = 8;
const RESULT: u8 = 16;
const ENDED: u8 = 32;
const JOINED: u8 = 64;

impl<'m, 'x> Codec<'m, 'x> {
    /// For the states of this machine.
    pub fn new(machine: &'m Machine<'x>) -> Codec<'m, 'x> {
        let xcfa = machine.xcfa;
        let of_scope = |scope| {
            let wanted = xcfa.var_ids().filter(|&var| xcfa[var].scope == scope);
            wanted
                .filter(|&var| var != xcfa.self_var)
                .collect::<Vec<_>>()
        };
        let frame_size = |proc| {
            xcfa.vars
                .iter()
                .filter(|var| var.scope == Scope::Local(proc))
                .count()
        };
        let mut initial = machine.initial();
        Codec {
            machine,
            live: passes::Liveness::of(xcfa),
            globals: of_scope(Scope::Global),
            thread_locals: of_scope(Scope::ThreadLocal),
            template: initial.threads.swap_remove(0),
            initial: initial.memory,
            frame_sizes: xcfa.proc_ids().map(frame_size).collect(),
        }
    }

    /// Writes the key of `state`.
    pub fn encode(&self, state: &State, key: &mut Vec<u8>) {
        key.clear();
        if state.ended {
            return;
        }
        put_varint(key, state.threads.len() as u64);
        put_varint(key, state.holder.map_or(0, Tid::handle));
        for &var in &self.globals {
            self.put(key, var, self.machine.value(state, Tid(0), var));
        }
        for tid in state.tids() {
            self.encode_thread(state, tid, key);
        }
        self.encode_memory(&state.memory, key);
    }

    fn encode_thread(&self, state: &State, tid: Tid, key: &mut Vec<u8>) {
        let thread = state.thread(tid);
        let flags = flag(thread.waiting != 0, WAITING)
            | flag(thread.atomic_depth != 0, ATOMIC)
            | flag(thread.heap_used != 0, HEAP)
            | flag(!thread.frames.is_empty(), CALLS)
            | flag(thread.result != 0, RESULT)
            | flag(thread.status == Status::Ended, ENDED)
            | flag(thread.status == Status::Joined, JOINED);
        key.push(flags);
        put_varint(key, u64::from(thread.loc.0));
        for (present, value) in [
            (WAITING, thread.waiting),
            (ATOMIC, u64::from(thread.atomic_depth)),
            (HEAP, thread.heap_used),
            (RESULT, thread.result),
        ] {
            if flags & present != 0 {
                put_varint(key, value);
            }
        }
        if thread.status != Status::Running {
            return;
        }
        for &var in &self.thread_locals {
            self.put(key, var, self.machine.value(state, tid, var));
        }
        for &var in self.live.live(thread.loc) {
            self.put(key, var, self.machine.value(state, tid, var));
        }
        if flags & CALLS != 0 {
            self.encode_calls(thread, key);
        }
    }

    /// Frames of callers are written whole: recursion is rare, and simple is safe.
    fn encode_calls(&self, thread: &Thread, key: &mut Vec<u8>) {
        put_varint(key, u64::from(thread.base));
        put_varint(key, thread.frames.len() as u64);
        for frame in &thread.frames {
            put_varint(key, u64::from(frame.call.0));
            put_varint(key, u64::from(frame.base));
        }
        for &slot in &thread.slots[..thread.base as usize] {
            put_varint(key, slot);
        }
    }

    fn encode_memory(&self, memory: &Memory, key: &mut Vec<u8>) {
        put_words(key, memory.statics(), self.initial.statics());
        put_varint(key, memory.instances().len() as u64);
        for instance in memory.instances() {
            put_varint(key, instance.base);
            put_varint(key, instance.size);
            put_varint(key, u64::from(instance.obj.0));
        }
        put_words(key, memory.bytes(), &[]);
    }

    fn put(&self, key: &mut Vec<u8>, var: VarId, bits: u64) {
        let bytes = byte_width(self.machine.xcfa[var].sort);
        key.extend_from_slice(&bits.to_le_bytes()[..bytes]);
    }

    /// Rebuilds a state from its key; what the key leaves out is zero.
    pub fn decode(&self, key: &[u8], state: &mut State) {
        let mut input = Reader { bytes: key };
        state.ended = key.is_empty();
        if state.ended {
            state.threads.clear();
            return;
        }
        let count = input.varint() as usize;
        state.holder = Tid::from_handle(input.varint());
        state.threads.truncate(count);
        state.threads.resize_with(count, || self.template.clone());
        for &var in &self.globals {
            let bits = input.fixed(self.machine.xcfa[var].sort);
            self.machine.set_value(state, Tid(0), var, bits);
        }
        for tid in (0..count as u32).map(Tid) {
            self.decode_thread(&mut input, state, tid);
        }
        self.decode_memory(&mut input, &mut state.memory);
    }

    fn decode_thread(&self, input: &mut Reader<'_>, state: &mut State, tid: Tid) {
        let flags = input.byte();
        let loc = LocId(input.varint() as u32);
        let thread = &mut state.threads[tid.0 as usize];
        let mut optional = |present| {
            if flags & present != 0 {
                input.varint()
            } else {
                0
            }
        };
        thread.loc = loc;
        thread.waiting = optional(WAITING);
        thread.atomic_depth = optional(ATOMIC) as u32;
        thread.heap_used = optional(HEAP);
        thread.result = optional(RESULT);
        thread.frames.clear();
        thread.slots.clear();
        thread.base = 0;
        thread.status = match flags & (ENDED | JOINED) {
            0 => Status::Running,
            ENDED => Status::Ended,
            _ => Status::Joined,
        };
        if thread.status != Status::Running {
            return;
        }
        let proc = self.machine.xcfa[loc].proc;
        let base = self.thread_locals.len() + 1;
        thread.base = base as u32;
        thread
            .slots
            .resize(base + self.frame_sizes[proc.0 as usize], 0);
        self.machine
            .set_value(state, tid, self.machine.xcfa.self_var, tid.handle());
        for &var in self.thread_locals.iter().chain(self.live.live(loc)) {
            let bits = input.fixed(self.machine.xcfa[var].sort);
            self.machine.set_value(state, tid, var, bits);
        }
        if flags & CALLS != 0 {
            self.decode_calls(input, &mut state.threads[tid.0 as usize]);
        }
    }

    /// The current frame was read first, at the bottom; the callers' frames go below it.
    fn decode_calls(&self, input: &mut Reader<'_>, thread: &mut Thread) {
        let base = input.varint() as u32;
        for _ in 0..input.varint() {
            let call = EdgeId(input.varint() as u32);
            thread.frames.push(Frame {
                call,
                base: input.varint() as u32,
            });
        }
        let below: Vec<u64> = (0..base).map(|_| input.varint()).collect();
        thread.slots.splice(..thread.base as usize, below);
        thread.base = base;
    }

    fn decode_memory(&self, input: &mut Reader<'_>, memory: &mut Memory) {
        let statics = input.words(self.initial.statics());
        let count = input.varint() as usize;
        let instances: Vec<_> = (0..count)
            .map(|_| {
                (
                    input.varint(),
                    input.varint(),
                    expr::ObjId(input.varint() as u32),
                )
            })
            .collect();
        let footprint = |size: u64| (size + size.div_ceil(8)) as usize;
        let total = instances.iter().map(|&(_, size, _)| footprint(size)).sum();
        let bytes = input.words(&vec![0; total]);
        memory.assemble(&statics, instances, &bytes);
    }
}

fn flag(set: bool, bit: u8) -> u8 {
    if set { bit } else { 0 }
}

fn byte_width(sort: Sort) -> usize {
    sort.width().div_ceil(8) as usize
}

/// Seven bits a byte, lowest first.
fn put_varint(key: &mut Vec<u8>, mut value: u64) {
    while value >= 0x80 {
        key.push(value as u8 | 0x80);
        value >>= 7;
    }
    key.push(value as u8);
}

/// The words in which `bytes` differs from `reference` (or from zero, behind its end): eight
/// words a time, a byte that tells which of them follow, then these.
fn put_words(key: &mut Vec<u8>, bytes: &[u8], reference: &[u8]) {
    for (at, group) in bytes.chunks(64).enumerate() {
        let same = reference.get(64 * at..).unwrap_or_default();
        if group.len() <= same.len() && group == &same[..group.len()] {
            key.push(0);
            continue;
        }
        let mask_at = key.len();
        key.push(0);
        for (index, chunk) in group.chunks(8).enumerate() {
            let old = word(same.get(8 * index..).unwrap_or_default());
            let difference = word(chunk)
                ^ if chunk.len() == 8 {
                    old
                } else {
                    old & low(chunk.len())
                };
            if difference != 0 {
                key[mask_at] |= 1 << index;
                key.extend_from_slice(&difference.to_le_bytes());
            }
        }
    }
}

fn low(bytes: usize) -> u64 {
    (1 << (8 * bytes)) - 1
}

/// Up to eight bytes, the first in the lowest bits.
fn word(bytes: &[u8]) -> u64 {
    let mut word = [0; 8];
    let len = bytes.len().min(8);
    word[..len].copy_from_slice(&bytes[..len]);
    u64::from_le_bytes(word)
}

struct Reader<'k> {
    bytes: &'k [u8],
}

impl Reader<'_> {
    fn byte(&mut self) -> u8 {
        let (&first, rest) = self.bytes.split_first().expect("a key is complete");
        self.bytes = rest;
        first
    }

    fn varint(&mut self) -> u64 {
        let mut value = 0;
        for shift in (0..64).step_by(7) {
            let byte = self.byte();
            value |= u64::from(byte & 0x7f) << shift;
            if byte < 0x80 {
                break;
            }
        }
        value
    }

    fn fixed(&mut self, sort: Sort) -> u64 {
        let (now, rest) = self.bytes.split_at(byte_width(sort));
        self.bytes = rest;
        word(now)
    }

    fn words(&mut self, reference: &[u8]) -> Vec<u8> {
        let mut bytes = reference.to_vec();
        for group in bytes.chunks_mut(64) {
            let mask = self.byte();
            for (index, chunk) in group.chunks_mut(8).enumerate() {
                if mask >> index & 1 != 0 {
                    let (now, rest) = self.bytes.split_at(8);
                    self.bytes = rest;
                    let value = word(chunk) ^ word(now);
                    chunk.copy_from_slice(&value.to_le_bytes()[..chunk.len()]);
                }
            }
        }
        bytes
    }
}
