//! Undoes what a step changed before it turned out to be impossible.

use super::Runner;
use crate::statics::Backup;
use semantics::{State, Tid};

impl Runner<'_, '_> {
    pub(super) fn save(&mut self, backup: Backup, tid: Tid) {
        match backup {
            Backup::Nothing => {}
            Backup::Thread => {
                let thread = self.state.thread(tid);
                match &mut self.thread_backup {
                    Some(saved) => saved.clone_from(thread),
                    none => *none = Some(thread.clone()),
                }
            }
            Backup::Shared => copy_shared(&mut self.backup, &self.state, tid),
            Backup::Everything => self.backup.clone_from(&self.state),
        }
    }

    pub(super) fn restore(&mut self, backup: Backup, tid: Tid) {
        match backup {
            Backup::Nothing => {}
            Backup::Thread => {
                let saved = self.thread_backup.as_ref().expect("it was saved");
                self.state.threads[tid.0 as usize].clone_from(saved);
            }
            Backup::Shared => copy_shared(&mut self.state, &self.backup, tid),
            Backup::Everything => self.state.clone_from(&self.backup),
        }
    }
}

/// Copies one thread and what all threads share.
fn copy_shared(to: &mut State, from: &State, tid: Tid) {
    let index = tid.0 as usize;
    if to.threads.len() <= index {
        to.threads
            .resize_with(index + 1, || from.threads[index].clone());
    }
    to.globals.clone_from(&from.globals);
    to.memory.clone_from(&from.memory);
    to.threads[index].clone_from(&from.threads[index]);
    to.holder = from.holder;
    to.ended = from.ended;
}
