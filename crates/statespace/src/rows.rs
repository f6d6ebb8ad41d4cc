//! States as rows of small numbers, one for each part of a state that can change.
//!
//! The parts are: how many threads there are, who is in an atomic section, each global, each word of the static
//! objects that was ever written; and for each thread what it waits on, its own state, and the objects on its
//! stack and in its part of the heap. Equal rows are states with equal [keys](Codec), and the other way round. A
//! row grows when more parts turn out to change; what it lacks is 0 then, the value of that part before.

use crate::codec::{Codec, Reader, blank_thread, put_varint, put_words};
use crate::column::Column;
use crate::column_set::ColumnSet;
use expr::ObjId;
use rustc_hash::FxHashMap;
use semantics::{Instance, Machine, Memory, State, Tid, Vacancy};
use std::ops::Range;
use xcfa::Shape;

/// How many threads there are; 0 when the process has ended, and then all other numbers are 0 as well.
pub const COUNT: u32 = 0;
/// The handle of the thread that is in an atomic section, or 0.
pub const HOLDER: u32 = 1;
const GLOBALS: u32 = 2;

/// The columns of one thread.
#[derive(Clone, Copy)]
pub struct ThreadColumns {
    /// The condition variable that it waits on, or 0.
    pub waiting: u32,
    /// Everything else of its own; 0 before it is started.
    pub own: u32,
    /// The objects on its stack.
    pub stack: u32,
    /// The objects that it has allocated.
    pub heap: u32,
}

/// A static object, cut into words of equal size.
struct Static {
    base: u64,
    size: u64,
    at: usize,
    word: u64,
    /// The number of its first word among the words of all objects.
    first: u32,
}

/// Turns states into rows and back.
pub struct Rows {
    codec: Codec,
    columns: Vec<Column>,
    threads: Vec<ThreadColumns>,
    /// By address.
    statics: Vec<Static>,
    /// The columns of words of static objects, and where these are.
    words: FxHashMap<u32, u32>,
    placed: Vec<(u32, usize, usize)>,
    initial: State,
    /// The number of threads 0.
    ended: u32,
    key: Vec<u8>,
}

impl Rows {
    /// For the states of this machine.
    pub fn new(machine: &Machine<'_>) -> Rows {
        let initial = machine.initial();
        let mut columns = vec![Column::of_words(1), Column::of_words(0)];
        let ended = columns[COUNT as usize].number(0);
        columns.extend(initial.globals.iter().map(|&it| Column::of_words(it)));
        let mut first = 0;
        let objects = machine.layout.static_objects();
        let cut = |(object, base, size, at): (ObjId, u64, u64, usize)| {
            let word = largest(&machine.xcfa[object].shape).unwrap_or(4);
            let cut = Static {
                base,
                size,
                at,
                word,
                first,
            };
            first += size.div_ceil(word) as u32;
            cut
        };
        Rows {
            codec: Codec::new(machine),
            columns,
            threads: Vec::new(),
            statics: objects.map(cut).collect(),
            words: FxHashMap::default(),
            placed: Vec::new(),
            initial,
            ended,
            key: Vec::new(),
        }
    }

    /// What is in [`COUNT`] when the process has ended.
    pub fn ended(&self) -> u32 {
        self.ended
    }

    /// The columns.
    pub fn columns(&self) -> &[Column] {
        &self.columns
    }

    /// Bytes in use.
    pub fn bytes(&self) -> u64 {
        self.columns.iter().map(Column::bytes).sum()
    }

    /// The columns of a thread that was started in some state.
    pub fn thread(&self, tid: Tid) -> Option<ThreadColumns> {
        self.threads.get(tid.0 as usize).copied()
    }

    /// The columns of all such threads.
    pub fn threads(&self) -> &[ThreadColumns] {
        &self.threads
    }

    /// The column of a global, by its slot.
    pub fn global(&self, slot: u32) -> u32 {
        GLOBALS + slot
    }

    /// The columns that an access to some bytes depends on, or changes; `false` if there is no such column yet.
    pub fn of_bytes(
        &mut self,
        machine: &Machine<'_>,
        (start, len): (u64, u64),
        found: &mut ColumnSet,
    ) -> bool {
        if let Some(tid) = machine.layout.region_at(start) {
            let Some(columns) = self.thread(tid) else {
                return false;
            };
            let on_heap = machine.layout.heap_range(tid).contains(&start);
            found.add(if on_heap { columns.heap } else { columns.stack });
            return true;
        }
        let after = self.statics.partition_point(|it| it.base <= start);
        let Some(object) = after.checked_sub(1) else {
            return true;
        };
        let Static {
            base, size, word, ..
        } = self.statics[object];
        let offset = start - base;
        if offset < size {
            let last = (offset + len.max(1) - 1).min(size - 1);
            for index in offset / word..=last / word {
                found.add(self.column_of_word(object, index));
            }
        }
        true
    }

    /// The column of a word of a static object.
    fn column_of_word(&mut self, object: usize, index: u64) -> u32 {
        let it = &self.statics[object];
        let number = it.first + index as u32;
        if let Some(&column) = self.words.get(&number) {
            return column;
        }
        let offset = index * it.word;
        let at = it.at + offset as usize;
        let len = it.word.min(it.size - offset) as usize;
        let column = self.columns.len() as u32;
        let first = word_at(self.initial.memory.statics(), at, len);
        self.columns.push(Column::of_words(first));
        self.words.insert(number, column);
        self.placed.push((column, at, len));
        column
    }

    fn add_thread(&mut self) {
        let next = self.columns.len() as u32;
        self.columns.push(Column::of_words(0));
        self.columns.extend([(); 3].map(|()| Column::of_blobs()));
        self.threads.push(ThreadColumns {
            waiting: next,
            own: next + 1,
            stack: next + 2,
            heap: next + 3,
        });
    }

    /// The row of a state.
    pub fn split(&mut self, machine: &Machine<'_>, state: &State, row: &mut Vec<u32>) {
        row.clear();
        self.split_since(machine, state, None, state.tids(), row);
    }

    /// The row of a state, where `row` is that of the state `before`, in which other threads' own states are the same.
    pub fn split_changed(
        &mut self,
        machine: &Machine<'_>,
        (before, state): (&State, &State),
        tid: Tid,
        row: &mut Vec<u32>,
    ) {
        let before = Some(before.memory.statics());
        self.split_since(machine, state, before, std::iter::once(tid), row);
    }

    fn split_since(
        &mut self,
        machine: &Machine<'_>,
        state: &State,
        before: Option<&[u8]>,
        threads: impl Iterator<Item = Tid>,
        row: &mut Vec<u32>,
    ) {
        while self.threads.len() < state.threads.len() {
            self.add_thread();
        }
        if state.ended {
            row.fill(0);
            row.resize(self.columns.len(), 0);
            row[COUNT as usize] = self.ended;
            return;
        }
        row.resize(self.columns.len(), 0);
        self.put(row, COUNT, state.threads.len() as u64);
        self.put(row, HOLDER, state.holder.map_or(0, Tid::handle));
        for (slot, &value) in state.globals.iter().enumerate() {
            self.put(row, GLOBALS + slot as u32, value);
        }
        self.split_statics(state.memory.statics(), before, row);
        for tid in threads {
            let (columns, thread) = (self.threads[tid.0 as usize], state.thread(tid));
            self.put(row, columns.waiting, thread.waiting);
            self.key.clear();
            self.codec.encode_thread(thread, 0, &mut self.key);
            row[columns.own as usize] = self.columns[columns.own as usize].number_of(&self.key);
        }
        self.split_regions(machine, &state.memory, row);
    }

    fn put(&mut self, row: &mut [u32], column: u32, value: u64) {
        row[column as usize] = self.columns[column as usize].number(value);
    }

    /// Numbers the words that have changed since there were the bytes `before`, which `row` is about; since the start, if
    /// there are none.
    fn split_statics(&mut self, bytes: &[u8], before: Option<&[u8]>, row: &mut Vec<u32>) {
        if before.is_none() {
            for &(column, _, _) in &self.placed {
                row[column as usize] = 0;
            }
        }
        const PIECE: usize = 64;
        for (piece, from) in bytes.chunks(PIECE).zip((0..).step_by(PIECE)) {
            let to = from + piece.len();
            if *piece == before.unwrap_or(self.initial.memory.statics())[from..to] {
                continue;
            }
            // Every word that begins or ends in this piece.
            let mut object = self.statics.partition_point(|it| it.at <= from) - 1;
            while object < self.statics.len() && self.statics[object].at < to {
                let &Static { at, size, word, .. } = &self.statics[object];
                let first = from.saturating_sub(at) as u64 / word;
                let last = ((to - at) as u64).min(size).div_ceil(word);
                for index in first..last {
                    let place = at + (index * word) as usize;
                    let len = word.min(size - index * word) as usize;
                    let value = word_at(bytes, place, len);
                    let old = before.unwrap_or(self.initial.memory.statics());
                    if value != word_at(old, place, len) {
                        let column = self.column_of_word(object, index);
                        row.resize(self.columns.len(), 0);
                        self.put(row, column, value);
                    }
                }
                object += 1;
            }
        }
    }

    fn split_regions(&mut self, machine: &Machine<'_>, memory: &Memory, row: &mut [u32]) {
        let (mut instances, mut bytes) = (memory.instances(), memory.bytes());
        let is_empty = instances.is_empty() && memory.vacant().is_empty();
        for index in 0..self.threads.len() {
            let columns = self.threads[index];
            let tid = Tid(index as u32);
            let stack = machine.layout.stack_range(tid, 0);
            let heap = machine.layout.heap_range(tid);
            for (column, range) in [(columns.stack, stack), (columns.heap, heap)] {
                self.key.clear();
                if !is_empty {
                    let count = instances.partition_point(|it| it.base < range.end);
                    let (here, later) = instances.split_at(count);
                    let len = here.iter().map(Instance::footprint).sum();
                    let (content, rest) = bytes.split_at(len);
                    (instances, bytes) = (later, rest);
                    put_region(
                        here,
                        content,
                        within(memory.vacant(), &range),
                        &mut self.key,
                    );
                }
                row[column as usize] = self.columns[column as usize].number_of(&self.key);
            }
        }
    }

    /// Rebuilds a state from its row.
    pub fn join(&self, row: &[u32], state: &mut State) {
        let word = |column: u32| self.columns[column as usize].word(number(row, column));
        let count = word(COUNT) as usize;
        state.ended = count == 0;
        state.threads.truncate(count);
        state.threads.resize_with(count, blank_thread);
        if state.ended {
            return;
        }
        state.holder = Tid::from_handle(word(HOLDER));
        for (slot, value) in state.globals.iter_mut().enumerate() {
            *value = word(GLOBALS + slot as u32);
        }
        for (index, thread) in state.threads.iter_mut().enumerate() {
            let ThreadColumns { own, waiting, .. } = self.threads[index];
            let bytes = self.columns[own as usize].blob(number(row, own));
            let mut input = Reader { bytes };
            self.codec
                .decode_thread(&mut input, Tid(index as u32), thread);
            thread.waiting = word(waiting);
        }
        self.join_memory(row, &mut state.memory);
    }

    fn join_memory(&self, row: &[u32], memory: &mut Memory) {
        let mut places = Vec::new();
        memory.rebuild(|statics, instances, bytes| {
            statics.clear();
            statics.extend_from_slice(self.initial.memory.statics());
            for &(column, at, len) in &self.placed {
                let value = self.columns[column as usize].word(number(row, column));
                statics[at..at + len].copy_from_slice(&value.to_le_bytes()[..len]);
            }
            instances.clear();
            bytes.clear();
            for column in self.threads.iter().flat_map(|it| [it.stack, it.heap]) {
                let region = self.columns[column as usize].blob(number(row, column));
                read_region(region, instances, bytes, &mut places);
            }
        });
        memory.set_vacant(places);
    }
}

/// The number in a column, which may be newer than the row.
fn number(row: &[u32], column: u32) -> u32 {
    row.get(column as usize).copied().unwrap_or(0)
}

fn within<'v>(vacant: &'v [Vacancy], range: &Range<u64>) -> &'v [Vacancy] {
    let from = vacant.partition_point(|it| it.base < range.start);
    let to = vacant.partition_point(|it| it.base < range.end);
    &vacant[from..to]
}

/// Writes the objects of a region, their bytes, and places for new ones; nothing if there are none.
fn put_region(instances: &[Instance], bytes: &[u8], vacant: &[Vacancy], key: &mut Vec<u8>) {
    if instances.is_empty() && vacant.is_empty() {
        return;
    }
    put_varint(key, instances.len() as u64);
    for instance in instances {
        put_varint(key, instance.base);
        put_varint(key, instance.size);
        put_varint(key, u64::from(instance.obj.0));
    }
    put_words(key, bytes, &[]);
    put_varint(key, vacant.len() as u64);
    for place in vacant {
        put_varint(key, place.base);
        put_varint(key, place.room);
    }
}

fn read_region(
    region: &[u8],
    instances: &mut Vec<Instance>,
    bytes: &mut Vec<u8>,
    vacant: &mut Vec<Vacancy>,
) {
    if region.is_empty() {
        return;
    }
    let mut input = Reader { bytes: region };
    let from = bytes.len();
    let mut end = from;
    for _ in 0..input.varint() {
        let (base, size) = (input.varint(), input.varint());
        let instance = Instance::new(base, size, ObjId(input.varint() as u32), end);
        end += instance.footprint();
        instances.push(instance);
    }
    bytes.resize(end, 0);
    input.words(&mut bytes[from..]);
    for _ in 0..input.varint() {
        vacant.push(Vacancy {
            base: input.varint(),
            room: input.varint(),
        });
    }
}

/// The size of the largest scalar of a shape, at most a word.
fn largest(shape: &Shape) -> Option<u64> {
    match shape {
        Shape::Scalar { sort, .. } => Some(sort.bytes().next_power_of_two().min(8)),
        Shape::Array { element, .. } => largest(element),
        Shape::Record(members) => members.iter().filter_map(|(_, _, it)| largest(it)).max(),
        Shape::Bytes => None,
    }
}

/// Up to eight bytes, the first in the lowest bits.
fn word_at(bytes: &[u8], at: usize, len: usize) -> u64 {
    let mut word = [0; 8];
    word[..len].copy_from_slice(&bytes[at..at + len]);
    u64::from_le_bytes(word)
}
