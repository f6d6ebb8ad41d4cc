//! Drawings of abstract reachability graphs: `check --engine cegar --arg OUT`.

mod dot;
mod layout;
mod page;

use crate::failure::Failure;
use cegar::{NodeView, Snapshot};
use std::path::Path;

/// Writes the graphs of all iterations: a page, or a file for Graphviz.
pub fn write(path: &Path, snapshots: &[Snapshot]) -> Result<(), Failure> {
    let text = match path.extension().and_then(|ending| ending.to_str()) {
        Some("html") => page::page(snapshots),
        Some("dot") => dot::dot(snapshots),
        _ => {
            return Err(Failure::usage(format!(
                "{}: the name of a graph ends in .html or .dot",
                path.display()
            )));
        }
    };
    let written = std::fs::write(path, text);
    written.map_err(|error| Failure::refused(format!("cannot write {}: {error}", path.display())))
}

/// The lines of a node: where the threads are, then what is known.
fn lines(node: &NodeView) -> Vec<String> {
    let threads = node.threads.iter();
    let mut lines: Vec<String> = threads.map(|(name, at)| format!("{name}: {at}")).collect();
    lines.extend(node.known.iter().cloned());
    lines
}

/// Is the node an error?
fn is_error(node: &NodeView) -> bool {
    node.threads.iter().any(|(_, at)| at == "error")
}
