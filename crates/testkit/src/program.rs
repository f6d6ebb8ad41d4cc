//! The syntax tree of a random program.
//!
//! Names are numbers: global 2 prints as `g2`. Declarations that nothing mentions are not printed,
//! so that the shrinker never has to remove one. Every body (of a thread, a helper function or
//! `main`) has the same locals: `int l0, l1, l2`, the loop counters `i0, i1`, the number `arg` and
//! the pointer `q`, all initialised.

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
}

impl Int {
    /// Size in bytes.
    pub fn size(self) -> usize {
        match self {
            Int::Bool | Int::I8 | Int::U8 => 1,
            Int::I16 | Int::U16 => 2,
            Int::I32 | Int::U32 => 4,
            Int::U64 => 8,
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

/// Something that can be read and written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Place {
    /// A global.
    Global(usize),
    /// One byte of a global that is not atomic.
    Byte(usize, usize),
    /// An array element; the index is masked when printed.
    Element(usize, Box<Expr>),
    /// A member of a structure.
    Member(usize, Field),
    /// What a global pointer points to.
    Deref(usize),
    /// What the pointer `q` of this body points to.
    Param,
    /// The number that this body was given.
    Arg,
    /// A local.
    Local(usize),
    /// A loop counter; only ever read.
    Counter(usize),
    /// A thread-local `int`.
    ThreadLocal(usize),
}

/// An operator with one argument.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum UnaryOp {
    /// `0u - e`.
    Neg,
    /// `~e`.
    BitNot,
    /// `!e`.
    Not,
    /// Shifted left, without sign.
    Shl(u8),
    /// Shifted right.
    Shr(u8),
    /// Divided by this positive number.
    Div(u8),
    /// The remainder by this positive number.
    Rem(u8),
    /// Converted.
    Cast(Int),
}

/// An operator with two arguments. Sums and products are computed without sign where `int` could
/// overflow.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs, reason = "the names say it")]
pub enum BinaryOp {
    Add,
    Sub,
    Mul,
    And,
    Or,
    Xor,
    Eq,
    Ne,
    Lt,
    Le,
    LogicalAnd,
    LogicalOr,
}

/// An expression without side effects.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Expr {
    /// A number.
    Const(i64),
    /// A read.
    Read(Place),
    /// One argument.
    Unary(UnaryOp, Box<Expr>),
    /// Two arguments.
    Binary(BinaryOp, Box<Expr>, Box<Expr>),
    /// `c ? a : b`.
    Cond(Box<Expr>, Box<Expr>, Box<Expr>),
}

/// An atomic read-modify-write.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rmw {
    /// `__atomic_fetch_add`.
    FetchAdd,
    /// `__atomic_sub_fetch`.
    SubFetch,
    /// `__atomic_fetch_or`.
    FetchOr,
    /// `__atomic_exchange_n`.
    Exchange,
    /// `__sync_fetch_and_add`.
    SyncFetchAdd,
    /// `__sync_lock_test_and_set`.
    SyncTestAndSet,
}

/// A statement.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Stmt {
    /// `place = e`.
    Assign(Place, Expr),
    /// `place += e`, `-=`, `*=`, `&=`, `|=` or `^=`, computed without sign.
    Update(Place, BinaryOp, Expr),
    /// A pointer is redirected.
    Point(usize, Target),
    /// A pointer becomes a copy of another.
    Alias(usize, usize),
    /// A structure is copied to another, member by member.
    CopyRecord(usize, usize),
    /// A pointer gets fresh memory that holds a value.
    Allocate(usize, Expr),
    /// `local = __atomic_load_n(place)`.
    AtomicLoad(usize, Place),
    /// `__atomic_store_n(place, e)`.
    AtomicStore(Place, Expr),
    /// `local = op(place, e)`.
    AtomicUpdate(usize, Rmw, Place, Expr),
    /// `local = __atomic_compare_exchange_n(place, expected, desired)`.
    CompareExchange(usize, Place, Expr, Expr),
    /// `local = function(target, e)`, by name or through the table of all functions.
    Call {
        /// Receives the result.
        into: usize,
        /// Which function; in the table, so many places after the one that `into` selects.
        function: usize,
        /// Through the table?
        by_table: bool,
        /// Becomes `q`.
        target: Target,
        /// Becomes `arg`.
        value: Expr,
    },
    /// The body under a mutex.
    Lock(usize, Vec<Stmt>),
    /// The first body under a mutex if it is free, otherwise the second.
    TryLock(usize, Vec<Stmt>, Vec<Stmt>),
    /// The body as an atomic section.
    Section(Vec<Stmt>),
    /// A conditional.
    If(Expr, Vec<Stmt>, Vec<Stmt>),
    /// One arm per value of the expression modulo their number; with fall-through?
    Switch(Expr, Vec<Vec<Stmt>>, bool),
    /// The body so many times, counted by a counter.
    Loop(usize, usize, Vec<Stmt>),
    /// Waits actively until the expression holds.
    Spin(Expr),
    /// Under a mutex: waits on a condition variable until the expression holds, then the body.
    WaitUntil {
        /// The mutex.
        mutex: usize,
        /// The condition variable.
        condition: usize,
        /// What is waited for.
        until: Expr,
        /// What is done then.
        body: Vec<Stmt>,
    },
    /// Signals a condition variable, or wakes all that wait.
    Signal(usize, bool),
    /// A local gets a `_Bool`, or an `int`, from outside.
    Input(usize, bool),
    /// Executions in which this does not hold do not count.
    Assume(Expr),
    /// An error if it does not hold.
    Assert(Expr),
    /// An error.
    Fail,
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
    /// What `main` does once all threads have been started.
    pub main: Vec<Stmt>,
    /// What `main` does once the threads have been joined.
    pub after: Vec<Stmt>,
}
