//! Expressions with operators, by precedence climbing.

use super::{MAX_TREE_DEPTH, Parsed, Parser};
use crate::ast::{Expr, ExprKind, UnaryOp};
use crate::hir::BinaryOp;
use crate::lex::{Keyword, Punct, TokenKind};
use xcfa::Span;

/// An operator between two operands.
enum Infix {
    Binary(BinaryOp),
    And,
    Or,
}

/// The operator of a token and how tightly it binds.
fn infix(punct: Punct) -> Option<(u8, Infix)> {
    use BinaryOp::*;
    let (level, op) = match punct {
        Punct::OrOr => return Some((1, Infix::Or)),
        Punct::AndAnd => return Some((2, Infix::And)),
        Punct::Or => (3, BitOr),
        Punct::Caret => (4, BitXor),
        Punct::And => (5, BitAnd),
        Punct::EqEq => (6, Eq),
        Punct::Ne => (6, Ne),
        Punct::Lt => (7, Lt),
        Punct::Le => (7, Le),
        Punct::Gt => (7, Gt),
        Punct::Ge => (7, Ge),
        Punct::Shl => (8, Shl),
        Punct::Shr => (8, Shr),
        Punct::Plus => (9, Add),
        Punct::Minus => (9, Sub),
        Punct::Star => (10, Mul),
        Punct::Slash => (10, Div),
        Punct::Percent => (10, Rem),
        _ => return None,
    };
    Some((level, Infix::Binary(op)))
}

fn compound_op(punct: Punct) -> Option<BinaryOp> {
    use BinaryOp::*;
    Some(match punct {
        Punct::StarAssign => Mul,
        Punct::SlashAssign => Div,
        Punct::PercentAssign => Rem,
        Punct::PlusAssign => Add,
        Punct::MinusAssign => Sub,
        Punct::ShlAssign => Shl,
        Punct::ShrAssign => Shr,
        Punct::AndAssign => BitAnd,
        Punct::XorAssign => BitXor,
        Punct::OrAssign => BitOr,
        _ => return None,
    })
}

impl Parser<'_> {
    /// A node over `children`, unless the tree becomes too deep.
    pub(super) fn node(&self, kind: ExprKind, span: Span, below: u16) -> Parsed<Expr> {
        if below >= MAX_TREE_DEPTH {
            let what = format!("an expression of more than {MAX_TREE_DEPTH} levels");
            return Err(self.error(span, what));
        }
        Ok(Expr {
            kind,
            span,
            depth: below + 1,
        })
    }

    /// An expression, commas included.
    pub(super) fn expr(&mut self) -> Parsed<Expr> {
        let mut left = self.assignment()?;
        while self.eat(Punct::Comma) {
            let right = self.assignment()?;
            let span = left.span.to(right.span);
            let below = left.depth.max(right.depth);
            let kind = ExprKind::Comma(Box::new(left), Box::new(right));
            left = self.node(kind, span, below)?;
        }
        Ok(left)
    }

    /// An expression without a comma outside brackets.
    pub(super) fn assignment(&mut self) -> Parsed<Expr> {
        self.nested(|this| {
            let left = this.conditional()?;
            let TokenKind::Punct(punct) = this.kind() else {
                return Ok(left);
            };
            let op = compound_op(punct);
            if op.is_none() && punct != Punct::Assign {
                return Ok(left);
            }
            this.advance();
            let right = this.assignment()?;
            let span = left.span.to(right.span);
            let below = left.depth.max(right.depth);
            let kind = ExprKind::Assign(op, Box::new(left), Box::new(right));
            this.node(kind, span, below)
        })
    }

    /// A conditional expression, which is also what a constant expression is.
    pub(super) fn conditional(&mut self) -> Parsed<Expr> {
        let cond = self.binary(1)?;
        if !self.eat(Punct::Question) {
            return Ok(cond);
        }
        self.nested(|this| {
            let then = if this.is(Punct::Colon) {
                None
            } else {
                Some(Box::new(this.expr()?))
            };
            this.expect(Punct::Colon, "between the branches of `?`")?;
            let other = this.conditional()?;
            let span = cond.span.to(other.span);
            let below = cond
                .depth
                .max(other.depth)
                .max(then.as_ref().map_or(0, |e| e.depth));
            let kind = ExprKind::Conditional(Box::new(cond), then, Box::new(other));
            this.node(kind, span, below)
        })
    }

    fn binary(&mut self, min_level: u8) -> Parsed<Expr> {
        let mut left = self.cast()?;
        while let TokenKind::Punct(punct) = self.kind() {
            let Some((level, op)) = infix(punct) else {
                break;
            };
            if level < min_level {
                break;
            }
            self.advance();
            let right = self.binary(level + 1)?;
            let span = left.span.to(right.span);
            let below = left.depth.max(right.depth);
            let (left_box, right_box) = (Box::new(left), Box::new(right));
            let kind = match op {
                Infix::Binary(op) => ExprKind::Binary(op, left_box, right_box),
                Infix::And => ExprKind::LogicalAnd(left_box, right_box),
                Infix::Or => ExprKind::LogicalOr(left_box, right_box),
            };
            left = self.node(kind, span, below)?;
        }
        Ok(left)
    }

    /// A cast, or anything that binds more tightly.
    pub(super) fn cast(&mut self) -> Parsed<Expr> {
        if !(self.is(Punct::LParen) && self.starts_type(1)) {
            return self.unary();
        }
        self.nested(|this| {
            let start = this.span();
            this.advance();
            let ty = this.type_name()?;
            this.expect(Punct::RParen, "after the type of a cast")?;
            if this.is(Punct::LBrace) {
                let literal = this.compound_literal(start, ty)?;
                return this.postfix_of(literal);
            }
            let operand = this.cast()?;
            let span = start.to(operand.span);
            let below = operand.depth;
            this.node(ExprKind::Cast(Box::new(ty), Box::new(operand)), span, below)
        })
    }

    fn unary(&mut self) -> Parsed<Expr> {
        let start = self.span();
        let op = match self.kind() {
            TokenKind::Punct(Punct::PlusPlus) => UnaryOp::PreIncrement,
            TokenKind::Punct(Punct::MinusMinus) => UnaryOp::PreDecrement,
            TokenKind::Punct(Punct::And) => UnaryOp::AddrOf,
            TokenKind::Punct(Punct::Star) => UnaryOp::Deref,
            TokenKind::Punct(Punct::Plus) => UnaryOp::Plus,
            TokenKind::Punct(Punct::Minus) => UnaryOp::Neg,
            TokenKind::Punct(Punct::Tilde) => UnaryOp::BitNot,
            TokenKind::Punct(Punct::Not) => UnaryOp::Not,
            TokenKind::Punct(Punct::AndAnd) => {
                self.advance();
                let (label, span) = self.ident("a label after `&&`")?;
                return self.node(ExprKind::LabelAddr(label), start.to(span), 0);
            }
            TokenKind::Keyword(keyword) => return self.keyword_operator(keyword, start),
            _ => return self.postfix(),
        };
        self.advance();
        self.nested(|this| {
            let operand = this.cast()?;
            let span = start.to(operand.span);
            let below = operand.depth;
            this.node(ExprKind::Unary(op, Box::new(operand)), span, below)
        })
    }

    fn keyword_operator(&mut self, keyword: Keyword, start: Span) -> Parsed<Expr> {
        match keyword {
            Keyword::Sizeof | Keyword::Alignof | Keyword::GnuAlignof => {
                self.advance();
                self.nested(|this| this.size_or_align(keyword, start))
            }
            Keyword::Extension => {
                self.advance();
                self.nested(Self::cast)
            }
            Keyword::Real | Keyword::Imag => {
                self.advance();
                let operand = self.nested(Self::cast)?;
                let span = start.to(operand.span);
                let below = operand.depth;
                self.node(ExprKind::ComplexPart(Box::new(operand)), span, below)
            }
            _ => self.postfix(),
        }
    }

    fn size_or_align(&mut self, keyword: Keyword, start: Span) -> Parsed<Expr> {
        let gnu = keyword == Keyword::GnuAlignof;
        let operand = if self.is(Punct::LParen) && self.starts_type(1) {
            let open = self.span();
            self.advance();
            let ty = self.type_name()?;
            let close = self.expect(Punct::RParen, "after the type")?;
            if !self.is(Punct::LBrace) {
                let ty = Box::new(ty);
                let kind = match keyword {
                    Keyword::Sizeof => ExprKind::SizeofType(ty),
                    _ => ExprKind::AlignofType(ty, gnu),
                };
                return self.node(kind, start.to(close), 0);
            }
            let literal = self.compound_literal(open, ty)?;
            self.postfix_of(literal)?
        } else {
            self.unary()?
        };
        let span = start.to(operand.span);
        let below = operand.depth;
        let operand = Box::new(operand);
        let kind = match keyword {
            Keyword::Sizeof => ExprKind::SizeofExpr(operand),
            _ => ExprKind::AlignofExpr(operand, gnu),
        };
        self.node(kind, span, below)
    }
}
