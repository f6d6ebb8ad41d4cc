//! The automata as a graph for Graphviz.

use crate::{Edge, Xcfa};
use std::fmt::Write;

impl Xcfa {
    /// One cluster a procedure; error locations are red, start locations bold.
    pub fn dot(&self) -> String {
        let mut out = String::from("digraph xcfa {\n  node [shape=circle, fontname=monospace];\n");
        out.push_str("  edge [fontname=monospace];\n");
        for proc in self.proc_ids() {
            let _ = writeln!(out, "  subgraph cluster_{} {{", proc.0);
            let _ = writeln!(out, "    label=\"{}\";", escape(&self[proc].name));
            for loc in self.loc_ids().filter(|&loc| self[loc].proc == proc) {
                let style = match () {
                    () if self[loc].error.is_some() => " [color=red, shape=doublecircle]",
                    () if self[proc].init == loc => " [penwidth=2]",
                    () => "",
                };
                let _ = writeln!(out, "    L{}{style};", loc.0);
            }
            out.push_str("  }\n");
        }
        for edge in &self.edges {
            let _ = writeln!(out, "  {}", self.dot_edge(edge));
        }
        out.push_str("}\n");
        out
    }

    fn dot_edge(&self, edge: &Edge) -> String {
        let labels: Vec<_> = edge
            .labels
            .iter()
            .map(|l| escape(&self.show_label(l)))
            .collect();
        let style = if edge.atomic { ", style=bold" } else { "" };
        format!(
            "L{} -> L{} [label=\"{}\"{style}];",
            edge.source.0,
            edge.target.0,
            labels.join("\\n")
        )
    }
}

fn escape(text: &str) -> String {
    text.replace('\\', "\\\\").replace('"', "\\\"")
}
