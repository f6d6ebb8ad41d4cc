//! What the front end or a pass refuses.

use crate::Span;
use std::fmt;

/// Something that is wrong in the program or not supported, and where.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unsupported {
    /// The place in the program text.
    pub span: Span,
    /// What is there and why it is refused.
    pub what: String,
    /// The function without a body whose call it is about, if it is about one.
    pub function: Option<String>,
}

impl Unsupported {
    /// Refuses `what` at `span`.
    pub fn at(span: Span, what: impl Into<String>) -> Unsupported {
        Unsupported {
            span,
            what: what.into(),
            function: None,
        }
    }

    /// Refuses a call of a function without a body.
    pub fn call(span: Span, function: &str, why: &str) -> Unsupported {
        Unsupported {
            function: Some(function.to_owned()),
            ..Unsupported::at(span, format!("`{function}`: {why}"))
        }
    }
}

impl fmt::Display for Unsupported {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.what)
    }
}

impl std::error::Error for Unsupported {}
