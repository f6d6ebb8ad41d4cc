//! C text to automata: lexer, parser, type checker, lowering.
//!
//! The stages and their data: text → tokens (`lex`) → syntax tree (`parse`, `ast`) → typed tree
//! ([`hir`], made by `sema`) → [`xcfa::Xcfa`] (`lower`). Spans go along from token to edge.
//!
//! Functions are lowered with calls; resolving function pointers and inlining are passes.

mod error;
pub mod hir;

pub use error::Unsupported;
