//! Members of structs and unions.

use super::Checker;
use super::fault::{Typed, beyond, wrong};
use crate::hir::{Expr, ExprKind, Field, Member, RecordId, Type};
use crate::lex::Symbol;
use xcfa::Span;

impl Checker<'_> {
    /// Finds a member by name, also in anonymous members; the offset is in the outermost record.
    pub fn find_member(&self, id: RecordId, name: &str) -> Option<Member> {
        let members = self.linked.records[id.0 as usize].members.as_ref()?;
        for member in members {
            match (&member.name, &member.ty) {
                (Some(own), _) if own == name => return Some(member.clone()),
                (None, Type::Record(inner)) if member.bits.is_none() => {
                    if let Some(mut found) = self.find_member(*inner, name) {
                        found.offset += member.offset;
                        return Some(found);
                    }
                }
                _ => {}
            }
        }
        None
    }

    /// `base.name` or `base->name`.
    pub fn member(&mut self, base: Expr, arrow: bool, name: Symbol, span: Span) -> Typed<Expr> {
        let base = if arrow {
            let pointer = self.rvalue(base);
            self.deref(pointer, span)?
        } else {
            base
        };
        let text = self.name(name);
        if matches!(base.ty, Type::Atomic(_)) {
            return Err(beyond(span, "a member of an atomic struct"));
        }
        let Type::Record(id) = *base.ty.unqualified() else {
            return Err(wrong(
                span,
                format!("`.{text}` is asked of something without members"),
            ));
        };
        if self.linked.records[id.0 as usize].members.is_none() {
            return Err(wrong(span, "this struct or union is not defined here"));
        }
        let member = self
            .find_member(id, &text)
            .ok_or_else(|| wrong(span, format!("there is no member `{text}`")))?;
        let field = Field {
            name: text,
            offset: member.offset,
            bits: member.bits,
        };
        let kind = match base.kind.is_lvalue() {
            true => ExprKind::Member(Box::new(base), field),
            false => ExprKind::MemberOfValue(Box::new(base), field),
        };
        Ok(Expr::new(kind, member.ty, span))
    }

    /// `*pointer`.
    pub fn deref(&mut self, pointer: Expr, span: Span) -> Typed<Expr> {
        let Type::Pointer(pointee) = pointer.ty.unqualified() else {
            return Err(wrong(span, "only a pointer can be dereferenced"));
        };
        let ty = (**pointee).clone();
        Ok(Expr::new(ExprKind::Deref(Box::new(pointer)), ty, span))
    }

    /// `&place`, which lets the address of a variable be used elsewhere.
    pub fn address_of(&mut self, place: Expr, span: Span) -> Typed<Expr> {
        self.mark_address_taken(&place);
        self.plain_address_of(place, span)
    }

    /// `&place` where the address goes no further.
    pub fn plain_address_of(&mut self, place: Expr, span: Span) -> Typed<Expr> {
        if let Type::Function(_) = place.ty {
            return Ok(self.rvalue(place));
        }
        if let ExprKind::FunctionAddr(_) = place.kind {
            return Ok(place);
        }
        if let ExprKind::Member(_, Field { bits: Some(_), .. }) = place.kind {
            return Err(wrong(span, "a bit-field has no address"));
        }
        if !place.kind.is_lvalue() {
            return Err(wrong(span, "this has no address"));
        }
        // `&*p` is `p`.
        if let ExprKind::Deref(pointer) = place.kind {
            return Ok(*pointer);
        }
        let ty = Type::Pointer(std::sync::Arc::new(place.ty.clone()));
        Ok(Expr::new(ExprKind::AddrOf(Box::new(place)), ty, span))
    }

    fn mark_address_taken(&mut self, place: &Expr) {
        match &place.kind {
            ExprKind::Global(id) => {
                self.linked.globals[id.0 as usize].address_taken = true;
            }
            ExprKind::Local(id) | ExprKind::CompoundLiteral(id, _) => {
                if let Some(body) = &mut self.body {
                    body.locals[id.0 as usize].address_taken = true;
                }
            }
            ExprKind::Member(base, _) => self.mark_address_taken(base),
            _ => {}
        }
    }
}
