//! Postfix and primary expressions.

use super::{Parsed, Parser};
use crate::ast::{Designator, Expr, ExprKind, GenericArm, StringLit, TypeName, UnaryOp};
use crate::lex::{
    CharWidth, Keyword, Number, Punct, TokenKind, decode_char, decode_number, decode_string_as,
    string_width,
};
use std::sync::Arc;
use xcfa::Span;

impl Parser<'_> {
    pub(super) fn postfix(&mut self) -> Parsed<Expr> {
        let base = self.primary()?;
        self.postfix_of(base)
    }

    /// Takes indices, calls, members, `++` and `--` behind `expr`.
    pub(super) fn postfix_of(&mut self, mut expr: Expr) -> Parsed<Expr> {
        loop {
            let TokenKind::Punct(punct) = self.kind() else {
                return Ok(expr);
            };
            let start = expr.span;
            let mut below = expr.depth;
            let base = match punct {
                Punct::LBracket
                | Punct::LParen
                | Punct::Dot
                | Punct::Arrow
                | Punct::PlusPlus
                | Punct::MinusMinus => {
                    self.advance();
                    Box::new(expr)
                }
                _ => return Ok(expr),
            };
            let kind = match punct {
                Punct::LBracket => {
                    let index = self.expr()?;
                    below = below.max(index.depth);
                    self.expect(Punct::RBracket, "after this index")?;
                    ExprKind::Index(base, Box::new(index))
                }
                Punct::LParen => {
                    let args = self.arguments()?;
                    let deepest = args.iter().map(|arg| arg.depth).max();
                    below = below.max(deepest.unwrap_or(0));
                    ExprKind::Call(base, args)
                }
                Punct::Dot | Punct::Arrow => {
                    let (name, _) = self.ident("the name of a member")?;
                    let arrow = punct == Punct::Arrow;
                    ExprKind::Member { base, arrow, name }
                }
                Punct::PlusPlus => ExprKind::Unary(UnaryOp::PostIncrement, base),
                _ => ExprKind::Unary(UnaryOp::PostDecrement, base),
            };
            expr = self.node(kind, start.to(self.last_span()), below)?;
        }
    }

    /// The arguments of a call and the closing bracket.
    fn arguments(&mut self) -> Parsed<Vec<Expr>> {
        let mut args = Vec::new();
        if self.eat(Punct::RParen) {
            return Ok(args);
        }
        loop {
            args.push(self.assignment()?);
            if !self.eat(Punct::Comma) {
                break;
            }
        }
        self.expect(Punct::RParen, "after the arguments of this call")?;
        Ok(args)
    }

    fn primary(&mut self) -> Parsed<Expr> {
        let span = self.span();
        let kind = match self.kind() {
            TokenKind::Ident(symbol) => {
                self.advance();
                ExprKind::Name(symbol)
            }
            TokenKind::Number => {
                self.advance();
                match decode_number(self.text_of(span)) {
                    Ok(Number::Int(lit)) => ExprKind::Int(lit),
                    Ok(Number::Float(lit)) => ExprKind::Float(lit),
                    Err(what) => return Err(self.error(span, what)),
                }
            }
            TokenKind::Char => {
                self.advance();
                match decode_char(self.text_of(span)) {
                    Ok((width, value)) => ExprKind::Char(width, value),
                    Err(what) => return Err(self.error(span, what)),
                }
            }
            TokenKind::Str => ExprKind::Str(Arc::new(self.string()?)),
            TokenKind::Punct(Punct::LParen) => return self.bracketed(span),
            TokenKind::Keyword(keyword) => return self.keyword_primary(keyword, span),
            _ => return Err(self.unexpected("an expression")),
        };
        self.node(kind, span.to(self.last_span()), 0)
    }

    /// One or more adjacent string literals; the widest prefix counts for all.
    pub(super) fn string(&mut self) -> Parsed<StringLit> {
        let first = self.at;
        while self.kind() == TokenKind::Str {
            self.advance();
        }
        let pieces = &self.tokens[first..self.at];
        let width = pieces
            .iter()
            .map(|&piece| string_width(self.text_of(self.span_of(piece))))
            .max()
            .unwrap_or(CharWidth::Plain);
        let mut elements = Vec::new();
        for &piece in pieces {
            let span = self.span_of(piece);
            match decode_string_as(self.text_of(span), width) {
                Ok(more) => elements.extend(more),
                Err(what) => return Err(self.error(span, what)),
            }
        }
        Ok(StringLit { width, elements })
    }

    /// `(expression)` or `({ statements })`.
    fn bracketed(&mut self, start: Span) -> Parsed<Expr> {
        self.advance();
        if self.is(Punct::LBrace) {
            let block = self.block()?;
            let close = self.expect(Punct::RParen, "after a statement expression")?;
            // Statements are bounded by their own nesting; as a tree they count as one level.
            return self.node(ExprKind::StmtExpr(Box::new(block)), start.to(close), 0);
        }
        let mut inner = self.expr()?;
        let close = self.expect(Punct::RParen, "after this expression")?;
        inner.span = start.to(close);
        Ok(inner)
    }

    fn keyword_primary(&mut self, keyword: Keyword, start: Span) -> Parsed<Expr> {
        let (kind, below) = match keyword {
            Keyword::FunctionName => {
                self.advance();
                (ExprKind::FunctionName, 0)
            }
            Keyword::Generic => self.generic()?,
            Keyword::OffsetOf => self.offset_of()?,
            Keyword::TypesCompatible => {
                self.open_builtin()?;
                let left = Box::new(self.type_name()?);
                self.expect(Punct::Comma, "between the types")?;
                let right = Box::new(self.type_name()?);
                self.expect(Punct::RParen, "after the types")?;
                (ExprKind::TypesCompatible(left, right), 0)
            }
            Keyword::ChooseExpr => self.choose_expr()?,
            Keyword::VaArg => {
                self.open_builtin()?;
                let list = self.assignment()?;
                self.expect(Punct::Comma, "after the argument list")?;
                let ty = Box::new(self.type_name()?);
                self.expect(Punct::RParen, "after the type")?;
                let below = list.depth;
                (ExprKind::VaArg(Box::new(list), ty), below)
            }
            _ => return Err(self.unexpected("an expression")),
        };
        self.node(kind, start.to(self.last_span()), below)
    }

    fn open_builtin(&mut self) -> Parsed<()> {
        self.advance();
        self.expect(Punct::LParen, "after this built-in").map(drop)
    }

    fn choose_expr(&mut self) -> Parsed<(ExprKind, u16)> {
        self.open_builtin()?;
        let cond = self.assignment()?;
        self.expect(Punct::Comma, "after the condition")?;
        let then = self.assignment()?;
        self.expect(Punct::Comma, "after the first choice")?;
        let other = self.assignment()?;
        self.expect(Punct::RParen, "after the second choice")?;
        let below = cond.depth.max(then.depth).max(other.depth);
        let choices = Box::new([cond, then, other]);
        Ok((ExprKind::ChooseExpr(choices), below))
    }

    fn generic(&mut self) -> Parsed<(ExprKind, u16)> {
        self.open_builtin()?;
        let control = self.assignment()?;
        let mut below = control.depth;
        let mut arms = Vec::new();
        while self.eat(Punct::Comma) {
            let ty: Option<TypeName> = if self.eat_keyword(Keyword::Default) {
                None
            } else {
                Some(self.type_name()?)
            };
            self.expect(Punct::Colon, "after the type of a choice")?;
            let value = self.assignment()?;
            below = below.max(value.depth);
            arms.push(GenericArm { ty, value });
        }
        self.expect(Punct::RParen, "after the choices of `_Generic`")?;
        Ok((ExprKind::Generic(Box::new(control), arms), below))
    }

    fn offset_of(&mut self) -> Parsed<(ExprKind, u16)> {
        self.open_builtin()?;
        let ty = Box::new(self.type_name()?);
        self.expect(Punct::Comma, "after the type")?;
        let (name, span) = self.ident("the name of a member")?;
        let mut path = vec![Designator::Member(name, span)];
        let mut below = 0;
        loop {
            if self.eat(Punct::Dot) || self.eat(Punct::Arrow) {
                let (name, span) = self.ident("the name of a member")?;
                path.push(Designator::Member(name, span));
            } else if self.eat(Punct::LBracket) {
                let index = self.expr()?;
                self.expect(Punct::RBracket, "after this index")?;
                below = below.max(index.depth);
                path.push(Designator::Index(index));
            } else {
                break;
            }
        }
        self.expect(Punct::RParen, "after the member")?;
        Ok((ExprKind::OffsetOf(ty, path), below))
    }
}
