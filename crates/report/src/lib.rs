//! A verdict as one page: a single file that needs no network and explains itself.
//!
//! [`PageContent`] is what the page shows, as plain data. [`Schedule::of`] makes the counterexample part
//! of it from a trace: rows as in the terminal, what each of them reads and writes, and the arrows
//! between them. [`page`] puts all of it into a page, behind a policy that lets nothing else in.
//!
//! Nothing is decided and nothing is read from disk here; the caller hands over the text of files.

mod content;
mod follow;
mod page;
mod rows;
mod schedule;
mod source;

pub use content::{
    Arrow, ArrowKind, Blocked, Execution, Graph, GraphNode, Invariant, Lines, PageContent, Proof,
    Row, Value,
};
pub use page::{embedded, page, policy_hash};
pub use schedule::Schedule;
pub use source::{SourceText, program_text};
