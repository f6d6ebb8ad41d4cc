//! Calls. A record is passed by the address of a copy-to-be: the callee copies it; a record comes
//! back through a hidden first parameter that points to a temporary of the caller.

use super::arith;
use super::body::ATOMIC_PREFIX;
use super::function::FunctionLowering;
use super::library::Request;
use super::reach::{is_null, peel_casts};
use super::types::{Lowered, is_record, is_signed};
use super::variadic::takes_more;
use crate::Unsupported;
use crate::hir::{Expr, ExprKind, FuncId, Type};
use expr::{Sort, Term};
use xcfa::{Callee, ErrorKind, HavocOrigin, Label, ProcId, Span};

impl FunctionLowering<'_, '_> {
    /// A call; the result is the value, or the address of a record.
    pub fn call(
        &mut self,
        callee: &Expr,
        args: &[Expr],
        expr: &Expr,
        wanted: bool,
    ) -> Lowered<Option<Term>> {
        self.call_for(callee, args, expr, wanted, None)
    }

    /// A call whose result is cast to a pointer to `pointee`.
    pub fn call_for(
        &mut self,
        callee: &Expr,
        args: &[Expr],
        expr: &Expr,
        wanted: bool,
        pointee: Option<&Type>,
    ) -> Lowered<Option<Term>> {
        self.no_effects(expr.span)?;
        let exprs: Vec<&Expr> = args.iter().collect();
        let ExprKind::FunctionAddr(id) = peel_casts(callee).kind else {
            if let Type::Pointer(to) = callee.ty.unqualified()
                && let Type::Function(ty) = &**to
            {
                refuse_transparent(&ty.params, args, expr.span)?;
            }
            return self.pointer_call(callee, &exprs, expr, wanted);
        };
        let function = self.ctx.function(id);
        let fixed = self.ctx.options.fixes(&function.name);
        if function.body.is_some() && !fixed && !self.allocates(id, args) {
            refuse_transparent(&function.ty.params, args, expr.span)?;
            self.name_order(function, args);
            let values = self.operands(&exprs)?;
            let types: Vec<Type> = args.iter().map(|arg| arg.ty.clone()).collect();
            let packed = self.pack_for(function, values, &types, expr.span)?;
            if function.link.library {
                self.pass_cancellation(&function.name, expr.span)?;
            }
            let wanted = wanted || self.is_watched_after(function, expr.span);
            self.look_before(function, args, &packed.values, expr.span)?;
            let result = self.direct_call(id, packed.values.clone(), &types, expr, wanted)?;
            self.look_after(function, result, &packed.values, expr.span)?;
            self.end_packed(packed.block, expr.span);
            self.follow_jump(Some(id), expr.span)?;
            return Ok(result);
        }
        if function.body.is_some() && function.name.starts_with(ATOMIC_PREFIX) {
            let name = &function.name;
            let what = format!("`{name}` is that of the verifiers, not what the program defines");
            self.ctx.assume_about(what);
        }
        let values = match function.name.as_str() {
            // Their text is for people: it needs no place.
            "__mazurka_typical" | "__mazurka_assuming" => Vec::new(),
            name => self.library_operands(name, &exprs)?,
        };
        self.pass_cancellation(&function.name, expr.span)?;
        let request = Request {
            name: &function.name,
            args: values,
            exprs: args,
            declared: function,
            result: &expr.ty,
            span: expr.span,
            wanted: wanted || self.is_watched_after(function, expr.span),
            pointee,
        };
        self.watched_call(&request)
    }

    /// Is it a function that changes the size of memory, where there is none before?
    fn allocates(&self, id: FuncId, args: &[Expr]) -> bool {
        let function = self.ctx.function(id);
        let is_model = function.name == "realloc" && function.link.library;
        is_model && args.first().is_some_and(is_null)
    }

    fn direct_call(
        &mut self,
        id: FuncId,
        values: Vec<Term>,
        types: &[Type],
        expr: &Expr,
        wanted: bool,
    ) -> Lowered<Option<Term>> {
        let span = expr.span;
        self.no_fusing(span)?;
        let function = self.ctx.function(id);
        // Parts of the library's model call each other, whether the program reaches them or not.
        let proc = self.model_proc(id)?;
        let returns_record = is_record(&function.ty.result);
        let mut args = self.fit_args(proc, values, types, span);
        let callee = Callee::Direct(proc);
        if returns_record {
            let target = self.temp_record(&function.ty.result, span)?;
            args.insert(0, target);
            self.emit(Label::call(callee, args, None), span);
            return Ok(Some(target));
        }
        let is_void = matches!(expr.ty, Type::Void);
        let result = self.ctx.xcfa[proc].result.filter(|_| wanted && !is_void);
        let result = result
            .map(|var| self.ctx.xcfa[var].sort)
            .map(|sort| self.typed_temp(sort, &expr.ty));
        self.emit(Label::call(callee, args, result), span);
        if !wanted || is_void {
            return Ok(None);
        }
        let Some(result) = result else {
            // Declared with a result, defined without one.
            return self
                .havoc(&expr.ty, HavocOrigin::Uninitialised, span)
                .map(Some);
        };
        let value = self.read_var(result);
        let sort = self.types().sort(&expr.ty, span)?;
        Ok(Some(arith::force_sort(self.terms(), value, sort)))
    }

    /// Arguments in the number and sorts of the procedure's parameters (without the hidden one).
    /// Declarations may disagree with the definition: missing arguments are arbitrary.
    pub fn fit_args(
        &mut self,
        proc: ProcId,
        values: Vec<Term>,
        types: &[Type],
        span: Span,
    ) -> Vec<Term> {
        let params = self.ctx.xcfa[proc].params.clone();
        let hidden = usize::from(self.ctx.hidden_results.contains(&proc));
        let mut args = Vec::new();
        for (at, param) in params.into_iter().skip(hidden).enumerate() {
            let sort = self.ctx.xcfa[param].sort;
            let Some(&value) = values.get(at) else {
                let temp = self.temp(sort);
                let origin = HavocOrigin::Uninitialised;
                self.emit(Label::Havoc { var: temp, origin }, span);
                args.push(self.read_var(temp));
                continue;
            };
            let signed = types.get(at).is_some_and(is_signed);
            let value = match (self.terms().sort(value), sort) {
                (Sort::Bv(_), Sort::Bv(width)) => self.terms().resize(value, width, signed),
                _ => arith::force_sort(self.terms(), value, sort),
            };
            args.push(value);
        }
        args
    }

    /// Calling something that is no function is an error, if the property asks for it.
    fn check_callee(&mut self, pointer: Term, span: Span) -> Lowered<()> {
        if !self.ctx.options.call_checks {
            return Ok(());
        }
        let objects: Vec<_> = self.ctx.function_objects.values().copied().collect();
        let mut invalid = self.terms().bool(true);
        for object in objects {
            let address = self.ctx.base(object);
            let differs = self.terms().ne(pointer, address);
            invalid = self.terms().and(invalid, differs);
        }
        self.fail_if(invalid, ErrorKind::InvalidDeref, span)
    }

    fn pointer_call(
        &mut self,
        callee: &Expr,
        args: &[&Expr],
        expr: &Expr,
        wanted: bool,
    ) -> Lowered<Option<Term>> {
        let span = expr.span;
        self.no_fusing(span)?;
        let all: Vec<&Expr> = [callee].into_iter().chain(args.iter().copied()).collect();
        let types: Vec<Type> = args.iter().map(|arg| arg.ty.clone()).collect();
        let mut args = self.operands(&all)?;
        let pointer = args.remove(0);
        self.check_callee(pointer, span)?;
        let mut block = None;
        if let Type::Pointer(to) = callee.ty.unqualified()
            && let Type::Function(ty) = &**to
            && takes_more(ty)
        {
            let packed = self.pack(ty, args, &types, span)?;
            (args, block) = (packed.values, packed.block);
        }
        let callee = Callee::Pointer(pointer);
        if is_record(&expr.ty) {
            let target = self.temp_record(&expr.ty, span)?;
            args.insert(0, target);
            self.emit(Label::call(callee, args, None), span);
            self.end_packed(block, span);
            self.follow_jump(None, span)?;
            return Ok(Some(target));
        }
        let result = match wanted && !matches!(expr.ty, Type::Void) {
            true => Some(self.types().sort(&expr.ty, span)?),
            false => None,
        };
        let result = result.map(|sort| self.typed_temp(sort, &expr.ty));
        self.emit(Label::call(callee, args, result), span);
        self.end_packed(block, span);
        self.follow_jump(None, span)?;
        Ok(result.map(|var| self.read_var(var)))
    }

    /// Arguments of a library function. A start routine that is named is no value.
    fn library_operands(&mut self, name: &str, exprs: &[&Expr]) -> Lowered<Vec<Term>> {
        let routine = super::library::starts(name);
        let is_routine = |at: usize| {
            routine == Some(at) && matches!(peel_casts(exprs[at]).kind, ExprKind::FunctionAddr(_))
        };
        let kept: Vec<&Expr> = (0..exprs.len())
            .filter(|&at| !is_routine(at))
            .map(|at| exprs[at])
            .collect();
        if kept.iter().any(|arg| matches!(arg.ty, Type::Void)) {
            return Err(Unsupported::at(kept[0].span, "a `void` argument"));
        }
        let mut values = self.operands(&kept)?;
        if let Some(at) = (0..exprs.len()).find(|&at| is_routine(at)) {
            let placeholder = self.ctx.word(0);
            values.insert(at, placeholder);
        }
        Ok(values)
    }
}

/// Refuses arguments for a transparent union where a function of the program is called.
fn refuse_transparent(params: &[Type], args: &[Expr], span: Span) -> Lowered<()> {
    let mut pairs = params.iter().zip(args);
    match pairs.any(|(param, arg)| is_record(param) && !is_record(&arg.ty)) {
        true => Err(Unsupported::at(span, "a transparent union as a parameter")),
        false => Ok(()),
    }
}
