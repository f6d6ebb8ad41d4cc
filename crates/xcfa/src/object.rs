//! Memory objects.

use crate::{ProcId, Span};
use expr::{Sort, Term};

/// What an object is and how long it lives.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ObjectKind {
    /// A global or static object, there from the start. Bytes not named in `init` are zero.
    Static {
        /// Initial scalars by offset; terms over constants and addresses only.
        init: Vec<(u64, Term)>,
    },
    /// A function: it has an address and nothing to read.
    Function(ProcId),
    /// A local whose address is taken: made by `Alloc` on entry of its block, one per frame.
    Stack,
    /// A place in the program that allocates heap memory: each execution makes a new instance.
    Heap,
}

/// How scalars are laid out; it guides cells and printing, never the meaning of an access.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Shape {
    /// One scalar.
    Scalar {
        /// Its sort.
        sort: Sort,
        /// Is it signed, for printing?
        signed: bool,
    },
    /// `count` elements, `stride` bytes apart.
    Array {
        /// The shape of each.
        element: Box<Shape>,
        /// The number of elements.
        count: u64,
        /// Size of one.
        stride: u64,
    },
    /// Members by name and offset; the members of a union share their offset.
    Record(Vec<(String, u64, Shape)>),
    /// Nothing is known.
    Bytes,
}

/// A memory object of the program text.
#[derive(Clone, Debug)]
pub struct Object {
    /// Its name in the program, or one that tells where it is allocated.
    pub name: String,
    /// What it is.
    pub kind: ObjectKind,
    /// Size in bytes, where it is the same for every instance.
    pub size: Option<u64>,
    /// Alignment in bytes.
    pub align: u64,
    /// Its layout.
    pub shape: Shape,
    /// The type of what is in it, as people write it, where the text says so: for readers only.
    pub ty: Option<String>,
    /// Where it is declared or allocated.
    pub span: Span,
    /// A string literal or `const`: a static object of this kind cannot be written.
    pub constant: bool,
    /// A string literal: others may be in the same place, if their text allows it.
    pub literal: bool,
    /// May the address of an instance be that of one that is gone, or not, so that the program can
    /// tell? The address of the next instance is then open; otherwise it is always a new one (for
    /// objects on the stack: always the same).
    pub reuses: bool,
    /// Takes it the place of memory whose size changes (`realloc`)? A real one may be where that was, and
    /// larger.
    pub resized: bool,
    /// Is it the library's own memory? What it points to is lost if nothing else points there.
    pub hidden: bool,
    /// Is it defined outside of the program? Its contents are arbitrary, and the addresses among them come
    /// from outside.
    pub external: bool,
}

impl Object {
    /// An object of bytes that can be written, as `malloc` aligns it.
    pub fn new(name: String, kind: ObjectKind, size: Option<u64>, span: Span) -> Object {
        Object {
            name,
            kind,
            size,
            align: 16,
            shape: Shape::Bytes,
            ty: None,
            span,
            constant: false,
            literal: false,
            reuses: false,
            resized: false,
            hidden: false,
            external: false,
        }
    }
}
