//! The program, and what is known about it.

use dataflow::{BitSet, Liveness};
use models::Model;
use semantics::{Machine, Property, State};
use std::collections::BTreeMap;
use std::sync::{Mutex, PoisonError};
use verdict::Task;
use xcfa::{EdgeId, Label, ObjectKind};

/// The program and what is known about it.
#[derive(Debug)]
pub(crate) struct Code<'x> {
    pub machine: Machine<'x>,
    pub initial: State,
    pub liveness: Liveness,
    escaped: &'x BitSet,
    /// Sequential consistency, where it is what is asked about.
    pub sc: Option<Model>,
    /// The numbers of threads, by who starts them and how many it has started before. Every execution uses the
    /// same, whatever the order in which threads are started.
    numbers: Mutex<BTreeMap<(u32, u32), u32>>,
}

impl<'x> Code<'x> {
    pub fn new(task: &'x Task) -> Code<'x> {
        let machine = Machine::new(&task.xcfa, task.property);
        Code {
            initial: machine.initial(),
            machine,
            liveness: Liveness::of(&task.xcfa),
            escaped: task.xcfa.escaped(),
            sc: (task.property == Property::Robust).then(Model::sc),
            numbers: Mutex::default(),
        }
    }

    /// The number of the thread that `parent` starts after `earlier` others.
    pub fn number(&self, parent: u32, earlier: u32) -> u32 {
        let numbers = self.numbers.lock();
        let mut numbers = numbers.unwrap_or_else(PoisonError::into_inner);
        let next = numbers.len() as u32 + 1;
        *numbers.entry((parent, earlier)).or_insert(next)
    }

    /// Is it an object on a stack whose address no other thread can know?
    pub fn is_private(&self, object: expr::ObjId) -> bool {
        let is_stack = self.machine.xcfa[object].kind == ObjectKind::Stack;
        is_stack && !self.escaped.contains(object.0 as usize)
    }

    fn has(&self, edge: EdgeId, is: impl Fn(&Label) -> bool) -> bool {
        self.machine.xcfa[edge].labels.iter().any(is)
    }

    pub fn starts(&self, edge: EdgeId) -> bool {
        self.has(edge, |label| matches!(label, Label::Start { .. }))
    }

    pub fn exits(&self, edge: EdgeId) -> bool {
        self.has(edge, |label| matches!(label, Label::Exit(_)))
    }

    /// The object that a step makes gets its address in this variable.
    pub fn allocates(&self, edge: EdgeId) -> Option<expr::VarId> {
        let mut labels = self.machine.xcfa[edge].labels.iter();
        labels.find_map(|label| match label {
            Label::Alloc { var, .. } => Some(*var),
            _ => None,
        })
    }

    /// Does the step free memory where that counts as a write of all its bytes?
    pub fn frees_what_may_race(&self, edge: EdgeId) -> bool {
        self.machine.property == Property::Race
            && self.has(edge, |label| matches!(label, Label::Free(_)))
    }
}
