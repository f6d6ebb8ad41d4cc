//! Declarations in every position.

use super::declarator::Naming;
use super::{Parsed, Parser};
use crate::ast::{Attr, Declaration, Declarator, Derived, Expr, InitDeclarator, Specs, Storage};
use crate::lex::{Keyword, Punct, TokenKind};
use xcfa::Span;

impl Parser<'_> {
    /// `_Static_assert(condition, "text");`
    pub(super) fn static_assert(&mut self) -> Parsed<(Expr, Span)> {
        let start = self.span();
        self.advance();
        self.expect(Punct::LParen, "after `_Static_assert`")?;
        let cond = self.conditional()?;
        if self.eat(Punct::Comma) {
            if self.kind() != TokenKind::Str {
                return Err(self.unexpected("a string"));
            }
            self.string()?;
        }
        self.expect(Punct::RParen, "after the assertion")?;
        let end = self.expect(Punct::Semi, "after the assertion")?;
        Ok((cond, start.to(end)))
    }

    pub(super) fn local_declaration(&mut self) -> Parsed<Declaration> {
        if self.is_keyword(Keyword::StaticAssert) {
            let (cond, span) = self.static_assert()?;
            return Ok(Declaration::StaticAssert(cond, span));
        }
        let specs = self.specs()?;
        if self.eat(Punct::Semi) {
            return Ok(Declaration::Plain(specs, Vec::new()));
        }
        let first = self.first_declarator(&specs)?;
        if self.is(Punct::LBrace) && is_function(&first) {
            return Err(self.error(
                first.span,
                "a function inside a function; make it one of its own that is given what it uses",
            ));
        }
        self.declarators(specs, first)
    }

    pub(super) fn first_declarator(&mut self, specs: &Specs) -> Parsed<Declarator> {
        let mut declarator = self.declarator(Naming::Named)?;
        self.after_declarator(&mut declarator)?;
        self.declare(specs, &declarator);
        Ok(declarator)
    }

    /// The rest of a declaration after its first declarator, up to the `;`.
    pub(super) fn declarators(&mut self, specs: Specs, first: Declarator) -> Parsed<Declaration> {
        let mut list = Vec::new();
        let mut declarator = first;
        loop {
            let init = if self.eat(Punct::Assign) {
                Some(self.initializer()?)
            } else {
                None
            };
            list.push(InitDeclarator { declarator, init });
            if !self.eat(Punct::Comma) {
                break;
            }
            declarator = self.first_declarator(&specs)?;
        }
        self.expect(Punct::Semi, "after this declaration")?;
        Ok(Declaration::Plain(specs, list))
    }

    fn declare(&mut self, specs: &Specs, declarator: &Declarator) {
        if let Some(name) = declarator.name {
            let is_typedef = specs.storage == Storage::Typedef;
            self.typedefs.declare(name, is_typedef);
        }
    }

    /// `asm("name")` and attributes behind a declarator.
    fn after_declarator(&mut self, declarator: &mut Declarator) -> Parsed<()> {
        loop {
            if self.is_keyword(Keyword::Asm) {
                let span = self.span();
                self.advance();
                self.eat_keyword(Keyword::Volatile);
                let name = self.quoted_argument("asm")?;
                declarator.attrs.push(Attr::AsmName(name, span));
            } else if self.is_keyword(Keyword::Attribute) {
                self.attributes(&mut declarator.attrs)?;
            } else {
                return Ok(());
            }
        }
    }
}

pub(super) fn is_function(declarator: &Declarator) -> bool {
    matches!(
        declarator.derived.first().map(|item| &item.kind),
        Some(Derived::Function(_))
    )
}
