//! What actions read and write: variables, and places in memory by their addresses.

use super::system::System;
use abstraction::{Action, Program};
use dataflow::PointsTo;
use expr::{Node, ObjId, Sort, Term, Terms, VarId};
use rustc_hash::{FxHashMap, FxHashSet};
use std::rc::Rc;
use xcfa::{Label, LockMode, Xcfa};

/// An access to memory.
#[derive(Clone, Debug)]
pub struct Memory {
    /// The address, over the state before the action; nothing if it is not known by then.
    pub address: Option<Term>,
    /// How many bytes.
    pub bytes: u64,
    /// The objects that can be meant.
    pub objects: Vec<ObjId>,
    /// Is it written?
    pub write: bool,
}

/// What an action reads and writes.
#[derive(Clone, Debug, Default)]
pub struct Footprint {
    reads: FxHashSet<VarId>,
    writes: FxHashSet<VarId>,
    /// Its accesses to memory.
    pub memory: Vec<Memory>,
    /// Variables that stand for the contents of memory.
    cells: Rc<FxHashSet<VarId>>,
}

impl Memory {
    /// By action of a program: its accesses, as the program had them before memory became variables.
    pub fn of(program: &Program, terms: &mut Terms) -> Vec<Vec<Memory>> {
        let points_to = PointsTo::of(&program.unrolled.xcfa);
        let actions = program.actions.iter();
        actions
            .map(|action| accesses(program, terms, &points_to, action))
            .collect()
    }

    /// The same with terms put in for variables.
    pub fn with(&self, terms: &mut Terms, values: &FxHashMap<VarId, Term>) -> Memory {
        let address = self.address.map(|addr| terms.substitute(addr, values));
        Memory {
            address,
            ..self.clone()
        }
    }
}

impl Footprint {
    /// The footprints of all actions.
    pub fn all(system: &System) -> Vec<Footprint> {
        // Flags that say whether an object is alive are no contents.
        let made = system.program.made.iter().copied();
        let made = made.filter(|var| system.program.vars[var.0 as usize].sort != Sort::Bool);
        let cells: Rc<FxHashSet<VarId>> = Rc::new(made.collect());
        let actions = system.actions().iter().zip(&system.places.memory);
        let footprint = |(action, memory): (&Action, &Vec<Memory>)| Footprint {
            cells: Rc::clone(&cells),
            memory: memory.clone(),
            ..Footprint::of_terms(&system.terms, action)
        };
        actions.map(footprint).collect()
    }

    fn of_terms(terms: &Terms, action: &Action) -> Footprint {
        let mut footprint = Footprint::default();
        footprint.reads.extend(terms.vars(action.guard));
        for &(var, value) in &action.updates {
            footprint.writes.insert(var);
            footprint.reads.extend(terms.vars(value));
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

fn accesses(
    program: &Program,
    terms: &mut Terms,
    points_to: &PointsTo,
    action: &Action,
) -> Vec<Memory> {
    let original = &program.unrolled.xcfa;
    let mut follow = Follow {
        program,
        action,
        known: FxHashMap::default(),
        lost: FxHashSet::default(),
    };
    let mut found = Vec::new();
    for label in &original[action.edge].labels {
        if let Some((addr, bytes, write)) = access(original, label) {
            found.push(Memory {
                address: follow.eval(terms, addr),
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
        follow.pass(terms, label);
    }
    found
}

fn access(xcfa: &Xcfa, label: &Label) -> Option<(Term, u64, bool)> {
    Some(match label {
        Label::Load { var, addr } => (*addr, xcfa[*var].sort.bytes(), false),
        Label::Store { addr, value } => (*addr, xcfa.terms.bytes(*value), true),
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
    program: &'a Program,
    action: &'a Action,
    known: FxHashMap<VarId, Term>,
    lost: FxHashSet<VarId>,
}

impl Follow<'_> {
    fn pass(&mut self, terms: &mut Terms, label: &Label) {
        let Some(var) = label.defines() else { return };
        let value = match label {
            Label::Assign { value, .. } => self.eval(terms, *value),
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
    fn eval(&self, terms: &mut Terms, term: Term) -> Option<Term> {
        let mut vars = terms.vars(term).into_iter();
        if vars.any(|var| self.lost.contains(&var)) {
            return None;
        }
        let value = terms.map_leaves(term, &mut |terms, leaf| match terms.node(leaf) {
            Node::Base(object, width) => {
                let address = self.program.bases.get(&object).copied()?;
                Some(terms.bv(width, address))
            }
            Node::Var(var, sort) => match self.known.get(&var) {
                Some(&value) => Some(value),
                None => Some(terms.var(self.program.own(self.action.thread, var), sort)),
            },
            _ => None,
        });
        Some(value)
    }
}
