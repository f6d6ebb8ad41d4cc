//! What transitions read and write: variables, and places in memory by their addresses.

use super::system::{System, Transition};
use expr::{Node, ObjId, Sort, Term, VarId};
use passes::PointsTo;
use rustc_hash::{FxHashMap, FxHashSet};
use std::rc::Rc;
use xcfa::{Label, LockMode, Xcfa};

/// An access to memory.
#[derive(Clone, Debug)]
pub struct Memory {
    /// The address, over the state before the transition; nothing if it is not known by then.
    pub address: Option<Term>,
    /// How many bytes.
    pub bytes: u64,
    /// The objects that can be meant.
    pub objects: Vec<ObjId>,
    /// Is it written?
    pub write: bool,
}

/// What a transition reads and writes.
#[derive(Clone, Debug, Default)]
pub struct Footprint {
    reads: FxHashSet<VarId>,
    writes: FxHashSet<VarId>,
    /// Its accesses to memory.
    pub memory: Vec<Memory>,
    /// Variables that stand for the contents of memory.
    cells: Rc<FxHashSet<VarId>>,
}

impl Footprint {
    /// The footprints of all transitions; `original` is the program with its memory.
    pub fn all(system: &mut System, original: &Xcfa) -> Vec<Footprint> {
        let points_to = PointsTo::of(original);
        // Flags that say whether an object is alive are no contents.
        let made = system.vars.iter().filter(|known| known.sort != Sort::Bool);
        let made = made.filter(|known| system.made.contains(&known.var.0));
        let cells: Rc<FxHashSet<VarId>> = Rc::new(made.map(|known| known.var).collect());
        let mut all = Vec::new();
        for at in 0..system.transitions.len() {
            let transition = system.transitions[at].clone();
            let mut footprint = Footprint::of_terms(system, &transition);
            footprint.cells = Rc::clone(&cells);
            footprint.memory = accesses(system, original, &points_to, &transition);
            all.push(footprint);
        }
        all
    }

    fn of_terms(system: &System, transition: &Transition) -> Footprint {
        let mut footprint = Footprint::default();
        footprint.reads.extend(system.terms.vars(transition.guard));
        for &(var, value) in &transition.updates {
            footprint.writes.insert(var);
            footprint.reads.extend(system.terms.vars(value));
        }
        footprint
    }

    /// Variables that both use and one of them writes: the paper's potential conflict set.
    pub fn conflicts(&self, other: &Footprint) -> Vec<VarId> {
        let (a, b) = (self, other);
        let written = a.writes.iter().chain(&b.writes);
        let uses = |f: &Footprint, var: &VarId| f.reads.contains(var) || f.writes.contains(var);
        let mut found: Vec<VarId> = written
            .filter(|var| uses(a, var) && uses(b, var))
            .copied()
            .collect();
        found.sort_unstable();
        found.dedup();
        found
    }

    /// Does the variable stand for memory?
    pub fn is_memory(&self, var: VarId) -> bool {
        self.cells.contains(&var)
    }
}

/// The accesses of a transition to memory, as the program had them before memory became variables.
fn accesses(
    system: &mut System,
    original: &Xcfa,
    points_to: &PointsTo,
    transition: &Transition,
) -> Vec<Memory> {
    let mut follow = Follow {
        original,
        transition,
        known: FxHashMap::default(),
        lost: FxHashSet::default(),
    };
    let mut found = Vec::new();
    for label in &original[transition.edge].labels {
        if let Some((addr, bytes, write)) = access(original, label) {
            found.push(Memory {
                address: follow.eval(system, addr),
                bytes,
                objects: points_to.objects(original, addr),
                write,
            });
        }
        if let Label::Alloc { object, .. } = label {
            found.push(Memory {
                address: None,
                bytes: 0,
                objects: vec![*object],
                write: true,
            });
        }
        follow.pass(system, label);
    }
    found
}

fn access(xcfa: &Xcfa, label: &Label) -> Option<(Term, u64, bool)> {
    let bytes = |width: u32| u64::from(width).div_ceil(8);
    Some(match label {
        Label::Load { var, addr } => (*addr, bytes(xcfa[*var].sort.width()), false),
        Label::Store { addr, value } => (*addr, bytes(xcfa.terms.width(*value)), true),
        Label::Lock { addr, mode } | Label::Unlock { addr, mode } => {
            let bytes = if *mode == LockMode::Exclusive { 4 } else { 8 };
            (*addr, bytes, true)
        }
        Label::Free(addr) => (*addr, u64::from(u32::MAX), true),
        _ => return None,
    })
}

/// Values of variables along an edge, as far as they are known before it.
struct Follow<'a> {
    original: &'a Xcfa,
    transition: &'a Transition,
    known: FxHashMap<VarId, Term>,
    lost: FxHashSet<VarId>,
}

impl Follow<'_> {
    fn pass(&mut self, system: &mut System, label: &Label) {
        let Some(var) = label.defines() else { return };
        let value = match label {
            Label::Assign { value, .. } => self.eval(system, *value),
            _ => None,
        };
        self.known.remove(&var);
        self.lost.remove(&var);
        match value {
            Some(value) => {
                self.known.insert(var, value);
            }
            None => {
                self.lost.insert(var);
            }
        }
    }

    /// Terms of the original are terms of the system too, except for addresses.
    fn eval(&self, system: &mut System, term: Term) -> Option<Term> {
        if self
            .original
            .terms
            .vars(term)
            .iter()
            .any(|var| self.lost.contains(var))
        {
            return None;
        }
        let bases = system.bases.clone();
        let locals = system.threads[self.transition.thread].locals.clone();
        let known = &self.known;
        let value = system
            .terms
            .map_leaves(term, &mut |terms, leaf| match terms.node(leaf) {
                Node::Base(object, width) => {
                    let address = bases.get(&object).copied()?;
                    Some(terms.bv(width, address))
                }
                Node::Var(var, sort) => match known.get(&var) {
                    Some(&value) => Some(value),
                    None => locals.get(&var).map(|&own| terms.var(own, sort)),
                },
                _ => None,
            });
        Some(value)
    }
}
