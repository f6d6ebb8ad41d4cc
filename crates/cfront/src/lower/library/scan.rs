//! `scanf` and similar functions: what they read is arbitrary, and how much of it too, if it comes
//! from outside: from the standard input or from the arguments of the program.

use super::{Answer, Request};
use crate::hir::{Expr, ExprKind, Function, Init, Type};
use crate::lower::function::FunctionLowering;
use crate::lower::reach::any_expr_in;
use crate::lower::types::Lowered;
use expr::{Op, Sort, Term};
use xcfa::{HavocOrigin, Inexact, Label};

/// Prefixes by which headers tell standards apart.
const PREFIXES: &[&str] = &["__isoc99_", "__isoc23_"];

impl FunctionLowering<'_, '_> {
    /// A call that reads numbers; whatever else is read, or is not known to be, is refused.
    pub(super) fn scan_call(&mut self, request: &Request) -> Lowered<Answer> {
        let mut prefixes = PREFIXES.iter();
        let short = prefixes.find_map(|prefix| request.name.strip_prefix(prefix));
        let (at, is_outside) = match (short.unwrap_or(request.name), request.exprs.first()) {
            ("scanf", _) => (0, true),
            ("fscanf", Some(file)) => (1, self.is_standard_input(file)),
            ("sscanf", Some(text)) => (1, self.is_argument(text)),
            ("fscanf" | "sscanf", None) => (1, false),
            _ => return Ok(Answer::NotMine),
        };
        self.no_fusing(request.span)?;
        let format = request.exprs.get(at).and_then(|expr| self.literal(expr));
        let word = u64::from(self.ctx.xcfa.pointer_bits() / 8);
        let numbers = format.as_deref().and_then(|text| numbers_in(text, word));
        let refused = || request.refuse("writes to memory, which is not modelled");
        let numbers = numbers.filter(|_| is_outside).ok_or_else(refused)?;
        let mut targets = Vec::new();
        let sizes = &numbers.sizes;
        for (target, &size) in (at + 1..).zip(sizes) {
            let pointee = request.exprs.get(target).and_then(scalar_pointee);
            let types = self.types();
            let pointee = pointee.filter(|ty| ty.size(types.model, types.records) == Some(size));
            targets.push((request.arg(target)?, pointee.ok_or_else(refused)?));
        }
        if self.model("__mazurka_any_errno").is_some() {
            self.run_model(request, "__mazurka_any_errno", Vec::new())?;
        }
        // What the arguments are is known, and what they say is not worked out.
        if numbers.limited || self.ctx.options.arguments.is_some() {
            self.inexact(request, Inexact::Every);
        }
        let count = self.scanned_count(request, sizes.len());
        let end = self.new_loc();
        for (before, (address, pointee)) in targets.into_iter().enumerate() {
            self.leave_unless_more(count, before, end, request);
            let origin = HavocOrigin::External(request.name.to_string(), request.span);
            self.havoc_record(address, &pointee, &origin, request.span)?;
        }
        self.goto(end, request.span);
        self.at = end;
        self.answer_term(request, count)
    }

    fn is_standard_input(&self, file: &Expr) -> bool {
        let is_stdin = |part: &Expr| match part.kind {
            ExprKind::Global(id) => self.ctx.program.globals[id.0 as usize].name == "stdin",
            _ => false,
        };
        matches!(&file.kind, ExprKind::Load(place) if is_stdin(place))
    }

    /// Is it one of the strings that `main` is given?
    fn is_argument(&self, text: &Expr) -> bool {
        let ExprKind::Load(place) = &text.kind else {
            return false;
        };
        let ExprKind::Deref(pointer) = &place.kind else {
            return false;
        };
        let base = match &pointer.kind {
            ExprKind::PointerAdd { pointer, .. } => &pointer.kind,
            other => other,
        };
        self.function.is_some_and(keeps_arguments)
            && matches!(base, ExprKind::Load(place) if is_argv(place))
    }

    pub(super) fn literal(&self, expr: &Expr) -> Option<Vec<u8>> {
        match &expr.kind {
            ExprKind::Decay(inner) | ExprKind::Cast(inner) => self.literal(inner),
            ExprKind::Global(id) => {
                let global = &self.ctx.program.globals[id.0 as usize];
                // A variable could be changed; literals are named by their text.
                let init = global
                    .init
                    .as_ref()
                    .filter(|_| global.name.starts_with('"'))?;
                text_of(init)
            }
            _ => None,
        }
    }

    /// How many numbers were read; -1 if there was nothing at all.
    fn scanned_count(&mut self, request: &Request, most: usize) -> Term {
        let var = self.temp(Sort::Bv(32));
        let origin = HavocOrigin::External(request.name.to_string(), request.span);
        self.emit(Label::Havoc { var, origin }, request.span);
        let count = self.read_var(var);
        let terms = self.terms();
        let (least, most) = (terms.bv(32, u64::from(u32::MAX)), terms.bv(32, most as u64));
        let enough = terms.binary(Op::Sle, least, count);
        let few = terms.binary(Op::Sle, count, most);
        let possible = terms.and(enough, few);
        self.assume(possible, request.span);
        count
    }

    fn leave_unless_more(&mut self, count: Term, than: usize, end: xcfa::LocId, request: &Request) {
        let than = self.terms().bv(32, than as u64);
        let more = self.terms().binary(Op::Slt, than, count);
        let none = self.terms().not(more);
        self.goto_if(none, end, request.span);
        let next = self.new_loc();
        self.goto_if(more, next, request.span);
        self.at = next;
    }
}

/// The bytes of an initialiser that consists of numbers.
pub(super) fn text_of(init: &Init) -> Option<Vec<u8>> {
    let mut text = Vec::new();
    for item in &init.items {
        let ExprKind::Int(byte) = item.value.kind else {
            return None;
        };
        text.resize(item.offset as usize, 0);
        text.push(byte as u8);
    }
    Some(text)
}

/// Is it `main`, and does its second parameter stay what it was?
fn keeps_arguments(function: &Function) -> bool {
    let assigns = |expr: &Expr| matches!(&expr.kind, ExprKind::Assign(place, _) if is_argv(place));
    let kept = |body| !any_expr_in(body, assigns);
    let is_main = function.name == "main" && function.params == 2;
    is_main && !function.locals[1].address_taken && function.body.as_ref().is_some_and(kept)
}

fn is_argv(place: &Expr) -> bool {
    matches!(place.kind, ExprKind::Local(id) if id.0 == 1)
}

fn scalar_pointee(expr: &Expr) -> Option<Type> {
    match expr.ty.unqualified() {
        Type::Pointer(to) if matches!(**to, Type::Int(_) | Type::Float(_)) => Some((**to).clone()),
        _ => None,
    }
}

/// What a format asks for.
#[derive(Debug, Default, PartialEq, Eq)]
struct Numbers {
    /// The size of each number or single character, in bytes.
    sizes: Vec<u64>,
    /// Is the width of one limited? Which numbers fit is not worked out.
    limited: bool,
}

/// The numbers and single characters that a format asks for, where words have this many bytes; `None` if
/// it asks for something else.
fn numbers_in(format: &[u8], word: u64) -> Option<Numbers> {
    let mut found = Numbers::default();
    let mut rest = format.iter().copied().peekable();
    while let Some(byte) = rest.next() {
        if byte != b'%' {
            continue;
        }
        let ignored = rest.next_if_eq(&b'*').is_some();
        let wide = rest.next_if(u8::is_ascii_digit).is_some();
        while rest.next_if(u8::is_ascii_digit).is_some() {}
        let mut length = Vec::new();
        while let Some(byte) = rest.next_if(|byte| b"hlLqjzt".contains(byte)) {
            length.push(byte);
        }
        let whole = || match length.as_slice() {
            b"hh" => Some(1),
            b"h" => Some(2),
            b"" => Some(4),
            b"l" | b"z" | b"t" => Some(word),
            b"ll" | b"q" | b"j" | b"L" => Some(8),
            _ => None,
        };
        let real = || match length.as_slice() {
            b"" => Some(4),
            b"l" => Some(8),
            _ => None,
        };
        let size = match rest.next()? {
            b'%' => continue,
            b'd' | b'i' | b'u' | b'o' | b'x' | b'X' => whole()?,
            b'f' | b'F' | b'e' | b'E' | b'g' | b'G' | b'a' | b'A' => real()?,
            b'c' if !wide && length.is_empty() => 1,
            _ => return None,
        };
        found.limited |= wide && !ignored;
        found.sizes.extend((!ignored).then_some(size));
    }
    Some(found)
}

#[cfg(test)]
mod tests {
    use super::numbers_in;

    #[test]
    fn formats() {
        let sizes = |format: &str| numbers_in(format.as_bytes(), 8).map(|found| found.sizes);
        assert_eq!(sizes("%d, %5ld %*x %hhu%% %c"), Some(vec![4, 8, 1, 1]));
        assert_eq!(sizes("no number"), Some(vec![]));
        for refused in ["%s", "%10s", "%[a-z]", "%4c", "%n", "%p", "%"] {
            assert_eq!(sizes(refused), None, "{refused}");
        }
    }
}
