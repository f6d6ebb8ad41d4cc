//! What other threads may break.

use crate::fixpoint::{Fixpoint, Stopped};
use abstraction::{ActionId, Program, twin};
use dataflow::BitSet;
use expr::{Term, Terms, VarId};
use rustc_hash::FxHashMap;
use xcfa::LocId;

/// A thread that stands at a location while another one moves.
struct Bystander {
    at: usize,
    /// The names of its variables, if there may be more threads like it.
    names: FxHashMap<VarId, Term>,
}

impl Fixpoint<'_> {
    /// Takes away what an action may break at a location of another thread, for all pairs of which one
    /// is new.
    pub fn interfere(&mut self, terms: &mut Terms) -> Result<(), Stopped> {
        let changed = std::mem::take(&mut self.changed);
        for id in self.program.action_ids() {
            let source = self.program[id].source;
            if self.known[source.0 as usize].is_none() || !self.writes_shared(id) {
                continue;
            }
            for at in 0..self.program.locations() {
                let new = changed.contains(&source.0) || changed.contains(&(at as u32));
                if new && self.are_different(id, at) {
                    self.disturb(terms, id, at)?;
                }
            }
        }
        Ok(())
    }

    /// Does the action set what other threads see?
    fn writes_shared(&self, id: ActionId) -> bool {
        let mut writes = self.program[id].writes.iter();
        writes.any(|var| self.program.vars[var].owner.is_none())
    }

    /// Can another thread be at the location while the action is taken?
    fn are_different(&self, id: ActionId, at: usize) -> bool {
        let thread = self.thread_of[at];
        let apart = thread != self.program[id].thread || self.program.threads[thread].many;
        apart && !self.inside[at]
    }

    fn disturb(&mut self, terms: &mut Terms, id: ActionId, at: usize) -> Result<(), Stopped> {
        let action = &self.program[id];
        let Some(there) = self.known[at].clone() else {
            return Ok(());
        };
        let here = self.known[action.source.0 as usize]
            .clone()
            .unwrap_or_default();
        let endangered: Vec<usize> = there
            .iter()
            .filter(|&atom| self.candidates.atoms[atom].vars.intersects(&action.writes))
            .collect();
        if endangered.is_empty() || self.exclude_each_other(&here, &there) {
            return Ok(());
        }
        let bystander = Bystander {
            at,
            names: names(self.program, terms, self.thread_of[at]),
        };
        let relevant = self.relevant(id, &here, &endangered);
        let mut facts = self.about(&here, &relevant);
        facts.push(action.guard);
        for fact in self.about(&there, &relevant) {
            facts.push(terms.substitute(fact, &bystander.names));
        }
        let standing = self.thread_of[at];
        facts.push(self.program.apart(terms, action.thread, standing));
        let asked = endangered.iter().map(|&atom| {
            let own = terms.substitute(self.candidates.atoms[atom].term, &bystander.names);
            (atom, terms.substitute(own, &self.updates[id.0 as usize]))
        });
        let asked: Vec<(usize, Term)> = asked.collect();
        let kept = self.prover.following(terms, &facts, asked)?;
        if kept.len() < endangered.len()
            && self.can_meet(terms, (id, &here), (&bystander, &there))?
        {
            let safe = there.iter().filter(|atom| !endangered.contains(atom));
            self.learn(LocId(bystander.at as u32), safe.chain(kept).collect());
        }
        Ok(())
    }

    /// Can one thread take the action while another is at the location? A question about single facts
    /// leaves out what has nothing to do with them, such as that both would hold the same lock.
    fn can_meet(
        &mut self,
        terms: &mut Terms,
        (id, here): (ActionId, &BitSet),
        (bystander, there): (&Bystander, &BitSet),
    ) -> Result<bool, Stopped> {
        let action = &self.program[id];
        let mut facts = self.facts(here);
        facts.push(action.guard);
        for fact in self.facts(there) {
            facts.push(terms.substitute(fact, &bystander.names));
        }
        let standing = self.thread_of[bystander.at];
        facts.push(self.program.apart(terms, action.thread, standing));
        Ok(self.prover.consistent(terms, &facts)?)
    }

    /// Is one fact the negation of another?
    fn exclude_each_other(&self, here: &BitSet, there: &BitSet) -> bool {
        here.iter().any(|atom| {
            let about = &self.candidates.atoms[atom];
            about.owner.is_none() && about.negation.is_some_and(|other| there.contains(other))
        })
    }

    /// The variables that matter for what an action does to some facts, and those that the moving thread
    /// knows to have to do with what it sets.
    fn relevant(&self, id: ActionId, here: &BitSet, endangered: &[usize]) -> BitSet {
        let mut relevant = self.candidates.control.clone();
        relevant.union_with(&self.program[id].reads);
        let writes = &self.program[id].writes;
        for &atom in endangered {
            relevant.union_with(&self.candidates.atoms[atom].vars);
        }
        for atom in here.iter() {
            let vars = &self.candidates.atoms[atom].vars;
            if vars.intersects(writes) {
                relevant.union_with(vars);
            }
        }
        relevant
    }

    /// What is known about some variables.
    fn about(&self, known: &BitSet, relevant: &BitSet) -> Vec<Term> {
        let atoms = known.iter().map(|atom| &self.candidates.atoms[atom]);
        let about = atoms.filter(|atom| atom.vars.intersects(relevant));
        about.map(|atom| atom.term).collect()
    }
}

/// Other names for the variables of a thread of which there may be many.
fn names(program: &Program, terms: &mut Terms, thread: usize) -> FxHashMap<VarId, Term> {
    let mut names = FxHashMap::default();
    if program.threads[thread].many {
        for (at, about) in program.vars.iter().enumerate() {
            if about.owner == Some(thread) && !about.input {
                let var = VarId(at as u32);
                names.insert(var, terms.var(twin(program, var), about.sort));
            }
        }
    }
    names
}
