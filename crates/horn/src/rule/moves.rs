//! Clauses S4 to S6: what happens in a situation, by its members and by others.

use super::{Builder, Values};
use crate::control::{ThreadPosition, Who};
use crate::steps::Step;
use crate::variables::Member;
use expr::Term;
use smt::horn::{Application, Rule};
use xcfa::LocId;

/// A step, seen from a set of threads.
struct Change<'a> {
    members: &'a [Member],
    before: &'a [ThreadPosition],
    after: &'a [ThreadPosition],
    /// The thread that takes it.
    actor: Member,
    /// The same, by its number among the members if it is one.
    acting: Option<usize>,
}

impl Builder<'_, '_, '_> {
    /// S4 to S6: everything that can happen in a situation.
    pub(super) fn leave(&mut self, set: usize, places: &[ThreadPosition]) {
        let members = self.control.sets[set].clone();
        let steps = self.control.steps;
        for next in self.control.moves(set, places) {
            let step = &steps.steps[next.step];
            let Some(&pred) = self.predicates.get(&(set, next.after.clone())) else {
                continue;
            };
            let here = self.apply(set, &members, places);
            match next.who {
                Who::Inside(at) => {
                    let values = self.values(step, members[at]);
                    let change = Change {
                        members: &members,
                        before: places,
                        after: &next.after,
                        actor: members[at],
                        acting: Some(at),
                    };
                    let args = self.after(&change, step, &values);
                    let head = Some(Application { pred, args });
                    let body = vec![here];
                    let constraint = values.guard;
                    self.add(Rule::new(body, constraint, head), Some(next.step));
                }
                Who::Outside(other) if self.matters(step, places, &next.after) => {
                    let began = match self.control.blocks.is_inside(step.source) {
                        false => vec![step.source],
                        true => self.beginnings(step.thread, step.source),
                    };
                    for start in began {
                        let Some(mut body) = self.together(&members, places, other, start) else {
                            continue;
                        };
                        body.push(here.clone());
                        let mut values = self.values(step, other);
                        if start != step.source {
                            body.push(self.summary(step.thread, start, step.source, other));
                            values = self.in_the_middle(values);
                        }
                        let change = Change {
                            members: &members,
                            before: places,
                            after: &next.after,
                            actor: other,
                            acting: None,
                        };
                        let args = self.after(&change, step, &values);
                        let head = Some(Application { pred, args });
                        let constraint = values.guard;
                        self.add(Rule::new(body, constraint, head), None);
                    }
                }
                Who::Outside(_) => {}
            }
        }
    }

    /// Can the members notice the step?
    fn matters(&self, step: &Step, before: &[ThreadPosition], after: &[ThreadPosition]) -> bool {
        let globals = self.variables.globals();
        before != after
            || self.control.blocks.is_inside(step.source)
            || globals.iter().any(|var| step.updates.contains_key(var))
    }

    /// The invariants of the sets in which `other` stands for a member; nothing if it cannot be
    /// at `loc` together with the members.
    fn together(
        &mut self,
        members: &[Member],
        places: &[ThreadPosition],
        other: Member,
        loc: LocId,
    ) -> Option<Vec<Application>> {
        let mut body = Vec::new();
        for left_out in 0..members.len() {
            let mut cast: Vec<(Member, ThreadPosition)> = Vec::new();
            for (at, &member) in members.iter().enumerate() {
                if at != left_out {
                    cast.push((member, places[at]));
                }
            }
            cast.push((other, Some(loc)));
            cast.sort_by_key(|(member, _)| *member);
            let threads: Vec<usize> = cast.iter().map(|(member, _)| member.thread).collect();
            let mut sets = self.control.sets.iter();
            let set =
                sets.position(|set| set.iter().map(|m| m.thread).eq(threads.iter().copied()))?;
            let (members, places): (Vec<Member>, Vec<ThreadPosition>) = cast.into_iter().unzip();
            if !self.predicates.contains_key(&(set, places.clone())) {
                return None;
            }
            body.push(self.apply(set, &members, &places));
        }
        Some(body)
    }

    /// The state after a step: of the actor, of the threads that it starts, and of the others.
    fn after(&mut self, change: &Change<'_>, step: &Step, values: &Values) -> Vec<Term> {
        let mut state = values.globals.clone();
        for (at, &member) in change.members.iter().enumerate() {
            let Some(loc) = change.after[at] else {
                continue;
            };
            for var in self.variables.locals(member.thread, loc) {
                let value = if change.before[at].is_none() {
                    match step.updates.contains_key(&var) {
                        true => self.value(step, var, change.actor),
                        false => self.first(var),
                    }
                } else if change.acting == Some(at) {
                    self.value(step, var, change.actor)
                } else {
                    self.variables.term(self.terms, var, member)
                };
                state.push(value);
            }
        }
        state
    }
}
