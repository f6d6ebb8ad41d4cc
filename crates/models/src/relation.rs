//! Sets of events and relations between them, as bits.

/// A set of events, by number.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EventSet {
    words: Vec<u64>,
    size: usize,
}

/// A relation between events: one row of bits for each event.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Relation {
    rows: Vec<u64>,
    size: usize,
}

fn words(size: usize) -> usize {
    size.div_ceil(64)
}

fn bits(words: &[u64]) -> impl Iterator<Item = usize> + '_ {
    words.iter().enumerate().flat_map(|(at, &word)| {
        let mut rest = word;
        std::iter::from_fn(move || {
            let bit = rest.trailing_zeros() as usize;
            rest &= rest.wrapping_sub(1);
            (bit < 64).then_some(64 * at + bit)
        })
    })
}

/// The same as [`bits`], for the inner loops.
fn each_bit(words: &[u64], mut on: impl FnMut(usize)) {
    for (at, &word) in words.iter().enumerate() {
        let mut rest = word;
        while rest != 0 {
            on(64 * at + rest.trailing_zeros() as usize);
            rest &= rest - 1;
        }
    }
}

impl EventSet {
    /// The events among `size` that `contains` accepts.
    pub fn of(size: usize, contains: impl Fn(usize) -> bool) -> EventSet {
        let mut set = EventSet {
            words: vec![0; words(size)],
            size,
        };
        for event in (0..size).filter(|&event| contains(event)) {
            set.words[event / 64] |= 1 << (event % 64);
        }
        set
    }

    /// Adds an event.
    pub fn insert(&mut self, event: usize) {
        self.words[event / 64] |= 1 << (event % 64);
    }

    /// Takes an event away.
    pub fn remove(&mut self, event: usize) {
        self.words[event / 64] &= !(1 << (event % 64));
    }

    /// Is the event in it?
    pub fn contains(&self, event: usize) -> bool {
        self.words[event / 64] >> (event % 64) & 1 != 0
    }

    /// Has it no event?
    pub fn is_empty(&self) -> bool {
        self.words.iter().all(|&word| word == 0)
    }

    /// Its events, in order.
    pub fn iter(&self) -> impl Iterator<Item = usize> + '_ {
        bits(&self.words)
    }

    fn combine(&self, other: &EventSet, word: impl Fn(u64, u64) -> u64) -> EventSet {
        let words = self.words.iter().zip(&other.words);
        EventSet {
            words: words.map(|(&a, &b)| word(a, b)).collect(),
            size: self.size,
        }
    }

    /// Events of either.
    pub fn union(&self, other: &EventSet) -> EventSet {
        self.combine(other, |a, b| a | b)
    }

    /// Events of both.
    pub fn intersection(&self, other: &EventSet) -> EventSet {
        self.combine(other, |a, b| a & b)
    }

    /// Events of this one only.
    pub fn difference(&self, other: &EventSet) -> EventSet {
        self.combine(other, |a, b| a & !b)
    }
}

impl Relation {
    /// The empty relation between `size` events.
    pub fn empty(size: usize) -> Relation {
        Relation {
            rows: vec![0; size * words(size)],
            size,
        }
    }

    /// The pairs that `relates` accepts.
    pub fn of(size: usize, relates: impl Fn(usize, usize) -> bool) -> Relation {
        let mut relation = Relation::empty(size);
        for from in 0..size {
            for to in (0..size).filter(|&to| relates(from, to)) {
                relation.insert(from, to);
            }
        }
        relation
    }

    /// Every event with itself, for the events of a set.
    pub fn identity(set: &EventSet) -> Relation {
        let mut relation = Relation::empty(set.size);
        for event in set.iter() {
            relation.insert(event, event);
        }
        relation
    }

    /// Every event of one set with every event of another.
    pub fn product(from: &EventSet, to: &EventSet) -> Relation {
        let mut relation = Relation::empty(from.size);
        for event in from.iter() {
            relation.row_mut(event).copy_from_slice(&to.words);
        }
        relation
    }

    fn row(&self, event: usize) -> &[u64] {
        let width = words(self.size);
        &self.rows[event * width..(event + 1) * width]
    }

    fn row_mut(&mut self, event: usize) -> &mut [u64] {
        let width = words(self.size);
        &mut self.rows[event * width..(event + 1) * width]
    }

    /// Adds a pair.
    pub fn insert(&mut self, from: usize, to: usize) {
        self.row_mut(from)[to / 64] |= 1 << (to % 64);
    }

    /// Is the pair in it?
    pub fn contains(&self, from: usize, to: usize) -> bool {
        self.row(from)[to / 64] >> (to % 64) & 1 != 0
    }

    /// The events that `from` is related to, in order.
    pub fn successors(&self, from: usize) -> impl Iterator<Item = usize> + '_ {
        bits(self.row(from))
    }

    /// Its pairs, in order.
    pub fn pairs(&self) -> impl Iterator<Item = (usize, usize)> + '_ {
        (0..self.size).flat_map(|from| self.successors(from).map(move |to| (from, to)))
    }

    fn combine(&self, other: &Relation, word: impl Fn(u64, u64) -> u64) -> Relation {
        let rows = self.rows.iter().zip(&other.rows);
        Relation {
            rows: rows.map(|(&a, &b)| word(a, b)).collect(),
            size: self.size,
        }
    }

    /// Its pairs that begin in a set.
    pub fn from_set(mut self, set: &EventSet) -> Relation {
        for event in (0..self.size).filter(|&event| !set.contains(event)) {
            self.row_mut(event).fill(0);
        }
        self
    }

    /// Its pairs that end in a set.
    pub fn to_set(mut self, set: &EventSet) -> Relation {
        if self.size > 0 {
            for row in self.rows.chunks_exact_mut(words(self.size)) {
                row.iter_mut().zip(&set.words).for_each(|(a, b)| *a &= b);
            }
        }
        self
    }

    /// Relates an event to the events of a set, and to no others.
    pub fn set_row(&mut self, event: usize, set: &EventSet) {
        self.row_mut(event).copy_from_slice(&set.words);
    }

    /// Pairs of either.
    pub fn union(&self, other: &Relation) -> Relation {
        self.combine(other, |a, b| a | b)
    }

    /// Pairs of both.
    pub fn intersection(&self, other: &Relation) -> Relation {
        self.combine(other, |a, b| a & b)
    }

    /// Pairs of this one only.
    pub fn difference(&self, other: &Relation) -> Relation {
        self.combine(other, |a, b| a & !b)
    }

    /// A step of this one, then a step of the other.
    pub fn then(&self, other: &Relation) -> Relation {
        let mut result = Relation::empty(self.size);
        for from in 0..self.size {
            let row = result.row_mut(from);
            each_bit(self.row(from), |middle| {
                let more = other.row(middle).iter();
                row.iter_mut().zip(more).for_each(|(a, b)| *a |= b);
            });
        }
        result
    }

    /// The pairs the other way round.
    pub fn inverse(&self) -> Relation {
        let mut result = Relation::empty(self.size);
        for from in 0..self.size {
            each_bit(self.row(from), |to| result.insert(to, from));
        }
        result
    }

    /// One or more steps.
    pub fn closure(&self) -> Relation {
        let mut result = self.clone();
        let width = words(self.size);
        let mut through = vec![0; width];
        for middle in 0..self.size {
            through.copy_from_slice(result.row(middle));
            if through.iter().all(|&word| word == 0) {
                continue;
            }
            let (word, bit) = (middle / 64, 1 << (middle % 64));
            for row in result.rows.chunks_exact_mut(width) {
                if row[word] & bit != 0 {
                    row.iter_mut().zip(&through).for_each(|(a, b)| *a |= b);
                }
            }
        }
        result
    }

    /// A shortest path of one or more steps between two events.
    pub fn path(&self, from: usize, to: usize) -> Option<Vec<usize>> {
        let mut before = vec![None; self.size];
        let mut queue = std::collections::VecDeque::from([from]);
        while let Some(event) = queue.pop_front() {
            for next in self.successors(event) {
                if before[next].is_none() {
                    before[next] = Some(event);
                    queue.push_back(next);
                }
            }
            if before[to].is_some() {
                break;
            }
        }
        let mut path = vec![to];
        let mut last = before[to]?;
        while last != from {
            path.push(last);
            last = before[last]?;
        }
        path.push(from);
        path.reverse();
        Some(path)
    }

    /// How many events there are.
    pub fn size(&self) -> usize {
        self.size
    }

    /// Has it no pair?
    pub fn is_empty(&self) -> bool {
        self.rows.iter().all(|&word| word == 0)
    }

    /// Is some event related to itself?
    pub fn has_loop(&self) -> bool {
        (0..self.size).any(|event| self.contains(event, event))
    }

    /// Is there a cycle? Events without a predecessor that is left are taken away, until there are none.
    pub fn has_cycle(&self) -> bool {
        let mut before = vec![0_u32; self.size];
        for from in 0..self.size {
            each_bit(self.row(from), |to| before[to] += 1);
        }
        let mut free: Vec<usize> = (0..self.size).filter(|&it| before[it] == 0).collect();
        let mut taken = 0;
        while let Some(event) = free.pop() {
            taken += 1;
            each_bit(self.row(event), |next| {
                before[next] -= 1;
                if before[next] == 0 {
                    free.push(next);
                }
            });
        }
        taken < self.size
    }

    /// A shortest cycle: its events, the first one again at the end.
    pub fn cycle(&self) -> Option<Vec<usize>> {
        let closed = self.closure();
        let on_cycle = (0..self.size).filter(|&event| closed.contains(event, event));
        let cycles = on_cycle.filter_map(|event| self.path(event, event));
        cycles.min_by_key(Vec::len)
    }
}
