//! Keywords in all their spellings.

use rustc_hash::FxHashMap;

macro_rules! keywords {
    ($($name:ident: $($text:literal)+;)*) => {
        /// A keyword, whichever way it is spelt.
        ///
        /// `bool`, `true`, `false` and `nullptr` are no keywords here, because older programs
        /// declare them; the later stages know them as names that are there unless declared.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        #[allow(missing_docs, reason = "C's own keywords")]
        pub enum Keyword {
            $($name,)*
        }

        impl Keyword {
            /// Every spelling with its keyword.
            pub(super) fn table() -> FxHashMap<&'static str, Keyword> {
                [$($(($text, Keyword::$name),)+)*].into_iter().collect()
            }
        }
    };
}

keywords! {
    Alignas: "_Alignas";
    Alignof: "_Alignof";
    GnuAlignof: "__alignof__" "__alignof";
    Asm: "asm" "__asm__" "__asm";
    Atomic: "_Atomic";
    Attribute: "__attribute__" "__attribute";
    Auto: "auto";
    AutoType: "__auto_type";
    Bool: "_Bool";
    Break: "break";
    Case: "case";
    Char: "char";
    Complex: "_Complex" "__complex__" "__complex";
    Const: "const" "__const" "__const__";
    Continue: "continue";
    Decimal32: "_Decimal32";
    Decimal64: "_Decimal64";
    Decimal128: "_Decimal128";
    Default: "default";
    Do: "do";
    Double: "double";
    Else: "else";
    Enum: "enum";
    Extension: "__extension__";
    Extern: "extern";
    Float: "float";
    Float128: "_Float128" "__float128" "__ieee128";
    Float16: "_Float16";
    Float32: "_Float32";
    Float32x: "_Float32x";
    Float64: "_Float64";
    Float64x: "_Float64x" "__float80";
    For: "for";
    Generic: "_Generic";
    Goto: "goto";
    If: "if";
    Imag: "__imag__" "__imag";
    Inline: "inline" "__inline" "__inline__";
    Int: "int";
    Int128: "__int128" "__int128_t";
    UInt128: "__uint128_t";
    Label: "__label__";
    Long: "long";
    Noreturn: "_Noreturn";
    OffsetOf: "__builtin_offsetof";
    ChooseExpr: "__builtin_choose_expr";
    TypesCompatible: "__builtin_types_compatible_p";
    VaArg: "__builtin_va_arg";
    VaList: "__builtin_va_list" "__gnuc_va_list_builtin";
    Real: "__real__" "__real";
    Register: "register";
    Restrict: "restrict" "__restrict" "__restrict__";
    Return: "return";
    Short: "short";
    Signed: "signed" "__signed__" "__signed";
    Sizeof: "sizeof";
    Static: "static";
    StaticAssert: "_Static_assert" "static_assert";
    Struct: "struct";
    Switch: "switch";
    Thread: "__thread" "_Thread_local";
    Typedef: "typedef";
    Typeof: "typeof" "__typeof__" "__typeof";
    Union: "union";
    Unsigned: "unsigned" "__unsigned__" "__unsigned";
    Void: "void";
    Volatile: "volatile" "__volatile__" "__volatile";
    While: "while";
    FunctionName: "__func__" "__FUNCTION__" "__PRETTY_FUNCTION__";
}
