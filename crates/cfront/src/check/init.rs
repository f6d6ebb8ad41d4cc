//! Initialisers, flattened to scalars by offset.

use super::Checker;
use super::expr::element_type;
use super::fault::{Typed, beyond, wrong};
use crate::ast::{self, Designator, ExprKind as Ast, InitEntry, Initializer, StringLit};
use crate::hir::{Expr, Init, InitItem, Member, Type};
use std::sync::Arc;
use xcfa::{DataModel, Span};

/// A part of the object that is being initialised.
#[derive(Clone)]
struct Part {
    ty: Type,
    offset: u64,
    bits: Option<(u32, u32)>,
}

/// The entries of a list, taken one after the other; one of them may be typed already.
struct Entries<'a> {
    list: &'a [InitEntry],
    at: usize,
    typed: Option<Expr>,
}

impl<'a> Entries<'a> {
    fn peek(&self) -> Option<&'a InitEntry> {
        self.list.get(self.at)
    }

    fn advance(&mut self) {
        self.at += 1;
        self.typed = None;
    }
}

impl Checker<'_> {
    /// The initialiser of an object of a type; an array without length gets one.
    pub fn initializer(&mut self, init: &Initializer, ty: Type) -> Typed<(Init, Type)> {
        match init {
            Initializer::List(entries, span) => self.init_list_of(entries, ty, *span),
            Initializer::Expr(expr) => {
                if let (Some(literal), Type::Array(element, length)) = (string_of(expr), &ty)
                    && is_text(literal, element, self.model)
                {
                    let room = length.unwrap_or(literal.elements.len() as u64 + 1);
                    let items = self.string_init(literal, room, 0, expr.span);
                    let ty = Type::Array(element.clone(), Some(room));
                    return Ok((
                        Init {
                            items,
                            zero_rest: true,
                        },
                        ty,
                    ));
                }
                let value = self.rvalue_expr(expr)?;
                let value = self.assign_convert(value, &ty)?;
                let items = vec![InitItem::new(0, None, value)];
                Ok((
                    Init {
                        items,
                        zero_rest: false,
                    },
                    ty,
                ))
            }
        }
    }

    /// A list in braces for an object of a type.
    pub fn init_list_of(
        &mut self,
        list: &[InitEntry],
        ty: Type,
        span: Span,
    ) -> Typed<(Init, Type)> {
        let mut items = Vec::new();
        let whole = Part {
            ty: ty.clone(),
            offset: 0,
            bits: None,
        };
        let length = self.list(list, &whole, span, &mut items)?;
        let ty = match ty {
            Type::Array(element, None) => Type::Array(element, Some(length)),
            other => other,
        };
        let zero_rest = !ty.is_scalar();
        Ok((Init { items, zero_rest }, ty))
    }

    /// `{ ... }` for one part; returns how many elements an array needs at least.
    fn list(
        &mut self,
        list: &[InitEntry],
        part: &Part,
        span: Span,
        items: &mut Vec<InitItem>,
    ) -> Typed<u64> {
        if part.ty.is_scalar() {
            return self.scalar_list(list, part, span, items).map(|()| 1);
        }
        if let ([entry], Type::Array(element, length)) = (list, &part.ty)
            && let Initializer::Expr(expr) = &entry.value
            && entry.designators.is_empty()
            && let Some(literal) = string_of(expr)
            && is_text(literal, element, self.model)
        {
            let room = length.unwrap_or(literal.elements.len() as u64 + 1);
            items.extend(self.string_init(literal, room, part.offset, expr.span));
            return Ok(room);
        }
        let mut entries = Entries {
            list,
            at: 0,
            typed: None,
        };
        let (mut next, mut length) = (0, 0);
        while let Some(entry) = entries.peek() {
            if let [first, rest @ ..] = &entry.designators[..] {
                let (from, to) = self.designated(first, part)?;
                for index in from..=to {
                    let mut target = self.sub_part(part, index, span)?;
                    for step in rest {
                        let (inner, last) = self.designated(step, &target)?;
                        if inner != last {
                            return Err(beyond(span, "range designator inside another"));
                        }
                        target = self.sub_part(&target, inner, span)?;
                    }
                    self.entry_value(&entry.value, &target, items)?;
                }
                entries.advance();
                let goes_on = entries
                    .peek()
                    .is_some_and(|next| next.designators.is_empty());
                if !rest.is_empty() && goes_on {
                    return Err(beyond(
                        span,
                        "initialiser that goes on after a nested designator",
                    ));
                }
                next = to + 1;
            } else {
                let target = self.sub_part(part, next, entry.value.span())?;
                self.elided(&mut entries, &target, items)?;
                next += 1;
            }
            length = length.max(next);
        }
        Ok(length)
    }

    fn scalar_list(
        &mut self,
        list: &[InitEntry],
        part: &Part,
        span: Span,
        items: &mut Vec<InitItem>,
    ) -> Typed<()> {
        match list {
            [] => {
                let zero = self.int_expr(0, crate::hir::IntType::INT, span);
                let value = self.assign_convert(zero, &part.ty)?;
                items.push(InitItem::new(part.offset, part.bits, value));
                Ok(())
            }
            [entry, ..] => self.entry_value(&entry.value, part, items),
        }
    }

    /// The value of one entry for exactly this part.
    fn entry_value(
        &mut self,
        value: &Initializer,
        part: &Part,
        items: &mut Vec<InitItem>,
    ) -> Typed<()> {
        match value {
            Initializer::List(list, span) => self.list(list, part, *span, items).map(|_| ()),
            Initializer::Expr(expr) => self.expr_value(expr, part, items),
        }
    }

    /// A single expression for a part: a string for an array of characters, a record for a
    /// record, or the first scalar of an aggregate.
    fn expr_value(
        &mut self,
        expr: &ast::Expr,
        part: &Part,
        items: &mut Vec<InitItem>,
    ) -> Typed<()> {
        if let (Some(literal), Type::Array(element, Some(room))) = (string_of(expr), &part.ty)
            && is_text(literal, element, self.model)
        {
            items.extend(self.string_init(literal, *room, part.offset, expr.span));
            return Ok(());
        }
        let typed = self.rvalue_expr(expr)?;
        self.typed_value(typed, part, items)
    }

    fn typed_value(&mut self, typed: Expr, part: &Part, items: &mut Vec<InitItem>) -> Typed<()> {
        let mut part = part.clone();
        while !part.ty.is_scalar() && typed.ty != *part.ty.unqualified() {
            part = self.sub_part(&part, 0, typed.span)?;
        }
        let value = self.assign_convert(typed, &part.ty)?;
        items.push(InitItem::new(part.offset, part.bits, value));
        Ok(())
    }

    /// Fills a part from the current entries, going into it where braces are left out.
    fn elided(
        &mut self,
        entries: &mut Entries<'_>,
        part: &Part,
        items: &mut Vec<InitItem>,
    ) -> Typed<()> {
        let Some(entry) = entries.peek() else {
            return Ok(());
        };
        let expr = match &entry.value {
            Initializer::List(list, span) => {
                self.list(list, part, *span, items)?;
                entries.advance();
                return Ok(());
            }
            Initializer::Expr(expr) => expr,
        };
        if let (Some(literal), Type::Array(element, Some(room))) = (string_of(expr), &part.ty)
            && is_text(literal, element, self.model)
        {
            items.extend(self.string_init(literal, *room, part.offset, expr.span));
            entries.advance();
            return Ok(());
        }
        if entries.typed.is_none() {
            entries.typed = Some(self.rvalue_expr(expr)?);
        }
        let fits = |typed: &Expr| part.ty.is_scalar() || typed.ty == *part.ty.unqualified();
        if let Some(typed) = entries.typed.take_if(|typed| fits(typed)) {
            entries.advance();
            let value = self.assign_convert(typed, &part.ty)?;
            items.push(InitItem::new(part.offset, part.bits, value));
            return Ok(());
        }
        let count = self.part_count(part, expr.span)?;
        for index in 0..count {
            match entries.peek() {
                Some(entry) if entry.designators.is_empty() => {}
                _ => return Ok(()),
            }
            let sub = self.sub_part(part, index, expr.span)?;
            self.elided(entries, &sub, items)?;
        }
        Ok(())
    }

    /// The members of a record that take part in initialisation: a union's first only.
    fn init_members(&self, ty: &Type) -> Option<Vec<Member>> {
        let Type::Record(id) = ty.unqualified() else {
            return None;
        };
        let record = &self.linked.records[id.0 as usize];
        let named = |member: &&Member| member.name.is_some() || member.bits.is_none();
        Some(
            record
                .members
                .as_ref()?
                .iter()
                .filter(named)
                .cloned()
                .collect(),
        )
    }

    fn part_count(&self, part: &Part, span: Span) -> Typed<u64> {
        match part.ty.unqualified() {
            Type::Array(_, Some(length)) => Ok(*length),
            Type::Array(_, None) => Err(beyond(span, "initialiser of a flexible array")),
            Type::Record(id) if self.linked.records[id.0 as usize].is_union => Ok(1),
            ty => match self.init_members(ty) {
                Some(members) => Ok(members.len() as u64),
                None => Err(wrong(span, "this cannot be initialised so")),
            },
        }
    }

    fn sub_part(&self, part: &Part, index: u64, span: Span) -> Typed<Part> {
        match part.ty.unqualified() {
            Type::Array(element, length) => {
                if length.is_some_and(|length| index >= length) {
                    return Err(wrong(span, "there are more values than elements"));
                }
                let size = self.complete_size(element, span)?;
                let offset = part.offset + index * size;
                Ok(Part {
                    ty: (**element).clone(),
                    offset,
                    bits: None,
                })
            }
            ty => {
                let members = self.init_members(ty);
                let member = members.and_then(|list| list.into_iter().nth(index as usize));
                let member =
                    member.ok_or_else(|| wrong(span, "there are more values than members"))?;
                let offset = part.offset + member.offset;
                Ok(Part {
                    ty: member.ty,
                    offset,
                    bits: member.bits,
                })
            }
        }
    }

    /// The indices of sub-parts that a designator names.
    fn designated(&mut self, designator: &Designator, part: &Part) -> Typed<(u64, u64)> {
        match designator {
            Designator::Index(index) => {
                let index = self.count_constant(index, "the index")?;
                Ok((index, index))
            }
            Designator::Range(first, last) => {
                let first = self.count_constant(first, "the index")?;
                let last = self.count_constant(last, "the index")?;
                if last - first.min(last) > 1 << 20 {
                    return Err(beyond(
                        part_span(designator),
                        "range of over a million elements",
                    ));
                }
                Ok((first, last))
            }
            Designator::Member(name, span) => {
                let text = self.name(*name);
                let members = self.init_members(&part.ty).unwrap_or_default();
                let holds = |member: &Member| match (&member.name, &member.ty) {
                    (Some(own), _) => *own == text,
                    (None, Type::Record(id)) => self.find_member(*id, &text).is_some(),
                    _ => false,
                };
                let at = members.iter().position(holds);
                let at = at.ok_or_else(|| wrong(*span, format!("there is no member `{text}`")))?;
                if members[at].name.is_none() {
                    return Err(beyond(
                        *span,
                        "designator of a member of an anonymous struct",
                    ));
                }
                Ok((at as u64, at as u64))
            }
        }
    }
}

fn part_span(designator: &Designator) -> Span {
    match designator {
        Designator::Member(_, span) => *span,
        Designator::Index(expr) | Designator::Range(expr, _) => expr.span,
    }
}

fn string_of(expr: &ast::Expr) -> Option<&Arc<StringLit>> {
    match &expr.kind {
        Ast::Str(literal) => Some(literal),
        _ => None,
    }
}

/// Can a string initialise an array of these elements?
fn is_text(literal: &StringLit, element: &Type, model: DataModel) -> bool {
    matches!(element.unqualified(), Type::Int(int)
        if int.kind == element_type(literal.width, model).kind)
}
