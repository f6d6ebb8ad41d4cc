//! Statements.

use super::recover::{Part, Within};
use super::{Parsed, Parser};
use crate::ast::{Block, ExprKind, ForInit, Stmt, StmtKind};
use crate::lex::{Keyword, Punct, TokenKind};

/// How many `else if` may follow each other.
const MAX_CHAIN: usize = 500;

impl Parser<'_> {
    /// `{ ... }` with a scope of its own.
    pub(super) fn block(&mut self) -> Parsed<Block> {
        self.typedefs.open();
        let block = self.nested(Self::block_body);
        self.typedefs.close();
        block
    }

    fn block_body(&mut self) -> Parsed<Block> {
        let start = self.expect(Punct::LBrace, "to open a block")?;
        let mut labels = Vec::new();
        while self.eat_keyword(Keyword::Label) {
            loop {
                labels.push(self.ident("the name of a label")?.0);
                if !self.eat(Punct::Comma) {
                    break;
                }
            }
            self.expect(Punct::Semi, "after the labels")?;
        }
        let mut stmts = Vec::new();
        while !self.is(Punct::RBrace) {
            if self.kind() == TokenKind::End {
                return Err(self.error(start, "this block is not closed"));
            }
            match self.or_recover(Within::Block, Self::block_item) {
                Part::Read(stmt) => stmts.push(stmt),
                Part::LeftOut => {}
                Part::Hopeless => return Err(self.error(start, "this block is not closed")),
            }
        }
        self.advance();
        Ok(Block {
            labels,
            stmts,
            span: start.to(self.last_span()),
        })
    }

    /// A label, a declaration or a statement inside a block.
    fn block_item(&mut self) -> Parsed<Stmt> {
        if let Some(label) = self.label()? {
            return Ok(label);
        }
        let extension = self.is_keyword(Keyword::Extension);
        if extension {
            let mut ahead = 1;
            while self.kind_after(ahead) == TokenKind::Keyword(Keyword::Extension) {
                ahead += 1;
            }
            if !self.starts_type(ahead) {
                return self.unlabelled();
            }
        }
        if self.is_keyword(Keyword::Attribute) || self.at_bracket_attribute() {
            let before = self.at;
            self.attributes(&mut Vec::new())?;
            if self.is(Punct::Semi) || !self.starts_declaration() {
                self.at = before;
                self.harmless_attributes()?;
                return self.unlabelled();
            }
            // The attributes belong to the declaration and are read again with it.
            self.at = before;
            return self.declaration_stmt();
        }
        if extension || self.starts_declaration() {
            return self.declaration_stmt();
        }
        self.unlabelled()
    }

    fn declaration_stmt(&mut self) -> Parsed<Stmt> {
        let start = self.span();
        let kind = StmtKind::Declaration(self.local_declaration()?);
        let span = start.to(self.last_span());
        Ok(Stmt { kind, span })
    }

    /// A label without what it labels, if there is one here.
    fn label(&mut self) -> Parsed<Option<Stmt>> {
        let start = self.span();
        let kind = match self.kind() {
            TokenKind::Ident(name) if self.kind_after(1) == TokenKind::Punct(Punct::Colon) => {
                self.advance();
                StmtKind::Label(name)
            }
            TokenKind::Keyword(Keyword::Case) => {
                self.advance();
                let low = self.conditional()?;
                let high = if self.eat(Punct::Ellipsis) {
                    Some(self.conditional()?)
                } else {
                    None
                };
                StmtKind::Case(low, high)
            }
            TokenKind::Keyword(Keyword::Default) => {
                self.advance();
                StmtKind::Default
            }
            _ => return Ok(None),
        };
        self.expect(Punct::Colon, "after this label")?;
        if matches!(kind, StmtKind::Label(_)) && self.is_keyword(Keyword::Attribute) {
            // Behind a label attributes belong to it, unless a declaration follows (C23).
            self.harmless_attributes()?;
        }
        let span = start.to(self.last_span());
        Ok(Some(Stmt { kind, span }))
    }

    /// A statement where no declaration is allowed.
    pub(super) fn stmt(&mut self) -> Parsed<Stmt> {
        let start = self.span();
        let mut labels = Vec::new();
        while let Some(label) = self.label()? {
            labels.push(label);
        }
        self.harmless_attributes()?;
        let last = self.nested(Self::unlabelled)?;
        if labels.is_empty() {
            return Ok(last);
        }
        labels.push(last);
        let span = start.to(self.last_span());
        let block = Block {
            labels: Vec::new(),
            stmts: labels,
            span,
        };
        Ok(Stmt::new(StmtKind::Block(block), span))
    }

    fn unlabelled(&mut self) -> Parsed<Stmt> {
        let start = self.span();
        let kind = match self.kind() {
            TokenKind::Punct(Punct::LBrace) => StmtKind::Block(self.block()?),
            TokenKind::Punct(Punct::Semi) => {
                self.advance();
                StmtKind::Empty
            }
            TokenKind::Keyword(keyword) => match self.keyword_stmt(keyword)? {
                Some(kind) => kind,
                None => self.expr_stmt()?,
            },
            _ => self.expr_stmt()?,
        };
        let span = start.to(self.last_span());
        Ok(Stmt { kind, span })
    }

    fn expr_stmt(&mut self) -> Parsed<StmtKind> {
        let expr = self.expr()?;
        if !self.is(Punct::Semi) {
            if matches!(expr.kind, ExprKind::Name(_)) && matches!(self.kind(), TokenKind::Ident(_))
            {
                return Err(self.no_type(expr.span));
            }
            return Err(self.unexpected("`;` after this expression"));
        }
        self.advance();
        Ok(StmtKind::Expr(expr))
    }

    fn keyword_stmt(&mut self, keyword: Keyword) -> Parsed<Option<StmtKind>> {
        let kind = match keyword {
            Keyword::If => self.if_chain()?,
            Keyword::While => {
                self.advance();
                let cond = self.condition("while")?;
                StmtKind::While(cond, Box::new(self.scoped_stmt()?))
            }
            Keyword::Do => self.do_while()?,
            Keyword::For => {
                self.typedefs.open();
                let kind = self.for_loop();
                self.typedefs.close();
                kind?
            }
            Keyword::Switch => {
                self.advance();
                let value = self.condition("switch")?;
                StmtKind::Switch(value, Box::new(self.scoped_stmt()?))
            }
            Keyword::Goto => self.goto()?,
            Keyword::Break | Keyword::Continue => {
                self.advance();
                self.expect(Punct::Semi, "after this statement")?;
                if keyword == Keyword::Break {
                    StmtKind::Break
                } else {
                    StmtKind::Continue
                }
            }
            Keyword::Return => {
                self.advance();
                let value = if self.is(Punct::Semi) {
                    None
                } else {
                    Some(self.expr()?)
                };
                self.expect(Punct::Semi, "after `return`")?;
                StmtKind::Return(value)
            }
            Keyword::Asm => StmtKind::Asm(self.asm()?),
            Keyword::Else => return Err(self.error(self.span(), "`else` without `if`")),
            _ => return Ok(None),
        };
        Ok(Some(kind))
    }

    fn scoped_stmt(&mut self) -> Parsed<Stmt> {
        self.typedefs.open();
        let stmt = self.stmt();
        self.typedefs.close();
        stmt
    }

    fn condition(&mut self, keyword: &str) -> Parsed<crate::ast::Expr> {
        self.expect(Punct::LParen, &format!("after `{keyword}`"))?;
        let cond = self.expr()?;
        self.expect(Punct::RParen, "after this expression")?;
        Ok(cond)
    }

    fn if_chain(&mut self) -> Parsed<StmtKind> {
        let mut arms = Vec::new();
        loop {
            let start = self.span();
            self.advance();
            let cond = self.condition("if")?;
            arms.push((cond, self.scoped_stmt()?));
            if arms.len() > MAX_CHAIN {
                let what = format!("a chain of more than {MAX_CHAIN} `else if`");
                return Err(self.error(start, what));
            }
            if !self.eat_keyword(Keyword::Else) {
                return Ok(StmtKind::If(arms, None));
            }
            if !self.is_keyword(Keyword::If) {
                let other = self.scoped_stmt()?;
                return Ok(StmtKind::If(arms, Some(Box::new(other))));
            }
        }
    }

    fn do_while(&mut self) -> Parsed<StmtKind> {
        self.advance();
        let body = Box::new(self.scoped_stmt()?);
        if !self.eat_keyword(Keyword::While) {
            return Err(self.unexpected("`while` after the body of `do`"));
        }
        let cond = self.condition("while")?;
        self.expect(Punct::Semi, "after `do ... while`")?;
        Ok(StmtKind::DoWhile(body, cond))
    }

    fn for_loop(&mut self) -> Parsed<StmtKind> {
        self.advance();
        self.expect(Punct::LParen, "after `for`")?;
        let init = if self.eat(Punct::Semi) {
            None
        } else if self.starts_declaration() {
            Some(ForInit::Declaration(self.local_declaration()?))
        } else {
            let expr = self.expr()?;
            self.expect(Punct::Semi, "after the first part of `for`")?;
            Some(ForInit::Expr(expr))
        };
        let cond = if self.is(Punct::Semi) {
            None
        } else {
            Some(self.expr()?)
        };
        self.expect(Punct::Semi, "after the condition of `for`")?;
        let step = if self.is(Punct::RParen) {
            None
        } else {
            Some(self.expr()?)
        };
        self.expect(Punct::RParen, "after the third part of `for`")?;
        let body = Box::new(self.scoped_stmt()?);
        Ok(StmtKind::For {
            init,
            cond,
            step,
            body,
        })
    }

    fn goto(&mut self) -> Parsed<StmtKind> {
        self.advance();
        let kind = if self.eat(Punct::Star) {
            StmtKind::ComputedGoto(self.expr()?)
        } else {
            StmtKind::Goto(self.ident("a label after `goto`")?.0)
        };
        self.expect(Punct::Semi, "after `goto`")?;
        Ok(kind)
    }
}
