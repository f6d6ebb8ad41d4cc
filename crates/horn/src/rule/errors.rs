//! Clause S7: errors are out of reach.

use super::Builder;
use crate::control::{Control, Situation, ThreadPosition};
use crate::variables::Member;
use smt::horn::{Application, Rule};
use xcfa::LocId;

impl Builder<'_, '_, '_> {
    /// S7: no error step can be done, as far as all invariants about its thread know.
    pub(super) fn errors(&mut self, situations: &[Situation]) {
        let steps = self.control.steps;
        for (number, step) in steps.steps.iter().enumerate() {
            if self.control.program.error(step.target) != Some(self.target) {
                continue;
            }
            let actor = Member {
                thread: step.thread,
                copy: 0,
            };
            let mut body = Vec::new();
            for set in 0..self.control.sets.len() {
                let members = self.control.sets[set].clone();
                let Some(at) = members.iter().position(|&member| member == actor) else {
                    continue;
                };
                match self.projection(situations, set, at, step.source) {
                    Some(here) => body.push(here),
                    None => {
                        body.clear();
                        break;
                    }
                }
            }
            if body.is_empty() {
                continue;
            }
            let constraint = self.variables.renamed(self.terms, step.guard, actor);
            let head = None;
            self.add(Rule::new(body, constraint, head), Some(number));
        }
    }

    /// What a set knows about one of its members at a location, whatever the others are doing;
    /// nothing if the member cannot be there.
    fn projection(
        &mut self,
        situations: &[Situation],
        set: usize,
        at: usize,
        loc: LocId,
    ) -> Option<Application> {
        let members = self.control.sets[set].clone();
        let actor = members[at];
        let args = self.state(&[actor], &[Some(loc)]);
        let may_act = |control: &Control<'_>, places: &[ThreadPosition]| {
            places[at] == Some(loc) && control.busy(places).is_none_or(|busy| busy == at)
        };
        let fitting = situations.iter().filter(|(of, _)| *of == set);
        let fitting: Vec<&Situation> = fitting.filter(|(_, p)| may_act(&self.control, p)).collect();
        if fitting.is_empty() {
            return None;
        }
        if members.len() == 1 {
            return Some(self.apply(set, &members, &[Some(loc)]));
        }
        let key = (set, actor, loc);
        if let Some(&pred) = self.here.get(&key) {
            return Some(Application { pred, args });
        }
        let name = format!("seen_{}", self.name(&[actor], &[Some(loc)]));
        let pred = self.safety.system.predicate(&name, args.clone());
        self.here.insert(key, pred);
        for (_, places) in fitting {
            let body = vec![self.apply(set, &members, places)];
            let head = Some(Application::new(pred, args.clone()));
            let constraint = self.terms.bool(true);
            self.add(Rule::new(body, constraint, head), None);
        }
        Some(Application { pred, args })
    }
}
