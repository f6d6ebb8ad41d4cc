//! Structs, unions and enumerations.

use super::declarator::Naming;
use super::{Parsed, Parser};
use crate::ast::{Declarator, EnumSpec, Enumerator, Expr, MemberDecl, RecordSpec};
use crate::lex::{Keyword, Punct, Symbol, TokenKind};

impl Parser<'_> {
    pub(super) fn record_spec(&mut self) -> Parsed<RecordSpec> {
        let start = self.span();
        let is_union = self.is_keyword(Keyword::Union);
        self.advance();
        let mut attrs = Vec::new();
        self.attributes(&mut attrs)?;
        let tag = self.tag();
        let span = start.to(self.last_span());
        let mut pack = None;
        let members = if self.eat(Punct::LBrace) {
            let members = self.members()?;
            pack = self.pragmas.packing.at(self.span().lo);
            self.expect(Punct::RBrace, "after the members")?;
            self.attributes(&mut attrs)?;
            Some(members)
        } else if tag.is_none() {
            return Err(self.unexpected("a tag or `{`"));
        } else {
            None
        };
        Ok(RecordSpec {
            is_union,
            tag,
            members,
            attrs,
            pack,
            span,
        })
    }

    fn tag(&mut self) -> Option<Symbol> {
        match self.kind() {
            TokenKind::Ident(symbol) => {
                self.advance();
                Some(symbol)
            }
            _ => None,
        }
    }

    fn members(&mut self) -> Parsed<Vec<MemberDecl>> {
        let mut members = Vec::new();
        while !self.is(Punct::RBrace) {
            if self.eat(Punct::Semi) || self.eat_keyword(Keyword::Extension) {
                continue;
            }
            if self.is_keyword(Keyword::StaticAssert) {
                let (cond, span) = self.static_assert()?;
                members.push(MemberDecl::StaticAssert(cond, span));
                continue;
            }
            let specs = self.specs()?;
            let mut list = Vec::new();
            if !self.is(Punct::Semi) {
                loop {
                    list.push(self.member()?);
                    if !self.eat(Punct::Comma) {
                        break;
                    }
                }
            }
            if !self.is(Punct::RBrace) {
                self.expect(Punct::Semi, "after this member")?;
            }
            members.push(MemberDecl::Members(specs, list));
        }
        Ok(members)
    }

    /// A declarator with its width, if it is a bit-field.
    fn member(&mut self) -> Parsed<(Declarator, Option<Expr>)> {
        let mut declarator = if self.is(Punct::Colon) {
            Declarator {
                name: None,
                derived: Vec::new(),
                attrs: Vec::new(),
                span: self.span(),
            }
        } else {
            self.declarator(Naming::Named)?
        };
        let width = if self.eat(Punct::Colon) {
            Some(self.conditional()?)
        } else {
            None
        };
        self.attributes(&mut declarator.attrs)?;
        Ok((declarator, width))
    }

    pub(super) fn enum_spec(&mut self) -> Parsed<EnumSpec> {
        let start = self.span();
        self.advance();
        let mut attrs = Vec::new();
        self.attributes(&mut attrs)?;
        let tag = self.tag();
        let span = start.to(self.last_span());
        let constants = if self.eat(Punct::LBrace) {
            let constants = self.enumerators()?;
            self.expect(Punct::RBrace, "or `,` after this constant")?;
            self.attributes(&mut attrs)?;
            Some(constants)
        } else if tag.is_none() {
            return Err(self.unexpected("a tag or `{`"));
        } else {
            None
        };
        Ok(EnumSpec {
            tag,
            constants,
            attrs,
            span,
        })
    }

    fn enumerators(&mut self) -> Parsed<Vec<Enumerator>> {
        let mut constants = Vec::new();
        while !self.is(Punct::RBrace) {
            let (name, span) = self.ident("the name of a constant")?;
            self.harmless_attributes()?;
            let value = if self.eat(Punct::Assign) {
                Some(self.conditional()?)
            } else {
                None
            };
            self.typedefs.declare(name, false);
            constants.push(Enumerator { name, value, span });
            if !self.eat(Punct::Comma) {
                break;
            }
        }
        Ok(constants)
    }
}
