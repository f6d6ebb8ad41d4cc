//! `asm`: read far enough to tell whether it can be ignored.

use super::{Parsed, Parser};
use crate::ast::{AsmStmt, Expr};
use crate::lex::{Keyword, Punct, TokenKind};

impl Parser<'_> {
    /// An `asm` statement or file-scope `asm`, with its `;`.
    ///
    /// Without outputs it changes no value of the program, with two exceptions: it may jump
    /// (`asm goto`), and given operands it may write through them if it says that it changes
    /// memory. A barrier, which is what most of these are, has neither operands nor outputs.
    pub(super) fn asm(&mut self) -> Parsed<AsmStmt> {
        self.advance();
        let mut jumps = false;
        loop {
            match self.kind() {
                TokenKind::Keyword(Keyword::Goto) => jumps = true,
                TokenKind::Keyword(Keyword::Volatile | Keyword::Inline | Keyword::Const) => {}
                _ => break,
            }
            self.advance();
        }
        self.expect(Punct::LParen, "after `asm`")?;
        if self.kind() != TokenKind::Str {
            return Err(self.unexpected("the text of the instructions"));
        }
        let template = self.string()?;
        let mut outputs = Vec::new();
        let mut inputs = Vec::new();
        let mut changes_memory = false;
        if self.next_section() {
            outputs = self.operands()?;
            if self.next_section() {
                inputs = self.operands()?;
                if self.next_section() {
                    changes_memory = self.clobbers()?;
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
        let writes_through_operands =
            changes_memory && !inputs.is_empty() && !template.elements.is_empty();
        let effect = if jumps {
            Some("`asm goto`")
        } else if !outputs.is_empty() {
            Some("`asm` that sets variables")
        } else if writes_through_operands {
            Some("`asm` that may write to memory through its operands")
        } else {
            None
        };
        Ok(AsmStmt { effect, inputs })
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

    fn operands(&mut self) -> Parsed<Vec<Expr>> {
        let mut operands = Vec::new();
        loop {
            if self.eat(Punct::LBracket) {
                self.ident("the name of an operand")?;
                self.expect(Punct::RBracket, "after the name of an operand")?;
            }
            if self.kind() != TokenKind::Str {
                return Ok(operands);
            }
            self.string()?;
            self.expect(Punct::LParen, "after a constraint")?;
            operands.push(self.expr()?);
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
