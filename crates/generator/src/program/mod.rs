//! The syntax tree of a random program.
//!
//! Names are numbers: global 2 prints as `g2`. Declarations that nothing mentions are not printed,
//! so that the shrinker never has to remove one. Every body (of a thread, a helper function or
//! `main`) has the same locals: `int l0, l1, l2`, the loop counters `i0, i1`, the number `arg` and
//! the pointer `q`, all initialised.

mod expr;
mod stmt;

pub use expr::{BinaryOp, Expr, Lvalue, PartialOp, UnaryOp};
pub use stmt::{AtomicForm, Ending, FetchOp, Guard, Rmw, Stmt};

/// How many locals `l0`, `l1`, ... a body has.
pub const LOCALS: usize = 3;

/// How many loop counters a body has, and so how deep loops nest.
pub const COUNTERS: usize = 2;

/// An integer type.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Int {
    /// `_Bool`.
    Bool,
    /// `signed char`.
    I8,
    /// `unsigned char`.
    U8,
    /// `short`.
    I16,
    /// `unsigned short`.
    U16,
    /// `int`.
    I32,
    /// `unsigned int`.
    U32,
    /// `unsigned long long`.
    U64,
    /// `long long`.
    I64,
}

impl Int {
    /// Size in bytes.
    pub fn size(self) -> usize {
        match self {
            Int::Bool | Int::I8 | Int::U8 => 1,
            Int::I16 | Int::U16 => 2,
            Int::I32 | Int::U32 => 4,
            Int::U64 | Int::I64 => 8,
        }
    }

    /// Does a sum or difference of two values always fit `int`?
    pub fn is_narrow(self) -> bool {
        self.size() < 4
    }
}

/// A global scalar, `g0`, `g1`, ... The first one is always a plain `int`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Global {
    /// Its type.
    pub ty: Int,
    /// Declared `_Atomic`?
    pub atomic: bool,
    /// Initial value.
    pub init: i64,
}

/// A global array, `a0`, `a1`, ...
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Array {
    /// Type of its elements.
    pub element: Int,
    /// Initial values; their number is a power of two.
    pub init: Vec<i64>,
}

/// A global structure, `r0`, `r1`, ..., with the initial values of its four members.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Record {
    /// In the order of [`Field`].
    pub init: [i64; 4],
}

/// A member of a structure.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Field {
    /// `signed char c`.
    Char,
    /// `int n`.
    Number,
    /// `unsigned b : 3`.
    Low,
    /// `unsigned d : 5`, in the same word as the one before.
    High,
}

/// A global `int *`, `p0`, `p1`, ...
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pointer {
    /// Where it points at first.
    pub init: Target,
}

/// An `int` that a pointer can point to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Target {
    /// A global of type `int`.
    Global(usize),
    /// An element of an array of `int`.
    Element(usize, usize),
    /// The member `n` of a structure.
    Member(usize),
}

/// A function: a thread's start routine `f0`, ... or a helper `h0`, ... It returns `l0`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Function {
    /// Its statements.
    pub body: Vec<Stmt>,
}

/// What a thread is given.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StartArg {
    /// A number, which becomes `arg`.
    Number(u8),
    /// A pointer, which becomes `q`.
    Pointer(Target),
}

/// A thread that `main` starts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Start {
    /// Which routine it runs.
    pub routine: usize,
    /// What it is given.
    pub arg: StartArg,
    /// Does `main` wait for it?
    pub joined: bool,
}

/// Threads that a loop starts, and another one joins.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Crew {
    /// Which routine they run; each is given its number.
    pub routine: usize,
    /// How many they are.
    pub count: usize,
    /// Are they joined?
    pub joined: bool,
    /// Is the array of their handles one of variable length?
    pub variable: bool,
}

/// A program.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Program {
    /// Scalars; the first is a plain `int`.
    pub globals: Vec<Global>,
    /// Arrays.
    pub arrays: Vec<Array>,
    /// Structures.
    pub records: Vec<Record>,
    /// Pointers.
    pub pointers: Vec<Pointer>,
    /// Initial values of the thread-local variables `tl0`, ...
    pub thread_locals: Vec<i64>,
    /// Helper functions.
    pub helpers: Vec<Function>,
    /// Start routines.
    pub routines: Vec<Function>,
    /// Threads, in the order in which they are started.
    pub starts: Vec<Start>,
    /// Threads that a loop starts after these.
    pub crew: Option<Crew>,
    /// Start routines are taken from a table?
    pub start_table: bool,
    /// Do threads that are given a pointer get that to the variable `v0` of `main`?
    pub framed: bool,
    /// Are threads not joined, but say with `done0`, ... that they are done, for `main` to see?
    pub watched: bool,
    /// Does the first thread start the others, if they have other routines?
    pub nested: bool,
    /// Initial values of semaphores `s0`, ...
    pub semaphores: Vec<u8>,
    /// For how many threads the barrier is.
    pub barrier: u8,
    /// What `pthread_once` does.
    pub once: Vec<Stmt>,
    /// What `main` does once all threads have been started.
    pub main: Vec<Stmt>,
    /// What `main` does once the threads have been joined.
    pub after: Vec<Stmt>,
}
