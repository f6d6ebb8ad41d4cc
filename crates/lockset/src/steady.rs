//! Where `main` is alone, and memory that is only written there.
//!
//! Before `main` starts threads, and once it has joined all of them, no other thread is there that could
//! see it write. So as long as a thread other than the first lives, such memory stays as it is, and all
//! threads that live at the same time find the same in it. Later threads may find something else.

use crate::may_happen_in_parallel::MayHappenInParallel;
use crate::program::Program;
use dataflow::{Analysed, BitSet, Storage, touches};
use xcfa::{Label, ObjectKind};

/// Where there is no thread but the first.
#[derive(Clone, PartialEq, Eq)]
pub struct Alone {
    /// By location: is it one of `main`, at which no other thread is running?
    pub at: Vec<bool>,
    /// The static objects that are only written there.
    pub steady: BitSet,
}

impl Alone {
    /// As far as is plain: before the first thread.
    pub fn before_threads(xcfa: &Analysed) -> Alone {
        Alone::with(xcfa, xcfa.before_threads().to_vec())
    }

    /// Also once all threads have been joined.
    pub fn of(program: &Program<'_>, threads: &MayHappenInParallel) -> Alone {
        let locs = program.xcfa.loc_ids();
        let at = locs.map(|loc| threads.is_main_alone(program, loc));
        Alone::with(program.xcfa, at.collect())
    }

    fn with(xcfa: &Analysed, at: Vec<bool>) -> Alone {
        let steady = only_written_where(xcfa, &at);
        Alone { at, steady }
    }
}

/// The static objects that are only written at these locations, by edges that start no threads.
pub fn only_written_where(xcfa: &Analysed, allowed: &[bool]) -> BitSet {
    let is_static = |at: &usize| matches!(xcfa.objects[*at].kind, ObjectKind::Static { .. });
    let mut found: BitSet = (0..xcfa.objects.len()).filter(is_static).collect();
    for edge in &xcfa.edges {
        if allowed[edge.source.0 as usize] && !edge.labels.iter().any(starts) {
            continue;
        }
        let labels = edge.labels.iter();
        for touch in labels.flat_map(|it| touches(xcfa, xcfa.points_to(), it)) {
            if let (Storage::Memory(target, _), true) = (touch.place, touch.write) {
                found.remove(target.object.0 as usize);
            }
        }
    }
    found
}

fn starts(label: &Label) -> bool {
    matches!(label, Label::Start { .. } | Label::Call { .. })
}
