//! Statements of a random program.

use super::{BinaryOp, Expr, Int, Lvalue, Target};

/// What an atomic read-modify-write computes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs, reason = "the names say it")]
pub enum FetchOp {
    Add,
    Sub,
    And,
    Or,
    Xor,
    Nand,
}

/// An atomic read-modify-write.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rmw {
    /// `__atomic_fetch_OP` with a memory order.
    Fetch(FetchOp, u8),
    /// `__atomic_OP_fetch` with a memory order.
    Then(FetchOp, u8),
    /// `__sync_fetch_and_OP`.
    SyncFetch(FetchOp),
    /// `__sync_OP_and_fetch`.
    SyncThen(FetchOp),
    /// `__atomic_exchange_n`.
    Exchange,
    /// `__sync_lock_test_and_set`.
    SyncTestAndSet,
}

/// An atomic operation in its less usual forms, each with a result.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum AtomicForm {
    /// `__atomic_load` into memory.
    Load,
    /// `__atomic_store` from memory.
    Store(Expr),
    /// `__atomic_exchange` from and into memory.
    Exchange(Expr),
    /// `__atomic_compare_exchange`, weak or strong; the result is what was seen.
    CompareExchange(bool, Expr, Expr),
    /// `__sync_bool_compare_and_swap`.
    BoolSwap(Expr, Expr),
    /// `__sync_val_compare_and_swap`.
    ValSwap(Expr, Expr),
    /// `__sync_lock_release`; the result is 0.
    Release,
    /// `__atomic_test_and_set`, of a byte.
    TestAndSet,
    /// `__atomic_clear`, of a byte; the result is 0.
    Clear,
}

/// What holds others off while a body runs, beside plain mutexes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Guard {
    /// A reader-writer lock `w0`, for reading.
    Read,
    /// The same, for writing.
    Write,
    /// The spin lock `x0`.
    Spin,
    /// The recursive mutex `y0`.
    Recursive,
    /// A semaphore: a wait before and a post after.
    Semaphore(usize),
}

/// How a thread ends before its last statement.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ending {
    /// `pthread_exit`.
    Thread,
    /// `exit`: all threads end.
    Process,
    /// `abort`.
    Abort,
}

/// A statement.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Stmt {
    /// `place = e`.
    Assign(Lvalue, Expr),
    /// `place += e`, `-=`, `*=`, `&=`, `|=` or `^=`, computed without sign.
    Update(Lvalue, BinaryOp, Expr),
    /// A pointer is redirected.
    Point(usize, Target),
    /// A pointer becomes a copy of another.
    Alias(usize, usize),
    /// A structure is copied to another, member by member.
    CopyRecord(usize, usize),
    /// A pointer gets fresh memory that holds a value.
    Allocate(usize, Expr),
    /// `local = __atomic_load_n(place)`.
    AtomicLoad(usize, Lvalue),
    /// `__atomic_store_n(place, e)`.
    AtomicStore(Lvalue, Expr),
    /// `local = op(place, e)`.
    AtomicUpdate(usize, Rmw, Lvalue, Expr),
    /// `local = __atomic_compare_exchange_n(place, expected, desired)`.
    CompareExchange(usize, Lvalue, Expr, Expr),
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
    /// `local = operation(place)`.
    Atomic(usize, AtomicForm, Lvalue),
    /// A fence, of C11 or of GCC.
    Fence(bool),
    /// `local = place++`, or `--place`.
    Step(usize, Lvalue, bool),
    /// The body while something is held.
    Guarded(Guard, Vec<Stmt>),
    /// The first body if it can be had at once, otherwise the second.
    TryGuarded(Guard, Vec<Stmt>, Vec<Stmt>),
    /// `sem_wait`.
    SemWait(usize),
    /// `sem_post`.
    SemPost(usize),
    /// Waits for others at the barrier; the local says which thread came last.
    Barrier(usize),
    /// `pthread_once` with the program's routine for that.
    Once,
    /// The thread's value of a key is set.
    SetKey(Expr),
    /// The thread's value of a key is read.
    GetKey(usize),
    /// The thread or the process ends if the expression holds.
    End(Expr, Ending),
    /// `goto` behind the body if the expression holds.
    Skip(Expr, Vec<Stmt>),
    /// The body so many times, by `goto`, counted by a counter.
    Again(usize, usize, Vec<Stmt>),
    /// Leaves the loop if the expression holds, or goes on with its next round.
    Break(Expr, bool),
    /// A place gets an input of this type.
    InputOf(Lvalue, Int),
    /// The global function pointer is set to a helper.
    SetFunction(usize),
    /// `local = (*fp)(&g0, e)`.
    CallFunction(usize, Expr),
    /// A new node with this number in front of the list.
    Push(Expr),
    /// The number of the first node, which is freed; 0 if there is none.
    Pop(usize),
    /// What a pointer points to is freed, whatever that is.
    Free(usize),
    /// A number in memory that is freed at once, and back into a place.
    Scratch(Lvalue, Expr),
    /// The thread goes round for ever if the expression holds.
    Stop(Expr),
    /// Memory of a computed size, of which one element is used, inside or behind it, and brought
    /// back into a place.
    Sized(Lvalue, Expr, Expr),
}
