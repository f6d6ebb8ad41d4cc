//! The syntax tree: C as it is written, with names not yet resolved and nothing typed.
//!
//! The parser knows of names only whether they are typedefs, because C cannot be parsed without
//! that; everything else about them is found when the tree is typed.

#![allow(
    dead_code,
    reason = "the tree keeps what is written, whether or not a later stage asks for it"
)]

mod decl;
mod expr;
mod stmt;

pub use decl::{
    Attr, Declaration, Declarator, DeclaratorItem, Derived, EnumSpec, Enumerator, FuncDef,
    InitDeclarator, MemberDecl, Param, Params, RecordSpec, Specs, Storage, TypeName, TypeSpec,
    Unit, UnitItem, WeakPragma,
};
pub use expr::{
    Designator, Expr, ExprKind, GenericArm, InitEntry, Initializer, StringLit, UnaryOp,
};
pub use stmt::{AsmOperand, AsmStmt, Block, ForInit, Stmt, StmtKind};
