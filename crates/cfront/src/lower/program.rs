//! What all functions of a program share while they are lowered.

use super::LowerOptions;
use super::nonlocal::Jumping;
use super::reach::{Reach, any_expr_in, peel_casts};
use super::types::{Lowered, Types, is_pointer, is_record, is_signed};
use super::variadic::takes_more;
use crate::Unsupported;
use crate::functions::{CONNECTS, SENDS, SETS_ENVIRONMENT};
use crate::hir::{Expr, ExprKind, FuncId, Function, GlobalId, Program, Type};
use expr::{ObjId, Sort, Term, VarId};
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BTreeMap;
use xcfa::{Object, ObjectKind, ProcId, Scope, Span, Var, Xcfa};

/// Where a global or local lives.
#[derive(Clone, Copy, Debug)]
pub(super) enum Storage {
    /// In a variable.
    Var(VarId),
    /// In a static object, at this address.
    Static(Term),
    /// In an object whose address is in a variable: a local of this procedure.
    Stack(VarId),
    /// In an object whose address is in a thread-local variable.
    ThreadLocal(VarId),
}

/// A thread-local object that each thread makes for itself.
#[derive(Clone, Copy, Debug)]
pub(super) struct ThreadObject {
    /// The global it belongs to.
    pub global: GlobalId,
    /// The object.
    pub object: ObjId,
    /// The thread-local variable that holds its address.
    pub pointer: VarId,
}

/// Everything that functions share.
pub(super) struct Lowering<'p> {
    /// The typed tree.
    pub program: &'p Program,
    /// What the user asked for.
    pub options: &'p LowerOptions,
    /// What is used.
    pub reach: Reach,
    /// The automata so far.
    pub xcfa: Xcfa,
    /// Procedures of functions that have a body, and of undefined ones that are pointed to.
    pub procs: FxHashMap<FuncId, ProcId>,
    /// Procedures whose first parameter points to where their record result goes.
    pub hidden_results: FxHashSet<ProcId>,
    /// Objects of functions whose address is a value.
    pub function_objects: BTreeMap<FuncId, ObjId>,
    /// Procedures round start routines.
    pub thread_procs: BTreeMap<FuncId, ProcId>,
    /// Where globals live.
    pub globals: FxHashMap<GlobalId, Storage>,
    /// Objects that each thread makes for itself.
    pub thread_objects: Vec<ThreadObject>,
    /// Large objects that are defined nowhere, which the first thread makes.
    pub large_externals: Vec<ThreadObject>,
    /// What each thread runs at its end.
    pub at_thread_end: Vec<FuncId>,
    /// The procedure that runs the destructors of the program, if it has any.
    pub destructors: Option<ProcId>,
    /// What runs before `abort` ends the process, if that may be a handler of the program.
    pub on_abort: Option<FuncId>,
    /// What is known about jumps out of functions, if there are any.
    pub jumping: Option<Jumping>,
    /// Functions of the library that a model calls and that are still to be lowered.
    pub late: Vec<FuncId>,
    /// Globals whose initialisers are being evaluated.
    pub evaluated: Vec<GlobalId>,
    /// What is in the way of the program.
    pub obstacles: Vec<Unsupported>,
}

impl<'p> Lowering<'p> {
    /// Sizes and layouts.
    pub fn types(&self) -> Types<'p> {
        Types {
            model: self.program.data_model,
            records: &self.program.records,
        }
    }

    /// A function of the tree.
    pub fn function(&self, id: FuncId) -> &'p Function {
        &self.program.functions[id.0 as usize]
    }

    /// A constant of pointer width.
    pub fn word(&mut self, bits: u64) -> Term {
        let width = self.xcfa.pointer_bits();
        self.xcfa.terms.bv(width, bits)
    }

    /// The sort of pointers.
    pub fn word_sort(&self) -> Sort {
        Sort::Bv(self.xcfa.pointer_bits())
    }

    /// The address of an object.
    pub fn base(&mut self, object: ObjId) -> Term {
        let width = self.xcfa.pointer_bits();
        self.xcfa.terms.base(object, width)
    }

    /// The address of a function.
    pub fn function_address(&mut self, id: FuncId, span: Span) -> Lowered<Term> {
        match self.function_objects.get(&id) {
            Some(&object) => Ok(self.base(object)),
            None => Err(Unsupported::at(span, "the address of a function here")),
        }
    }

    /// Remembers something that the verdict has to name.
    pub fn assume_about(&mut self, line: String) {
        if !self.xcfa.assumptions.contains(&line) {
            self.xcfa.assumptions.push(line);
        }
    }

    /// Does the program use a function?
    pub fn uses(&self, name: &str) -> bool {
        let mut used = self.reach.functions.iter();
        used.any(|&id| self.function(id).name == name)
    }

    /// Does the program start random numbers at a place of its choice?
    pub fn seeds_with_constant(&self) -> bool {
        let seeds = |id: FuncId| matches!(self.function(id).name.as_str(), "srand" | "srandom");
        let sets = |expr: &Expr| match &expr.kind {
            ExprKind::Call { callee, args } => match callee.kind {
                ExprKind::FunctionAddr(id) if seeds(id) => args
                    .first()
                    .is_some_and(|seed| matches!(peel_casts(seed).kind, ExprKind::Int(_))),
                _ => false,
            },
            _ => false,
        };
        let mut used = self.reach.functions.iter();
        let is_used = used.any(|&id| seeds(id));
        let mut bodies = self.reach.functions.iter();
        is_used
            && bodies.any(|&id| {
                let body = self.function(id).body.as_ref();
                body.is_some_and(|body| any_expr_in(body, sets))
            })
    }

    /// Does the program use a function that changes the environment?
    pub fn changes_environment(&self) -> bool {
        let mut used = self.reach.functions.iter();
        used.any(|&id| SETS_ENVIRONMENT.contains(&self.function(id).name.as_str()))
    }

    /// May the program receive what it has sent itself?
    pub fn connects_files(&self) -> bool {
        let uses = |names: &[&str]| {
            let mut used = self.reach.functions.iter();
            used.any(|&id| names.contains(&self.function(id).name.as_str()))
        };
        uses(CONNECTS) || (uses(&["bind"]) && uses(SENDS))
    }

    /// Is the text part of the library's model?
    pub fn is_library(&self, span: Span) -> bool {
        self.program
            .sources
            .files()
            .get(span.file.0 as usize)
            .is_some_and(|file| file.is_library)
    }

    /// Can a value of this type live in a variable, if its address is not taken?
    pub fn fits_variable(&self, ty: &Type, address_taken: bool) -> bool {
        !address_taken && self.types().sort_of(ty).is_some()
    }

    /// Makes the procedures of all functions, with parameters and results, and the objects of
    /// functions whose address is a value.
    pub fn declare_functions(&mut self) -> Lowered<()> {
        for id in self.reach.functions.clone() {
            let function = self.function(id);
            let pointed_to = self.reach.address_taken.contains(&id);
            let started = self.reach.started.contains(&id);
            let has_code = function.body.is_some() && !self.options.fixes(&function.name);
            if has_code || pointed_to || started {
                self.declare_function(id)?;
            }
            if pointed_to {
                let kind = ObjectKind::Function(self.procs[&id]);
                let name = function.name.clone();
                let span = function.span;
                let object = Object::new(name, kind, Some(1), span);
                let object = self.xcfa.add_object(object);
                self.function_objects.insert(id, object);
            }
        }
        Ok(())
    }

    /// Makes the procedure of a function.
    pub fn declare_function(&mut self, id: FuncId) -> Lowered<()> {
        let function = self.function(id);
        let proc = self.xcfa.add_proc(function.name.clone(), function.span);
        self.procs.insert(id, proc);
        let types = self.types();
        let word = self.word_sort();
        let mut params = Vec::new();
        let returns_record = is_record(&function.ty.result);
        if returns_record {
            self.hidden_results.insert(proc);
            let target = self.local_var(proc, "result", word, false);
            self.xcfa[target].pointer = true;
            params.push(target);
        }
        for at in 0..function.params.max(function.ty.params.len()) {
            let (name, ty) = match function.locals.get(at) {
                Some(local) if at < function.params => (local.name.as_str(), &local.ty),
                _ => ("", &function.ty.params[at]),
            };
            let sort = match is_record(ty) {
                true => word,
                false => types.sort(ty, function.span)?,
            };
            let name = if name.is_empty() {
                format!("param{at}")
            } else {
                name.to_string()
            };
            let param = self.local_var(proc, &name, sort, is_signed(ty));
            self.xcfa[param].pointer = is_pointer(ty) || is_record(ty);
            params.push(param);
        }
        if function.body.is_some() && takes_more(&function.ty) {
            let block = self.local_var(proc, "arguments", word, false);
            self.xcfa[block].pointer = true;
            self.xcfa[block].temp = true;
            params.push(block);
        }
        self.xcfa[proc].params = params;
        if !returns_record && !matches!(*function.ty.result, Type::Void) {
            let sort = types.sort(&function.ty.result, function.span)?;
            let signed = is_signed(&function.ty.result);
            let result = self.local_var(proc, "result", sort, signed);
            self.xcfa[result].temp = true;
            self.xcfa[result].pointer = is_pointer(&function.ty.result);
            self.xcfa[proc].result = Some(result);
        }
        Ok(())
    }

    /// Adds a local variable of a procedure that the program names.
    pub fn local_var(&mut self, proc: ProcId, name: &str, sort: Sort, signed: bool) -> VarId {
        let scope = Scope::Local(proc);
        self.xcfa.add_var(Var {
            signed,
            temp: false,
            alias: None,
            ..Var::temp(name.to_string(), sort, scope)
        })
    }
}
