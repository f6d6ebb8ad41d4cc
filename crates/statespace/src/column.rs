//! The values that one part of a state has had, each with a small number.

use crate::blobs::Blobs;
use rustc_hash::FxHashMap;

/// The values of one part of the states; the first is number 0.
pub enum Column {
    /// Words.
    Words {
        /// By number.
        list: Vec<u64>,
        /// Numbers by value.
        index: FxHashMap<u64, u32>,
    },
    /// Strings of bytes.
    Blobs(Blobs),
}

impl Column {
    /// A part that is this word at first.
    pub fn of_words(first: u64) -> Column {
        Column::Words {
            list: vec![first],
            index: FxHashMap::from_iter([(first, 0)]),
        }
    }

    /// A part that is an empty string at first.
    pub fn of_blobs() -> Column {
        let mut blobs = Blobs::default();
        blobs.insert(&[]);
        Column::Blobs(blobs)
    }

    /// How many values it has had.
    pub fn len(&self) -> usize {
        match self {
            Column::Words { list, .. } => list.len(),
            Column::Blobs(blobs) => blobs.len(),
        }
    }

    /// Bytes in use.
    pub fn bytes(&self) -> u64 {
        match self {
            Column::Words { list, .. } => 32 * list.capacity() as u64,
            Column::Blobs(blobs) => blobs.bytes(),
        }
    }

    /// The number of a word.
    pub fn number(&mut self, word: u64) -> u32 {
        let Column::Words { list, index } = self else {
            unreachable!("a part of a state is a word or a string");
        };
        *index.entry(word).or_insert_with(|| {
            list.push(word);
            u32::try_from(list.len() - 1).expect("fewer than 2^32 values")
        })
    }

    /// The number of a string.
    pub fn number_of(&mut self, blob: &[u8]) -> u32 {
        let Column::Blobs(blobs) = self else {
            unreachable!("a part of a state is a word or a string");
        };
        blobs.insert(blob)
    }

    /// The word with this number.
    pub fn word(&self, number: u32) -> u64 {
        let Column::Words { list, .. } = self else {
            unreachable!("a part of a state is a word or a string");
        };
        list[number as usize]
    }

    /// The string with this number.
    pub fn blob(&self, number: u32) -> &[u8] {
        let Column::Blobs(blobs) = self else {
            unreachable!("a part of a state is a word or a string");
        };
        blobs.get(number)
    }
}
