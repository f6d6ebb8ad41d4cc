//! What one file says to the linker about a name.

use super::{FuncId, GlobalId};
use crate::Unsupported;
use xcfa::Span;

/// How a function or object of one file is joined with those of other files.
#[derive(Clone, Debug, Default)]
pub struct Link {
    /// What the linker calls it: the name, unless an `asm` label or a pragma says otherwise.
    pub symbol: String,
    /// Known in its file only?
    pub internal: bool,
    /// Weak: gives way to another definition, and is null if there is none.
    pub weak: bool,
    /// Is it defined here?
    pub defined: bool,
    /// Is the definition one that only this file may use (`inline` without `extern`)?
    pub inline_only: bool,
    /// `extern inline` with `gnu_inline`: a later definition in the same file takes its place.
    pub gnu_inline: bool,
    /// `common`: joined with others of its name, instead of clashing with them.
    pub common: bool,
    /// Does the definition come from the model of the library? Then it gives way to any other.
    pub library: bool,
    /// It is another name of something in the same file, or found by a function that runs first.
    pub indirect: Option<Indirect>,
    /// Runs before `main`, with this priority.
    pub constructor: Option<u32>,
    /// Runs after `main`, with this priority.
    pub destructor: Option<u32>,
    /// The section that it is put into, and where that is said.
    pub section: Option<(String, Span)>,
    /// Why it may not be used.
    pub refused: Option<Unsupported>,
}

/// A definition that is not a body.
#[derive(Clone, Debug)]
pub enum Indirect {
    /// `alias("target")`.
    Alias(String, Span),
    /// `ifunc("resolver")`.
    Ifunc(String, Span),
}

/// What runs round `main`.
#[derive(Clone, Debug, Default)]
pub struct Startup {
    /// Pointers that are set first, each to what a function returns (`ifunc`).
    pub resolvers: Vec<(GlobalId, FuncId)>,
    /// What runs before `main`, in order.
    pub constructors: Vec<FuncId>,
    /// What runs after `main`, and on `exit`, in order.
    pub destructors: Vec<FuncId>,
}
