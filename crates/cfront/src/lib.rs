//! C text to automata: lexer, parser, type checker, lowering.
//!
//! The stages and their data: text → tokens (`lex`) → syntax tree (`parse`, `ast`) → typed tree
//! ([`hir`], made by `check`; `link` joins files) → [`xcfa::Xcfa`] (`lower`). Spans go along from
//! token to edge.
//!
//! Functions are lowered with calls; resolving function pointers and inlining are passes.

mod ast;
mod check;
mod declaration;
pub mod functions;
mod harness;
pub mod hir;
mod lex;
mod link;
mod lower;
mod parse;
mod stubs;
mod suggest;

pub use check::{ParseFailure, parse_program};
pub use harness::{Count, Harness, HarnessError, harness};
pub use lower::{Environment, LowerOptions, Text, WEAK_ORDERS, compile};
pub use stubs::stubs;
pub use xcfa::Unsupported;
