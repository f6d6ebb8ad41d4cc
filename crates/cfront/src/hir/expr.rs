//! Expressions.

use super::{FuncId, GlobalId, LocalId, Stmt, Type};
use xcfa::{MemoryOrder, Span};

/// An expression with its type.
#[derive(Clone, Debug)]
pub struct Expr {
    /// What it is.
    pub kind: ExprKind,
    /// Its type (for an lvalue, of the place).
    pub ty: Type,
    /// The text it comes from.
    pub span: Span,
}

/// A member of a record, with everything that an access needs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Field {
    /// Its name, for printing.
    pub name: String,
    /// Offset in bytes from the start of the record.
    pub offset: u64,
    /// For a bit-field: first bit within its storage unit, and width.
    pub bits: Option<(u32, u32)>,
}

/// Operators of one value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs, reason = "C's own operators")]
pub enum UnaryOp {
    Neg,
    BitNot,
    /// `!`, giving an `int`.
    Not,
}

/// Operators of two values. Arithmetic takes two values of the type of the result; shifts take
/// any integer on the right; comparisons take two values of one type and give an `int`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs, reason = "C's own operators")]
pub enum BinaryOp {
    Add,
    Sub,
    Mul,
    Div,
    Rem,
    Shl,
    Shr,
    BitAnd,
    BitOr,
    BitXor,
    Eq,
    Ne,
    Lt,
    Le,
    Gt,
    Ge,
}

/// Functions that the compiler itself knows, with arguments already converted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Builtin {
    /// `__atomic_load_n(p, order)`, and C11 `atomic_load`. The order is dropped by `check`.
    AtomicLoad,
    /// `__atomic_store_n(p, v)`.
    AtomicStore,
    /// `atomic_init(p, v)`: a store that is not atomic.
    AtomicInit,
    /// `__atomic_exchange_n(p, v)`: the old value.
    AtomicExchange,
    /// `__atomic_compare_exchange_n(p, expected_ptr, desired)`: a `_Bool`; writes the value that
    /// was seen to `*expected_ptr` when it fails.
    AtomicCompareExchange,
    /// The same, but it may fail although the values are equal.
    AtomicWeakCompareExchange,
    /// `__sync_bool_compare_and_swap(p, old, new)`: a `_Bool`.
    AtomicBoolCas,
    /// `__sync_val_compare_and_swap(p, old, new)`: the old value.
    AtomicValCas,
    /// `__atomic_fetch_OP(p, v)` and `__sync_fetch_and_OP`: the old value.
    AtomicFetch(AtomicOp),
    /// `__atomic_OP_fetch(p, v)` and `__sync_OP_and_fetch`: the new value.
    AtomicThenFetch(AtomicOp),
    /// An atomic operation on a struct or union; all arguments are pointers.
    AtomicRecord(RecordOp),
    /// A fence between threads; no effect under sequential consistency.
    Fence,
    /// A fence that orders some accesses, in a way that is not followed; no effect under sequential consistency.
    WeakFence,
    /// No effect at all.
    Nothing,
    /// The built-in that is its only argument, with these memory orders.
    Ordered(Orders),
    /// `__builtin_add_overflow(a, b, p)` and similar built-ins: a `_Bool`.
    AddOverflow,
    /// Subtraction.
    SubOverflow,
    /// Multiplication.
    MulOverflow,
    /// `__builtin_unreachable()`: the run ends.
    Unreachable,
    /// `__builtin_trap()`: the process ends.
    Trap,
    /// `__builtin_alloca(size)`.
    Alloca,
    /// `__builtin_bswap16|32|64`, by the width of the result.
    ByteSwap,
    /// `__builtin_clz`, `ctz`, `ffs`, `popcount`, `parity` by the type of the argument.
    CountLeadingZeros,
    /// Trailing zeros.
    CountTrailingZeros,
    /// One plus the index of the lowest set bit, or 0.
    FindFirstSet,
    /// Number of set bits.
    PopCount,
    /// Parity of the set bits.
    Parity,
    /// `__builtin_isnan` and its like: an `int`.
    Real(RealTest),
    /// The address of the block with the variable arguments of the call.
    FirstSlot,
    /// Any value of the type: what an `asm` leaves in its outputs.
    Unspecified,
    /// No effect but that the verdict has to name an assumption; arguments are evaluated.
    Note(Note),
}

/// The memory orders of an atomic operation; `None` for one that is not constant.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Orders {
    /// Of the operation.
    pub operation: Option<MemoryOrder>,
    /// Of a compare-exchange that fails.
    pub failure: Option<MemoryOrder>,
}

impl Orders {
    /// Sequential consistency.
    pub const SEQ_CST: Orders = Orders::same(Some(MemoryOrder::SeqCst));

    /// The same order, whether it fails or not.
    pub const fn same(order: Option<MemoryOrder>) -> Orders {
        Orders {
            operation: order,
            failure: order,
        }
    }
}

/// The room for a variable argument: its size, and where in it each kind of value is. Kinds have places of
/// their own, so that an analysis does not take numbers for addresses.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Slot;

impl Slot {
    /// Bytes for each argument.
    pub const SIZE: u64 = 32;
    /// Where a number is.
    pub const NUMBER: u64 = 0;
    /// Where a floating value is.
    pub const FLOATING: u64 = 8;
    /// Where an address is.
    pub const ADDRESS: u64 = 16;
}

/// Something about a program that its verdict rests on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Note {
    /// Instructions of the machine without outputs.
    Assembly,
    /// Instructions of the machine with outputs.
    AssemblyOutputs,
}

/// What an atomic read-modify-write does.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs, reason = "the built-ins' own names")]
pub enum AtomicOp {
    Add,
    Sub,
    And,
    Or,
    Xor,
    Nand,
}

/// What is asked about a floating value; the answer is an `int`, not zero if it is so.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum RealTest {
    /// Is it none?
    NotANumber,
    /// Infinite? 1, or -1 if it is negative.
    Infinite,
    /// Neither infinite nor no number?
    Finite,
    /// The same, and neither zero nor too small to be exact?
    Normal,
    /// Is its sign bit set?
    Negative,
    /// Which of five numbers goes with its class: no number, infinite, normal, too small to be exact, zero.
    Class,
}

/// What an atomic operation on a struct or union does, with its arguments.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum RecordOp {
    /// `(place, result)`.
    Load,
    /// `(place, value)`.
    Store,
    /// The same, but not atomic.
    Init,
    /// `(place, value, result)`.
    Exchange,
    /// `(place, expected, desired)`: a `_Bool`; writes what was seen to `*expected` when it fails.
    CompareExchange,
    /// The same, but it may fail although the values are equal.
    WeakCompareExchange,
}

/// What an expression is.
#[derive(Clone, Debug)]
pub enum ExprKind {
    // Lvalues.
    /// A global.
    Global(GlobalId),
    /// A local or parameter.
    Local(LocalId),
    /// `*pointer`; `a[i]` arrives here as `*(a + i)`.
    Deref(Box<Expr>),
    /// A member of a record that is itself an lvalue.
    Member(Box<Expr>, Field),
    /// A compound literal inside a function: the unnamed local is initialised each time.
    CompoundLiteral(LocalId, Init),

    // Rvalues.
    /// An integer constant, as the bits of its type (zero-extended to 64).
    Int(u64),
    /// A floating constant.
    Float(f64),
    /// The value in an lvalue (a record's value too).
    Load(Box<Expr>),
    /// `&lvalue`.
    AddrOf(Box<Expr>),
    /// An array lvalue as a pointer to its first element.
    Decay(Box<Expr>),
    /// The address of a function.
    FunctionAddr(FuncId),
    /// Arithmetic on one value.
    Unary(UnaryOp, Box<Expr>),
    /// Arithmetic or comparison of two values.
    Binary(BinaryOp, Box<Expr>, Box<Expr>),
    /// Pointer plus (or minus, if the flag is set) an integer, scaled by the size of the pointee.
    PointerAdd {
        /// The pointer.
        pointer: Box<Expr>,
        /// The integer, of any integer type.
        index: Box<Expr>,
        /// Subtract?
        negative: bool,
        /// Size of the pointee.
        scale: u64,
    },
    /// Difference of two pointers in elements.
    PointerDiff {
        /// Left.
        left: Box<Expr>,
        /// Right.
        right: Box<Expr>,
        /// Size of the pointee.
        scale: u64,
    },
    /// `&&`, an `int`; operands are scalars of any type.
    LogicalAnd(Box<Expr>, Box<Expr>),
    /// `||`.
    LogicalOr(Box<Expr>, Box<Expr>),
    /// `c ? a : b`; both branches have the type of the whole (`void` included).
    Conditional(Box<Expr>, Box<Expr>, Box<Expr>),
    /// `a ?: b`, where `a` is evaluated once; both have the type of the whole.
    Elvis(Box<Expr>, Box<Expr>),
    /// Conversion to the type of the whole: between scalars, or to `void`.
    Cast(Box<Expr>),
    /// `lvalue = value`; the value has the type of the place. Records too.
    Assign(Box<Expr>, Box<Expr>),
    /// `lvalue op= value`: the place is read, converted to `compute`, combined with `value`
    /// (already of type `compute`, or any integer for shifts), converted back and written.
    CompoundAssign {
        /// The operator.
        op: BinaryOp,
        /// The place.
        place: Box<Expr>,
        /// The right side.
        value: Box<Expr>,
        /// The type in which it is computed.
        compute: Type,
    },
    /// `pointer += integer`, `pointer -= integer`.
    PointerAssignAdd {
        /// The place.
        place: Box<Expr>,
        /// The integer.
        index: Box<Expr>,
        /// Subtract?
        negative: bool,
        /// Size of the pointee.
        scale: u64,
    },
    /// `++` and `--`; `scale` is the size of the pointee for pointers and 1 otherwise.
    IncDec {
        /// The place.
        place: Box<Expr>,
        /// `--`?
        decrement: bool,
        /// Is the value the one after the change?
        prefix: bool,
        /// Step.
        scale: u64,
    },
    /// `a, b`.
    Comma(Box<Expr>, Box<Expr>),
    /// A call; the callee is a pointer to a function (`FunctionAddr` where it is known).
    /// Arguments are converted to the parameters' types, or promoted where there are none.
    Call {
        /// The pointer.
        callee: Box<Expr>,
        /// The arguments.
        args: Vec<Expr>,
    },
    /// A compiler built-in.
    Builtin(Builtin, Vec<Expr>),
    /// `({ ... })`, with the value of the last statement if that is an expression. Never an lvalue.
    StmtExpr(Box<Stmt>, Option<Box<Expr>>),
    /// A record rvalue's member (`f().x`): the record is an rvalue.
    MemberOfValue(Box<Expr>, Field),
}

impl Expr {
    /// An expression of a type, at a place.
    pub fn new(kind: ExprKind, ty: Type, span: Span) -> Expr {
        Expr { kind, ty, span }
    }

    /// Is it a place of some bits within a storage unit?
    pub fn is_bit_field(&self) -> bool {
        matches!(&self.kind, ExprKind::Member(_, field) if field.bits.is_some())
    }
}

impl ExprKind {
    /// Does it name a place?
    pub fn is_lvalue(&self) -> bool {
        matches!(
            self,
            ExprKind::Global(_)
                | ExprKind::Local(_)
                | ExprKind::Deref(_)
                | ExprKind::Member(..)
                | ExprKind::CompoundLiteral(..)
        )
    }
}

/// An initialiser, flattened: scalars (or whole records copied from an expression) by offset, in
/// the order of evaluation; a later item for the same place wins.
#[derive(Clone, Debug, Default)]
pub struct Init {
    /// The items.
    pub items: Vec<InitItem>,
    /// Is everything that `items` does not cover zero? False only for `T x = expr`.
    pub zero_rest: bool,
}

/// One place and its value.
#[derive(Clone, Debug)]
pub struct InitItem {
    /// Offset in bytes from the start of the object.
    pub offset: u64,
    /// For a bit-field: first bit within its storage unit, and width.
    pub bits: Option<(u32, u32)>,
    /// The value, of the type of the place. For a static object it is a constant: built from
    /// `Int`, `Float`, `AddrOf`/`Decay` of a global (plus constant offsets), `FunctionAddr`, and
    /// `Cast` and arithmetic over these.
    pub value: Expr,
}

impl InitItem {
    /// A value at an offset; a bit-field also has its bits.
    pub fn new(offset: u64, bits: Option<(u32, u32)>, value: Expr) -> InitItem {
        InitItem {
            offset,
            bits,
            value,
        }
    }
}
