//! Byte strings, each stored once: one after the other in memory, found by hash.

use hashbrown::HashTable;
use std::hash::Hasher;

/// The sizes of the first and of the largest piece of memory that strings are put into.
const CHUNKS: [usize; 2] = [1 << 8, 1 << 20];

/// Strings by the order in which they came.
#[derive(Default)]
pub struct Blobs {
    chunks: Vec<Vec<u8>>,
    /// By string: chunk, position and length.
    places: Vec<(u32, u32, u32)>,
    /// Upper half of the hash, and the string: most mismatches are seen without touching it.
    table: HashTable<(u32, u32)>,
    chunk_bytes: u64,
}

impl Blobs {
    /// How many there are.
    pub fn len(&self) -> usize {
        self.places.len()
    }

    /// Bytes in use.
    pub fn bytes(&self) -> u64 {
        self.chunk_bytes + 12 * self.places.capacity() as u64 + 9 * self.table.capacity() as u64
    }

    /// A string by its number.
    pub fn get(&self, id: u32) -> &[u8] {
        at(&self.chunks, self.places[id as usize])
    }

    /// The number of a string, which may be a new one.
    pub fn insert(&mut self, blob: &[u8]) -> u32 {
        let hash = hash(blob);
        let tag = (hash >> 32) as u32;
        let same = |&(other, id): &(u32, u32)| {
            other == tag && at(&self.chunks, self.places[id as usize]) == blob
        };
        if let Some(&(_, id)) = self.table.find(hash, same) {
            return id;
        }
        let id = u32::try_from(self.places.len()).expect("fewer than 2^32 strings");
        let place = self.append(blob);
        self.places.push(place);
        let (chunks, places) = (&self.chunks, &self.places);
        let rehash = |&(_, id): &(u32, u32)| self::hash(at(chunks, places[id as usize]));
        self.table.insert_unique(hash, (tag, id), rehash);
        id
    }

    fn append(&mut self, blob: &[u8]) -> (u32, u32, u32) {
        let full = |chunk: &Vec<u8>| chunk.capacity() - chunk.len() < blob.len();
        if self.chunks.last().is_none_or(full) {
            let wanted = (self.chunk_bytes as usize).clamp(CHUNKS[0], CHUNKS[1]);
            let size = wanted.max(blob.len());
            self.chunk_bytes += size as u64;
            self.chunks.push(Vec::with_capacity(size));
        }
        let index = self.chunks.len() - 1;
        let chunk = &mut self.chunks[index];
        let start = chunk.len();
        chunk.extend_from_slice(blob);
        (index as u32, start as u32, blob.len() as u32)
    }
}

fn at(chunks: &[Vec<u8>], (chunk, start, len): (u32, u32, u32)) -> &[u8] {
    &chunks[chunk as usize][start as usize..][..len as usize]
}

fn hash(blob: &[u8]) -> u64 {
    let mut hasher = rustc_hash::FxHasher::default();
    hasher.write(blob);
    hasher.finish()
}
