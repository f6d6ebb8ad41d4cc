//! The variables of invariants.
//!
//! Only what can make a difference to a condition is kept; what never changes is its value. Several
//! threads of one template are distinguished by copies of its variables.

use crate::steps::Step;
use abstraction::Program;
use dataflow::BitSet;
use expr::{Term, Terms, VarId};
use rustc_hash::FxHashMap;
use xcfa::LocId;

/// A thread that an invariant is about: its number in the program, and which copy of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Member {
    /// Its number in the program.
    pub thread: usize,
    /// Which of several threads of a template.
    pub copy: usize,
}

/// What is kept, and the copies.
pub struct Variables<'a> {
    program: &'a Program,
    relevant: BitSet,
    /// Variables that never change, and what they are.
    constant: FxHashMap<VarId, u64>,
    copies: FxHashMap<(VarId, usize), VarId>,
    next: u32,
}

impl<'a> Variables<'a> {
    /// Visits all steps.
    pub fn of(program: &'a Program, terms: &Terms, steps: &[Step]) -> Variables<'a> {
        let mut changed = BitSet::new();
        for step in steps {
            for var in step.updates.keys() {
                changed.insert(var.0 as usize);
            }
        }
        let vars = program.vars.iter().enumerate();
        let constant = vars
            .filter(|(number, var)| !var.input && !changed.contains(*number))
            .filter_map(|(number, var)| Some((VarId(number as u32), var.init?)))
            .filter(|(var, _)| program.template(*var).is_none())
            .collect();
        Variables {
            program,
            relevant: kept(terms, steps, &constant, relevant(program, terms)),
            constant,
            copies: FxHashMap::default(),
            next: program.vars.len() as u32,
        }
    }

    /// How many variables are kept.
    pub fn len(&self) -> usize {
        self.relevant.iter().count()
    }

    /// The kept variables that belong to no thread.
    pub fn globals(&self) -> Vec<VarId> {
        self.owned_by(None)
    }

    /// The kept variables of a thread that are of use at a location.
    pub fn locals(&self, thread: usize, loc: LocId) -> Vec<VarId> {
        let mut own = self.owned_by(Some(thread));
        let dead = self.program.dead(loc);
        own.retain(|var| !dead.contains(var.0 as usize));
        own
    }

    fn owned_by(&self, owner: Option<usize>) -> Vec<VarId> {
        let kept = self.relevant.iter();
        let own = kept.filter(|&var| self.program.vars[var].owner == owner);
        own.map(|var| VarId(var as u32)).collect()
    }

    /// A variable as a member has it.
    pub fn term(&mut self, terms: &mut Terms, var: VarId, member: Member) -> Term {
        let sort = self.program.vars[var.0 as usize].sort;
        let copy = self.copy(var, member);
        terms.var(copy, sort)
    }

    fn copy(&mut self, var: VarId, member: Member) -> VarId {
        let about = &self.program.vars[var.0 as usize];
        let mine = about.owner == Some(member.thread) || about.input;
        if !mine || member.copy == 0 {
            return var;
        }
        let next = &mut self.next;
        *self.copies.entry((var, member.copy)).or_insert_with(|| {
            *next += 1;
            VarId(*next - 1)
        })
    }

    /// The variable of the program behind a copy, and which copy it is.
    pub fn origin(&self, var: VarId) -> (VarId, usize) {
        let mut copies = self.copies.iter();
        let found = copies.find(|(_, copy)| **copy == var);
        found.map_or((var, 0), |(&origin, _)| origin)
    }

    /// The first number of a unused variable.
    pub fn free(&self) -> VarId {
        VarId(self.next)
    }

    /// A new variable.
    pub fn fresh(&mut self, terms: &mut Terms, sort: expr::Sort) -> Term {
        self.next += 1;
        terms.var(VarId(self.next - 1), sort)
    }

    /// A term of a step as a member means it.
    pub fn renamed(&mut self, terms: &mut Terms, term: Term, member: Member) -> Term {
        let mut with = FxHashMap::default();
        for var in terms.vars(term) {
            let sort = self.program.vars[var.0 as usize].sort;
            let new = match self.constant.get(&var) {
                Some(&value) => terms.constant(sort, value),
                None => self.term(terms, var, member),
            };
            with.insert(var, new);
        }
        terms.substitute(term, &with)
    }
}

/// What is left of the relevant variables once steps have been put together.
fn kept(
    terms: &Terms,
    steps: &[Step],
    constant: &FxHashMap<VarId, u64>,
    relevant: BitSet,
) -> BitSet {
    let mut used = BitSet::new();
    for step in steps {
        let values = step.updates.iter();
        let values = values.filter(|(var, _)| relevant.contains(var.0 as usize));
        for term in values.map(|(_, &value)| value).chain([step.guard]) {
            for var in terms.vars(term) {
                used.insert(var.0 as usize);
            }
        }
    }
    let kept = relevant.iter().filter(|&var| used.contains(var));
    let kept = kept.filter(|&var| !constant.contains_key(&VarId(var as u32)));
    kept.collect()
}

/// Variables that conditions depend on, directly or through others. What happens to the rest makes
/// no difference to where threads can be.
pub fn relevant(program: &Program, terms: &Terms) -> BitSet {
    let mut relevant = BitSet::new();
    let mut work = Vec::new();
    let mut note = |term: Term, work: &mut Vec<VarId>| {
        for var in terms.vars(term) {
            let input = program.vars[var.0 as usize].input;
            if !input && relevant.insert(var.0 as usize) {
                work.push(var);
            }
        }
    };
    for action in &program.actions {
        note(action.guard, &mut work);
    }
    while let Some(var) = work.pop() {
        for action in &program.actions {
            for (_, value) in action.updates.iter().filter(|(of, _)| *of == var) {
                note(*value, &mut work);
            }
        }
    }
    relevant
}
