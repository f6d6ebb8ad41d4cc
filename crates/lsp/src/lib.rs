//! `mazurka lsp`: a language server, which editors start and talk to over standard input and output.
//!
//! It checks the files that are open: a whole program when it is opened or saved, or one function when the user asks for
//! it ([`lens`]). What it finds is shown as diagnostics with the schedule as related places ([`diagnostics`]), and as
//! the page of `--html`. Every check is a child process, `mazurka check`, which is ended when the text changes
//! ([`check`]). It speaks the part of the protocol (version 3.17) that this takes, directly as JSON; there is no
//! completion, and text is never changed.

mod check;
mod diagnostics;
mod document;
mod lens;
mod server;
mod settings;
mod wire;

pub use server::{Config, run};
