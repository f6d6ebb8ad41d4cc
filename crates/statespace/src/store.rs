//! The set of visited states: their keys one after the other in memory, found by hash.

use hashbrown::HashTable;
use std::hash::Hasher;

const CHUNK: usize = 1 << 20;

/// A visited state, by the order of its discovery.
pub type StateId = u32;

/// Keys of states, each stored once.
#[derive(Default)]
pub struct Store {
    chunks: Vec<Vec<u8>>,
    /// By state: chunk and position of its key.
    places: Vec<(u32, u32, u32)>,
    /// Upper half of the hash, and the state: most mismatches are seen without touching the key.
    table: HashTable<(u32, StateId)>,
    chunk_bytes: u64,
}

impl Store {
    /// How many states there are.
    pub fn len(&self) -> usize {
        self.places.len()
    }

    /// Bytes in use.
    pub fn bytes(&self) -> u64 {
        self.chunk_bytes + 12 * self.places.capacity() as u64 + 9 * self.table.capacity() as u64
    }

    /// The key of a state.
    pub fn key(&self, id: StateId) -> &[u8] {
        key_at(&self.chunks, self.places[id as usize])
    }

    /// The state with this key; `true` if it is new.
    pub fn insert(&mut self, key: &[u8]) -> (StateId, bool) {
        let hash = hash(key);
        let tag = (hash >> 32) as u32;
        let same = |&(other, id): &(u32, StateId)| {
            other == tag && key_at(&self.chunks, self.places[id as usize]) == key
        };
        if let Some(&(_, id)) = self.table.find(hash, same) {
            return (id, false);
        }
        let id = StateId::try_from(self.places.len()).expect("fewer than 2^32 states");
        let place = self.append(key);
        self.places.push(place);
        let (chunks, places) = (&self.chunks, &self.places);
        let rehash = |&(_, id): &(u32, StateId)| self::hash(key_at(chunks, places[id as usize]));
        self.table.insert_unique(hash, (tag, id), rehash);
        (id, true)
    }

    fn append(&mut self, key: &[u8]) -> (u32, u32, u32) {
        let full = |chunk: &Vec<u8>| chunk.capacity() - chunk.len() < key.len();
        if self.chunks.last().is_none_or(full) {
            let size = CHUNK.max(key.len());
            self.chunk_bytes += size as u64;
            self.chunks.push(Vec::with_capacity(size));
        }
        let index = self.chunks.len() - 1;
        let chunk = &mut self.chunks[index];
        let start = chunk.len();
        chunk.extend_from_slice(key);
        (index as u32, start as u32, key.len() as u32)
    }
}

fn key_at(chunks: &[Vec<u8>], (chunk, start, len): (u32, u32, u32)) -> &[u8] {
    &chunks[chunk as usize][start as usize..][..len as usize]
}

fn hash(key: &[u8]) -> u64 {
    let mut hasher = rustc_hash::FxHasher::default();
    hasher.write(key);
    hasher.finish()
}
