//! `printf` and similar functions: what is printed is read, and `%n` is written.
//!
//! Printing to memory (`sprintf`, `snprintf`) is worked out character by character in
//! `lib/format.c`: conversion by conversion if the format is a literal, else by a loop over it.

use super::format::{Amount, Conversion, Piece, is_odd, pieces};
use super::scan::text_of;
use super::{Answer, Request};
use crate::Unsupported;
use crate::hir::walk::{Visitor, walk_stmt};
use crate::hir::{Expr, ExprKind, GlobalId, IntKind, Stmt, StmtKind, Type};
use crate::lower::Environment;
use crate::lower::function::FunctionLowering;
use crate::lower::reach::{any_expr_in, is_null, peel_casts};
use crate::lower::types::Lowered;
use expr::{Op, Sort, Term};
use xcfa::{HavocOrigin, Label, Span};

/// Functions of the library that may copy a part of a text, so that others follow.
const CUTTING: &[&str] = &[
    "memccpy",
    "memcpy",
    "memmove",
    "mempcpy",
    "memset",
    "snprintf",
    "sprintf",
    "stpncpy",
    "strlcat",
    "strlcpy",
    "strncat",
    "strncpy",
    "strndup",
    "vsnprintf",
    "vsprintf",
];

/// Collects the texts that locals start with, and those of compound literals.
struct Texts(Vec<(Vec<u8>, Span)>);

impl Visitor for Texts {
    fn expr(&mut self, expr: &Expr) -> bool {
        if let ExprKind::CompoundLiteral(_, init) = &expr.kind {
            self.0.extend(text_of(init).map(|text| (text, expr.span)));
        }
        true
    }

    fn stmt(&mut self, stmt: &Stmt) -> bool {
        if let StmtKind::Decl(_, Some(init)) = &stmt.kind {
            self.0.extend(text_of(init).map(|text| (text, stmt.span)));
        }
        true
    }
}

/// Does an expression put into a character of an array, or behind a pointer, what is no constant?
fn sets_character(expr: &Expr) -> bool {
    let is_character = |place: &Expr| {
        let is_char = matches!(place.ty.unqualified(), Type::Int(int) if int.kind == IntKind::Char);
        is_char && !matches!(place.kind, ExprKind::Local(_))
    };
    match &expr.kind {
        ExprKind::Assign(place, value) => {
            is_character(place) && !matches!(peel_casts(value).kind, ExprKind::Int(_))
        }
        ExprKind::CompoundAssign { place, .. } | ExprKind::IncDec { place, .. } => {
            is_character(place)
        }
        _ => false,
    }
}

impl<'p> FunctionLowering<'_, 'p> {
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
        let width = self.count_width(conversion);
        let addr = request.arg(at)?;
        let value = match printed {
            Some(count) => self.terms().bv(width, count),
            None => self.some_count(request, width),
        };
        self.emit(Label::Store { addr, value }, request.span);
        Ok(())
    }

    /// The width of what `%n` writes.
    fn count_width(&self, conversion: &Conversion) -> u32 {
        match conversion.length.as_slice() {
            b"hh" => 8,
            b"h" => 16,
            b"" => 32,
            b"l" | b"z" | b"t" => self.ctx.xcfa.pointer_bits(),
            _ => 64,
        }
    }

    fn some_count(&mut self, request: &Request, width: u32) -> Term {
        const INT: u32 = 32;
        let var = self.temp(Sort::Bv(INT));
        let origin = HavocOrigin::External(request.name.to_string(), request.span);
        self.emit(Label::Havoc { var, origin }, request.span);
        let value = self.read_var(var);
        let zero = self.terms().bv(INT, 0);
        let possible = self.terms().binary(Op::Sle, zero, value);
        self.assume(possible, request.span);
        // A narrow place keeps a part of it, which may be negative.
        self.terms().resize(value, width, true)
    }

    /// May a format that a function is passed ask for `%n`? It is one of the texts of the program, unless the
    /// program makes formats of its own: with the sign, which counts, or out of other characters, which the
    /// verdict excludes by an assumption.
    pub(super) fn formats_store(&mut self) -> bool {
        let stores = |piece: &Piece| matches!(piece, Piece::Conversion(it) if it.kind == b'n');
        let may_store = |text: &[u8]| {
            let is_odd = text.windows(2).any(|pair| pair == b"%%");
            is_odd || pieces(text).is_none_or(|pieces| pieces.iter().any(stores))
        };
        let is_sign = |expr: &Expr| matches!(expr.kind, ExprKind::Int(37));
        let bodies = self.own_bodies();
        if self.texts().iter().any(|(text, _)| may_store(text))
            || bodies.iter().any(|body| any_expr_in(body, is_sign))
        {
            return true;
        }
        let makes = |expr: &Expr| sets_character(expr);
        let mut functions = self.ctx.reach.functions.iter();
        let copies = functions.any(|&id| CUTTING.contains(&self.ctx.function(id).name.as_str()));
        if copies || bodies.iter().any(|body| any_expr_in(body, makes)) {
            let line = "formats that the program makes out of characters do not ask for `%n`";
            self.ctx.assume_about(line.to_owned());
        }
        false
    }

    /// The bodies of the program's own functions.
    fn own_bodies(&self) -> Vec<&'p Stmt> {
        let program = self.ctx.program;
        let functions = self.ctx.reach.functions.iter();
        let functions = functions.map(|id| &program.functions[id.0 as usize]);
        let own = functions.filter(|function| !function.link.library);
        own.filter_map(|function| function.body.as_ref()).collect()
    }

    /// The texts that are in the program: of globals, and of locals that start with one.
    fn texts(&self) -> Vec<(Vec<u8>, Span)> {
        let program = self.ctx.program;
        let mut found = Texts(Vec::new());
        let dates = self.formats_of_dates();
        for id in self
            .ctx
            .reach
            .globals
            .iter()
            .filter(|id| !dates.contains(id))
        {
            let global = &program.globals[id.0 as usize];
            let text = global.init.as_ref().and_then(text_of);
            found.0.extend(text.map(|text| (text, global.span)));
        }
        for body in self.own_bodies() {
            walk_stmt(body, &mut found);
        }
        found.0
    }

    /// Literals that are written as the format of `strftime`: nothing else can be passed them.
    fn formats_of_dates(&self) -> Vec<GlobalId> {
        let program = self.ctx.program;
        let mut found = Vec::new();
        for body in self.own_bodies() {
            any_expr_in(body, |expr| {
                if let ExprKind::Call { callee, args } = &expr.kind
                    && let ExprKind::FunctionAddr(id) = callee.kind
                    && program.functions[id.0 as usize].name == "strftime"
                    && self.ctx.function(id).link.library
                    && let Some(format) = args.get(2)
                    && self.literal(format).is_some()
                {
                    found.extend(named_global(format));
                }
                false
            });
        }
        found
    }

    /// Refuses a program with a text that `lib/format.c` could not follow as a format.
    pub(super) fn refuse_odd_formats(&self) -> Lowered<()> {
        match self.texts().into_iter().find(|(text, _)| is_odd(text)) {
            Some((_, span)) => {
                let what = "a text that may be a format with wide text or numbered arguments";
                Err(Unsupported::at(span, what))
            }
            None => Ok(()),
        }
    }

    /// What prints to memory, or to a buffer that the program gives.
    pub(super) fn print_call(&mut self, request: &Request) -> Lowered<Answer> {
        match request.name {
            "sprintf" => self.print_to_memory(request, None, 1),
            "snprintf" => self.print_to_memory(request, Some(1), 2),
            "__sprintf_chk" | "__builtin___sprintf_chk" => self.print_to_memory(request, None, 3),
            "__snprintf_chk" | "__builtin___snprintf_chk" => {
                self.print_to_memory(request, Some(1), 4)
            }
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
                let is_given = text.is_empty();
                if is_given && self.ctx.options.environment == Environment::Typical {
                    let line = "the locale of the environment is `C`";
                    self.ctx.assume_about(line.to_owned());
                    return Ok(Answer::NotMine);
                }
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
        let to = request.arg(0)?;
        let width = self.ctx.xcfa.pointer_bits();
        let size = match size {
            Some(size) => request.arg(size)?,
            None => self.terms().bv(width, u64::MAX),
        };
        let literal = request.exprs.get(at).and_then(|expr| self.literal(expr));
        let Some(format) = literal else {
            return self.print_by_unknown(request, to, size, at);
        };
        let unknown = || request.refuse_with_advice("a conversion that is not modelled");
        let pieces = pieces(&format).ok_or_else(unknown)?;
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
                Piece::Conversion(conversion) if conversion.kind == b'n' => {
                    self.store_length(request, &conversion, next, length)?;
                    next += 1;
                }
                Piece::Conversion(conversion) => {
                    let (put, more) = self.put_function(request, &conversion, &mut next)?;
                    let args = [to, size, length].into_iter().chain(more).collect();
                    length = self.model_call(request, put, args)?;
                }
            }
        }
        let result = self.model_call(request, "__mazurka_put_end", vec![to, size, length])?;
        let result = self.terms().resize(result, 32, false);
        self.answer_term(request, result)
    }

    /// By a format that is known only when the program runs.
    fn print_by_unknown(
        &mut self,
        request: &Request,
        to: Term,
        size: Term,
        at: usize,
    ) -> Lowered<Answer> {
        if request.exprs.is_empty() {
            return Err(request.refuse_with_advice("a call through a pointer"));
        }
        let mut args = vec![to, size];
        args.extend(&request.args[at.min(request.args.len())..]);
        let types = request.exprs.iter().map(|expr| expr.ty.clone());
        let types: Vec<Type> = [Type::INT, Type::INT]
            .into_iter()
            .chain(types.skip(at))
            .collect();
        let Some(id) = self.model("__mazurka_snprintf") else {
            return Err(request.refuse("its model is not there"));
        };
        let function = self.ctx.function(id);
        let packed = self.pack_for(function, args, &types, request.span)?;
        let result = self.model_call(request, "__mazurka_snprintf", packed.values)?;
        self.end_packed(packed.block, request.span);
        self.answer_term(request, result)
    }

    /// `%n` where the length is known.
    fn store_length(
        &mut self,
        request: &Request,
        conversion: &Conversion,
        at: usize,
        length: Term,
    ) -> Lowered<()> {
        let width = self.count_width(conversion);
        let value = self.terms().resize(length, width, false);
        let addr = request.arg(at)?;
        self.emit(Label::Store { addr, value }, request.span);
        Ok(())
    }

    /// A width or a precision as an `int`.
    fn amount(
        &mut self,
        request: &Request,
        amount: Option<Amount>,
        otherwise: i64,
        next: &mut usize,
    ) -> Lowered<Term> {
        Ok(match amount {
            None => self.int(otherwise),
            Some(Amount::Number(number)) => {
                let number = i32::try_from(number);
                let number = number.map_err(|_| request.refuse("a width that is too large"))?;
                self.int(i64::from(number))
            }
            Some(Amount::Argument) => {
                *next += 1;
                request.arg(*next - 1)?
            }
        })
    }

    /// The flags and the width of a conversion: a negative width is a flag.
    fn field(
        &mut self,
        request: &Request,
        conversion: &Conversion,
        next: &mut usize,
    ) -> Lowered<[Term; 2]> {
        const LEFT: i64 = 1;
        let width = self.amount(request, conversion.width, 0, next)?;
        let flags = self.int(conversion.flags);
        if conversion.width != Some(Amount::Argument) {
            return Ok([flags, width]);
        }
        let (zero, left) = (self.int(0), self.int(conversion.flags | LEFT));
        let terms = self.terms();
        let is_negative = terms.binary(Op::Slt, width, zero);
        let other = terms.binary(Op::Sub, zero, width);
        let flags = terms.ite(is_negative, left, flags);
        let width = terms.ite(is_negative, other, width);
        Ok([flags, width])
    }

    /// The function that puts an argument, and what it is given after the place.
    fn put_function(
        &mut self,
        request: &Request,
        conversion: &Conversion,
        next: &mut usize,
    ) -> Lowered<(&'static str, Vec<Term>)> {
        let [flags, width] = self.field(request, conversion, next)?;
        let precision = self.amount(request, conversion.precision, -1, next)?;
        if conversion.kind == b'm' {
            // As in `lib/format.c`.
            let longest = self.int(64);
            let most = self.terms().binary(Op::Add, width, longest);
            return Ok(("__mazurka_put_unknown", vec![width, most]));
        }
        let value = request.arg(*next)?;
        *next += 1;
        let is_number = matches!(self.terms().sort(value), Sort::Bv(_));
        let is_floating = b"eEfFgGaA".contains(&conversion.kind);
        if is_floating == is_number {
            return Err(request.refuse("an argument that its format does not fit"));
        }
        Ok(match conversion.kind {
            b's' => ("__mazurka_put_text", vec![value, flags, width, precision]),
            b'c' => ("__mazurka_put_char", vec![value, flags, width]),
            b'p' => ("__mazurka_put_address", vec![value, flags, width]),
            b'd' | b'i' => {
                let number = self.wide(conversion, value, true);
                (
                    "__mazurka_put_signed",
                    vec![number, flags, width, precision],
                )
            }
            b'u' | b'o' | b'x' | b'X' => {
                let number = self.wide(conversion, value, false);
                let base = self.int(match conversion.kind {
                    b'u' => 10,
                    b'o' => 8,
                    _ => 16,
                });
                (
                    "__mazurka_put_unsigned",
                    vec![number, base, flags, width, precision],
                )
            }
            _ => ("__mazurka_put_floating", vec![width, precision]),
        })
    }

    /// A number in 64 bits: the argument is promoted, and a short length cuts it again.
    fn wide(&mut self, conversion: &Conversion, value: Term, signed: bool) -> Term {
        let cut = self.count_width(conversion);
        let given = self.terms().width(value);
        let low = self.terms().resize(value, cut.min(given), signed);
        self.terms().resize(low, 64, signed)
    }
}

/// The global that an expression is the address of.
fn named_global(expr: &Expr) -> Option<GlobalId> {
    match &expr.kind {
        ExprKind::Decay(inner) | ExprKind::Cast(inner) => named_global(inner),
        ExprKind::Global(id) => Some(*id),
        _ => None,
    }
}
