//! `memcpy`, `memmove` and `memset` of constant small size: one typed scalar after the other.
//!
//! Other sizes are loops over bytes in `lib/memory.c`, to which calls go under the names
//! `__mazurka_memcpy` and so on once that unit is there.

use super::{Answer, Request};
use crate::hir::{Expr, FuncId, Type};
use crate::lower::function::FunctionLowering;
use crate::lower::reach::peel_casts;
use crate::lower::types::{Cell, Lowered};
use expr::{Op, Sort, Term};
use xcfa::{Callee, Label, ProcId};

/// The most scalars that a call is unfolded to.
const MOST_CELLS: usize = 256;

impl FunctionLowering<'_, '_> {
    pub(super) fn memory_call(&mut self, request: &Request) -> Lowered<Answer> {
        match request.name {
            "memcpy" | "__builtin_memcpy" | "__memcpy_chk" | "__builtin___memcpy_chk" => {
                self.copy_memory(request, false)
            }
            "memmove" | "__builtin_memmove" | "__memmove_chk" | "__builtin___memmove_chk" => {
                self.copy_memory(request, true)
            }
            "memset" | "__builtin_memset" | "__memset_chk" | "__builtin___memset_chk" => {
                let args = [request.arg(0)?, request.arg(1)?, request.arg(2)?];
                self.set_memory(request, &args)
            }
            // The same with other arguments or results.
            "mempcpy" | "__mempcpy" => self.copy_and_point_behind(request),
            "bcopy" => {
                let args = vec![request.arg(1)?, request.arg(0)?, request.arg(2)?];
                self.run_model(request, "__mazurka_memmove", args)?;
                Ok(Answer::Done)
            }
            "bzero" | "explicit_bzero" => {
                let zero = self.int(0);
                let args = vec![request.arg(0)?, zero, request.arg(1)?];
                self.set_memory(request, &args)?;
                Ok(Answer::Done)
            }
            _ => Ok(Answer::NotMine),
        }
    }

    /// `mempcpy`: a copy, and the address behind it.
    fn copy_and_point_behind(&mut self, request: &Request) -> Lowered<Answer> {
        self.copy_memory(request, false)?;
        let (to, size) = (request.arg(0)?, request.arg(2)?);
        let behind = self.terms().binary(Op::Add, to, size);
        self.answer_term(request, behind)
    }

    /// The scalars of `size` bytes behind arguments `at`, by the type that the program gave them.
    fn cells_behind(&self, request: &Request, at: &[usize], size: u64) -> Option<Vec<Cell>> {
        let typed = at
            .iter()
            .find_map(|&at| self.typed_cells(request.exprs.get(at)?, size));
        if typed.is_some() {
            return typed;
        }
        let bytes = (0..size).map(|offset| Cell {
            offset,
            sort: Sort::Bv(8),
        });
        (size as usize <= MOST_CELLS).then(|| bytes.collect())
    }

    fn typed_cells(&self, expr: &Expr, size: u64) -> Option<Vec<Cell>> {
        let Type::Pointer(pointee) = peel_casts(expr).ty.unqualified() else {
            return None;
        };
        if matches!(**pointee, Type::Void) {
            return None;
        }
        let types = self.types();
        let each = pointee
            .size(types.model, types.records)
            .filter(|&each| each > 0)?;
        if !size.is_multiple_of(each) || size / each > MOST_CELLS as u64 {
            return None;
        }
        let one = types.cells(pointee, MOST_CELLS)?;
        let cells = (0..size / each).flat_map(|index| {
            one.iter().map(move |cell| Cell {
                offset: cell.offset + index * each,
                ..*cell
            })
        });
        let cells: Vec<Cell> = cells.collect();
        (cells.len() <= MOST_CELLS).then_some(cells)
    }

    fn copy_memory(&mut self, request: &Request, may_overlap: bool) -> Lowered<Answer> {
        let (to, from, size) = (request.arg(0)?, request.arg(1)?, request.arg(2)?);
        let cells = match self.terms().as_const(size) {
            Some(size) => self.cells_behind(request, &[0, 1], size),
            None => None,
        };
        let Some(cells) = cells else {
            let name = if may_overlap {
                "__mazurka_memmove"
            } else {
                "__mazurka_memcpy"
            };
            return self.call_unit(request, name, vec![to, from, size]);
        };
        if may_overlap {
            self.copy_through_temporaries(to, from, &cells, request.span);
        } else {
            self.copy_by_cells(to, from, &cells, request.span);
        }
        self.answer_term(request, to)
    }

    /// Reads everything before it writes anything.
    fn copy_through_temporaries(&mut self, to: Term, from: Term, cells: &[Cell], span: xcfa::Span) {
        let mut values = Vec::new();
        for cell in cells {
            let temp = self.temp(cell.sort);
            let addr = self.offset(from, cell.offset);
            self.emit(Label::Load { var: temp, addr }, span);
            values.push(self.read_var(temp));
        }
        for (cell, value) in cells.iter().zip(values) {
            let addr = self.offset(to, cell.offset);
            self.emit(Label::Store { addr, value }, span);
        }
    }

    /// Sets memory (to, byte, size).
    fn set_memory(&mut self, request: &Request, args: &[Term]) -> Lowered<Answer> {
        let &[to, byte, size] = args else {
            return Err(request.refuse("a call of this form"));
        };
        let byte = self.terms().extract(byte, 7, 0);
        let constant = self.terms().as_const(byte);
        let cells = match self.terms().as_const(size) {
            Some(size) => self.cells_behind(request, &[0], size),
            None => None,
        };
        let Some(cells) = cells else {
            let byte = self.terms().resize(byte, 32, true);
            return self.call_unit(request, "__mazurka_memset", vec![to, byte, size]);
        };
        for cell in cells {
            let addr = self.offset(to, cell.offset);
            let value = self.repeated(byte, constant, cell.sort);
            self.emit(Label::Store { addr, value }, request.span);
        }
        self.answer_term(request, to)
    }

    /// A byte in every byte of a scalar.
    fn repeated(&mut self, byte: Term, constant: Option<u64>, sort: Sort) -> Term {
        if let Some(byte) = constant {
            return self
                .terms()
                .constant(sort, byte.wrapping_mul(0x0101_0101_0101_0101));
        }
        let terms = self.terms();
        let mut whole = byte;
        while terms.width(whole) < sort.width() {
            whole = terms.binary(Op::Concat, whole, byte);
        }
        match sort {
            Sort::Float(kind) => terms.unary(Op::FloatFromBits(kind), whole),
            _ => whole,
        }
    }

    /// Calls the byte loop of the library unit.
    fn call_unit(&mut self, request: &Request, name: &str, args: Vec<Term>) -> Lowered<Answer> {
        let span = request.span;
        self.no_fusing(span)?;
        let proc = self.unit_proc(request, name)?;
        let to = args[0];
        let args = self.fit_args(proc, args, &[], span);
        let callee = Callee::Direct(proc);
        self.emit(Label::call(callee, args, None), span);
        self.answer_term(request, to)
    }

    /// The procedure of a function that only models call; the first call brings it to life.
    pub(super) fn unit_proc(&mut self, request: &Request, name: &str) -> Lowered<ProcId> {
        let Some(id) = self.model(name) else {
            return Err(request.refuse("its model is not there"));
        };
        self.model_proc(id)
    }

    pub(in crate::lower) fn model_proc(&mut self, id: FuncId) -> Lowered<ProcId> {
        if !self.ctx.procs.contains_key(&id) {
            self.ctx.declare_function(id)?;
            self.ctx.late.push(id);
        }
        Ok(self.ctx.procs[&id])
    }

    pub(in crate::lower) fn model(&self, name: &str) -> Option<FuncId> {
        self.ctx.program.defined(name)
    }
}
