//! Heap memory. An allocation never fails.
//!
//! In a program that calls `realloc` the size of each block stands in front of it. Who checks memory safety must
//! not see that: there `realloc` is refused.

use super::{Answer, Request};
use crate::hir::Type;
use crate::lower::function::FunctionLowering;
use crate::lower::types::Lowered;
use expr::{ObjId, Op, Term};
use xcfa::{Label, Object, ObjectKind, Shape};

const EINVAL: i64 = 22;

/// How the machine aligns memory on the heap.
const HEAP_ALIGN: u64 = 16;

impl FunctionLowering<'_, '_> {
    /// `malloc` and similar functions.
    pub(super) fn heap_call(&mut self, request: &Request) -> Lowered<Answer> {
        match request.name {
            "malloc" | "valloc" | "pvalloc" | "__builtin_malloc" => {
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
            // Where there was no memory before, or memory safety is checked; `lib/realloc.c` does the rest.
            "realloc" | "reallocarray" => {
                let old = request.arg(0)?;
                if self.terms().as_const(old) == Some(0) && request.name == "realloc" {
                    let size = request.arg(1)?;
                    return self.allocate(request, size, 16, false);
                }
                Err(request.refuse("the size of the old memory is not known"))
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

    fn free(&mut self, request: &Request, pointer: Term) -> Lowered<()> {
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
        let address = self.allocate_memory(request, size, align, zeroed);
        self.answer_term(request, address)
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
                self.no_fusing(request.span)?;
                let sort = self.types().sort(request.result, request.span)?;
                let result = self.temp(sort);
                self.ctx.xcfa[result].pointer = true;
                let [none, some, end] = [self.new_loc(), self.new_loc(), self.new_loc()];
                self.branch_on(too_many, none, some, request.span);
                for (from, is_there) in [(none, false), (some, true)] {
                    self.at = from;
                    let answer = match is_there {
                        true => self.allocate(request, size, 16, true)?,
                        false => self.no_memory(request)?,
                    };
                    if let Answer::Value(value) = answer {
                        self.assign(result, value, request.span);
                    }
                    self.goto(end, request.span);
                }
                self.at = end;
                Ok(Answer::Value(self.read_var(result)))
            }
        }
    }

    /// A null pointer, and an error number.
    fn no_memory(&mut self, request: &Request) -> Lowered<Answer> {
        if self.model("__mazurka_any_errno").is_some() {
            self.run_model(request, "__mazurka_any_errno", Vec::new())?;
        }
        self.answer(request, 0)
    }

    /// A new instance of the object of this call.
    fn allocate_memory(&mut self, request: &Request, size: Term, align: u64, zeroed: bool) -> Term {
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
        if !has_head {
            return addr;
        }
        self.emit(Label::Store { addr, value: size }, request.span);
        self.terms().binary(Op::Add, addr, head)
    }

    fn heap_object(&mut self, request: &Request, size: Term, align: u64) -> ObjId {
        let constant = self.terms().as_const(size);
        let place = self.ctx.program.sources.place(request.span);
        let shape = request
            .pointee
            .map_or(Shape::Bytes, |ty| self.heap_shape(ty, constant));
        self.ctx.xcfa.add_object(Object {
            align,
            shape,
            ..Object::new(
                format!("{}@{}", request.name, place.line),
                ObjectKind::Heap,
                constant,
                request.span,
            )
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
        let value = self.allocate_memory(request, size, align.max(1), false);
        self.emit(
            Label::Store {
                addr: target,
                value,
            },
            request.span,
        );
        self.answer(request, 0)
    }
}
