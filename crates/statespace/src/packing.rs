//! Rows of small numbers packed into words.

/// Where a number is: no number crosses from one word to the next.
#[derive(Clone, Copy, Debug, Default)]
pub struct Field {
    word: u32,
    shift: u32,
    /// The largest number that fits.
    mask: u32,
}

impl Field {
    /// The number in a key.
    #[inline]
    pub fn get(self, key: &[u32]) -> u32 {
        key[self.word as usize] >> self.shift & self.mask
    }

    /// Puts a number into a key.
    #[inline]
    pub fn set(self, key: &mut [u32], number: u32) {
        let word = &mut key[self.word as usize];
        *word = *word & !(self.mask << self.shift) | number << self.shift;
    }
}

/// How rows become keys of a fixed number of words. What has had one value only takes no room.
#[derive(Clone, Debug, Default)]
pub struct Packing {
    fields: Vec<Field>,
    words: usize,
}

impl Packing {
    /// With room for so many values in each place, and for some more where that saves the next change.
    pub fn new(values: &[usize]) -> Packing {
        let mut packing = Packing {
            fields: vec![Field::default(); values.len()],
            words: 1,
        };
        let width = |&count: &usize| {
            let most = count.saturating_sub(1);
            let bits = usize::BITS - most.leading_zeros();
            let is_full = count > 4 && count > (1 << bits) * 3 / 4;
            (bits + u32::from(is_full)).min(32)
        };
        let mut order: Vec<(u32, usize)> = values.iter().map(width).zip(0..).collect();
        order.retain(|&(width, _)| width > 0);
        // The widest first, each where there is room.
        order.sort_by_key(|&(width, at)| (u32::MAX - width, at));
        let mut free = vec![32];
        let mut first_with_room = 0;
        for (width, at) in order {
            let found = (first_with_room..free.len()).find(|&word| free[word] >= width);
            let word = found.unwrap_or_else(|| {
                free.push(32);
                free.len() - 1
            });
            packing.fields[at] = Field {
                word: word as u32,
                shift: 32 - free[word],
                mask: u32::MAX >> (32 - width),
            };
            free[word] -= width;
            while first_with_room < free.len() && free[first_with_room] == 0 {
                first_with_room += 1;
            }
        }
        packing.words = free.len();
        packing
    }

    /// How many words a key has.
    pub fn words(&self) -> usize {
        self.words
    }

    /// How many columns it knows.
    pub fn columns(&self) -> usize {
        self.fields.len()
    }

    /// Is there room for numbers below these?
    pub fn has_room(&self, values: impl ExactSizeIterator<Item = usize>) -> bool {
        let mut pairs = self.fields.iter().zip(values);
        pairs.all(|(field, count)| count - 1 <= field.mask as usize)
    }

    /// Where the number of a column is.
    #[inline]
    pub fn field(&self, column: u32) -> Field {
        self.fields[column as usize]
    }

    /// The row of a key.
    pub fn unpack(&self, key: &[u32], row: &mut Vec<u32>) {
        row.clear();
        row.extend(self.fields.iter().map(|field| field.get(key)));
    }

    /// The key of a row.
    pub fn pack(&self, row: &[u32], key: &mut Vec<u32>) {
        key.clear();
        key.resize(self.words, 0);
        for (field, &number) in self.fields.iter().zip(row) {
            field.set(key, number);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_come_back() {
        let counts = [1, 2, 5, 1 << 20, 70_000, 3, 1, 1 << 32, 9];
        let packing = Packing::new(&counts);
        assert!(packing.has_room(counts.into_iter()) && packing.words() == 3);
        assert!(!packing.has_room([2, 2, 5, 7, 7, 3, 1, 7, 9].into_iter()));
        for row in [
            [0, 1, 4, 99_999, 69_999, 2, 0, u32::MAX, 8],
            [0, 0, 0, 1, 0, 0, 0, 7, 0],
        ] {
            let (mut key, mut back) = (Vec::new(), Vec::new());
            packing.pack(&row, &mut key);
            packing.unpack(&key, &mut back);
            assert_eq!(back, row);
        }
    }
}
