//! Declarators and type names.

use super::{MAX_DEPTH, Parsed, Parser};
use crate::ast::{Attr, Declarator, DeclaratorItem, Derived, Param, Params, TypeName};
use crate::lex::{Keyword, Punct, Symbol, TokenKind};
use xcfa::Span;

/// Must, may or must not a declarator have a name?
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Naming {
    /// As in an ordinary declaration.
    Named,
    /// As in a parameter.
    Optional,
    /// As in a cast.
    Abstract,
}

impl Parser<'_> {
    /// A type by itself.
    pub(super) fn type_name(&mut self) -> Parsed<TypeName> {
        let specs = self.specs()?;
        let start = specs.span;
        let declarator = self.declarator(Naming::Abstract)?;
        Ok(TypeName {
            specs,
            declarator,
            span: start.to(self.last_span()),
        })
    }

    /// A declarator with its attributes and `asm` name.
    pub(super) fn declarator(&mut self, naming: Naming) -> Parsed<Declarator> {
        let mut declarator = Declarator {
            name: None,
            derived: Vec::new(),
            attrs: Vec::new(),
            span: self.span(),
        };
        self.declarator_into(naming, &mut declarator)?;
        Ok(declarator)
    }

    fn declarator_into(&mut self, naming: Naming, out: &mut Declarator) -> Parsed<()> {
        self.nested(|this| {
            let mut pointers = Vec::new();
            this.attributes(&mut out.attrs)?;
            while this.is(Punct::Star) || this.is(Punct::Caret) {
                let span = this.span();
                this.advance();
                let kind = this.pointer_qualifiers(&mut out.attrs)?;
                pointers.push(DeclaratorItem { kind, span });
            }
            this.direct_declarator(naming, out)?;
            out.derived.extend(pointers.into_iter().rev());
            if out.derived.len() > MAX_DEPTH as usize {
                let what = format!("a type of more than {MAX_DEPTH} levels");
                return Err(this.error(out.span, what));
            }
            Ok(())
        })
    }

    /// Takes qualifiers and attributes of a pointer; `gnu_inline` is about what is declared.
    fn pointer_qualifiers(&mut self, attrs: &mut Vec<Attr>) -> Parsed<Derived> {
        let (mut atomic, mut constant) = (false, false);
        loop {
            match self.kind() {
                TokenKind::Keyword(Keyword::Const) => {
                    self.advance();
                    constant = true;
                }
                TokenKind::Keyword(Keyword::Volatile | Keyword::Restrict) => {
                    self.advance();
                }
                TokenKind::Keyword(Keyword::Atomic) => {
                    self.advance();
                    atomic = true;
                }
                TokenKind::Keyword(Keyword::Attribute) => {
                    if self.harmless_attributes()? {
                        attrs.push(Attr::GnuInline);
                    }
                }
                _ => return Ok(Derived::Pointer { atomic, constant }),
            }
        }
    }

    fn direct_declarator(&mut self, naming: Naming, out: &mut Declarator) -> Parsed<()> {
        match self.kind() {
            TokenKind::Ident(name) if naming != Naming::Abstract => {
                out.name = Some(name);
                out.span = self.span();
                self.advance();
                if self.at_bracket_attribute() {
                    self.attributes(&mut out.attrs)?;
                }
            }
            TokenKind::Punct(Punct::LParen) if self.is_nested_declarator(naming) => {
                self.advance();
                self.declarator_into(naming, out)?;
                self.expect(Punct::RParen, "after this declarator")?;
            }
            _ if naming == Naming::Named => {
                return Err(self.unexpected("a name to declare"));
            }
            _ => out.span = self.span(),
        }
        self.suffixes(out)
    }

    /// Does the bracket hold a declarator, rather than parameters?
    fn is_nested_declarator(&self, naming: Naming) -> bool {
        if naming == Naming::Named {
            return true;
        }
        let empty = self.kind_after(1) == TokenKind::Punct(Punct::RParen);
        let attribute = self.kind_after(1) == TokenKind::Keyword(Keyword::Attribute);
        attribute || !empty && !self.starts_type(1)
    }

    fn suffixes(&mut self, out: &mut Declarator) -> Parsed<()> {
        loop {
            let span = self.span();
            let kind = if self.at_bracket_attribute() {
                self.attributes(&mut out.attrs)?;
                continue;
            } else if self.eat(Punct::LBracket) {
                Derived::Array(self.array_length()?)
            } else if self.eat(Punct::LParen) {
                Derived::Function(self.nested(Self::params)?)
            } else {
                return Ok(());
            };
            let span = span.to(self.last_span());
            out.derived.push(DeclaratorItem { kind, span });
        }
    }

    fn array_length(&mut self) -> Parsed<Option<Box<crate::ast::Expr>>> {
        while matches!(
            self.kind(),
            TokenKind::Keyword(
                Keyword::Static | Keyword::Const | Keyword::Volatile | Keyword::Restrict
            )
        ) {
            self.advance();
        }
        if self.eat(Punct::RBracket) {
            return Ok(None);
        }
        // `[*]`: some length, in a prototype.
        if self.is(Punct::Star) && self.kind_after(1) == TokenKind::Punct(Punct::RBracket) {
            self.advance();
            self.advance();
            return Ok(None);
        }
        let length = self.assignment()?;
        self.expect(Punct::RBracket, "after the length of an array")?;
        Ok(Some(Box::new(length)))
    }

    /// Parameters and the closing bracket.
    fn params(&mut self) -> Parsed<Params> {
        if self.eat(Punct::RParen) {
            return Ok(Params::Names(Vec::new()));
        }
        if let TokenKind::Ident(symbol) = self.kind()
            && !self.typedefs.is_typedef(symbol)
        {
            return self.old_style_names();
        }
        let void =
            self.is_keyword(Keyword::Void) && self.kind_after(1) == TokenKind::Punct(Punct::RParen);
        if void {
            self.advance();
            self.advance();
            return Ok(Params::Typed {
                list: Vec::new(),
                variadic: false,
            });
        }
        self.typedefs.open();
        let params = self.typed_params();
        self.typedefs.close();
        params
    }

    fn typed_params(&mut self) -> Parsed<Params> {
        let mut list = Vec::new();
        let mut variadic = false;
        loop {
            if self.eat(Punct::Ellipsis) {
                variadic = true;
                break;
            }
            let specs = self.specs()?;
            let mut declarator = self.declarator(Naming::Optional)?;
            self.attributes(&mut declarator.attrs)?;
            if let Some(name) = declarator.name {
                self.typedefs.declare(name, false);
            }
            list.push(Param { specs, declarator });
            if !self.eat(Punct::Comma) {
                break;
            }
        }
        self.expect(Punct::RParen, "after the parameters")?;
        Ok(Params::Typed { list, variadic })
    }

    fn old_style_names(&mut self) -> Parsed<Params> {
        let mut names: Vec<(Symbol, Span)> = Vec::new();
        loop {
            if let (TokenKind::Ident(_), TokenKind::Ident(_)) = (self.kind(), self.kind_after(1)) {
                return Err(self.no_type(self.span()));
            }
            names.push(self.ident("the name of a parameter")?);
            if !self.eat(Punct::Comma) {
                break;
            }
        }
        self.expect(Punct::RParen, "after the parameters")?;
        Ok(Params::Names(names))
    }
}
