//! Initialisers and compound literals.

use super::{Parsed, Parser};
use crate::ast::{Designator, Expr, ExprKind, InitEntry, Initializer, TypeName};
use crate::lex::{Punct, TokenKind};
use xcfa::Span;

impl Parser<'_> {
    pub(super) fn initializer(&mut self) -> Parsed<Initializer> {
        if self.is(Punct::LBrace) {
            let start = self.span();
            let list = self.init_list()?;
            return Ok(Initializer::List(list, start.to(self.last_span())));
        }
        Ok(Initializer::Expr(self.assignment()?))
    }

    /// The braces behind `(type)`, which starts at `start`.
    pub(super) fn compound_literal(&mut self, start: Span, ty: TypeName) -> Parsed<Expr> {
        let list = self.init_list()?;
        let kind = ExprKind::CompoundLiteral(Box::new(ty), list);
        // Its parts are bounded by their own nesting; as a tree it counts as one level.
        self.node(kind, start.to(self.last_span()), 0)
    }

    fn init_list(&mut self) -> Parsed<Vec<InitEntry>> {
        self.nested(|this| {
            this.expect(Punct::LBrace, "before a list of initialisers")?;
            let mut entries = Vec::new();
            while !this.is(Punct::RBrace) {
                entries.push(this.init_entry()?);
                if !this.eat(Punct::Comma) {
                    break;
                }
            }
            this.expect(Punct::RBrace, "or `,` after this initialiser")?;
            Ok(entries)
        })
    }

    fn init_entry(&mut self) -> Parsed<InitEntry> {
        let mut designators = Vec::new();
        // The old GNU style `name: value`.
        if let (TokenKind::Ident(name), TokenKind::Punct(Punct::Colon)) =
            (self.kind(), self.kind_after(1))
        {
            designators.push(Designator::Member(name, self.span()));
            self.advance();
            self.advance();
            let value = self.initializer()?;
            return Ok(InitEntry { designators, value });
        }
        loop {
            if self.eat(Punct::Dot) {
                let (name, span) = self.ident("the name of a member")?;
                designators.push(Designator::Member(name, span));
            } else if self.eat(Punct::LBracket) {
                let first = self.conditional()?;
                let designator = if self.eat(Punct::Ellipsis) {
                    Designator::Range(first, self.conditional()?)
                } else {
                    Designator::Index(first)
                };
                self.expect(Punct::RBracket, "after this index")?;
                designators.push(designator);
            } else {
                break;
            }
        }
        // Old GNU style again: the `=` behind `[index]` may be missing.
        let only_indices = designators
            .iter()
            .all(|designator| !matches!(designator, Designator::Member(..)));
        if !designators.is_empty() && !self.eat(Punct::Assign) && !only_indices {
            return Err(self.unexpected("`=` after this designator"));
        }
        let value = self.initializer()?;
        Ok(InitEntry { designators, value })
    }
}
