//! Where the threads are.

use crate::{Action, Program};
use xcfa::LocId;

/// The control part of a state: the location of every thread, and which one is in an atomic section.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Control {
    locs: Box<[Option<LocId>]>,
    holder: Option<(u32, u32)>,
}

impl Control {
    /// Only the first thread runs.
    pub fn initial(program: &Program) -> Control {
        let mut locs = vec![None; program.threads.len()];
        locs[0] = Some(program.threads[0].init);
        Control {
            locs: locs.into(),
            holder: None,
        }
    }

    /// Where a thread is, if it has been started.
    pub fn loc(&self, thread: usize) -> Option<LocId> {
        self.locs[thread]
    }

    /// The threads that have been started, with their locations.
    pub fn threads(&self) -> impl Iterator<Item = (usize, LocId)> + '_ {
        let locs = self.locs.iter().enumerate();
        locs.filter_map(|(thread, loc)| loc.map(|loc| (thread, loc)))
    }

    /// The thread in an atomic section.
    pub fn holder(&self) -> Option<usize> {
        self.holder.map(|(thread, _)| thread as usize)
    }

    /// With one thread of a template as the one that moves.
    pub fn with(&self, thread: usize, loc: LocId) -> Control {
        let mut next = self.clone();
        next.locs[thread] = Some(loc);
        next
    }

    /// After an action. Threads of templates have a place here only in an atomic section.
    pub fn after(&self, program: &Program, action: &Action) -> Control {
        let mut next = self.clone();
        next.locs[action.thread] = Some(action.target);
        for &started in &action.starts {
            if !program.threads[started].many {
                next.locs[started] = Some(program.threads[started].init);
            }
        }
        let depth = self.holder.map_or(0, |(_, depth)| depth as i32);
        let depth = action.depth_after(depth);
        next.holder = (depth > 0).then_some((action.thread as u32, depth as u32));
        if depth <= 0 && program.threads[action.thread].many {
            next.locs[action.thread] = None;
        }
        next
    }
}
