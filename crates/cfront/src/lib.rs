//! C text to automata: lexer, parser, type checker, lowering.
//!
//! The stages and their data: text → tokens (`lex`) → syntax tree (`parse`, `ast`) → typed tree
//! ([`hir`], made by `check`) → [`xcfa::Xcfa`] (`lower`). Spans go along from token to edge.
//!
//! Functions are lowered with calls; resolving function pointers and inlining are passes.

mod ast;
mod check;
mod error;
pub mod hir;
mod lex;
mod lower;
mod parse;

pub use check::{ParseFailure, parse_program};
pub use error::Unsupported;
pub use lower::{LowerOptions, compile};
