//! `scanf` and similar functions: what they read is arbitrary, and how much of it too. Of a text that is not from
//! outside it is not worked out, so that an execution that needs it shows no error.

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
    /// A call that reads numbers and texts; whatever else is read, or is not known to be, is refused.
    pub(super) fn scan_call(&mut self, request: &Request) -> Lowered<Answer> {
        let mut prefixes = PREFIXES.iter();
        let short = prefixes.find_map(|prefix| request.name.strip_prefix(prefix));
        let name = short.unwrap_or(request.name);
        let at = match name {
            "scanf" => 0,
            "fscanf" | "sscanf" => 1,
            _ => return Ok(Answer::NotMine),
        };
        self.no_fusing(request.span)?;
        let format = request.exprs.get(at).and_then(|expr| self.literal(expr));
        let word = u64::from(self.ctx.xcfa.pointer_bits() / 8);
        let wanted = format.as_deref().and_then(|text| wanted_by(text, word));
        let wanted =
            wanted.ok_or_else(|| request.refuse("writes to memory, which is not modelled"))?;
        let targets = self.scan_targets(request, at + 1, &wanted.items)?;
        let from = match name {
            "sscanf" => Some(request.arg(0)?),
            _ => None,
        };
        let is_outside =
            from.is_none() || request.exprs.first().is_some_and(|it| self.is_argument(it));
        if let Some(text) = from.filter(|_| !is_outside && self.ctx.options.reads) {
            self.run_model(request, "__mazurka_read_text", vec![text])?;
        }
        if self.model("__mazurka_any_errno").is_some() {
            self.run_model(request, "__mazurka_any_errno", Vec::new())?;
        }
        // What a text says that the program can know is not worked out.
        let is_known = !is_outside || self.ctx.options.arguments.is_some();
        if wanted.limited || is_known || self.ctx.connects_files() {
            self.inexact(request, Inexact::Every);
            for model in ["scan_text", "scan_characters"] {
                let known = self.ctx.xcfa.inexact.entry(model.to_owned());
                known.or_insert(Inexact::Every);
            }
        }
        let count = self.scanned_count(request, targets.len());
        let end = self.new_loc();
        for (before, (address, item)) in targets.into_iter().enumerate() {
            self.leave_unless_more(count, before, end, request);
            self.scan_item(request, address, item, from)?;
        }
        self.goto(end, request.span);
        self.at = end;
        self.answer_term(request, count)
    }

    /// Where each item goes, and what it is there.
    fn scan_targets(
        &mut self,
        request: &Request,
        first: usize,
        items: &[Item],
    ) -> Lowered<Vec<(Term, Target)>> {
        let mut targets = Vec::new();
        for (at, item) in (first..).zip(items) {
            let target = match *item {
                Item::Number(size) => {
                    let types = self.types();
                    let pointee = request.exprs.get(at).and_then(scalar_pointee);
                    let fits = |ty: &Type| ty.size(types.model, types.records) == Some(size);
                    let pointee = pointee.filter(fits);
                    let refused = || request.refuse("writes to memory, which is not modelled");
                    Target::Scalar(pointee.ok_or_else(refused)?)
                }
                Item::Text { most, is_word } => Target::Text { most, is_word },
                Item::Characters(count) => Target::Characters(count),
            };
            targets.push((request.arg(at)?, target));
        }
        Ok(targets)
    }

    fn scan_item(
        &mut self,
        request: &Request,
        address: Term,
        target: Target,
        from: Option<Term>,
    ) -> Lowered<()> {
        match target {
            Target::Scalar(pointee) => {
                let origin = HavocOrigin::External(request.name.to_string(), request.span);
                self.havoc_record(address, &pointee, &origin, request.span)
            }
            Target::Text { most, is_word } => {
                let most = self.ctx.word(most.unwrap_or(NO_LIMIT));
                let nowhere = self.ctx.word(0);
                let is_word = self.int(i64::from(is_word));
                let args = vec![address, most, from.unwrap_or(nowhere), is_word];
                self.run_model(request, "__mazurka_scan_text", args)
            }
            Target::Characters(count) => {
                let count = self.ctx.word(count);
                self.run_model(request, "__mazurka_scan_characters", vec![address, count])
            }
        }
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

/// The width of a text without one: `NO_LIMIT` in `lib/input.c`.
const NO_LIMIT: u64 = 0x7fff_ffff;

/// What a part of a format asks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Item {
    /// A number or a single character of this many bytes.
    Number(u64),
    /// A text of at most so many characters; a word has no spaces in it.
    Text { most: Option<u64>, is_word: bool },
    /// So many characters without an end.
    Characters(u64),
}

/// The same, with the type of what is there.
enum Target {
    Scalar(Type),
    Text { most: Option<u64>, is_word: bool },
    Characters(u64),
}

/// What a format asks for.
#[derive(Debug, Default, PartialEq, Eq)]
struct Wanted {
    items: Vec<Item>,
    /// Is the width of a number limited, or are the characters of a text? What fits is not worked out.
    limited: bool,
}

/// The numbers and texts that a format asks for, where words have this many bytes; `None` if it asks for
/// something else.
fn wanted_by(format: &[u8], word: u64) -> Option<Wanted> {
    let mut found = Wanted::default();
    let mut rest = format.iter().copied().peekable();
    while let Some(byte) = rest.next() {
        if byte != b'%' {
            continue;
        }
        let ignored = rest.next_if_eq(&b'*').is_some();
        let mut width = None;
        while let Some(digit) = rest.next_if(u8::is_ascii_digit) {
            let digit = u64::from(digit - b'0');
            width = Some((width.unwrap_or(0) * 10 + digit).min(NO_LIMIT));
        }
        let mut length = Vec::new();
        while let Some(byte) = rest.next_if(|byte| b"hlLqjzt".contains(byte)) {
            length.push(byte);
        }
        let conversion = rest.next()?;
        if conversion == b'[' {
            skip_set(&mut rest)?;
        }
        let is_text = b"s[c".contains(&conversion);
        let item = match conversion {
            b'%' => continue,
            b's' | b'[' | b'c' if !length.is_empty() || width == Some(0) => return None,
            b's' | b'[' => Item::Text {
                most: width,
                is_word: conversion == b's',
            },
            b'c' => width.map_or(Item::Number(1), Item::Characters),
            _ => Item::Number(size_of(conversion, &length, word)?),
        };
        found.limited |= !ignored && (conversion == b'[' || (width.is_some() && !is_text));
        found.items.extend((!ignored).then_some(item));
    }
    Some(found)
}

/// Goes behind the set of characters of `%[`.
fn skip_set(rest: &mut std::iter::Peekable<impl Iterator<Item = u8>>) -> Option<()> {
    rest.next_if_eq(&b'^');
    // A bracket that comes first is one of the characters.
    rest.next_if_eq(&b']');
    rest.find(|&byte| byte == b']').map(drop)
}

/// How many bytes a number has.
fn size_of(conversion: u8, length: &[u8], word: u64) -> Option<u64> {
    let is_whole = b"diuoxX".contains(&conversion);
    let is_real = b"fFeEgGaA".contains(&conversion);
    match length {
        b"hh" if is_whole => Some(1),
        b"h" if is_whole => Some(2),
        b"" if is_whole || is_real => Some(4),
        b"l" if is_real => Some(8),
        b"l" | b"z" | b"t" if is_whole => Some(word),
        b"ll" | b"q" | b"j" | b"L" if is_whole => Some(8),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::{Item, wanted_by};

    #[test]
    fn formats() {
        let items = |format: &str| wanted_by(format.as_bytes(), 8).map(|found| found.items);
        let numbers = [4, 8, 1, 1].map(Item::Number).to_vec();
        assert_eq!(items("%d, %5ld %*x %hhu%% %c"), Some(numbers));
        assert_eq!(items("no number"), Some(vec![]));
        let text = |most, is_word| Item::Text { most, is_word };
        let texts = vec![text(Some(15), true), text(None, false), text(None, true)];
        assert_eq!(items("%15s %[]a-z] %*[^]] %s"), Some(texts));
        assert_eq!(items("%4c"), Some(vec![Item::Characters(4)]));
        for refused in ["%ls", "%ms", "%[a-z", "%0c", "%n", "%p", "%"] {
            assert_eq!(items(refused), None, "{refused}");
        }
    }
}
