//! The manual (`docs/`) and the README are right: every command in them is run or at least
//! understood, what they show is what comes out, options and links exist, and the reference of
//! options is the one that the program's definition gives.

mod blocks;
mod expected;
mod library;
mod links;
mod options;
mod pages;
mod reference;
mod runner;
mod words;

#[path = "../common/mod.rs"]
mod common;
