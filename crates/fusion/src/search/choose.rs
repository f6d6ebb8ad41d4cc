//! What to run next.

use super::Search;
use crate::event::Answers;
use crate::node::Next;
use semantics::{Status, Tid};

impl Search<'_, '_> {
    /// What has been noted for the current point.
    pub(super) fn pending(&mut self) -> Option<Next> {
        if self.events.len() >= self.depth {
            return None;
        }
        let index = self.events.len();
        let node = &mut self.nodes[index];
        if let Some(tid) = node.retry {
            return Some(Next::step(tid, node.combination.take().unwrap_or_default()));
        }
        if let (Some(answers), Some(running)) = (node.combination.take(), &node.running) {
            return Some(Next::step(running.shape.tid, answers));
        }
        node.put_to_sleep();
        while !self.nodes[index].tree.is_empty() {
            let branch = self.nodes[index].tree.remove(0);
            let shape = branch.shape;
            let sleeps = self.nodes[index].sleeps_with(shape.tid, &shape.answers);
            if !sleeps && self.is_alive(shape.tid) {
                return Some(Next {
                    tid: shape.tid,
                    answers: shape.answers.clone(),
                    then: branch.children,
                    exact: true,
                    tentative: branch.tentative,
                });
            }
        }
        let node = &self.nodes[index];
        let mut noted = node.backtrack.iter().copied();
        let open = |tid| !node.sleeps(tid) && !node.refused.contains(&tid);
        let tid = noted.find(|&tid| open(tid) && self.is_alive(tid))?;
        Some(Next::step(tid, Answers::new()))
    }

    /// Any thread that can go on and is not asleep, at a point where nothing has been run yet.
    pub(super) fn free_choice(&mut self) -> Option<Next> {
        let node = &self.nodes[self.events.len()];
        if node.begun || self.events.len() >= self.depth {
            return None;
        }
        let last = self.events.last().map(|event| event.tid);
        let all = 0..self.threads.len() as u32;
        let tid = last.into_iter().chain(all).find(|&tid| {
            !self.threads[tid as usize].blocked
                && self.is_alive(tid)
                && !node.sleeps(tid)
                && !node.refused.contains(&tid)
        })?;
        Some(Next::step(tid, Answers::new()))
    }

    pub(super) fn is_alive(&self, tid: u32) -> bool {
        let stopped = self.threads[tid as usize].events.last();
        let stopped = stopped.is_some_and(|&event| self.events[event as usize].stops);
        !stopped && self.runner.state.thread(Tid(tid)).status == Status::Running
    }
}
