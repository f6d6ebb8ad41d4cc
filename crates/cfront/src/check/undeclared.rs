//! Names that are not declared, and declarations that are wrong.

use super::Checker;
use super::fault::{Fault, Typed, following, wrong};
use crate::ast::Declaration;
use crate::lex::Symbol;
use crate::suggest;
use xcfa::Span;

impl Checker<'_> {
    /// Says that a name is not declared, and what may be meant.
    pub(super) fn undeclared(&self, symbol: Symbol, span: Span) -> Box<Fault> {
        let name = self.names.name(symbol);
        if self.lost.contains(&symbol) {
            return following(span, format!("`{name}` has a declaration that is wrong"));
        }
        let known = self.scope.names().map(|it| self.names.name(it));
        let advice = match suggest::header_of(name) {
            Some(header) => suggest::include(header),
            None => suggest::like(name, known)
                .map_or_else(String::new, |it| format!("; is `{it}` meant?")),
        };
        wrong(span, format!("`{name}` is not declared{advice}"))
    }

    /// Types a declaration. If it is wrong, uses of its names are not told as well.
    pub(super) fn declaring<T>(
        &mut self,
        declaration: &Declaration,
        typed: impl FnOnce(&mut Self) -> Typed<T>,
    ) -> Typed<T> {
        typed(self).inspect_err(|_| {
            if let Declaration::Plain(_, declarators) = declaration {
                let names = declarators.iter().filter_map(|it| it.declarator.name);
                self.lost.extend(names);
            }
        })
    }

    /// Remembers what is wrong, unless it follows from something else.
    pub(super) fn tell(&mut self, fault: Fault) {
        if !fault.follows && !self.wrong.contains(&fault.error) {
            self.wrong.push(fault.error);
        }
    }
}
