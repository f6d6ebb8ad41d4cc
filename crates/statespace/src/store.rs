//! The set of visited states: keys of a fixed number of words, found by hash.

/// A visited state, by the order of its discovery.
pub type StateId = u32;

/// So many keys are kept together, as a power of two.
const CHUNK: u32 = 14;

/// Keys, each stored once.
pub struct Store {
    words: usize,
    chunks: Vec<Vec<u32>>,
    len: u32,
    /// Open addressing: 0 if free, else one more than a state in the lower bits, as many as the table needs to
    /// number its entries, and bits of its hash above.
    table: Vec<u32>,
}

impl Store {
    /// For keys of so many words.
    pub fn new(words: usize) -> Store {
        Store {
            words,
            chunks: Vec::new(),
            len: 0,
            table: vec![0; 1 << 8],
        }
    }

    /// How many states there are.
    pub fn len(&self) -> usize {
        self.len as usize
    }

    /// Bytes in use.
    pub fn bytes(&self) -> u64 {
        let chunk = (4 * self.words) << CHUNK;
        (self.chunks.len() * chunk + 4 * self.table.len()) as u64
    }

    /// The key of a state.
    #[inline]
    pub fn key(&self, id: StateId) -> &[u32] {
        let at = (id & ((1 << CHUNK) - 1)) as usize * self.words;
        &self.chunks[(id >> CHUNK) as usize][at..at + self.words]
    }

    /// The same states with other keys, in the same order.
    pub fn with_keys(&self, words: usize, mut rekey: impl FnMut(&[u32], &mut Vec<u32>)) -> Store {
        let mut store = Store::new(words);
        let mut key = Vec::new();
        for id in 0..self.len {
            rekey(self.key(id), &mut key);
            let (_, new) = store.insert(&key, hash(&key));
            assert!(new, "different states keep different keys");
        }
        store
    }

    /// The state with this key and hash; `true` if it is new.
    #[inline]
    pub fn insert(&mut self, key: &[u32], hash: u64) -> (StateId, bool) {
        let mask = self.table.len() - 1;
        let tag = tag(hash, mask);
        let mut at = hash as usize & mask;
        loop {
            let entry = self.table[at];
            if entry == 0 {
                break;
            }
            if entry & !(mask as u32) == tag {
                let id = (entry & mask as u32) - 1;
                if self.key(id) == key {
                    return (id, false);
                }
            }
            at = (at + 1) & mask;
        }
        let id = self.append(key);
        self.table[at] = tag | (id + 1);
        if self.len() >= self.table.len() / 4 * 3 {
            self.grow();
        }
        (id, true)
    }

    fn append(&mut self, key: &[u32]) -> StateId {
        if self.len.is_multiple_of(1 << CHUNK) {
            let room = match self.len {
                0 => 0,
                _ => self.words << CHUNK,
            };
            self.chunks.push(Vec::with_capacity(room));
        }
        let chunk = self.chunks.last_mut().expect("there is a chunk");
        chunk.extend_from_slice(key);
        self.len = self.len.checked_add(1).expect("fewer than 2^32 states");
        self.len - 1
    }

    fn grow(&mut self) {
        let mask = 2 * self.table.len() - 1;
        let mut table = vec![0; mask + 1];
        for id in 0..self.len {
            let hash = hash(self.key(id));
            let mut at = hash as usize & mask;
            while table[at] != 0 {
                at = (at + 1) & mask;
            }
            table[at] = tag(hash, mask) | (id + 1);
        }
        self.table = table;
    }
}

/// The bits of a hash that are kept in a table with this mask.
fn tag(hash: u64, mask: usize) -> u32 {
    (hash >> 32) as u32 & !(mask as u32)
}

/// The hash of a key.
#[inline]
pub fn hash(key: &[u32]) -> u64 {
    let mut hash = 0x9e37_79b9_7f4a_7c15u64;
    for pair in key.chunks(2) {
        let high = pair.get(1).copied().unwrap_or(0);
        let word = u64::from(pair[0]) | u64::from(high) << 32;
        let product = u128::from(hash ^ word) * 0xd6e8_feb8_6659_fd93;
        hash = product as u64 ^ (product >> 64) as u64 ^ hash.rotate_left(23);
    }
    hash
}
