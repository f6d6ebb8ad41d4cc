//! C expressions of witnesses: constraints and assumptions over the variables of a program.
//!
//! Integers of all sizes, comparisons, arithmetic, bits, logic, members and elements with constant
//! indices. Whatever needs the type behind a pointer is refused, so that nothing is guessed.

mod eval;
mod parse;

pub use eval::{Env, Value};

/// An expression.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Condition {
    /// An integer constant.
    Constant(Value),
    /// A variable, or a part of one: `x`, `s.a[3].b`.
    VariablePath(VariablePath),
    /// The value that a function has returned.
    Result,
    /// An operator of one operand: `-`, `~`, `!`.
    Unary(char, Box<Condition>),
    /// An operator of two operands, as C writes it.
    Binary(&'static str, Box<Condition>, Box<Condition>),
    /// `c ? a : b`.
    Choice(Box<[Condition; 3]>),
    /// A conversion to an integer type.
    Cast {
        /// Its width; 0 for pointers, which become as wide as they are.
        width: u32,
        /// Its signedness.
        signed: bool,
        /// What is converted.
        of: Box<Condition>,
    },
}

/// A variable with a path into it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct VariablePath {
    /// The name of the variable.
    pub name: String,
    /// Members and indices.
    pub path: Vec<Part>,
}

/// One step into a variable.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Part {
    /// `.name`.
    Member(String),
    /// `[index]`.
    Index(u64),
}

impl Condition {
    /// Reads an expression; the message says what cannot be read.
    pub fn parse(text: &str) -> Result<Condition, String> {
        parse::parse(text)
    }

    /// Does it speak about the result of a function?
    pub fn mentions_result(&self) -> bool {
        let mut found = false;
        self.visit(&mut |part| found |= *part == Condition::Result);
        found
    }

    /// The constants in it.
    pub fn constants(&self) -> Vec<u64> {
        let mut all = Vec::new();
        self.visit(&mut |part| {
            if let Condition::Constant(value) = part {
                all.extend([value.bits, value.bits.wrapping_neg()]);
            }
        });
        all
    }

    fn visit(&self, f: &mut dyn FnMut(&Condition)) {
        f(self);
        match self {
            Condition::Constant(_) | Condition::VariablePath(_) | Condition::Result => {}
            Condition::Unary(_, a) | Condition::Cast { of: a, .. } => a.visit(f),
            Condition::Binary(_, a, b) => {
                a.visit(f);
                b.visit(f);
            }
            Condition::Choice(parts) => parts.iter().for_each(|part| part.visit(f)),
        }
    }
}

#[cfg(test)]
mod tests;
