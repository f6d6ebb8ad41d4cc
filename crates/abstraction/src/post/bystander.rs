//! What is known about a thread of a template while another thread takes an action.

use super::facts::Facts;
use super::{Before, Post};
use crate::{Action, ActionId, Data, Member, Precision, Program, Truth};
use expr::{Term, Terms, VarId};
use rustc_hash::FxHashMap;

/// A thread that stands by has variables of its own even if the one that moves is like it: the
/// same variables under other numbers.
pub fn twin(program: &Program, var: VarId) -> VarId {
    VarId(program.vars.len() as u32 + var.0)
}

impl Post {
    /// What is known about a member of the crowd after another thread has taken the action in a
    /// state with the given data, unless it is what was known before. Nothing is learnt, but what
    /// still holds is kept.
    pub fn bystander(
        &mut self,
        program: &Program,
        terms: &mut Terms,
        precision: &Precision,
        data: &Data,
        action: ActionId,
        member: &Member,
    ) -> Option<Member> {
        let action = &program[action];
        let in_danger = in_danger(program, precision, action, member);
        if in_danger.is_empty() {
            return None;
        }
        let mut before = Before {
            precision,
            data,
            learnt: FxHashMap::default(),
        };
        let guard = self.learn(terms, action.guard, &mut before);
        let facts = Facts::of(terms, &before);
        // A contradiction means that the action is not possible here at all.
        let (guard, mut facts) = (guard?, facts?);
        let own = own_variables(program, terms, precision, member);
        for (number, predicate) in precision.predicates().iter().enumerate() {
            let truth = member.data.truth(number);
            if truth != Truth::Unknown {
                let fact = terms.substitute(predicate.term, &own);
                let fact = before.put_in(terms, fact);
                facts.add(terms, fact, truth == Truth::Yes);
            }
        }
        let mut with = own;
        with.extend(
            action
                .updates
                .iter()
                .copied()
                .filter(|&(var, _)| program.template(var) != Some(member.thread)),
        );
        let mut after = member.clone();
        for number in in_danger {
            let term = terms.substitute(precision.predicates()[number].term, &with);
            let term = before.put_in(terms, term);
            after.data.truths[number] = self.truth(terms, term, guard, &facts);
        }
        (after != *member).then_some(after)
    }
}

/// The known predicates over shared variables that the action changes.
fn in_danger(
    program: &Program,
    precision: &Precision,
    action: &Action,
    member: &Member,
) -> Vec<usize> {
    let shared = |var: usize| program.template(VarId(var as u32)) != Some(member.thread);
    let predicates = precision.predicates().iter().enumerate();
    let in_danger = predicates.filter(|(number, predicate)| {
        let mut vars = predicate.vars.iter();
        member.data.truth(*number) != Truth::Unknown
            && vars.any(|var| shared(var) && action.writes.contains(var))
    });
    in_danger.map(|(number, _)| number).collect()
}

/// What the variables of a member stand for: their values, or the variables of a twin.
fn own_variables(
    program: &Program,
    terms: &mut Terms,
    precision: &Precision,
    member: &Member,
) -> FxHashMap<VarId, Term> {
    let mut own = FxHashMap::default();
    for predicate in precision.predicates() {
        for var in predicate.vars.iter().map(|var| VarId(var as u32)) {
            if program.template(var) != Some(member.thread) {
                continue;
            }
            let sort = program.vars[var.0 as usize].sort;
            let known = precision.slot(var).and_then(|slot| member.data.value(slot));
            let term = match known {
                Some(value) => terms.constant(sort, value),
                None => terms.var(twin(program, var), sort),
            };
            own.insert(var, term);
        }
    }
    own
}
