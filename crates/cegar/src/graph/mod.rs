//! Drawings of abstract reachability graphs: `check --engine cegar --arg OUT`.

mod dot;
mod layout;
mod page;

use crate::{NodeView, Snapshot};
use std::io;
use std::path::Path;

/// Does the name of a file say how to draw?
pub fn can_draw(path: &Path) -> bool {
    path.extension()
        .is_some_and(|ending| ending == "html" || ending == "dot")
}

/// Writes the graphs of all iterations: a page, or a file for Graphviz.
pub fn write(path: &Path, snapshots: &[Snapshot]) -> io::Result<()> {
    let is_page = path.extension().is_some_and(|ending| ending == "html");
    let text = match is_page {
        true => page::page(snapshots),
        false => dot::dot(snapshots),
    };
    std::fs::write(path, text)
}

/// The lines of a node: where the threads are, then what is known.
fn lines(node: &NodeView) -> Vec<String> {
    let threads = node.threads.iter();
    let mut lines: Vec<String> = threads.map(|(name, at)| format!("{name}: {at}")).collect();
    lines.extend(node.known.iter().cloned());
    lines
}

fn is_error(node: &NodeView) -> bool {
    node.threads.iter().any(|(_, at)| at == "error")
}
