//! Whole procedures: functions of the program, and the code that starts and ends threads.

use super::function::FunctionLowering;
use super::library::Request;
use super::program::{Lowering, Storage};
use super::reach::any_expr_in;
use super::types::{Lowered, is_record, is_signed};
use crate::Unsupported;
use crate::hir::{ExprKind, FuncId, GlobalId, Local, LocalId, Type};
use expr::{Op, Sort, Term};
use xcfa::{Callee, HavocOrigin, Label, Leaving, Object, ObjectKind, ProcId, Span};

/// Functions whose whole body is one atomic section.
pub(super) const ATOMIC_PREFIX: &str = "__VERIFIER_atomic_";

impl<'p> Lowering<'p> {
    /// Lowers a function into the procedure that was declared for it.
    pub fn lower_function(&mut self, id: FuncId) -> Lowered<()> {
        let function = self.function(id);
        let body = function
            .body
            .as_ref()
            .filter(|_| !self.options.fixes(&function.name));
        let Some(body) = body else {
            return self.lower_undefined(id);
        };
        let proc = self.procs[&id];
        let mut lowering = FunctionLowering::new(self, proc, Some(function));
        let first = lowering.at;
        let atomic = function.name.starts_with(ATOMIC_PREFIX);
        if atomic {
            lowering.prologue.push((Label::AtomicBegin, function.span));
        }
        lowering.begin_jumps(function);
        lowering.open_scope(None, function.span)?;
        lowering.declare_params()?;
        lowering.stmt(body)?;
        let end = Span {
            lo: body.span.hi.saturating_sub(1),
            ..body.span
        };
        lowering.close_scope(end)?;
        if let Some(result) = lowering.ctx.xcfa[proc].result {
            lowering.fall_off_the_end(result, &function.name, end);
        }
        let return_to = lowering.return_to;
        lowering.goto(return_to, end);
        lowering.at = return_to;
        if function.noreturn {
            // It has promised not to return: what follows is undefined.
            lowering.returns_never(id, end);
        }
        lowering.end_function(end, atomic);
        lowering.begin_function(first, function.span);
        Ok(())
    }

    /// An undefined function whose address is used: calling it is a call of its model.
    fn lower_undefined(&mut self, id: FuncId) -> Lowered<()> {
        let function = self.function(id);
        let Some(&proc) = self.procs.get(&id) else {
            return Ok(());
        };
        let mut lowering = FunctionLowering::new(self, proc, None);
        let first = lowering.at;
        let mut args = Vec::new();
        for param in lowering.ctx.xcfa[proc].params.clone() {
            args.push(lowering.read_var(param));
        }
        if is_record(&function.ty.result) || function.ty.params.iter().any(is_record) {
            let what = format!("the address of `{}`, which is not defined", function.name);
            return Err(Unsupported::at(function.span, what));
        }
        let request = Request {
            name: &function.name,
            args,
            exprs: &[],
            declared: function,
            result: &function.ty.result,
            span: function.span,
            wanted: true,
            pointee: None,
        };
        lowering.pass_cancellation(&function.name, function.span)?;
        let value = lowering.watched_call(&request)?;
        if let (Some(result), Some(value)) = (lowering.ctx.xcfa[proc].result, value) {
            lowering.assign(result, value, function.span);
        }
        lowering.end_function(function.span, false);
        lowering.begin_function(first, function.span);
        Ok(())
    }

    /// The procedure of a thread that runs `id`.
    pub fn lower_thread(&mut self, id: FuncId) -> Lowered<()> {
        let function = self.function(id);
        let proc = self.thread_procs[&id];
        let mut lowering = FunctionLowering::new(self, proc, None);
        let first = lowering.at;
        lowering.make_thread_objects(function.span)?;
        let arg = lowering.ctx.xcfa[proc].params[0];
        let arg = lowering.read_var(arg);
        let result = lowering.call_start_routine(id, vec![arg])?;
        lowering.end_thread(result, function.span)?;
        lowering.begin_function(first, function.span);
        Ok(())
    }

    /// The procedure of the first thread.
    pub fn lower_entry(&mut self, id: FuncId, proc: ProcId) -> Lowered<()> {
        let function = self.function(id);
        let mut lowering = FunctionLowering::new(self, proc, None);
        let first = lowering.at;
        lowering.make_thread_objects(function.span)?;
        lowering.havoc_externals()?;
        lowering.start_program()?;
        let args = lowering.entry_args(id)?;
        lowering.call_start_routine(id, args)?;
        lowering.run_destructors(function.span);
        // The caller gets the result, and may keep what it points to.
        let leaving = match function.name.as_str() {
            "main" => Leaving::Return,
            _ => Leaving::Call,
        };
        lowering.finish(Label::Exit(leaving), function.span)?;
        lowering.begin_function(first, function.span);
        Ok(())
    }
}

impl FunctionLowering<'_, '_> {
    /// Joins the procedure's first location to `first` by what happens on entry.
    pub fn begin_function(&mut self, first: xcfa::LocId, span: Span) {
        self.at = self.ctx.xcfa[self.proc].init;
        for (label, span) in std::mem::take(&mut self.prologue) {
            self.emit(label, span);
        }
        self.goto(first, span);
    }

    /// The end of a function without `return`: its result is arbitrary, and 0 for `main`.
    fn fall_off_the_end(&mut self, result: expr::VarId, name: &str, span: Span) {
        if name == "main" {
            let sort = self.ctx.xcfa[result].sort;
            let zero = self.terms().constant(sort, 0);
            self.assign(result, zero, span);
        } else {
            self.emit(
                Label::Havoc {
                    var: result,
                    origin: HavocOrigin::Uninitialised,
                },
                span,
            );
        }
    }

    fn make_thread_objects(&mut self, span: Span) -> Lowered<()> {
        for thread_object in self.ctx.thread_objects.clone() {
            let global = &self.ctx.program.globals[thread_object.global.0 as usize];
            let size = self.ctx.static_size(global)?;
            let (pointer, object) = (thread_object.pointer, thread_object.object);
            let label = self.alloc_label(pointer, object, size, true);
            self.emit(label, span);
            let cells = self.ctx.static_cells(global)?;
            if cells.is_empty() {
                continue;
            }
            let address = self.read_var(pointer);
            let address = self.keep(address, span);
            for (offset, value) in cells {
                let addr = self.offset(address, offset);
                self.emit(Label::Store { addr, value }, span);
            }
        }
        Ok(())
    }

    /// Calls a start routine with as many of `args` as it takes.
    fn call_start_routine(&mut self, id: FuncId, args: Vec<Term>) -> Lowered<Option<Term>> {
        let function = self.ctx.function(id);
        let proc = self.ctx.procs[&id];
        if is_record(&function.ty.result) {
            return Err(Unsupported::at(
                function.span,
                "a start routine that returns a record",
            ));
        }
        let types: Vec<Type> = function.ty.params.clone();
        let args = self.fit_args(proc, args, &types, function.span);
        let wanted = self.ctx.reach.joins_results;
        let result = self.ctx.xcfa[proc].result.filter(|_| wanted);
        let result = result
            .map(|var| self.ctx.xcfa[var].sort)
            .map(|sort| self.temp(sort));
        let callee = Callee::Direct(proc);
        self.emit(Label::call(callee, args, result), function.span);
        self.end_of_jumps(function.span);
        Ok(result.map(|var| self.read_var(var)))
    }

    /// The end of a thread whose start routine returned.
    fn end_thread(&mut self, result: Option<Term>, span: Span) -> Lowered<()> {
        self.run_at_thread_end(span);
        for thread_object in self.ctx.thread_objects.clone() {
            self.emit(Label::Dealloc(thread_object.object), span);
        }
        let value = match result {
            Some(value) => {
                let sort = self.ctx.word_sort();
                match self.terms().sort(value) {
                    Sort::Bv(_) => self.terms().resize(value, sort.width(), true),
                    _ => super::arith::force_sort(self.terms(), value, sort),
                }
            }
            None => self.ctx.word(0),
        };
        self.finish(Label::ThreadExit(value), span)
    }

    /// Runs what the library does at the end of a thread.
    pub fn run_at_thread_end(&mut self, span: Span) {
        for id in self.ctx.at_thread_end.clone() {
            let callee = Callee::Direct(self.ctx.procs[&id]);
            self.emit(Label::call(callee, Vec::new(), None), span);
            self.end_of_jumps(span);
        }
    }

    /// Globals that are declared and defined nowhere start with arbitrary values.
    fn havoc_externals(&mut self) -> Lowered<()> {
        for id in self.ctx.reach.globals.clone() {
            let global = &self.ctx.program.globals[id.0 as usize];
            if !self.ctx.is_arbitrary(global) {
                continue;
            }
            let origin = HavocOrigin::External(global.name.clone(), global.span);
            let span = global.span;
            match self.ctx.globals[&id] {
                Storage::Var(var) if !global.thread_local => {
                    let value = self.havoc(&global.ty, origin, span)?;
                    self.assign(var, value, span);
                }
                Storage::ThreadLocal(_) if self.ctx.is_large_external(global) => {
                    self.make_large_external(id)?;
                }
                Storage::Static(address) => {
                    self.havoc_record(address, &global.ty, &origin, span)?
                }
                Storage::Var(_) | Storage::Stack(_) | Storage::ThreadLocal(_) => {
                    let what = "a thread-local variable that is not defined";
                    return Err(Unsupported::at(span, what));
                }
            }
            let line = format!(
                "`{}` is not defined: its initial value is arbitrary",
                global.name
            );
            self.ctx.assume_about(line);
        }
        Ok(())
    }

    /// An object whose contents are arbitrary because nothing sets them.
    fn make_large_external(&mut self, id: GlobalId) -> Lowered<()> {
        let global = &self.ctx.program.globals[id.0 as usize];
        let size = self.ctx.static_size(global)?;
        let mut all = self.ctx.large_externals.iter().copied();
        if let Some(made) = all.find(|made| made.global == id) {
            let label = self.alloc_label(made.pointer, made.object, size, false);
            self.emit(label, global.span);
        }
        Ok(())
    }

    /// Arguments of the first function: arbitrary where read; the first of `main` is not negative.
    fn entry_args(&mut self, id: FuncId) -> Lowered<Vec<Term>> {
        let function = self.ctx.function(id);
        let mut args = Vec::new();
        let given = match self.known_arguments(function)? {
            None => self.any_arguments(function)?,
            known => known,
        };
        args.extend(given.into_iter().flatten());
        for (at, local) in function.locals[..function.params].iter().enumerate() {
            if at < args.len() {
                continue;
            }
            let this = LocalId(at as u32);
            let is_used = function.body.as_ref().is_some_and(|body| {
                any_expr_in(
                    body,
                    |expr| matches!(expr.kind, ExprKind::Local(id) if id == this),
                )
            });
            let sort = self.types().sort(&local.ty, local.span)?;
            if !is_used {
                args.push(self.terms().constant(sort, 0));
                continue;
            }
            if let Some(object) = self.argument_object(&function.name, local)? {
                args.push(object);
                continue;
            }
            let origin = HavocOrigin::External(local.name.clone(), local.span);
            let value = self.havoc(&local.ty, origin, local.span)?;
            if function.name != "main" && !matches!(local.ty, Type::Pointer(_)) {
                args.push(value);
                continue;
            }
            if is_signed(&local.ty) {
                let zero = self.terms().constant(sort, 0);
                let fine = self.terms().binary(Op::Sle, zero, value);
                self.assume(fine, local.span);
            } else {
                let line = format!(
                    "`{}` of `{}` is an arbitrary address: no strings are behind it",
                    local.name, function.name
                );
                self.ctx.assume_about(line);
            }
            args.push(value);
        }
        Ok(args)
    }

    /// What a pointer argument of a function other than `main` points to: an object of its own with
    /// arbitrary content, if its size is known.
    fn argument_object(&mut self, function: &str, local: &Local) -> Lowered<Option<Term>> {
        let Type::Pointer(to) = &local.ty else {
            return Ok(None);
        };
        let types = self.types();
        let size = to.size(types.model, types.records).filter(|&size| size > 0);
        let is_object = !matches!(to.unqualified(), Type::Void | Type::Function(_));
        let Some(size) = size.filter(|_| function != "main" && is_object) else {
            return Ok(None);
        };
        let shape = types.shape(to);
        let object = self.ctx.xcfa.add_object(Object {
            shape,
            ..Object::new(
                format!("*{}", local.name),
                ObjectKind::Stack,
                Some(size),
                local.span,
            )
        });
        let var = self.pointer_var(&local.name);
        let label = self.alloc_label(var, object, size, false);
        self.emit(label, local.span);
        let address = self.read_var(var);
        let origin = HavocOrigin::External(local.name.clone(), local.span);
        self.havoc_record(address, to, &origin, local.span)?;
        self.ctx.assume_about(format!(
            "`{}` of `{function}` points to an object that nothing else points to, with arbitrary content",
            local.name
        ));
        Ok(Some(address))
    }
}
