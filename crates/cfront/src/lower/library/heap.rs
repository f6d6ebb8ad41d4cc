//! Heap memory. An allocation fails only in an arbitrary environment, or if its size is no number.
//!
//! In a program that calls `realloc` the size of each block stands in front of it. Who checks memory safety must
//! not see that: there `lib/realloc.c` keeps a list.

use super::{Answer, Request};
use crate::hir::{IntKind, IntType, Type};
use crate::lower::Environment;
use crate::lower::function::FunctionLowering;
use crate::lower::types::Lowered;
use expr::{ObjId, Op, Term};
use xcfa::{ErrorKind, HavocOrigin, Label, Object, ObjectKind, Shape};

const EINVAL: i64 = 22;
const ENOMEM: i64 = 12;

/// How the machine aligns memory on the heap.
pub(in crate::lower) const HEAP_ALIGN: u64 = 16;

/// The primitive by which `lib/realloc.c` makes the new block.
const RESIZED: &str = "__mazurka_resized";

/// The primitive by which it makes room for what it knows of other blocks.
const HIDDEN: &str = "__mazurka_hidden";

impl FunctionLowering<'_, '_> {
    /// `malloc` and similar functions.
    pub(super) fn heap_call(&mut self, request: &Request) -> Lowered<Answer> {
        match request.name {
            "malloc" | "valloc" | "pvalloc" | "__builtin_malloc" | RESIZED | HIDDEN => {
                let size = request.arg(0)?;
                self.allocate(request, size, 16, false)
            }
            "calloc" | "__builtin_calloc" => {
                let (count, each) = (request.arg(0)?, request.arg(1)?);
                self.allocate_items(request, count, each)
            }
            "aligned_alloc" | "memalign" => {
                let align = request.arg(0)?;
                let Some(align) = self.terms().as_const(align) else {
                    return Err(request.refuse("an alignment that is not constant"));
                };
                let size = request.arg(1)?;
                self.allocate(request, size, align.max(1), false)
            }
            "posix_memalign" => self.posix_memalign(request),
            "free" | "cfree" | "__builtin_free" => {
                let pointer = request.arg(0)?;
                self.free(request, pointer)?;
                Ok(Answer::Done)
            }
            // Where there was no memory before; `lib/realloc.c` does the rest.
            "realloc" => {
                let size = request.arg(1)?;
                self.allocate(request, size, 16, false)
            }
            "alloca" => match request.exprs {
                [size] => self.alloca(size, request.span).map(Answer::Value),
                _ => Err(request.refuse("a call of this form")),
            },
            _ => Ok(Answer::NotMine),
        }
    }

    /// Does the size of each block stand in front of it?
    fn has_heads(&self) -> bool {
        let is_model = |id| self.ctx.function(id).link.library;
        !self.ctx.options.bounds_checks && self.model("realloc").is_some_and(is_model)
    }

    /// Is the size of each block in a list?
    fn registers(&self) -> bool {
        let is_model = |id| self.ctx.function(id).link.library;
        self.ctx.options.bounds_checks && self.model("realloc").is_some_and(is_model)
    }

    fn free(&mut self, request: &Request, pointer: Term) -> Lowered<()> {
        self.refuse_to_free_externals(request, pointer)?;
        if self.registers() {
            self.run_model(request, "__mazurka_forget_block", vec![pointer])?;
        }
        if !self.has_heads() {
            self.emit(Label::Free(pointer), request.span);
            return Ok(());
        }
        let head = self.ctx.word(HEAP_ALIGN);
        self.unless_null(request, pointer, |this| {
            let block = this.terms().binary(Op::Sub, pointer, head);
            this.emit(Label::Free(block), request.span);
            Ok(())
        })
    }

    /// Large objects that the program does not define are memory like that of `malloc`, but cannot be freed.
    fn refuse_to_free_externals(&mut self, request: &Request, pointer: Term) -> Lowered<()> {
        if !self.ctx.options.bounds_checks {
            return Ok(());
        }
        for made in self.ctx.large_externals.clone() {
            let start = self.read_var(made.pointer);
            let is_start = self.terms().eq(pointer, start);
            self.fail_if(is_start, ErrorKind::InvalidFree, request.span)?;
        }
        Ok(())
    }

    fn allocate(
        &mut self,
        request: &Request,
        size: Term,
        align: u64,
        zeroed: bool,
    ) -> Lowered<Answer> {
        let most = 1 << (self.ctx.xcfa.pointer_bits() - 1);
        if self.terms().as_const(size).is_some_and(|size| size >= most) {
            return self.no_memory(request);
        }
        if let Some(refused) = self.may_refuse(request)? {
            return self.unless_refused(request, refused, |this| {
                this.allocate_memory(request, size, align, zeroed)
            });
        }
        let address = self.allocate_memory(request, size, align, zeroed)?;
        self.answer_term(request, address)
    }

    /// A value that is true if the system refuses what it is asked for; `None` if it never does.
    pub(super) fn may_refuse(&mut self, request: &Request) -> Lowered<Option<Term>> {
        if self.ctx.options.environment == Environment::Typical || request.name == HIDDEN {
            return Ok(None);
        }
        let origin = HavocOrigin::External(request.name.to_owned(), request.span);
        let truth = Type::Int(IntType::new(IntKind::Bool, false));
        let refused = self.havoc(&truth, origin, request.span)?;
        Ok(Some(self.truth_of(refused)))
    }

    /// What `allocate` gives, or a null pointer if the system refuses.
    fn unless_refused(
        &mut self,
        request: &Request,
        refused: Term,
        allocate: impl FnOnce(&mut Self) -> Lowered<Term>,
    ) -> Lowered<Answer> {
        self.no_fusing(request.span)?;
        let sort = self.types().sort(request.result, request.span)?;
        let result = self.temp(sort);
        self.ctx.xcfa[result].pointer = true;
        let [none, some, end] = [self.new_loc(), self.new_loc(), self.new_loc()];
        self.branch_on(refused, none, some, request.span);
        self.at = none;
        if let Answer::Value(null) = self.no_memory(request)? {
            self.assign(result, null, request.span);
        }
        self.goto(end, request.span);
        self.at = some;
        let value = allocate(self)?;
        self.assign(result, value, request.span);
        self.goto(end, request.span);
        self.at = end;
        Ok(Answer::Value(self.read_var(result)))
    }

    /// `calloc`: a null pointer if the size is no number.
    fn allocate_items(&mut self, request: &Request, count: Term, each: Term) -> Lowered<Answer> {
        let width = self.terms().width(count);
        let terms = self.terms();
        let size = terms.binary(Op::Mul, count, each);
        let zero = terms.bv(width, 0);
        let one = terms.bv(width, 1);
        let is_zero = terms.eq(each, zero);
        let by = terms.ite(is_zero, one, each);
        let all = terms.bv(width, u64::MAX);
        let most = terms.binary(Op::Udiv, all, by);
        let too_many = terms.binary(Op::Ult, most, count);
        match self.terms().as_const(too_many) {
            Some(0) => self.allocate(request, size, 16, true),
            Some(_) => self.no_memory(request),
            None => {
                let more = self.may_refuse(request)?;
                let refused = match more {
                    Some(more) => self.terms().or(too_many, more),
                    None => too_many,
                };
                self.unless_refused(request, refused, |this| {
                    this.allocate_memory(request, size, HEAP_ALIGN, true)
                })
            }
        }
    }

    /// A null pointer, and an error number.
    fn no_memory(&mut self, request: &Request) -> Lowered<Answer> {
        if self.model("__mazurka_no_memory").is_some() {
            self.run_model(request, "__mazurka_no_memory", Vec::new())?;
        }
        self.answer(request, 0)
    }

    /// A new instance of the object of this call.
    fn allocate_memory(
        &mut self,
        request: &Request,
        size: Term,
        align: u64,
        zeroed: bool,
    ) -> Lowered<Term> {
        if align > HEAP_ALIGN {
            let name = request.name;
            let line =
                format!("memory of `{name}` is taken to be aligned to {HEAP_ALIGN} bytes only");
            self.ctx.assume_about(line);
        }
        let width = self.ctx.xcfa.pointer_bits();
        let size = self.terms().resize(size, width, false);
        let has_head = self.has_heads();
        let head = self.ctx.word(HEAP_ALIGN);
        let whole = match has_head {
            true => self.terms().binary(Op::Add, size, head),
            false => size,
        };
        let object = self.heap_object(request, whole, align);
        let sort = self.ctx.word_sort();
        let var = self.temp(sort);
        self.ctx.xcfa[var].pointer = true;
        self.emit(Label::alloc(var, object, whole, zeroed), request.span);
        let addr = self.read_var(var);
        if self.registers() && request.name != HIDDEN {
            self.run_model(request, "__mazurka_register_block", vec![addr, size])?;
        }
        if !has_head {
            return Ok(addr);
        }
        self.emit(Label::Store { addr, value: size }, request.span);
        Ok(self.terms().binary(Op::Add, addr, head))
    }

    fn heap_object(&mut self, request: &Request, size: Term, align: u64) -> ObjId {
        let constant = self.terms().as_const(size);
        let place = self.ctx.program.sources.place(request.span);
        let shape = request
            .pointee
            .map_or(Shape::Bytes, |ty| self.heap_shape(ty, constant));
        let ty = request.pointee.and_then(|ty| self.heap_type(ty, &shape));
        let resized = request.name == RESIZED;
        let name = match resized {
            true => "realloc".to_owned(),
            false => format!("{}@{}", request.name, place.line),
        };
        self.ctx.xcfa.add_object(Object {
            align,
            shape,
            ty,
            resized,
            hidden: request.name == HIDDEN,
            ..Object::new(name, ObjectKind::Heap, constant, request.span)
        })
    }

    /// One or more values of the type that the result is cast to.
    fn heap_shape(&self, ty: &Type, size: Option<u64>) -> Shape {
        let types = self.types();
        let each = ty.size(types.model, types.records).filter(|&each| each > 0);
        match (each, size) {
            (Some(each), Some(size)) if size == each => types.shape(ty),
            (Some(each), Some(size)) if size % each == 0 => Shape::Array {
                element: Box::new(types.shape(ty)),
                count: size / each,
                stride: each,
            },
            _ => Shape::Bytes,
        }
    }

    /// The type of what is in an object of this shape, for readers: `struct task`, `int[4]`.
    fn heap_type(&self, ty: &Type, shape: &Shape) -> Option<String> {
        let each = ty.spelt(self.types().records);
        match shape {
            Shape::Bytes => None,
            Shape::Array { count, .. } => each.map(|each| format!("{each}[{count}]")),
            _ => each,
        }
    }

    fn posix_memalign(&mut self, request: &Request) -> Lowered<Answer> {
        let target = request.arg(0)?;
        let align = request.arg(1)?;
        let Some(align) = self.terms().as_const(align) else {
            return Err(request.refuse("an alignment that is not constant"));
        };
        let least = u64::from(self.ctx.xcfa.pointer_bits() / 8);
        if !align.is_power_of_two() || align < least {
            return self.answer(request, EINVAL);
        }
        let size = request.arg(2)?;
        let refused = self.may_refuse(request)?;
        self.with_code(request, refused, ENOMEM, |this| {
            let value = this.allocate_memory(request, size, align.max(1), false)?;
            let addr = target;
            this.emit(Label::Store { addr, value }, request.span);
            Ok(())
        })
    }

    /// Does something and answers 0; or answers an error code, if the system refuses.
    pub(super) fn with_code(
        &mut self,
        request: &Request,
        refused: Option<Term>,
        code: i64,
        act: impl FnOnce(&mut Self) -> Lowered<()>,
    ) -> Lowered<Answer> {
        let Some(refused) = refused else {
            act(self)?;
            return self.answer(request, 0);
        };
        self.no_fusing(request.span)?;
        let [yes, no, end] = [self.new_loc(), self.new_loc(), self.new_loc()];
        self.branch_on(refused, no, yes, request.span);
        self.at = yes;
        act(self)?;
        self.goto(end, request.span);
        self.at = no;
        self.goto(end, request.span);
        self.at = end;
        let zero = self.int(0);
        let code = self.int(code);
        let answer = self.terms().ite(refused, code, zero);
        self.answer_term(request, answer)
    }
}
