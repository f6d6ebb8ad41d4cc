//! A model as it was read.

/// An operator between two sets or relations.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Op {
    Union,
    Then,
    Minus,
    Both,
    Product,
}

/// An operator behind a relation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Postfix {
    /// `^+`
    Plus,
    /// `^*`
    Star,
    /// `?`
    Optional,
    /// `^-1`
    Inverse,
}

/// A set or a relation. A name is text at first, and then the number of a definition.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Expr<N> {
    /// A name, and its line.
    Name(N, u32),
    /// The empty relation.
    Nothing,
    /// All events.
    Universe,
    /// `[S]`: every event of the set with itself.
    Identity(Box<Expr<N>>),
    /// `~e`.
    Complement(Box<Expr<N>>),
    /// `domain(r)`.
    Domain(Box<Expr<N>>),
    /// `range(r)`.
    Range(Box<Expr<N>>),
    /// An operator, and its line.
    Binary(Op, Box<Expr<N>>, Box<Expr<N>>, u32),
    /// An operator behind.
    Postfix(Postfix, Box<Expr<N>>),
}

/// `name = body`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Definition<N> {
    pub name: String,
    pub body: Expr<N>,
    pub line: u32,
}

/// What is tested.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum TestKind {
    Acyclic,
    Irreflexive,
    Empty,
}

/// `acyclic e as name`, perhaps with `~` or `flag` before it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Check<N> {
    pub kind: TestKind,
    pub negated: bool,
    pub flag: bool,
    pub body: Expr<N>,
    pub name: String,
    pub line: u32,
}

/// A statement as it was read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Line {
    Let {
        recursive: bool,
        definitions: Vec<Definition<String>>,
    },
    Check(Check<String>),
}
