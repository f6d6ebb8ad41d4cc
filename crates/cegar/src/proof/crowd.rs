//! Threads of templates in a proof: no thread gets lost, and what is known about them holds.

use super::{Checked, Work, ensure};
use crate::arg::Node;
use abstraction::{Action, Count, Crowd, Data, Member, Truth, twin};
use expr::{Term, VarId};
use rustc_hash::FxHashMap;
use xcfa::LocId;

impl Work<'_, '_> {
    /// Every thread of a template can take all its actions.
    pub(super) fn crowd(&mut self, node: &Node) -> Checked {
        if node.control.holder().is_some() {
            return Ok(());
        }
        for member in 0..node.crowd.members().len() {
            let loc = node.crowd.members()[member].0.loc;
            for &action in self.on.program.out(loc) {
                self.successors(node, Some(member), action)?;
            }
        }
        Ok(())
    }

    /// The successor has its threads where the action leads them.
    pub(super) fn places(
        &mut self,
        node: &Node,
        member: Option<usize>,
        action: &Action,
        child: &Node,
    ) -> Checked {
        let program = self.on.program;
        let control = match member {
            Some(_) => node.control.with(action.thread, action.source),
            None => (*node.control).clone(),
        };
        let control = control.after(program, action);
        ensure(
            *child.control == control,
            "a successor is at the wrong place",
        )?;
        // The crowd must contain the threads that were in it, with no more knowledge than before
        // about what the action changes; the one that moved, if it is not inside an atomic section;
        // and those that were started.
        let mut expected: Vec<(usize, LocId)> = Vec::new();
        if program.threads[action.thread].many && control.holder().is_none() {
            expected.push((action.thread, action.target));
        }
        for &thread in &action.starts {
            if program.threads[thread].many {
                expected.push((thread, program.threads[thread].init));
            }
        }
        let arrived = child
            .arrived
            .iter()
            .map(|member| (member.thread, member.loc));
        ensure(
            arrived.eq(expected),
            "another thread joined the crowd of a successor",
        )?;
        self.bystanders(node, member, action, child)?;
        self.still_there(node, member, child)
    }

    /// Counts the threads that must be in the crowd of a successor.
    fn still_there(&mut self, node: &Node, member: Option<usize>, child: &Node) -> Checked {
        let program = self.on.program;
        let mut needed: FxHashMap<&Member, u64> = FxHashMap::default();
        for (at, (waiting, count)) in node.crowd.members().iter().enumerate() {
            let count = match (count, member == Some(at)) {
                (Count::Any, _) => u64::MAX / 4,
                (Count::Exactly(n), true) => u64::from(*n) - 1,
                (Count::Exactly(n), false) => u64::from(*n),
            };
            let waiting = child.bystander(at, waiting);
            *needed.entry(waiting).or_default() += count;
        }
        for arrived in &child.arrived {
            let gone = program.out(arrived.loc).is_empty();
            if !gone || program.error(arrived.loc).is_some() {
                *needed.entry(arrived).or_default() += 1;
            }
        }
        let there = child.crowd.members().iter();
        let there: FxHashMap<&Member, Count> = there.map(|(m, c)| (&**m, *c)).collect();
        let enough = needed.iter().all(|(member, &count)| {
            count == 0
                || match there.get(member) {
                    Some(Count::Any) => true,
                    Some(Count::Exactly(n)) => u64::from(*n) >= count,
                    None => false,
                }
        });
        ensure(enough, "a thread is missing in the crowd of a successor")
    }

    /// What is claimed about bystanders holds after the action of another one.
    fn bystanders(
        &mut self,
        node: &Node,
        member: Option<usize>,
        action: &Action,
        child: &Node,
    ) -> Checked {
        let before = node.data_of(member);
        for (at, (waiting, _)) in node.crowd.members().iter().enumerate() {
            let now = child.bystander(at, waiting);
            let same_place = (now.thread, now.loc) == (waiting.thread, waiting.loc);
            let same_values = now.data.values == waiting.data.values;
            ensure(same_place && same_values, "a thread moved that stood by")?;
            for number in 0..self.on.precision.predicates().len() {
                let claimed = now.data.truth(number);
                if claimed != Truth::Unknown {
                    let kept = self.kept(&before, waiting, action, number, claimed);
                    ensure(kept, "too much is known about a thread that stood by")?;
                }
            }
        }
        Ok(())
    }

    /// Does a predicate of a bystander certainly have the claimed truth after the action?
    fn kept(
        &mut self,
        before: &Data,
        waiting: &Member,
        action: &Action,
        number: usize,
        claimed: Truth,
    ) -> bool {
        let program = self.on.program;
        let own = |var: VarId| program.template(var) == Some(waiting.thread);
        let predicate = self.on.precision.predicates()[number].term;
        let vars = self.on.terms.vars(predicate);
        let mut updates = action.updates.iter();
        let touched = updates.any(|&(var, _)| !own(var) && vars.contains(&var));
        if !touched && waiting.data.truth(number) == claimed {
            return true;
        }
        let mut facts = self.facts(before);
        for other in 0..self.on.precision.predicates().len() {
            let fact = self.on.precision.predicates()[other].term;
            let fact = self.of_twin(waiting, fact, &[]);
            let fact = self.put_in(before, fact);
            match waiting.data.truth(other) {
                Truth::Unknown => {}
                Truth::Yes => facts.push(fact),
                Truth::No => facts.push(self.on.terms.not(fact)),
            }
        }
        let after = self.of_twin(waiting, predicate, &action.updates);
        let wrong = match claimed {
            Truth::Yes => self.on.terms.not(after),
            _ => after,
        };
        let cond = self.on.terms.and(action.guard, wrong);
        let cond = self.put_in(before, cond);
        self.on.terms.as_const(cond) == Some(0)
            || !self.queries.satisfiable(self.on.terms, facts, cond)
    }

    /// A term with a bystander's variables under other numbers, after updates by another thread.
    fn of_twin(&mut self, waiting: &Member, term: Term, updates: &[(VarId, Term)]) -> Term {
        let (program, precision) = (self.on.program, self.on.precision);
        self.on.terms.map_leaves(term, &mut |terms, leaf| {
            let var = terms.as_var(leaf)?;
            if program.template(var) == Some(waiting.thread) {
                let slot = precision.slot(var);
                let value = slot.and_then(|slot| waiting.data.value(slot));
                let sort = terms.sort(leaf);
                return Some(match value {
                    Some(value) => terms.constant(sort, value),
                    None => terms.var(twin(program, var), sort),
                });
            }
            let update = updates.iter().find(|(updated, _)| *updated == var);
            update.map(|&(_, value)| value)
        })
    }

    /// Has `more` at least the threads of `crowd`?
    pub(super) fn crowd_below(&self, crowd: &Crowd, more: &Crowd) -> bool {
        crowd.members().iter().all(|(member, count)| {
            let mut others = more.members().iter();
            others.any(|(other, many)| other == member && many >= count)
        })
    }
}
