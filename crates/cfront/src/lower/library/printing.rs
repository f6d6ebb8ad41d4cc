//! `printf` and similar functions: what is printed is read, and `%n` is written.
//!
//! Printing to memory (`sprintf`, `snprintf`) is worked out character by character in
//! `lib/format.c`, for conversions without padding.

use super::format::{Amount, Conversion, Piece, pieces};
use super::{Answer, Request};
use crate::hir::Type;
use crate::lower::function::FunctionLowering;
use crate::lower::reach::is_null;
use crate::lower::types::Lowered;
use expr::{Op, Sort, Term};
use xcfa::{HavocOrigin, Label};

impl FunctionLowering<'_, '_> {
    /// Reads what a call with its format at argument `at` prints.
    pub(super) fn print(&mut self, request: &Request, at: usize) -> Lowered<()> {
        self.read_text(request, at, false)?;
        let literal = request.exprs.get(at).and_then(|expr| self.literal(expr));
        let Some(format) = literal else {
            return self.print_unknown(request, at);
        };
        let pieces = pieces(&format);
        let pieces = pieces.ok_or_else(|| request.refuse("a conversion that is not modelled"))?;
        let mut next = at + 1;
        // How much was printed, while that is known.
        let mut printed = Some(0);
        for piece in pieces {
            match piece {
                Piece::Plain(text) => printed = printed.map(|count| count + text.len() as u64),
                Piece::Conversion(conversion) => {
                    self.print_one(request, &conversion, &mut next, printed)?;
                    printed = printed.filter(|_| conversion.kind == b'n');
                }
            }
        }
        Ok(())
    }

    /// A format that is made while the program runs: it must not be given pointers.
    fn print_unknown(&mut self, request: &Request, at: usize) -> Lowered<()> {
        let mut others = request.exprs.iter().skip(at + 1);
        let has_pointer =
            others.any(|expr| matches!(expr.ty.unqualified(), Type::Pointer(_)) && !is_null(expr));
        match has_pointer || request.exprs.is_empty() {
            true => Err(request.refuse("a format that is not constant, with pointers to print")),
            false => Ok(()),
        }
    }

    fn print_one(
        &mut self,
        request: &Request,
        conversion: &Conversion,
        next: &mut usize,
        printed: Option<u64>,
    ) -> Lowered<()> {
        if conversion.width == Some(Amount::Argument) {
            *next += 1;
        }
        let most = match conversion.precision {
            Some(Amount::Number(most)) => Some(self.ctx.word(most)),
            Some(Amount::Argument) => {
                *next += 1;
                // A negative number means that there is none.
                let most = request.arg(*next - 1)?;
                let width = self.ctx.xcfa.pointer_bits();
                Some(self.terms().resize(most, width, true))
            }
            None => None,
        };
        let at = *next;
        match conversion.kind {
            b'm' => return Ok(()),
            b's' => match most {
                Some(most) => self.read_text_up_to(request, at, most)?,
                None => self.read_text(request, at, false)?,
            },
            b'n' => self.store_count(request, conversion, at, printed)?,
            // An argument must be there.
            _ => drop(request.arg(at)?),
        }
        *next += 1;
        Ok(())
    }

    /// `%n`: how much has been printed.
    fn store_count(
        &mut self,
        request: &Request,
        conversion: &Conversion,
        at: usize,
        printed: Option<u64>,
    ) -> Lowered<()> {
        let pointer = self.ctx.xcfa.pointer_bits();
        let width = match conversion.length.as_slice() {
            b"hh" => 8,
            b"h" => 16,
            b"" => 32,
            b"l" | b"z" | b"t" => pointer,
            _ => 64,
        };
        let addr = request.arg(at)?;
        let value = match printed {
            Some(count) => self.terms().bv(width, count),
            None => self.some_count(request, width),
        };
        self.emit(Label::Store { addr, value }, request.span);
        Ok(())
    }

    fn some_count(&mut self, request: &Request, width: u32) -> Term {
        let var = self.temp(Sort::Bv(width));
        let origin = HavocOrigin::External(request.name.to_string(), request.span);
        self.emit(Label::Havoc { var, origin }, request.span);
        let value = self.read_var(var);
        let zero = self.terms().bv(width, 0);
        let possible = self.terms().binary(Op::Sle, zero, value);
        self.assume(possible, request.span);
        value
    }

    /// What prints to memory, or to a buffer that the program gives.
    pub(super) fn print_call(&mut self, request: &Request) -> Lowered<Answer> {
        match request.name {
            "sprintf" => self.print_to_memory(request, None, 1),
            "snprintf" => self.print_to_memory(request, Some(1), 2),
            "setlocale" => self.check_locale(request),
            "setbuf" | "setvbuf" | "setbuffer" => {
                let buffer = request.arg(1)?;
                match self.terms().as_const(buffer) {
                    Some(0) => self.answer(request, 0),
                    _ => Err(request.refuse_with_advice("writes to memory later on")),
                }
            }
            _ => Ok(Answer::NotMine),
        }
    }

    /// The locale that a program starts with is the only one.
    fn check_locale(&mut self, request: &Request) -> Lowered<Answer> {
        let name = request.exprs.get(1);
        let literal = name.and_then(|name| self.literal(name));
        let is_first = match literal.as_deref() {
            Some(text) => {
                let text = text.strip_suffix(&[0]).unwrap_or(text);
                matches!(text, b"C" | b"POSIX")
            }
            None => name.is_some_and(is_null),
        };
        match is_first {
            true => Ok(Answer::NotMine),
            false => Err(request.refuse_with_advice("a locale other than \"C\"")),
        }
    }

    fn print_to_memory(
        &mut self,
        request: &Request,
        size: Option<usize>,
        at: usize,
    ) -> Lowered<Answer> {
        self.no_fusing(request.span)?;
        let unbounded = || {
            let why = "writes to memory by a format that is not modelled";
            request.refuse_with_advice(why)
        };
        let to = request.arg(0)?;
        let width = self.ctx.xcfa.pointer_bits();
        let size = match size {
            Some(size) => request.arg(size)?,
            None => self.terms().bv(width, u64::MAX),
        };
        let literal = request.exprs.get(at).and_then(|expr| self.literal(expr));
        let pieces = pieces(&literal.ok_or_else(unbounded)?).ok_or_else(unbounded)?;
        let [to, size] = [to, size].map(|value| self.keep(value, request.span));
        let mut length = self.ctx.word(0);
        let mut next = at + 1;
        for piece in pieces {
            match piece {
                Piece::Plain(text) => {
                    for byte in text {
                        let byte = self.int(i64::from(byte));
                        let args = vec![to, size, length, byte];
                        length = self.model_call(request, "__mazurka_put", args)?;
                    }
                }
                Piece::Conversion(conversion) => {
                    let put = self.put_function(request, &conversion, next);
                    let (put, value) = put?.ok_or_else(unbounded)?;
                    length = self.model_call(request, put, vec![to, size, length, value])?;
                    next += 1;
                }
            }
        }
        let result = self.model_call(request, "__mazurka_put_end", vec![to, size, length])?;
        let result = self.terms().resize(result, 32, false);
        self.answer_term(request, result)
    }

    /// The function that puts an argument, and the argument as it takes it.
    fn put_function(
        &mut self,
        request: &Request,
        conversion: &Conversion,
        at: usize,
    ) -> Lowered<Option<(&'static str, Term)>> {
        if !conversion.is_plain() {
            return Ok(None);
        }
        let value = request.arg(at)?;
        let wide = |this: &mut Self, signed: bool| {
            // The argument is promoted; a short length cuts it again.
            let cut = match conversion.length.as_slice() {
                b"hh" => 8,
                b"h" => 16,
                _ => this.terms().width(value),
            };
            let low = this.terms().resize(value, cut, signed);
            this.terms().resize(low, 64, signed)
        };
        let is_number = matches!(self.terms().sort(value), Sort::Bv(_));
        Ok(match conversion.kind {
            b's' => Some(("__mazurka_put_text", value)),
            b'c' if is_number => Some(("__mazurka_put", value)),
            b'd' | b'i' if is_number => Some(("__mazurka_put_signed", wide(self, true))),
            b'u' if is_number => Some(("__mazurka_put_unsigned", wide(self, false))),
            b'x' if is_number => Some(("__mazurka_put_hex", wide(self, false))),
            _ => None,
        })
    }
}
