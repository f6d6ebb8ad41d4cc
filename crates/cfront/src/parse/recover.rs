//! Going on after an error, so that all errors of a file are told at once.
//!
//! What is wrong is left out up to where the next statement or declaration begins. That is a guess, and an error after the
//! first may follow from it; but a file with an error is refused in any case.

use super::{Parsed, Parser};
use crate::lex::{Keyword, Punct, TokenKind};

/// More errors than this are not told: most follow from the others.
const MOST: usize = 20;

/// Where to go on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Within {
    /// Behind a declaration or a function of the file.
    File,
    /// Behind a statement, or before the end of the block.
    Block,
}

/// What came of a part.
pub enum Part<T> {
    /// It is right.
    Read(T),
    /// It is wrong, which is remembered, and the next token is what follows it.
    LeftOut,
    /// It is wrong, and there is no use in going on.
    Hopeless,
}

impl Parser<'_> {
    /// Parses a part.
    pub(super) fn or_recover<T>(
        &mut self,
        within: Within,
        part: impl Fn(&mut Self) -> Parsed<T>,
    ) -> Part<T> {
        let (start, depth, scopes) = (self.at, self.depth, self.typedefs.open_scopes());
        let mut failed;
        loop {
            let error = match part(self) {
                Ok(part) => return Part::Read(part),
                Err(error) => *error,
            };
            if !self.errors.contains(&error) {
                self.errors.push(error);
            }
            failed = self.at;
            self.depth = depth;
            while self.typedefs.open_scopes() > scopes {
                self.typedefs.close();
            }
            (self.half_colon, self.at) = (false, start);
            // What should be a type is taken for one, and the part is read again.
            match self.untyped.take() {
                Some(name) if !self.typedefs.is_typedef(name) && self.errors.len() < MOST => {
                    self.typedefs.declare(name, true);
                }
                _ => break,
            }
        }
        self.skip(within, failed);
        if self.is_type_definition(start) {
            self.declare_last_name();
        }
        match self.errors.len() < MOST && self.kind() != TokenKind::End {
            true => Part::LeftOut,
            false => Part::Hopeless,
        }
    }

    /// Takes tokens up to the end of what begins here and is wrong at the token of that number; at least one.
    fn skip(&mut self, within: Within, failed: usize) {
        let start = self.at;
        let mut open = 0_u32;
        while self.kind() != TokenKind::End {
            if self.is(Punct::RBrace) && open == 0 && within == Within::Block && self.at > start {
                return;
            }
            let token = self.advance().kind;
            let is_behind = self.at > failed;
            match token {
                TokenKind::Punct(Punct::LBrace) => open += 1,
                TokenKind::Punct(Punct::RBrace) => {
                    open = open.saturating_sub(1);
                    // Behind the body of a struct the declaration goes on.
                    if open == 0 && is_behind && !self.is(Punct::Semi) && !self.is(Punct::Comma) {
                        return;
                    }
                }
                TokenKind::Punct(Punct::Semi) if open == 0 && is_behind => return,
                _ => {}
            }
        }
    }

    fn is_type_definition(&self, start: usize) -> bool {
        self.tokens[start].kind == TokenKind::Keyword(Keyword::Typedef)
    }

    /// What was to become the name of a type is one, so that its uses are no errors as well.
    fn declare_last_name(&mut self) {
        let behind = self.tokens[..self.at].iter().rev();
        let name = behind.map(|token| token.kind).find_map(|kind| match kind {
            TokenKind::Ident(name) => Some(name),
            _ => None,
        });
        if let Some(name) = name {
            self.typedefs.declare(name, true);
        }
    }
}
