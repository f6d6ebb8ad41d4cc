//! Literals.

use std::fmt;
use std::ops::Not;

/// A propositional variable or its negation.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Lit(i32);

impl Lit {
    /// The literal that holds in every model.
    pub const TRUE: Lit = Lit(1);
    /// The literal that holds in none.
    pub const FALSE: Lit = Lit(-1);

    /// From the solver's number, which is not 0.
    pub fn from_number(number: i32) -> Lit {
        debug_assert_ne!(number, 0, "0 ends clauses and is no literal");
        Lit(number)
    }

    /// The solver's number; negative for a negated variable.
    pub fn number(self) -> i32 {
        self.0
    }

    /// The number of the variable, from 1, for tables.
    pub fn var(self) -> usize {
        self.0.unsigned_abs() as usize
    }

    /// A number for tables indexed by literal.
    pub fn index(self) -> usize {
        2 * self.var() + usize::from(self.0 < 0)
    }

    /// A constant as a literal.
    pub fn constant(value: bool) -> Lit {
        if value { Lit::TRUE } else { Lit::FALSE }
    }

    /// The value, if it is one of the two constants.
    pub fn as_constant(self) -> Option<bool> {
        match self {
            Lit::TRUE => Some(true),
            Lit::FALSE => Some(false),
            _ => None,
        }
    }
}

impl Not for Lit {
    type Output = Lit;

    fn not(self) -> Lit {
        Lit(-self.0)
    }
}

impl fmt::Debug for Lit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.0)
    }
}
