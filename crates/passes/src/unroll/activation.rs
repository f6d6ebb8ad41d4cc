//! One activation of a procedure: a thread's first, or a call. It has variables and stack objects
//! of its own.

use super::{UnrolledLocation, Unroller};
use expr::{ObjId, Term, VarId};
use rustc_hash::FxHashMap;
use xcfa::{EdgeId, Label, ObjectKind, ProcId, Scope, Var};

/// Where a call returns to.
#[derive(Clone, Debug)]
pub(super) struct Caller {
    /// The place of the call.
    pub(super) from: UnrolledLocation,
    pub(super) edge: EdgeId,
    /// Receives the result.
    pub(super) result: Option<VarId>,
}

/// One activation.
#[derive(Clone, Debug)]
pub(super) struct Activation {
    /// The original procedure.
    pub(super) proc: ProcId,
    /// The new procedure that the activation is part of.
    pub(super) host: ProcId,
    /// Set for a call, not for a thread.
    pub(super) caller: Option<Caller>,
    /// The activation that started the thread.
    pub(super) starter: Option<usize>,
    /// Counts the copies of the procedure.
    pub(super) number: u32,
    vars: FxHashMap<VarId, VarId>,
    stack: FxHashMap<ObjId, ObjId>,
    terms: FxHashMap<Term, Term>,
}

impl Activation {
    pub(super) fn new(
        proc: ProcId,
        host: ProcId,
        number: u32,
        caller: Option<Caller>,
        starter: Option<usize>,
    ) -> Activation {
        Activation {
            proc,
            host,
            caller,
            starter,
            number,
            vars: FxHashMap::default(),
            stack: FxHashMap::default(),
            terms: FxHashMap::default(),
        }
    }
}

impl Unroller<'_> {
    /// A label with the variables of an activation; the caller starts the threads.
    pub(super) fn rename(&mut self, activation: usize, label: &Label) -> Label {
        let mut label = label.clone();
        if let Some(var) = label.defines() {
            label.set_defined(self.rename_var(activation, var));
        }
        label.map_terms(|term| self.rename_term(activation, term));
        match &mut label {
            Label::Alloc { object, .. } if self.is_stack(*object) => {
                *object = self.rename_stack(activation, *object);
            }
            Label::Alloc { object, .. } => *object = self.fresh_object(*object),
            Label::Dealloc(object) => *object = self.rename_stack(activation, *object),
            _ => {}
        }
        label
    }

    /// Has an object one address in each activation? One of variable size has not.
    fn is_stack(&self, object: ObjId) -> bool {
        self.old[object].kind == ObjectKind::Stack && self.old[object].size.is_some()
    }

    /// An object of its own; the first copy has the original's number.
    fn fresh_object(&mut self, object: ObjId) -> ObjId {
        let number = self.object_copies.entry(object).or_default();
        *number += 1;
        if *number == 1 {
            return object;
        }
        let mut new = self.old[object].clone();
        new.name = format!("{}#{number}", new.name);
        self.new.add_object(new)
    }

    fn rename_stack(&mut self, activation: usize, object: ObjId) -> ObjId {
        if let Some(&new) = self.activations[activation].stack.get(&object) {
            return new;
        }
        let new = self.fresh_object(object);
        self.activations[activation].stack.insert(object, new);
        new
    }

    /// What ends with an activation: the stack objects of its procedure, under their new names.
    pub(super) fn frame(&mut self, activation: usize) -> Vec<ObjId> {
        let proc = self.activations[activation].proc;
        let edges = self.old.edges.iter();
        let edges = edges.filter(|edge| self.old[edge.source].proc == proc);
        let objects = edges
            .flat_map(|edge| &edge.labels)
            .filter_map(|label| match label {
                Label::Alloc { object, .. } if self.is_stack(*object) => Some(*object),
                _ => None,
            });
        let mut objects: Vec<ObjId> = objects.collect();
        objects.sort_unstable();
        objects.dedup();
        let rename = |object| self.rename_stack(activation, object);
        objects.into_iter().map(rename).collect()
    }

    pub(super) fn rename_term(&mut self, activation: usize, term: Term) -> Term {
        if let Some(&done) = self.activations[activation].terms.get(&term) {
            return done;
        }
        let mut renamed = FxHashMap::default();
        for var in self.old.terms.vars(term) {
            let new = self.rename_var(activation, var);
            renamed.insert(var, self.new.read(new));
        }
        let result = self.new.terms.substitute(term, &renamed);
        self.activations[activation].terms.insert(term, result);
        result
    }

    pub(super) fn rename_var(&mut self, activation: usize, var: VarId) -> VarId {
        if let Some(&new) = self.shared_vars.get(&var) {
            return new;
        }
        let Activation {
            vars,
            host,
            proc,
            number,
            caller,
            ..
        } = &self.activations[activation];
        if let Some(&new) = vars.get(&var) {
            return new;
        }
        let old = self.old[var].clone();
        let name = match caller {
            Some(_) if !old.temp => format!("{}#{number}.{}", self.old[*proc].name, old.name),
            _ => old.name.clone(),
        };
        let scope = Scope::Local(*host);
        let new = self.new.add_var(Var { name, scope, ..old });
        self.activations[activation].vars.insert(var, new);
        new
    }
}
