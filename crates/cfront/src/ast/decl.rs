//! Declarations.

use super::{AsmStmt, Block, Expr, Initializer};
use crate::hir::{FloatType, IntType};
use crate::lex::Symbol;
use xcfa::Span;

/// A translation unit.
#[derive(Debug, Default)]
pub struct Unit {
    /// What it declares and defines, in order.
    pub items: Vec<UnitItem>,
    /// `#pragma weak name` and `#pragma weak name = target`.
    pub weak: Vec<WeakPragma>,
    /// `#pragma redefine_extname old new`.
    pub renamed: Vec<(String, String)>,
}

/// `#pragma weak`.
#[derive(Clone, Debug)]
pub struct WeakPragma {
    /// The name that becomes weak.
    pub name: String,
    /// What it is another name of, if the pragma says so.
    pub target: Option<String>,
    /// Its text.
    pub span: Span,
}

/// Something at file scope.
#[derive(Debug)]
pub enum UnitItem {
    /// A declaration.
    Declaration(Declaration),
    /// A function with its body.
    Function(Box<FuncDef>),
}

/// The storage class that is written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Storage {
    /// None, `auto` or `register`.
    #[default]
    None,
    /// `typedef`.
    Typedef,
    /// `extern`.
    Extern,
    /// `static`.
    Static,
}

/// The specifiers in front of declarators.
#[derive(Debug)]
pub struct Specs {
    /// Storage class.
    pub storage: Storage,
    /// `__thread`?
    pub thread_local: bool,
    /// `register`?
    pub register: bool,
    /// `inline`?
    pub inline: bool,
    /// `_Atomic` as a qualifier?
    pub atomic: bool,
    /// `const`?
    pub constant: bool,
    /// The type.
    pub ty: TypeSpec,
    /// Attributes among the specifiers.
    pub attrs: Vec<Attr>,
    /// Their text.
    pub span: Span,
}

/// The type that specifiers name.
#[derive(Debug)]
pub enum TypeSpec {
    /// `void`.
    Void,
    /// An integer type.
    Int(IntType),
    /// A floating type.
    Float(FloatType),
    /// A type of known size with which nothing can be computed: `_Complex double`, `_Float128`.
    Opaque {
        /// Its name.
        name: &'static str,
        /// Size in bytes on ILP32 and LP64.
        size: [u64; 2],
        /// Alignment in bytes on ILP32 and LP64.
        align: [u64; 2],
    },
    /// A typedef name.
    Named(Symbol),
    /// A struct or union.
    Record(Box<RecordSpec>),
    /// An enumeration.
    Enum(Box<EnumSpec>),
    /// `typeof(expression)`.
    TypeofExpr(Box<Expr>),
    /// `typeof(type)`.
    TypeofType(Box<TypeName>),
    /// `_Atomic(type)`.
    AtomicType(Box<TypeName>),
    /// `__auto_type`.
    Auto,
    /// `__builtin_va_list`.
    VaList,
}

/// A struct or union specifier.
#[derive(Debug)]
pub struct RecordSpec {
    /// A union?
    pub is_union: bool,
    /// Its tag.
    pub tag: Option<Symbol>,
    /// Its members, if it is defined here.
    pub members: Option<Vec<MemberDecl>>,
    /// Attributes.
    pub attrs: Vec<Attr>,
    /// The limit of `#pragma pack`.
    pub pack: Option<u64>,
    /// Keyword and tag.
    pub span: Span,
}

/// One line of a struct.
#[derive(Debug)]
pub enum MemberDecl {
    /// Members of one type; an anonymous struct or union has none.
    Members(Specs, Vec<(Declarator, Option<Expr>)>),
    /// `_Static_assert`.
    StaticAssert(Expr, Span),
}

/// An enumeration specifier.
#[derive(Debug)]
pub struct EnumSpec {
    /// Its tag.
    pub tag: Option<Symbol>,
    /// Its constants, if it is defined here.
    pub constants: Option<Vec<Enumerator>>,
    /// Attributes.
    pub attrs: Vec<Attr>,
    /// Keyword and tag.
    pub span: Span,
}

/// One constant of an enumeration.
#[derive(Debug)]
pub struct Enumerator {
    /// Its name.
    pub name: Symbol,
    /// Its value, if it is written.
    pub value: Option<Expr>,
    /// Its name in the text.
    pub span: Span,
}

/// What is between the specifiers and the `=`, `,` or `;`.
#[derive(Debug)]
pub struct Declarator {
    /// The name, unless it is abstract.
    pub name: Option<Symbol>,
    /// How the type is derived, from the name outwards: `int *a[3]` is array, then pointer.
    pub derived: Vec<DeclaratorItem>,
    /// Attributes on the declarator.
    pub attrs: Vec<Attr>,
    /// The name in the text, or where it would be.
    pub span: Span,
}

/// One step of a declarator with its text.
#[derive(Debug)]
pub struct DeclaratorItem {
    /// The step.
    pub kind: Derived,
    /// Its text.
    pub span: Span,
}

/// One step of a declarator.
#[derive(Debug)]
pub enum Derived {
    /// A pointer.
    Pointer {
        /// An atomic one?
        atomic: bool,
        /// A constant one (`int *const`)?
        constant: bool,
    },
    /// An array with its length.
    Array(Option<Box<Expr>>),
    /// A function.
    Function(Params),
}

/// The parameters of a function.
#[derive(Debug)]
pub enum Params {
    /// A prototype.
    Typed {
        /// The parameters; none for `(void)`.
        list: Vec<Param>,
        /// `...`?
        variadic: bool,
    },
    /// The names of an old-style definition, or `()`.
    Names(Vec<(Symbol, Span)>),
}

/// A parameter of a prototype.
#[derive(Debug)]
pub struct Param {
    /// Specifiers.
    pub specs: Specs,
    /// Declarator.
    pub declarator: Declarator,
}

/// A type by itself, as in a cast.
#[derive(Debug)]
pub struct TypeName {
    /// Specifiers.
    pub specs: Specs,
    /// An abstract declarator.
    pub declarator: Declarator,
    /// Its text.
    pub span: Span,
}

/// A declaration.
#[derive(Debug)]
pub enum Declaration {
    /// Specifiers and what they declare.
    Plain(Specs, Vec<InitDeclarator>),
    /// `_Static_assert`.
    StaticAssert(Expr, Span),
    /// `asm` at file scope.
    Asm(AsmStmt, Span),
}

/// A declarator with its initialiser.
#[derive(Debug)]
pub struct InitDeclarator {
    /// The declarator.
    pub declarator: Declarator,
    /// The initialiser.
    pub init: Option<Initializer>,
}

/// A function definition.
#[derive(Debug)]
pub struct FuncDef {
    /// Specifiers.
    pub specs: Specs,
    /// Declarator; its first step is the function.
    pub declarator: Declarator,
    /// Declarations of old-style parameters.
    pub old_style: Vec<Declaration>,
    /// The body.
    pub body: Block,
}

/// An attribute that changes what a program means, or an `asm` name; harmless ones are dropped by the parser.
#[derive(Debug)]
pub enum Attr {
    /// `packed`.
    Packed,
    /// `aligned(n)`, or the largest useful alignment.
    Aligned(Option<Box<Expr>>),
    /// `_Alignas(type)`.
    AlignedAs(Box<TypeName>),
    /// `mode(DI)`: the width of the integer in bytes, 0 for that of a word.
    Mode(u64, Span),
    /// `vector_size(n)`.
    VectorSize(Box<Expr>),
    /// `weak`.
    Weak,
    /// `gnu_inline`.
    GnuInline,
    /// `common`.
    Common,
    /// `noreturn`.
    NoReturn,
    /// `constructor`, `constructor(priority)`.
    Constructor(Option<Box<Expr>>, Span),
    /// `destructor`, `destructor(priority)`.
    Destructor(Option<Box<Expr>>, Span),
    /// `cleanup(function)`.
    Cleanup(Symbol, Span),
    /// `alias("target")`.
    Alias(String, Span),
    /// `ifunc("resolver")`.
    Ifunc(String, Span),
    /// `weakref("target")`, or `weakref` beside `alias`.
    WeakRef(Option<String>, Span),
    /// `section("name")`.
    Section(String, Span),
    /// `asm("name")` behind a declarator: what the linker calls it.
    AsmName(String, Span),
    /// One that we do not honour: what to say about it.
    Refused(String, Span),
}
