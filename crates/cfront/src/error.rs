//! What we say about input that we refuse.

use xcfa::Span;

/// The program is wrong or uses something that we do not support.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{what}")]
pub struct Unsupported {
    /// Where.
    pub span: Span,
    /// What, for a person: "array of variable length".
    pub what: String,
}

impl Unsupported {
    /// Names what is at `span`.
    pub fn at(span: Span, what: impl Into<String>) -> Unsupported {
        Unsupported {
            span,
            what: what.into(),
        }
    }
}
