//! `asm`: its instructions as text, its operands, and what it says that it changes.

use super::{Parsed, Parser};
use crate::ast::{AsmOperand, AsmStmt};
use crate::lex::{Keyword, Punct, TokenKind};

impl Parser<'_> {
    /// An `asm` statement or file-scope `asm`, with its `;`.
    pub(super) fn asm(&mut self) -> Parsed<AsmStmt> {
        self.advance();
        let mut asm = AsmStmt::default();
        loop {
            match self.kind() {
                TokenKind::Keyword(Keyword::Goto) => asm.jumps = true,
                TokenKind::Keyword(Keyword::Volatile | Keyword::Inline | Keyword::Const) => {}
                _ => break,
            }
            self.advance();
        }
        self.expect(Punct::LParen, "after `asm`")?;
        asm.template = self.plain_text()?;
        if self.next_section() {
            asm.outputs = self.operands()?;
            if self.next_section() {
                asm.inputs = self.operands()?;
                if self.next_section() {
                    asm.changes_memory = self.clobbers()?;
                    if self.next_section() {
                        while matches!(self.kind(), TokenKind::Ident(_)) {
                            self.advance();
                            self.eat(Punct::Comma);
                        }
                    }
                }
            }
        }
        self.expect(Punct::RParen, "after the operands of `asm`")?;
        self.expect(Punct::Semi, "after `asm`")?;
        Ok(asm)
    }

    /// Takes the colon before the next section; `::` is two of them, the second left for later.
    fn next_section(&mut self) -> bool {
        if self.eat(Punct::Colon) {
            return true;
        }
        if self.is(Punct::ColonColon) && !self.half_colon {
            self.half_colon = true;
            return true;
        }
        if self.half_colon {
            self.half_colon = false;
            self.advance();
            return true;
        }
        false
    }

    fn operands(&mut self) -> Parsed<Vec<AsmOperand>> {
        let mut operands = Vec::new();
        loop {
            let mut name = None;
            if self.eat(Punct::LBracket) {
                name = Some(self.ident("the name of an operand")?.0);
                self.expect(Punct::RBracket, "after the name of an operand")?;
            }
            if self.kind() != TokenKind::Str {
                return Ok(operands);
            }
            let constraint = self.plain_text()?;
            self.expect(Punct::LParen, "after a constraint")?;
            let expr = self.expr()?;
            operands.push(AsmOperand {
                name,
                constraint,
                expr,
            });
            self.expect(Punct::RParen, "after an operand")?;
            if !self.eat(Punct::Comma) {
                return Ok(operands);
            }
        }
    }

    /// Is memory among the things that change?
    fn clobbers(&mut self) -> Parsed<bool> {
        let mut memory = false;
        while self.kind() == TokenKind::Str {
            memory |= self.text_of(self.span()) == "\"memory\"";
            self.advance();
            self.eat(Punct::Comma);
        }
        Ok(memory)
    }
}
