//! Attributes: those that change layouts or linkage are kept, some are refused, the rest dropped.

use super::{Parsed, Parser};
use crate::ast::Attr;
use crate::lex::{Keyword, Punct, TokenKind};
use xcfa::Span;

/// Attributes that change what a program does and that we do not model.
const REFUSED: &[&str] = &[
    "cleanup",
    "constructor",
    "destructor",
    "alias",
    "ifunc",
    "weakref",
    "ms_struct",
    "scalar_storage_order",
];

impl Parser<'_> {
    pub(super) fn at_bracket_attribute(&self) -> bool {
        self.is(Punct::LBracket) && self.kind_after(1) == TokenKind::Punct(Punct::LBracket)
    }

    /// Takes any number of `__attribute__((...))`, `_Alignas(...)` and `[[...]]`.
    pub(super) fn attributes(&mut self, attrs: &mut Vec<Attr>) -> Parsed<()> {
        loop {
            match self.kind() {
                TokenKind::Keyword(Keyword::Attribute) => {
                    self.advance();
                    self.expect(Punct::LParen, "after `__attribute__`")?;
                    self.expect(Punct::LParen, "after `__attribute__(`")?;
                    self.attribute_list(Punct::RParen, attrs)?;
                    self.expect(Punct::RParen, "after the attributes")?;
                    self.expect(Punct::RParen, "after the attributes")?;
                }
                TokenKind::Keyword(Keyword::Alignas) => self.alignas(attrs)?,
                _ if self.at_bracket_attribute() => {
                    self.advance();
                    self.advance();
                    self.attribute_list(Punct::RBracket, attrs)?;
                    self.expect(Punct::RBracket, "after the attributes")?;
                    self.expect(Punct::RBracket, "after the attributes")?;
                }
                _ => return Ok(()),
            }
        }
    }

    /// Takes attributes where none of them can matter.
    pub(super) fn skip_attributes(&mut self) -> Parsed<()> {
        self.attributes(&mut Vec::new())
    }

    fn alignas(&mut self, attrs: &mut Vec<Attr>) -> Parsed<()> {
        self.advance();
        self.expect(Punct::LParen, "after `_Alignas`")?;
        let attr = if self.starts_type(0) {
            Attr::AlignedAs(Box::new(self.nested(Self::type_name)?))
        } else {
            Attr::Aligned(Some(Box::new(self.nested(Self::conditional)?)))
        };
        attrs.push(attr);
        self.expect(Punct::RParen, "after the alignment").map(drop)
    }

    fn attribute_list(&mut self, close: Punct, attrs: &mut Vec<Attr>) -> Parsed<()> {
        while !self.is(close) {
            if self.eat(Punct::Comma) {
                continue;
            }
            if let Some(attr) = self.attribute()? {
                attrs.push(attr);
            }
        }
        Ok(())
    }

    fn attribute(&mut self) -> Parsed<Option<Attr>> {
        let span = self.span();
        if !matches!(self.kind(), TokenKind::Ident(_) | TokenKind::Keyword(_)) {
            return Err(self.unexpected("the name of an attribute"));
        }
        let mut name = bare(self.text_of(span));
        self.advance();
        if self.eat(Punct::ColonColon) {
            name = bare(self.text_of(self.span()));
            self.advance();
        }
        let attr = match name {
            "packed" => Some(Attr::Packed),
            "weak" => Some(Attr::Weak),
            "gnu_inline" => Some(Attr::GnuInline),
            "aligned" => return self.aligned().map(Some),
            "mode" => return self.mode(span).map(Some),
            "vector_size" => {
                self.expect(Punct::LParen, "after `vector_size`")?;
                let size = self.nested(Self::conditional)?;
                self.expect(Punct::RParen, "after the size")?;
                return Ok(Some(Attr::VectorSize(Box::new(size))));
            }
            _ => REFUSED
                .iter()
                .find(|&&refused| refused == name)
                .map(|refused| Attr::Refused(refused, span)),
        };
        if self.is(Punct::LParen) {
            self.skip_brackets()?;
        }
        Ok(attr)
    }

    fn aligned(&mut self) -> Parsed<Attr> {
        if !self.eat(Punct::LParen) {
            return Ok(Attr::Aligned(None));
        }
        let value = self.nested(Self::conditional)?;
        self.expect(Punct::RParen, "after the alignment")?;
        Ok(Attr::Aligned(Some(Box::new(value))))
    }

    fn mode(&mut self, attribute: Span) -> Parsed<Attr> {
        self.expect(Punct::LParen, "after `mode`")?;
        let span = self.span();
        let size = match bare(self.text_of(span)) {
            "QI" | "byte" => 1,
            "HI" => 2,
            "SI" => 4,
            "DI" => 8,
            "TI" => 16,
            "word" | "pointer" | "unwind_word" => 0,
            _ => return Err(self.error(attribute.to(span), "a machine mode that we do not know")),
        };
        self.advance();
        self.expect(Punct::RParen, "after the mode")?;
        Ok(Attr::Mode(size))
    }

    /// Skips from `(` to the matching `)`.
    pub(super) fn skip_brackets(&mut self) -> Parsed<()> {
        let open = self.span();
        let mut depth = 0u32;
        loop {
            match self.advance().kind {
                TokenKind::Punct(Punct::LParen) => depth += 1,
                TokenKind::Punct(Punct::RParen) => depth -= 1,
                TokenKind::End => return Err(self.error(open, "this bracket is not closed")),
                _ => {}
            }
            if depth == 0 {
                return Ok(());
            }
        }
    }
}

/// The name without the underscores that protect it from macros.
fn bare(name: &str) -> &str {
    match name.strip_prefix("__").and_then(|n| n.strip_suffix("__")) {
        Some(inner) if !inner.is_empty() => inner,
        _ => name,
    }
}
