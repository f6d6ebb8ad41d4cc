//! The typed tree: C with every name resolved, every type known and every conversion explicit.
//!
//! `check` makes it, `lower` turns it into automata. Two conventions carry most of the weight:
//! an expression is an *lvalue* (it names a place) or an *rvalue* (it is a value), according to
//! [`ExprKind::is_lvalue`], and an lvalue becomes a value only through [`ExprKind::Load`]
//! (arrays and functions through [`ExprKind::Decay`] and [`ExprKind::FunctionAddr`]).

mod expr;
mod link;
mod stmt;
mod ty;
pub mod walk;

pub use expr::{
    AtomicOp, BinaryOp, Builtin, Expr, ExprKind, Field, Init, InitItem, Note, Orders, RealTest,
    RecordOp, Slot, UnaryOp,
};
pub use link::{Indirect, Link, Startup};
pub use stmt::{CaseRange, Stmt, StmtKind};
pub use ty::{FloatType, FuncType, IntKind, IntType, Member, Record, RecordId, Type};

use crate::Unsupported;
use xcfa::{DataModel, Sources, Span};

/// A global or static object, by number into [`Program::globals`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct GlobalId(pub u32);

/// A function, by number into [`Program::functions`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct FuncId(pub u32);

/// A parameter or local, by number into [`Function::locals`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct LocalId(pub u32);

/// A label of a function, by number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct LabelId(pub u32);

/// All translation units, linked.
#[derive(Clone, Debug)]
pub struct Program {
    /// The text behind the spans.
    pub sources: Sources,
    /// Sizes.
    pub data_model: DataModel,
    /// Structs and unions, laid out.
    pub records: Vec<Record>,
    /// Globals, static locals, string literals, file-scope compound literals.
    pub globals: Vec<Global>,
    /// Every function that is defined, or declared and used.
    pub functions: Vec<Function>,
    /// What runs before and after `main`.
    pub startup: Startup,
}

impl Program {
    /// The function that the linker knows by this name and that has a body; failing that, one of a file's own.
    pub fn defined(&self, name: &str) -> Option<FuncId> {
        let named = |f: &Function| f.link.symbol == name && f.body.is_some() && !f.replaced;
        let find = |internal| {
            let at = self
                .functions
                .iter()
                .position(|f| named(f) && f.link.internal == internal);
            at.map(|at| FuncId(at as u32))
        };
        find(false).or_else(|| find(true))
    }
}

/// An object that lives as long as the program (or the thread).
#[derive(Clone, Debug)]
pub struct Global {
    /// Its name; a static local is `function::name`, a string literal `"text"` (shortened).
    pub name: String,
    /// Its complete type.
    pub ty: Type,
    /// `__thread` or `_Thread_local`: one for each thread.
    pub thread_local: bool,
    /// The initial value; what it does not mention is zero.
    pub init: Option<Init>,
    /// Only declared, defined nowhere: its initial value is arbitrary.
    pub external: bool,
    /// The alignment that is asked for, if it is not that of the type.
    pub align: Option<u64>,
    /// What the linker needs to know.
    pub link: Link,
    /// A string literal or `const`: nothing may write it. (Not known if only a member or a typedef
    /// says so.)
    pub constant: bool,
    /// A string literal, which may share its place with others.
    pub literal: bool,
    /// Is its address used other than by reading or writing the whole scalar? (A scalar that
    /// appears only in `Load(Global)`, `Assign`, `CompoundAssign`, `IncDec`, or as the direct
    /// `AddrOf(Global)` argument of an atomic [`Builtin`], has this false.)
    pub address_taken: bool,
    /// Where it is declared.
    pub span: Span,
}

/// A function.
#[derive(Clone, Debug)]
pub struct Function {
    /// Its name.
    pub name: String,
    /// Its type.
    pub ty: FuncType,
    /// Parameters first, then every local of every block.
    pub locals: Vec<Local>,
    /// How many of `locals` are parameters.
    pub params: usize,
    /// Names of the labels, by [`LabelId`].
    pub labels: Vec<String>,
    /// Labels whose address is taken.
    pub addressed: Vec<LabelId>,
    /// The body, if it is defined.
    pub body: Option<Stmt>,
    /// It is defined, but its body uses something that we do not support; `body` is `None` then. A
    /// user of the function must report this instead of treating it as unknown. (A program in which
    /// such a function can be reached from `main` is refused by the parser already.)
    pub errors: Vec<Unsupported>,
    /// What is left of a body with errors, to find what else is in the way of the program.
    pub remains: Option<Stmt>,
    /// Is it declared never to return?
    pub noreturn: bool,
    /// What the linker needs to know.
    pub link: Link,
    /// Does another definition replace it for all uses of its name?
    pub replaced: bool,
    /// Does a header of the system declare it?
    pub system: bool,
    /// Where it is declared or defined.
    pub span: Span,
}

impl Function {
    /// The number that the address of a label is: small, so that it is no address of anything else, and not null.
    pub fn label_address(label: LabelId) -> u64 {
        u64::from(label.0) + 1
    }
}

/// A parameter or local.
#[derive(Clone, Debug)]
pub struct Local {
    /// Its name; `""` for a compound literal or an unnamed parameter.
    pub name: String,
    /// Its complete type (parameters are adjusted: arrays and functions are pointers); without a
    /// length for an array of variable length.
    pub ty: Type,
    /// For an array of variable length: the local that knows how many elements it has.
    pub length: Option<LocalId>,
    /// The alignment that is asked for, if it is not that of the type.
    pub align: Option<u64>,
    /// As for [`Global::address_taken`].
    pub address_taken: bool,
    /// As for [`Global::constant`], once it is initialised.
    pub constant: bool,
    /// Where it is declared.
    pub span: Span,
}
