//! Attributes as they are written; the table in `attributes` says what becomes of each.

use super::attributes::{Modelled, Treatment, is_foreign, treatment};
use super::{Parsed, Parser};
use crate::ast::Attr;
use crate::lex::{Keyword, Punct, TokenKind, keeps_meaning};
use xcfa::Span;

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

    /// Takes attributes where only harmless ones are allowed; is `gnu_inline` among them, which says nothing of a
    /// type or a statement?
    pub(super) fn harmless_attributes(&mut self) -> Parsed<bool> {
        let start = self.span();
        let mut attrs = Vec::new();
        self.attributes(&mut attrs)?;
        let is_inline = |attr: &Attr| matches!(attr, Attr::GnuInline);
        let counts = |attr: &&Attr| !matches!(attr, Attr::NoReturn | Attr::GnuInline);
        match attrs.iter().find(counts) {
            None => Ok(attrs.iter().any(is_inline)),
            Some(Attr::Refused(what, span)) => Err(self.error(*span, what.clone())),
            Some(_) => {
                let span = start.to(self.last_span());
                Err(self.error(span, "an attribute at a place where we do not honour it"))
            }
        }
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
        let mut foreign = false;
        if self.eat(Punct::ColonColon) {
            foreign = is_foreign(name);
            name = bare(self.text_of(self.span()));
            self.advance();
        }
        let harmless = match treatment(name) {
            _ if foreign => true,
            Treatment::Modelled(kind) => return self.modelled(kind, name, span).map(Some),
            Treatment::Harmless => true,
            Treatment::Refused => false,
        };
        let arguments = self.span();
        if self.is(Punct::LParen) {
            self.skip_brackets()?;
        }
        let arguments = self.text_of(arguments.to(self.last_span()));
        let harmless = harmless && (name != "optimize" || keeps_meaning(arguments));
        Ok((!harmless).then(|| Attr::Refused(format!("attribute `{name}`"), span)))
    }

    /// An attribute that is honoured, with its arguments.
    fn modelled(&mut self, kind: Modelled, name: &str, span: Span) -> Parsed<Attr> {
        Ok(match kind {
            Modelled::Packed => Attr::Packed,
            Modelled::Weak => Attr::Weak,
            Modelled::GnuInline => Attr::GnuInline,
            Modelled::Common => Attr::Common,
            Modelled::NoReturn => Attr::NoReturn,
            Modelled::Aligned => return self.aligned(),
            Modelled::Mode => return self.mode(span),
            Modelled::VectorSize => {
                self.expect(Punct::LParen, "after `vector_size`")?;
                let size = self.nested(Self::conditional)?;
                self.expect(Punct::RParen, "after the size")?;
                Attr::VectorSize(Box::new(size))
            }
            Modelled::Constructor => Attr::Constructor(self.priority()?, span),
            Modelled::Destructor => Attr::Destructor(self.priority()?, span),
            Modelled::Cleanup => {
                self.expect(Punct::LParen, "after `cleanup`")?;
                let function = self.ident("the name of a function")?;
                self.expect(Punct::RParen, "after the function")?;
                Attr::Cleanup(function.0, function.1)
            }
            Modelled::Alias => Attr::Alias(self.quoted_argument(name)?, span),
            Modelled::Ifunc => Attr::Ifunc(self.quoted_argument(name)?, span),
            Modelled::Section => Attr::Section(self.quoted_argument(name)?, span),
            Modelled::WeakRef if self.is(Punct::LParen) => {
                Attr::WeakRef(Some(self.quoted_argument(name)?), span)
            }
            Modelled::WeakRef => Attr::WeakRef(None, span),
        })
    }

    /// `(101)`, the priority of a constructor or destructor.
    fn priority(&mut self) -> Parsed<Option<Box<crate::ast::Expr>>> {
        if !self.eat(Punct::LParen) {
            return Ok(None);
        }
        if self.eat(Punct::RParen) {
            return Ok(None);
        }
        let value = self.nested(Self::conditional)?;
        self.expect(Punct::RParen, "after the priority")?;
        Ok(Some(Box::new(value)))
    }

    /// `("text")`.
    pub(super) fn quoted_argument(&mut self, name: &str) -> Parsed<String> {
        self.expect(Punct::LParen, &format!("after `{name}`"))?;
        let text = self.plain_text()?;
        self.expect(Punct::RParen, "after the text")?;
        Ok(text)
    }

    /// String literals that are no data of the program.
    pub(super) fn plain_text(&mut self) -> Parsed<String> {
        if self.kind() != TokenKind::Str {
            return Err(self.unexpected("a string"));
        }
        let literal = self.string()?;
        let chars = literal.elements.into_iter();
        Ok(chars.filter_map(char::from_u32).collect())
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
        Ok(Attr::Mode(size, attribute))
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
