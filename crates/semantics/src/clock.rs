//! What a thread knows of the others: for each, the number of its last step that is ordered before.
//!
//! A clock is kept in pieces that clocks share as long as they are equal: passing one on costs a few
//! words for every 64 threads, so that executions of 10,000 threads can be watched.

use crate::Tid;
use std::rc::Rc;

/// How many threads a piece is about.
const PIECE: usize = 64;

/// A vector clock.
#[derive(Clone, Debug, Default)]
pub(crate) struct Clock {
    pieces: Vec<Rc<[u32; PIECE]>>,
}

impl Clock {
    /// The last step of a thread that is known; 0 if none is.
    pub fn get(&self, tid: Tid) -> u32 {
        let piece = self.pieces.get(tid.0 as usize / PIECE);
        piece.map_or(0, |piece| piece[tid.0 as usize % PIECE])
    }

    /// From now on this step is known.
    pub fn set(&mut self, tid: Tid, time: u32) {
        let at = tid.0 as usize / PIECE;
        while self.pieces.len() <= at {
            self.pieces.push(Rc::new([0; PIECE]));
        }
        Rc::make_mut(&mut self.pieces[at])[tid.0 as usize % PIECE] = time;
    }

    /// Learns what another one knows.
    pub fn merge(&mut self, from: &Clock) {
        for (at, theirs) in from.pieces.iter().enumerate() {
            let Some(mine) = self.pieces.get_mut(at) else {
                self.pieces.push(Rc::clone(theirs));
                continue;
            };
            if Rc::ptr_eq(mine, theirs) || knows(mine, theirs) {
                continue;
            }
            if knows(theirs, mine) {
                *mine = Rc::clone(theirs);
                continue;
            }
            let mine = Rc::make_mut(mine);
            for (mine, theirs) in mine.iter_mut().zip(theirs.iter()) {
                *mine = (*mine).max(*theirs);
            }
        }
    }
}

fn knows(one: &[u32; PIECE], other: &[u32; PIECE]) -> bool {
    one.iter().zip(other).all(|(one, other)| one >= other)
}
