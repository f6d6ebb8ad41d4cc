//! The variables and objects of one copy.

use super::Inliner;
use expr::{Node, ObjId, Term, VarId};
use rustc_hash::FxHashMap;
use xcfa::{Label, ObjectKind, ProcId, Scope, Span, Var};

/// One copy of a procedure's body: how its names differ from the original ones.
pub(super) struct Copy {
    /// Of which this is a copy.
    pub(super) proc: ProcId,
    /// The procedure that the copy ends up in.
    pub(super) host: ProcId,
    /// The call that the copy stands for.
    pub(super) site: Option<Span>,
    /// The first copy has the original variables and objects, later ones have their own.
    number: u32,
    vars: FxHashMap<VarId, VarId>,
    objects: FxHashMap<ObjId, ObjId>,
    terms: FxHashMap<Term, Term>,
}

impl Copy {
    pub(super) fn new(proc: ProcId, host: ProcId, site: Option<Span>, number: u32) -> Copy {
        Copy {
            proc,
            host,
            site,
            number,
            vars: FxHashMap::default(),
            objects: FxHashMap::default(),
            terms: FxHashMap::default(),
        }
    }
}

impl Inliner {
    /// A label as the copy has it; procedures that are started get their new numbers.
    pub(super) fn rename(&mut self, copy: &mut Copy, mut label: Label) -> Label {
        if let Some(var) = label.defines() {
            label.set_defined(self.rename_var(copy, var));
        }
        label.map_terms(|term| self.rename_term(copy, term));
        match &mut label {
            Label::Alloc { object, .. } | Label::Dealloc(object) => {
                *object = self.rename_object(copy, *object);
            }
            Label::Start { proc, .. } => *proc = self.kept[proc],
            _ => {}
        }
        label
    }

    fn rename_term(&mut self, copy: &mut Copy, term: Term) -> Term {
        if let Some(&done) = copy.terms.get(&term) {
            return done;
        }
        let mut renamed = FxHashMap::default();
        for var in self.new.terms.vars(term) {
            let new = self.rename_var(copy, var);
            let new = self.new.read(new);
            renamed.insert(var, new);
        }
        let objects = self.new.terms.bases(term);
        let objects: FxHashMap<ObjId, ObjId> = objects
            .into_iter()
            .map(|object| (object, self.rename_object(copy, object)))
            .collect();
        let result = self
            .new
            .terms
            .map_leaves(term, &mut |terms, leaf| match terms.node(leaf) {
                Node::Var(var, _) => renamed.get(&var).copied(),
                Node::Base(object, width) => Some(terms.base(objects[&object], width)),
                _ => None,
            });
        copy.terms.insert(term, result);
        result
    }

    pub(super) fn rename_var(&mut self, copy: &mut Copy, var: VarId) -> VarId {
        if !matches!(self.old[var].scope, Scope::Local(_)) {
            return var;
        }
        if let Some(&new) = copy.vars.get(&var) {
            return new;
        }
        let scope = Scope::Local(copy.host);
        let new = if copy.number == 1 {
            if self.adopted.insert(var) {
                self.new[var].scope = scope;
                let old = self.old[var].clone();
                self.new[var].name = self.name_in(copy, &old);
                self.new[var].alias = old.shown().map(str::to_owned);
            }
            var
        } else {
            let old = self.old[var].clone();
            let name = self.name_in(copy, &old);
            let alias = old.shown().map(str::to_owned);
            self.new.add_var(Var {
                name,
                scope,
                alias,
                ..old
            })
        };
        copy.vars.insert(var, new);
        new
    }

    /// A name that says whose variable this was.
    fn name_in(&self, copy: &Copy, var: &Var) -> String {
        if copy.site.is_none() || var.temp {
            return var.name.clone();
        }
        format!("{}.{}", self.copy_name(copy), var.name)
    }

    fn copy_name(&self, copy: &Copy) -> String {
        let name = &self.old[copy.proc].name;
        match copy.number {
            1 => name.clone(),
            number => format!("{name}#{number}"),
        }
    }

    fn rename_object(&mut self, copy: &mut Copy, object: ObjId) -> ObjId {
        let own = matches!(self.old[object].kind, ObjectKind::Stack | ObjectKind::Heap);
        if !own || copy.number == 1 {
            return object;
        }
        if let Some(&new) = copy.objects.get(&object) {
            return new;
        }
        let mut new = self.old[object].clone();
        new.name = format!("{}#{}", new.name, copy.number);
        let new = self.new.add_object(new);
        copy.objects.insert(object, new);
        new
    }
}
