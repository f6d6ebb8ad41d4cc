//! Why something was not typed.

use crate::Unsupported;
use xcfa::Span;

/// An error with its weight.
#[derive(Clone, Debug)]
pub struct Fault {
    /// What is said about it.
    pub error: Unsupported,
    /// Is the program wrong, rather than unsupported? Unsupported code may stay in a
    /// function that is never called.
    pub wrong: bool,
    /// Does it follow from another error, which is told?
    pub follows: bool,
}

/// A result of the type checker.
pub type Typed<T> = Result<T, Box<Fault>>;

/// The program breaks a rule of C.
pub fn wrong(span: Span, what: impl Into<String>) -> Box<Fault> {
    Box::new(Fault {
        error: Unsupported::at(span, what),
        wrong: true,
        follows: false,
    })
}

/// The program breaks a rule of C, because something else that is told does.
pub fn following(span: Span, what: impl Into<String>) -> Box<Fault> {
    let mut fault = wrong(span, what);
    fault.follows = true;
    fault
}

/// The program may be right, but we do not support this.
pub fn beyond(span: Span, what: impl Into<String>) -> Box<Fault> {
    Box::new(Fault {
        error: Unsupported::at(span, what),
        wrong: false,
        follows: false,
    })
}
