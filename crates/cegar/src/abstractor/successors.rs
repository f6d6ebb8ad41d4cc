//! The states after an action, of a thread of its own or of one in a crowd.

use super::Abstractor;
use crate::arg::{AbstractState, NodeId};
use abstraction::{ActionId, Data, Member, Precision};
use expr::Terms;
use std::rc::Rc;

impl Abstractor<'_> {
    /// Explores what the threads of templates can do.
    pub(super) fn explore_crowd(
        &mut self,
        id: NodeId,
        terms: &mut Terms,
        precision: &Precision,
    ) -> Option<NodeId> {
        let mut error = None;
        if self.arg.node(id).control.holder().is_some() {
            return None;
        }
        for member in 0..self.arg.node(id).crowd.members().len() {
            let loc = self.arg.node(id).crowd.members()[member].0.loc;
            for &action in self.program.out(loc) {
                let found = self.follow(id, Some(member), action, terms, precision);
                error = error.or(found);
            }
        }
        error
    }

    /// Adds the successors by one action, of a member of the crowd or not; returns an error node.
    pub(super) fn follow(
        &mut self,
        id: NodeId,
        member: Option<usize>,
        action: ActionId,
        terms: &mut Terms,
        precision: &Precision,
    ) -> Option<NodeId> {
        self.explored += 1;
        let node = self.arg.node(id);
        let data = node.data_of(member);
        let results = self
            .post
            .post(self.program, terms, precision, &data, action);
        let changed = self.bystanders(id, action, terms, precision, &data);
        let mut error = None;
        for data in results {
            let changed = changed.clone();
            let state = self.successor(id, member, action, changed, data, precision);
            let child = self.arg.add(Some((id, action)), state);
            let child_node = self.arg.node(child);
            if child_node.coverer.is_none() {
                if error.is_none() && self.is_target(child_node) {
                    error = Some(child);
                }
                self.wait(child);
            }
        }
        error
    }

    /// The state after an action with the given data: the threads, their locations and what is
    /// known about them.
    fn successor(
        &self,
        id: NodeId,
        member: Option<usize>,
        action: ActionId,
        changed: Vec<(usize, Rc<Member>)>,
        mut data: Data,
        precision: &Precision,
    ) -> AbstractState {
        let program = self.program;
        let action = &program[action];
        let node = self.arg.node(id);
        let mut crowd = node.crowd.left(member, &changed, &self.thresholds);
        let mut control = (*node.control).clone();
        if member.is_some() {
            control = control.with(action.thread, action.source);
        }
        let control = control.after(program, action);
        let mut arrived = Vec::new();
        if program.has_templates() {
            let moved = program.threads[action.thread].many && control.holder().is_none();
            let moved = moved.then_some((action.thread, action.target));
            let started = action.starts.iter().copied();
            let started = started.filter(|&thread| program.threads[thread].many);
            let started = started.map(|thread| (thread, program.threads[thread].init));
            for (thread, loc) in moved.into_iter().chain(started) {
                let member = Rc::new(Member::taken(program, precision, thread, loc, &mut data));
                if !program.out(loc).is_empty() || program.error(loc).is_some() {
                    crowd.add(member.clone(), &self.thresholds);
                }
                arrived.push(member);
            }
        }
        AbstractState {
            control,
            crowd,
            data,
            member,
            changed,
            arrived,
        }
    }

    /// The members of the crowd about which less is known after another thread's action.
    fn bystanders(
        &mut self,
        id: NodeId,
        action: ActionId,
        terms: &mut Terms,
        precision: &Precision,
        data: &Data,
    ) -> Vec<(usize, Rc<Member>)> {
        let mut changed = Vec::new();
        for (number, (member, _)) in self.arg.node(id).crowd.members().iter().enumerate() {
            let now = self
                .post
                .bystander(self.program, terms, precision, data, action, member);
            changed.extend(now.map(|now| (number, Rc::new(now))));
        }
        changed
    }
}
