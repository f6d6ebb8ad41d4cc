//! States as short byte strings.
//!
//! Two states with equal keys behave alike: the key leaves out local variables that are not read
//! before they are written again, and everything about a process that has ended. Memory is kept as
//! its difference from the initial memory, of which only the words that are not zero are written.

use expr::{ObjId, VarId};
use semantics::{Frame, Instance, Machine, Memory, State, Status, Thread, Tid, Vacancy};
use xcfa::{EdgeId, LocId, Scope};

/// A variable as the codec handles it: its slot and how many bytes it has.
#[derive(Clone, Copy)]
struct Field {
    slot: u32,
    bytes: u8,
}

/// Turns states into keys and back.
pub struct Codec {
    /// Global variables, in the order of their slots.
    globals: Vec<Field>,
    /// Thread-local variables except the thread's handle, which its number tells.
    thread_locals: Vec<Field>,
    /// The slot of the handle.
    handle: usize,
    thread_local_slots: usize,
    /// By location: its live locals, by slots of the frame.
    live: Vec<Box<[Field]>>,
    /// By location: the size of a frame of its procedure.
    frame_sizes: Vec<u32>,
    /// The static objects before the first step.
    statics: Vec<u8>,
}

const WAITING: u8 = 1;
const ATOMIC: u8 = 2;
const HEAP: u8 = 4;
const CALLS: u8 = 8;
const RESULT: u8 = 16;
const ENDED: u8 = 32;
const JOINED: u8 = 64;

impl Codec {
    /// For the states of this machine.
    pub fn new(machine: &Machine<'_>) -> Codec {
        let xcfa = machine.xcfa;
        let field = |var: VarId| Field {
            slot: machine.layout.slot(var),
            bytes: xcfa[var].sort.bytes() as u8,
        };
        let of_scope = |scope| {
            let wanted = xcfa.var_ids().filter(move |&var| xcfa[var].scope == scope);
            wanted.filter(|&var| var != xcfa.self_var)
        };
        let liveness = dataflow::Liveness::of(xcfa);
        let live_at = |loc| liveness.live(loc).iter().map(|&var| field(var)).collect();
        let frame_size = |loc: LocId| machine.layout.frame_size(xcfa[loc].proc) as u32;
        Codec {
            globals: of_scope(Scope::Global).map(field).collect(),
            thread_locals: of_scope(Scope::ThreadLocal).map(field).collect(),
            handle: machine.layout.slot(xcfa.self_var) as usize,
            thread_local_slots: of_scope(Scope::ThreadLocal).count() + 1,
            live: xcfa.loc_ids().map(live_at).collect(),
            frame_sizes: xcfa.loc_ids().map(frame_size).collect(),
            statics: machine.initial().memory.statics().to_vec(),
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
        put_fields(key, &self.globals, &state.globals);
        self.encode_memory(&state.memory, key);
        for thread in &state.threads {
            self.encode_thread(thread, thread.waiting, key);
        }
    }

    /// Writes a thread as if it waited on this condition variable.
    pub(crate) fn encode_thread(&self, thread: &Thread, waiting: u64, key: &mut Vec<u8>) {
        let flags = flag(waiting != 0, WAITING)
            | flag(thread.atomic_depth != 0, ATOMIC)
            | flag(thread.heap_used != 0, HEAP)
            | flag(!thread.frames.is_empty(), CALLS)
            | flag(thread.result != 0, RESULT)
            | flag(thread.status == Status::Ended, ENDED)
            | flag(thread.status == Status::Joined, JOINED);
        key.push(flags);
        put_varint(key, u64::from(thread.loc.0));
        for (present, value) in [
            (WAITING, waiting),
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
        put_fields(key, &self.thread_locals, &thread.slots);
        put_fields(
            key,
            &self.live[thread.loc.0 as usize],
            &thread.slots[thread.base as usize..],
        );
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
        put_words(key, memory.statics(), &self.statics);
        put_varint(key, memory.instances().len() as u64);
        for instance in memory.instances() {
            put_varint(key, instance.base);
            put_varint(key, instance.size);
            put_varint(key, u64::from(instance.obj.0));
        }
        put_words(key, memory.bytes(), &[]);
        put_varint(key, memory.vacant().len() as u64);
        for place in memory.vacant() {
            put_varint(key, place.base);
            put_varint(key, place.room);
        }
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
        state.threads.resize_with(count, blank_thread);
        input.fields(&self.globals, &mut state.globals);
        self.decode_memory(&mut input, &mut state.memory);
        for (index, thread) in state.threads.iter_mut().enumerate() {
            self.decode_thread(&mut input, Tid(index as u32), thread);
        }
    }

    /// Reads what `encode_thread` wrote.
    pub(crate) fn decode_thread(&self, input: &mut Reader<'_>, tid: Tid, thread: &mut Thread) {
        let flags = input.byte();
        let loc = LocId(input.varint() as u32);
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
        let base = self.thread_local_slots;
        thread.base = base as u32;
        thread
            .slots
            .resize(base + self.frame_sizes[loc.0 as usize] as usize, 0);
        thread.slots[self.handle] = tid.handle();
        input.fields(&self.thread_locals, &mut thread.slots);
        input.fields(&self.live[loc.0 as usize], &mut thread.slots[base..]);
        if flags & CALLS != 0 {
            decode_calls(input, thread);
        }
    }

    fn decode_memory(&self, input: &mut Reader<'_>, memory: &mut Memory) {
        memory.rebuild(|statics, instances, bytes| {
            statics.clear();
            statics.extend_from_slice(&self.statics);
            input.words(statics);
            instances.clear();
            let mut total = 0;
            for _ in 0..input.varint() {
                let (base, size) = (input.varint(), input.varint());
                let instance = Instance::new(base, size, ObjId(input.varint() as u32), total);
                total += instance.footprint();
                instances.push(instance);
            }
            bytes.clear();
            bytes.resize(total, 0);
            input.words(bytes);
        });
        let count = input.varint();
        let place = |_| Vacancy {
            base: input.varint(),
            room: input.varint(),
        };
        memory.set_vacant((0..count).map(place));
    }
}

/// The current frame was read first, at the bottom; the callers' frames go below it.
fn decode_calls(input: &mut Reader<'_>, thread: &mut Thread) {
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

pub(crate) fn blank_thread() -> Thread {
    Thread {
        loc: LocId(0),
        status: Status::Running,
        waiting: 0,
        atomic_depth: 0,
        result: 0,
        heap_used: 0,
        slots: Vec::new(),
        base: 0,
        frames: Vec::new(),
    }
}

fn flag(set: bool, bit: u8) -> u8 {
    if set { bit } else { 0 }
}

/// The values of some variables, each with as many bytes as it has.
fn put_fields(key: &mut Vec<u8>, fields: &[Field], slots: &[u64]) {
    for field in fields {
        let bytes = slots[field.slot as usize].to_le_bytes();
        // The common widths are worth telling apart: a copy of fixed length is one instruction.
        match field.bytes {
            1 => key.push(bytes[0]),
            4 => key.extend_from_slice(&bytes[..4]),
            8 => key.extend_from_slice(&bytes),
            other => key.extend_from_slice(&bytes[..other as usize]),
        }
    }
}

/// Seven bits a byte, lowest first.
pub(crate) fn put_varint(key: &mut Vec<u8>, mut value: u64) {
    while value >= 0x80 {
        key.push(value as u8 | 0x80);
        value >>= 7;
    }
    key.push(value as u8);
}

/// The words in which `bytes` differs from `reference` (or from zero, behind its end): eight
/// words a time, a byte that tells which of them follow, then these.
pub(crate) fn put_words(key: &mut Vec<u8>, bytes: &[u8], reference: &[u8]) {
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

/// Reads what was written.
pub(crate) struct Reader<'k> {
    pub bytes: &'k [u8],
}

impl Reader<'_> {
    fn byte(&mut self) -> u8 {
        let (&first, rest) = self.bytes.split_first().expect("a key is complete");
        self.bytes = rest;
        first
    }

    pub fn varint(&mut self) -> u64 {
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

    fn fields(&mut self, fields: &[Field], slots: &mut [u64]) {
        for field in fields {
            let (now, rest) = self.bytes.split_at(field.bytes as usize);
            self.bytes = rest;
            slots[field.slot as usize] = word(now);
        }
    }

    /// Adds the differences that `put_words` wrote.
    pub fn words(&mut self, bytes: &mut [u8]) {
        for group in bytes.chunks_mut(64) {
            let mask = self.byte();
            if mask == 0 {
                continue;
            }
            for (index, chunk) in group.chunks_mut(8).enumerate() {
                if mask >> index & 1 != 0 {
                    let (now, rest) = self.bytes.split_at(8);
                    self.bytes = rest;
                    let value = word(chunk) ^ word(now);
                    chunk.copy_from_slice(&value.to_le_bytes()[..chunk.len()]);
                }
            }
        }
    }
}
