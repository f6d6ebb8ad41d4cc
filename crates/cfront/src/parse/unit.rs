//! A file: declarations and function definitions.

use super::decl::is_function;
use super::recover::{Part, Within};
use super::{Parsed, Parser};
use crate::ast::{Declaration, Declarator, Derived, FuncDef, Params, Specs, Unit, UnitItem};
use crate::lex::{Keyword, Punct, TokenKind};

impl Parser<'_> {
    /// The whole file, without what is wrong in it.
    pub(super) fn unit(&mut self) -> Unit {
        let mut unit = Unit {
            weak: self.pragmas.weak.clone(),
            renamed: self.pragmas.renamed.clone(),
            ..Unit::default()
        };
        while self.kind() != TokenKind::End {
            if self.eat(Punct::Semi) || self.eat_keyword(Keyword::Extension) {
                continue;
            }
            match self.or_recover(Within::File, Self::item) {
                Part::Read(item) => unit.items.push(item),
                Part::LeftOut => {}
                Part::Hopeless => break,
            }
        }
        unit
    }

    fn item(&mut self) -> Parsed<UnitItem> {
        if self.is_keyword(Keyword::Asm) {
            let span = self.span();
            let asm = self.asm()?;
            return Ok(UnitItem::Declaration(Declaration::Asm(asm, span)));
        }
        if self.is_keyword(Keyword::StaticAssert) {
            let (cond, span) = self.static_assert()?;
            return Ok(UnitItem::Declaration(Declaration::StaticAssert(cond, span)));
        }
        let specs = self.specs()?;
        if self.eat(Punct::Semi) {
            return Ok(UnitItem::Declaration(Declaration::Plain(specs, Vec::new())));
        }
        let declarator = self.first_declarator(&specs)?;
        if is_function(&declarator) && self.starts_body(&declarator) {
            let function = self.function(specs, declarator)?;
            return Ok(UnitItem::Function(Box::new(function)));
        }
        self.declarators(specs, declarator)
            .map(UnitItem::Declaration)
    }

    /// Does a body follow, or the declarations of old-style parameters?
    fn starts_body(&self, declarator: &Declarator) -> bool {
        let old_style = matches!(
            declarator.derived.first().map(|item| &item.kind),
            Some(Derived::Function(Params::Names(names))) if !names.is_empty()
        );
        self.is(Punct::LBrace) || old_style && self.starts_declaration()
    }

    fn function(&mut self, specs: Specs, declarator: Declarator) -> Parsed<FuncDef> {
        self.typedefs.open();
        let rest = self.function_rest(&declarator);
        self.typedefs.close();
        let (old_style, body) = rest?;
        Ok(FuncDef {
            specs,
            declarator,
            old_style,
            body,
        })
    }

    fn function_rest(
        &mut self,
        declarator: &Declarator,
    ) -> Parsed<(Vec<Declaration>, crate::ast::Block)> {
        let mut old_style = Vec::new();
        while !self.is(Punct::LBrace) {
            let specs = self.specs()?;
            let first = self.first_declarator(&specs)?;
            old_style.push(self.declarators(specs, first)?);
        }
        if let Some(Derived::Function(params)) = declarator.derived.first().map(|item| &item.kind) {
            match params {
                Params::Typed { list, .. } => {
                    for name in list.iter().filter_map(|param| param.declarator.name) {
                        self.typedefs.declare(name, false);
                    }
                }
                Params::Names(names) => {
                    for &(name, _) in names {
                        self.typedefs.declare(name, false);
                    }
                }
            }
        }
        let body = self.block()?;
        Ok((old_style, body))
    }
}
