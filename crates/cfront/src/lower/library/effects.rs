//! What the table of functions says of a call: memory that is read or filled, and what comes back.
//!
//! Reading matters to races and to memory safety alone; otherwise it is left out
//! ([`LowerOptions::reads`](crate::LowerOptions::reads)).

use super::{Answer, Request};
use crate::functions::{self, Effect, Gives, Meaning};
use crate::hir::{Expr, ExprKind, IntKind, IntType, Type};
use crate::lower::Environment;
use crate::lower::arith::force_sort;
use crate::lower::function::FunctionLowering;
use crate::lower::reach::peel_casts;
use crate::lower::types::Lowered;
use expr::{Op, Term};
use xcfa::{Callee, HavocOrigin, Inexact, Label};

/// `_Bool`.
const TRUTH: Type = Type::Int(IntType::new(IntKind::Bool, false));

impl FunctionLowering<'_, '_> {
    pub(super) fn described_call(&mut self, request: &Request) -> Lowered<Answer> {
        let Some(meaning) = functions::meaning(request.name) else {
            return Ok(Answer::NotMine);
        };
        match meaning {
            Meaning::InC(_) | Meaning::Steps(_) => Ok(Answer::NotMine),
            Meaning::Refused(why) => Err(request.refuse_with_advice(why)),
            Meaning::Succeeds => self.answer(request, 0),
            Meaning::Prints(at) => {
                self.no_fusing(request.span)?;
                self.print(request, at)?;
                self.inexact(request, Inexact::Every);
                self.anything_printed(request)
            }
            Meaning::PrintsAndEnds(at) => {
                self.print(request, at)?;
                self.exit(request.span)?;
                Ok(Answer::Done)
            }
            Meaning::Outside(gives, effects) => {
                if !has_arguments(effects, request) {
                    return Ok(Answer::NotMine);
                }
                self.effects_on_memory(effects, request)?;
                let changes = self.ctx.changes_environment();
                if !changes && self.is_unset(request) {
                    return self.answer(request, 0);
                }
                let connects = self.ctx.connects_files();
                if let Some(inexact) = functions::inexact(request.name, gives, changes, connects) {
                    self.inexact(request, inexact);
                }
                self.anything_from_outside(request, gives)
            }
            Meaning::Arbitrary(effects) => {
                if !has_arguments(effects, request) {
                    return Ok(Answer::NotMine);
                }
                self.effects_on_memory(effects, request)?;
                self.inexact(request, Inexact::Every);
                self.anything_from_outside(request, Gives::Anything)
            }
        }
    }

    /// Is it a variable of the environment that is not set, as far as we know?
    fn is_unset(&mut self, request: &Request) -> bool {
        let asks = matches!(request.name, "getenv" | "secure_getenv");
        let is_unset = asks && self.ctx.options.environment == Environment::Typical;
        if is_unset {
            let line = "no variable of the environment is set";
            self.ctx.assume_about(line.to_owned());
        }
        is_unset
    }

    fn effects_on_memory(&mut self, effects: &[Effect], request: &Request) -> Lowered<()> {
        for &effect in effects {
            match effect {
                Effect::Text(at) => self.read_text(request, at, false)?,
                Effect::TextOrNull(at) => self.read_text(request, at, true)?,
                Effect::Bytes(at, size) => {
                    let size = request.arg(size)?;
                    self.read_bytes(request, at, size)?;
                }
                Effect::Items(at, size, count) => {
                    let (size, count) = (request.arg(size)?, request.arg(count)?);
                    let bytes = self.terms().binary(Op::Mul, size, count);
                    self.read_bytes(request, at, bytes)?;
                }
                Effect::Object(at) => self.read_object(request, at)?,
                Effect::Fills(at) => self.fill(request, at)?,
                Effect::Writes(what) => {
                    let which = self.int(what as i64);
                    self.touch_library(request, "__mazurka_write_static", vec![which])?;
                }
                Effect::ReadsEnvironment => {
                    self.touch_library(request, "__mazurka_read_environment", Vec::new())?;
                }
                Effect::ChangesEnvironment => {
                    self.touch_library(request, "__mazurka_change_environment", Vec::new())?;
                }
            }
        }
        Ok(())
    }

    /// Uses memory of the library; only races can tell.
    fn touch_library(&mut self, request: &Request, name: &str, args: Vec<Term>) -> Lowered<()> {
        match self.ctx.options.reads {
            true => self.run_model(request, name, args),
            false => Ok(()),
        }
    }

    /// What a function that prints returns. Nothing comes in its way in a typical environment.
    fn anything_printed(&mut self, request: &Request) -> Lowered<Answer> {
        let is_typical = self.ctx.options.environment == Environment::Typical;
        if !is_typical || self.model("__mazurka_any_errno").is_none() {
            return self.anything_from_outside(request, Gives::Anything);
        }
        let line = "printing does not change `errno`";
        self.ctx.assume_about(line.to_owned());
        self.value_from_outside(request, Gives::Anything)
    }

    /// A value from outside, which may come with an error number.
    fn anything_from_outside(&mut self, request: &Request, gives: Gives) -> Lowered<Answer> {
        if self.model("__mazurka_any_errno").is_some() {
            self.run_model(request, "__mazurka_any_errno", Vec::new())?;
        }
        self.value_from_outside(request, gives)
    }

    fn value_from_outside(&mut self, request: &Request, gives: Gives) -> Lowered<Answer> {
        if !request.wanted || matches!(request.result, Type::Void) {
            return Ok(Answer::Done);
        }
        let origin = HavocOrigin::External(request.name.to_string(), request.span);
        if let Some(two) = self.one_of_two(request, gives)? {
            let first = self.havoc(&TRUTH, origin, request.span)?;
            let first = self.terms().is_nonzero(first);
            return Ok(Answer::Value(self.terms().ite(first, two[0], two[1])));
        }
        let value = self.havoc(request.result, origin, request.span)?;
        match request.result.unqualified() {
            Type::Int(ty) => self.assume_in_range(request, gives, value, ty.signed)?,
            _ if gives == Gives::Text => self.assume_not_null(request, value),
            _ => {}
        }
        Ok(Answer::Value(value))
    }

    /// The two results that are possible, if there are just two.
    fn one_of_two(&mut self, request: &Request, gives: Gives) -> Lowered<Option<[Term; 2]>> {
        if !matches!(gives, Gives::Status | Gives::Truth | Gives::Character(_)) {
            return Ok(None);
        }
        let sort = self.types().sort(request.result, request.span)?;
        let [zero, one, error] = [0, 1, u64::MAX].map(|bits| self.terms().constant(sort, bits));
        Ok(Some(match gives {
            Gives::Truth => [one, zero],
            Gives::Character(at) => {
                let character = request.arg(at)?;
                let character = self.terms().resize(character, 8, false);
                [error, force_sort(self.terms(), character, sort)]
            }
            _ => [error, zero],
        }))
    }

    fn assume_in_range(
        &mut self,
        request: &Request,
        gives: Gives,
        value: Term,
        signed: bool,
    ) -> Lowered<()> {
        let sort = self.terms().sort(value);
        let least = match gives {
            Gives::Number => Some(u64::MAX),
            Gives::UpTo(_) if signed => Some(u64::MAX),
            Gives::Code => Some(0),
            _ => None,
        };
        if let Some(least) = least {
            let least = self.terms().constant(sort, least);
            let possible = self.terms().binary(Op::Sle, least, value);
            self.assume(possible, request.span);
        }
        if let Gives::UpTo(at) = gives {
            let most = request.arg(at)?;
            let most = force_sort(self.terms(), most, sort);
            let op = if signed { Op::Sle } else { Op::Ule };
            let possible = self.terms().binary(op, value, most);
            self.assume(possible, request.span);
        }
        Ok(())
    }

    fn assume_not_null(&mut self, request: &Request, value: Term) {
        let possible = self.terms().is_nonzero(value);
        self.assume(possible, request.span);
    }

    /// 0, or an error that the library returns in cases which are not told apart.
    pub(super) fn inexact_error(&mut self, request: &Request) -> Lowered<Answer> {
        let sort = self.types().sort(request.result, request.span)?;
        let zero = self.terms().constant(sort, 0);
        let fine = self.new_loc();
        let (start, end) = (self.at, self.new_loc());
        let var = self.temp(sort);
        self.assign(var, zero, request.span);
        self.goto(end, request.span);
        self.at = start;
        self.goto(fine, request.span);
        self.at = fine;
        self.inexact(request, Inexact::Every);
        let origin = HavocOrigin::External(request.name.to_string(), request.span);
        let error = self.havoc(request.result, origin, request.span)?;
        let is_error = self.terms().binary(Op::Slt, zero, error);
        self.assume(is_error, request.span);
        self.assign(var, error, request.span);
        self.goto(end, request.span);
        self.at = end;
        let value = self.read_var(var);
        Ok(Answer::Value(value))
    }

    /// Remembers that results of a function may be impossible.
    pub(super) fn inexact(&mut self, request: &Request, inexact: Inexact) {
        let known = self.ctx.xcfa.inexact.entry(request.name.to_string());
        known.or_insert(inexact);
    }

    /// Reads a string to its end.
    pub(super) fn read_text(&mut self, request: &Request, at: usize, or_null: bool) -> Lowered<()> {
        let pointer = request.arg(at)?;
        if !self.ctx.options.reads || request.exprs.get(at).is_some_and(|e| self.is_fixed_text(e)) {
            return Ok(());
        }
        let name = match or_null {
            true => "__mazurka_read_text_or_null",
            false => "__mazurka_read_text",
        };
        self.run_model(request, name, vec![pointer])
    }

    /// The same, of a string that need not end.
    pub(super) fn read_text_up_to(
        &mut self,
        request: &Request,
        at: usize,
        most: Term,
    ) -> Lowered<()> {
        let pointer = request.arg(at)?;
        match self.ctx.options.reads {
            true => self.run_model(request, "__mazurka_read_text_up_to", vec![pointer, most]),
            false => Ok(()),
        }
    }

    fn read_bytes(&mut self, request: &Request, at: usize, size: Term) -> Lowered<()> {
        let pointer = request.arg(at)?;
        match self.ctx.options.reads {
            true => self.run_model(request, "__mazurka_read_bytes", vec![pointer, size]),
            false => Ok(()),
        }
    }

    /// Is it a string that cannot change: a literal, or one of the library?
    fn is_fixed_text(&self, expr: &Expr) -> bool {
        match &peel_casts(expr).kind {
            ExprKind::Conditional(_, a, b) => self.is_fixed_text(a) && self.is_fixed_text(b),
            ExprKind::Call { callee, .. } => match callee.kind {
                ExprKind::FunctionAddr(id) => {
                    let function = self.ctx.function(id);
                    let meaning = functions::meaning(&function.name);
                    let is_text = matches!(
                        meaning,
                        Some(Meaning::Outside(Gives::Text | Gives::TextOrNull, _))
                    );
                    function.body.is_none() && is_text
                }
                _ => false,
            },
            _ => self.literal(expr).is_some(),
        }
    }

    /// Reads the scalars of an object, unless the pointer is null.
    fn read_object(&mut self, request: &Request, at: usize) -> Lowered<()> {
        let pointer = request.arg(at)?;
        let cells = self
            .pointee(request, at)
            .and_then(|to| self.types().cells(&to, 64));
        let Some(cells) = cells.filter(|_| self.ctx.options.reads) else {
            return Ok(());
        };
        self.unless_null(request, pointer, |this| {
            for cell in &cells {
                let var = this.temp(cell.sort);
                let addr = this.offset(pointer, cell.offset);
                this.emit(Label::Load { var, addr }, request.span);
            }
            Ok(())
        })
    }

    /// Makes an object arbitrary, unless the pointer is null.
    fn fill(&mut self, request: &Request, at: usize) -> Lowered<()> {
        let pointer = request.arg(at)?;
        if self.terms().as_const(pointer) == Some(0) {
            return Ok(());
        }
        let to = self.pointee(request, at);
        let to = to.ok_or_else(|| request.refuse("writes to memory, which is not modelled"))?;
        let origin = HavocOrigin::External(request.name.to_string(), request.span);
        self.unless_null(request, pointer, |this| {
            this.havoc_record(pointer, &to, &origin, request.span)
        })
    }

    /// What an argument points to, if it has a size.
    fn pointee(&self, request: &Request, at: usize) -> Option<Type> {
        let declared = request.declared.ty.params.get(at);
        let written = request.exprs.get(at).map(|expr| &peel_casts(expr).ty);
        let types = self.types();
        let sized = |ty: &Type| match ty.unqualified() {
            Type::Pointer(to) => to
                .size(types.model, types.records)
                .filter(|&size| size > 0)
                .map(|_| (**to).clone()),
            _ => None,
        };
        declared.and_then(sized).or_else(|| written.and_then(sized))
    }

    pub(super) fn unless_null(
        &mut self,
        request: &Request,
        pointer: Term,
        act: impl FnOnce(&mut Self) -> Lowered<()>,
    ) -> Lowered<()> {
        let there = self.terms().is_nonzero(pointer);
        match self.terms().as_const(there) {
            Some(0) => return Ok(()),
            Some(_) => return act(self),
            None => {}
        }
        self.no_fusing(request.span)?;
        let [yes, end] = [self.new_loc(), self.new_loc()];
        self.branch_on(there, yes, end, request.span);
        self.at = yes;
        act(self)?;
        self.goto(end, request.span);
        self.at = end;
        Ok(())
    }

    /// Calls a function of the library's model for what it does.
    pub(in crate::lower) fn run_model(
        &mut self,
        request: &Request,
        name: &str,
        args: Vec<Term>,
    ) -> Lowered<()> {
        self.call_model(request, name, args, None)
    }

    pub(super) fn model_call(
        &mut self,
        request: &Request,
        name: &str,
        args: Vec<Term>,
    ) -> Lowered<Term> {
        let proc = self.unit_proc(request, name)?;
        let result = self.ctx.xcfa[proc].result;
        let result = result.ok_or_else(|| request.refuse("a model without a result"))?;
        let sort = self.ctx.xcfa[result].sort;
        let result = self.temp(sort);
        self.call_model(request, name, args, Some(result))?;
        Ok(self.read_var(result))
    }

    fn call_model(
        &mut self,
        request: &Request,
        name: &str,
        args: Vec<Term>,
        result: Option<expr::VarId>,
    ) -> Lowered<()> {
        self.no_fusing(request.span)?;
        let proc = self.unit_proc(request, name)?;
        let args = self.fit_args(proc, args, &[], request.span);
        let callee = Callee::Direct(proc);
        let call = Label::call(callee, args, result);
        self.emit(call, request.span);
        self.follow_jump(self.model(name), request.span)
    }
}

/// Has the call all arguments that its effects are about? A program may declare a function of its
/// own by the name of one of the library.
fn has_arguments(effects: &[Effect], request: &Request) -> bool {
    let most = effects.iter().filter_map(|effect| match *effect {
        Effect::Text(at) | Effect::TextOrNull(at) | Effect::Object(at) | Effect::Fills(at) => {
            Some(at)
        }
        Effect::Bytes(at, size) => Some(at.max(size)),
        Effect::Items(at, size, count) => Some(at.max(size).max(count)),
        Effect::Writes(_) | Effect::ReadsEnvironment | Effect::ChangesEnvironment => None,
    });
    most.max().is_none_or(|most| most < request.args.len())
}
