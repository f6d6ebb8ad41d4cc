//! Graphs for Graphviz: one subgraph for each iteration.

use super::{is_error, lines};
use crate::Snapshot;

pub fn dot(snapshots: &[Snapshot]) -> String {
    let mut out = String::from("digraph arg {\n  node [shape=box, fontsize=10];\n");
    for snapshot in snapshots {
        out += &iteration(snapshot);
    }
    out + "}\n"
}

fn iteration(snapshot: &Snapshot) -> String {
    let number = snapshot.iteration;
    let precision = quoted(&snapshot.precision.join(", "));
    let mut out =
        format!("  subgraph cluster_{number} {{\n    label=\"iteration {number}: {precision}\";\n");
    for node in &snapshot.nodes {
        let name = format!("i{number}n{}", node.id);
        let label: Vec<String> = lines(node).iter().map(|line| quoted(line)).collect();
        let colour = match (is_error(node), snapshot.path.contains(&node.id)) {
            (true, _) => ", style=filled, fillcolor=\"#f4b6b6\"",
            (_, true) => ", style=filled, fillcolor=\"#ffe9a8\"",
            _ => "",
        };
        out += &format!("    {name} [label=\"{}\"{colour}];\n", label.join("\\n"));
        if let Some((parent, by)) = &node.parent {
            let text = quoted(&format!("{}: {}", by.thread, by.text));
            out += &format!("    i{number}n{parent} -> {name} [label=\"{text}\"];\n");
        }
        if let Some(coverer) = node.covered_by {
            out +=
                &format!("    {name} -> i{number}n{coverer} [style=dotted, constraint=false];\n");
        }
        for (at, left) in node.left_out.iter().enumerate() {
            let colour = if left.by_basic { "purple" } else { "darkgreen" };
            let text = quoted(&format!("{}: {}", left.action.thread, left.action.text));
            out += &format!("    {name}x{at} [label=\"?\", shape=plaintext];\n");
            out += &format!(
                "    {name} -> {name}x{at} [label=\"{text}\", style=dashed, color={colour}];\n"
            );
        }
    }
    out + "  }\n"
}

fn quoted(text: &str) -> String {
    text.replace('\\', "\\\\").replace('"', "\\\"")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{ActionView, LeftOut, NodeView};

    #[test]
    fn cut_actions_are_dashed() {
        let action = ActionView {
            thread: "main".into(),
            text: "s = \"a\";".into(),
        };
        let node = NodeView {
            id: 0,
            parent: None,
            threads: vec![("main".into(), "line 3".into())],
            known: vec!["x = 1".into()],
            explored: Vec::new(),
            left_out: vec![LeftOut {
                action,
                by_basic: false,
            }],
            validity: Vec::new(),
            covered_by: None,
            expanded: true,
        };
        let text = dot(&[Snapshot {
            iteration: 1,
            precision: vec!["x".into()],
            nodes: vec![node],
            path: Vec::new(),
        }]);
        assert!(
            text.contains("i1n0 [label=\"main: line 3\\nx = 1\"];"),
            "{text}"
        );
        assert!(text.contains("label=\"main: s = \\\"a\\\";\", style=dashed, color=darkgreen"));
    }
}
