//! A fact that may hold at a location, and what it is about.

use abstraction::{Action, Program};
use dataflow::BitSet;
use expr::{Term, Terms, VarId};
use rustc_hash::FxHashMap;
use xcfa::LocId;

/// Something that is true or false in a state.
#[derive(Clone, Debug)]
pub struct Atom {
    /// The condition.
    pub term: Term,
    /// The variables that it mentions.
    pub vars: BitSet,
    /// The number of its negation, if that is a candidate too.
    pub negation: Option<usize>,
    /// The thread whose own variables it mentions, if it mentions some.
    pub owner: Option<usize>,
}

impl Atom {
    /// The fact; none if it mentions inputs, the variables of two threads, or nothing.
    pub fn new(program: &Program, terms: &Terms, term: Term) -> Option<Atom> {
        let mut atom = Atom {
            term,
            vars: BitSet::new(),
            negation: None,
            owner: None,
        };
        for var in terms.vars(term) {
            let about = &program.vars[var.0 as usize];
            let mixed = atom.owner.is_some() && about.owner.is_some() && atom.owner != about.owner;
            if about.input || mixed {
                return None;
            }
            atom.owner = atom.owner.or(about.owner);
            atom.vars.insert(var.0 as usize);
        }
        (!atom.vars.is_empty()).then_some(atom)
    }

    /// Can it be of use to a thread at this location?
    pub fn fits(&self, program: &Program, thread: usize, loc: LocId) -> bool {
        let mine = self.owner.is_none_or(|owner| owner == thread);
        mine && !self.vars.intersects(program.dead(loc))
    }
}

/// What an action sets, by variable.
pub fn updates(action: &Action) -> FxHashMap<VarId, Term> {
    action.updates.iter().copied().collect()
}

/// By location: is it inside an atomic section, where no other thread moves? Nothing if sections are
/// not left on all paths alike.
pub fn sections(program: &Program) -> Option<Vec<bool>> {
    let mut depth: Vec<Option<i32>> = vec![None; program.locations()];
    let mut open: Vec<LocId> = program.threads.iter().map(|thread| thread.init).collect();
    for init in &open {
        depth[init.0 as usize] = Some(0);
    }
    while let Some(loc) = open.pop() {
        let here = depth[loc.0 as usize].unwrap_or(0);
        for &id in program.out(loc) {
            let (there, target) = (program[id].depth_after(here), program[id].target);
            match depth[target.0 as usize] {
                Some(known) if known == there => {}
                // An error has no edges out, however it is reached.
                Some(_) if program.out(target).is_empty() => {}
                Some(_) => return None,
                None => {
                    depth[target.0 as usize] = Some(there);
                    open.push(target);
                }
            }
        }
    }
    let inside = |depth: Option<i32>| depth.is_some_and(|depth| depth > 0);
    Some(depth.into_iter().map(inside).collect())
}
