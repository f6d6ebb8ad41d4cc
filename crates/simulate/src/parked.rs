//! Threads that have to wait, by what they wait for.

use expr::VarId;
use rustc_hash::FxHashMap;
use semantics::{Cell, Tid};
use statespace::Random;

/// What a thread waits for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Place {
    /// A write of a global.
    Var(VarId),
    /// A write of these eight bytes of memory.
    Word(u64),
    /// The lock in these eight bytes: of those who wait for it, one gets it.
    Lock(u64),
    /// The end of a thread.
    End(Tid),
}

/// The words of memory, or the global, of a cell.
pub fn places(cell: Cell) -> impl Iterator<Item = Place> {
    let (var, words) = match cell {
        Cell::Var(var) => (Some(Place::Var(var)), 0..0),
        Cell::Bytes { start, len } => (None, start / 8..start.saturating_add(len).div_ceil(8)),
    };
    var.into_iter().chain(words.map(Place::Word))
}

/// Threads that were found unable to move.
#[derive(Default)]
pub struct Parked {
    /// By thread: odd while it is parked, and another number each time.
    stamps: Vec<u32>,
    count: usize,
    /// Who waits where; an entry with an old stamp does not count.
    waiting: FxHashMap<Place, Vec<(Tid, u32)>>,
}

impl Parked {
    /// A thread waits until something happens at one of these places.
    pub fn park(&mut self, tid: Tid, places: impl Iterator<Item = Place>) {
        let index = tid.0 as usize;
        if self.stamps.len() <= index {
            self.stamps.resize(index + 1, 0);
        }
        assert!(
            self.stamps[index].is_multiple_of(2),
            "a parked thread is not parked again"
        );
        self.stamps[index] += 1;
        self.count += 1;
        let stamp = self.stamps[index];
        for place in places {
            let all = self.waiting.entry(place).or_default();
            if all.len() > 2 * self.stamps.len() + 64 {
                all.retain(|&(tid, stamp)| self.stamps[tid.0 as usize] == stamp);
            }
            all.push((tid, stamp));
        }
    }

    /// Something has happened at a place: those who waited for it may be able to move, if `wanted` agrees.
    pub fn wake(&mut self, place: Place, wanted: impl Fn(Tid) -> bool, mut woken: impl FnMut(Tid)) {
        let Some(all) = self.waiting.get_mut(&place) else {
            return;
        };
        let stamps = &mut self.stamps;
        let mut count = 0;
        all.retain(|&(tid, stamp)| {
            let index = tid.0 as usize;
            let is_there = stamps[index] == stamp;
            if is_there && wanted(tid) {
                stamps[index] += 1;
                count += 1;
                woken(tid);
                return false;
            }
            is_there
        });
        self.count -= count;
    }

    /// A lock may be free: one of those who wait for it may be able to move.
    pub fn wake_one(&mut self, lock: Place, random: &mut Random) -> Option<Tid> {
        let all = self.waiting.get_mut(&lock)?;
        while !all.is_empty() {
            let (tid, stamp) = all.swap_remove(random.below(all.len()));
            let known = &mut self.stamps[tid.0 as usize];
            if *known == stamp {
                *known += 1;
                self.count -= 1;
                return Some(tid);
            }
        }
        None
    }

    /// Everybody who is parked, once; nobody is afterwards.
    pub fn take_all(&mut self) -> Vec<Tid> {
        if self.count == 0 {
            return Vec::new();
        }
        self.count = 0;
        self.waiting.clear();
        let stamps = self.stamps.iter_mut().enumerate();
        let parked = stamps.filter(|(_, stamp)| **stamp % 2 == 1);
        let taken = parked.map(|(tid, stamp)| {
            *stamp += 1;
            Tid(tid as u32)
        });
        taken.collect()
    }
}
