//! The rules for GraphML, format 1.0.

use super::{LintFile, is_hash, is_time};
use crate::graphml::{Data, Edge, Graph, KEYS, NAMESPACE, Node, XSI, read, value};
use std::collections::BTreeSet;

pub fn lint(text: &str, files: &[LintFile]) -> Vec<String> {
    let graph = match read(text) {
        Ok(graph) => graph,
        Err(why) => return vec![format!("the text is not well-formed: {why}")],
    };
    let mut lint = Lint {
        graph: &graph,
        files,
        complaints: Vec::new(),
    };
    lint.all();
    lint.complaints
}

struct Lint<'g> {
    graph: &'g Graph,
    files: &'g [LintFile],
    complaints: Vec<String>,
}

impl Lint<'_> {
    fn all(&mut self) {
        for oddity in &self.graph.oddities {
            self.complaints
                .push(format!("{oddity} does not belong here"));
        }
        self.root();
        self.keys();
        self.about_the_task();
        let violation = value(&self.graph.data, "witness-type") == Some("violation_witness");
        self.nodes(violation);
        for edge in &self.graph.edges {
            self.edge(edge, violation);
        }
    }

    fn need(&mut self, holds: bool, complaint: impl Into<String>) {
        if !holds {
            self.complaints.push(complaint.into());
        }
    }

    fn root(&mut self) {
        let graph = self.graph;
        let namespace = value(&graph.attributes, "xmlns");
        self.need(
            namespace == Some(NAMESPACE),
            "the default namespace is not that of GraphML",
        );
        let instances = value(&graph.attributes, "xmlns:xsi");
        self.need(
            instances == Some(XSI),
            "the prefix `xsi` is not that of XML schema instances",
        );
        let direction = graph.edge_default.as_deref();
        self.need(direction.is_some(), "there is no graph");
        self.need(
            direction == Some("directed"),
            "`edgedefault` is not `directed`",
        );
    }

    fn keys(&mut self) {
        let graph = self.graph;
        let mut defined = BTreeSet::new();
        for key in &graph.keys {
            self.need(!key.id.is_empty(), "a key has no `id`");
            self.need(
                !key.domain.is_empty(),
                format!("the key `{}` has no `for`", key.id),
            );
            self.need(
                defined.insert(&key.id),
                format!("the key `{}` is defined twice", key.id),
            );
            let known = KEYS.iter().find(|(id, _, _)| *id == key.id);
            let Some((_, domain, kind)) = known else {
                continue;
            };
            self.need(
                key.domain == *domain,
                format!("the key `{}` is for {domain}s", key.id),
            );
            let default = key.default.as_deref();
            let fine = *kind != "boolean" || default.is_none_or(|default| default == "false");
            self.need(fine, format!("the default of `{}` is not `false`", key.id));
        }
        let nodes = graph.nodes.iter().map(|node| ("node", &node.data));
        let edges = graph.edges.iter().map(|edge| ("edge", &edge.data));
        let everywhere = [("graph", &graph.data)]
            .into_iter()
            .chain(nodes)
            .chain(edges);
        let mut complaints = BTreeSet::new();
        for (domain, (key, _)) in everywhere.flat_map(|(d, data)| data.iter().map(move |x| (d, x)))
        {
            let definition = graph.keys.iter().find(|known| known.id == *key);
            if definition.is_none_or(|known| known.domain != domain) {
                complaints.insert(format!(
                    "the key `{key}` is used for a {domain} but not defined so"
                ));
            }
        }
        self.complaints.extend(complaints);
    }

    /// The value of a key that has to be there once.
    fn once(&mut self, key: &str) -> Option<String> {
        let all: Vec<&str> = values(&self.graph.data, key).collect();
        self.need(
            all.len() == 1,
            format!("`{key}` is said {} times", all.len()),
        );
        all.first().map(|text| (*text).to_owned())
    }

    fn about_the_task(&mut self) {
        let among = |value: Option<String>, allowed: &[&str]| {
            value.is_none_or(|value| allowed.contains(&&*value))
        };
        let kind = self.once("witness-type");
        let kinds = ["violation_witness", "correctness_witness"];
        self.need(among(kind, &kinds), "`witness-type` has an unknown value");
        let language = self.once("sourcecodelang");
        self.need(
            among(language, &["C", "Java"]),
            "`sourcecodelang` has an unknown value",
        );
        let producer = self.once("producer");
        self.need(
            producer.is_none_or(|name| !name.is_empty()),
            "`producer` is empty",
        );
        self.once("programfile");
        let architecture = self.once("architecture");
        let fine = among(architecture, &["32bit", "64bit"]);
        self.need(fine, "`architecture` is neither `32bit` nor `64bit`");
        let created = self.once("creationtime");
        let fine = created.is_none_or(|time| is_time(&time));
        self.need(fine, "`creationtime` is not a date and time with a zone");
        let specified = values(&self.graph.data, "specification").next().is_some();
        self.need(specified, "there is no `specification`");
        if let Some(hash) = self.once("programhash") {
            self.need(is_hash(&hash), "`programhash` is not a SHA-256 hash");
            let mut files = self.files.iter();
            let same = files.any(|file| file.sha256.eq_ignore_ascii_case(&hash));
            self.need(
                self.files.is_empty() || same,
                "`programhash` is not that of the program",
            );
        }
    }

    fn nodes(&mut self, violation: bool) {
        let graph = self.graph;
        let mut known = BTreeSet::new();
        for node in &graph.nodes {
            self.need(!node.id.is_empty(), "a node has no `id`");
            self.need(
                known.insert(&node.id),
                format!("there are two nodes `{}`", node.id),
            );
            self.node(node, violation);
        }
        let entries = graph.nodes.iter().filter(|node| graph.is(node, "entry"));
        let entries = entries.count();
        self.need(entries == 1, format!("there are {entries} entry nodes"));
        let ends = graph.nodes.iter().any(|node| graph.is(node, "violation"));
        self.need(ends || !violation, "there is no violation node");
    }

    fn node(&mut self, node: &Node, violation: bool) {
        for (key, text) in &node.data {
            if ["entry", "sink", "violation", "cyclehead"].contains(&&**key) {
                let fine = text == "true" || text == "false";
                self.need(
                    fine,
                    format!("`{key}` of `{}` is neither true nor false", node.id),
                );
            }
            let here = match &**key {
                "sink" | "violation" => violation,
                "invariant" | "invariant.scope" => !violation,
                _ => true,
            };
            self.need(
                here,
                format!("`{key}` does not belong into a witness of this type"),
            );
        }
        if self.graph.is(node, "sink") {
            let leaves = self.graph.edges.iter().any(|edge| edge.source == node.id);
            self.need(!leaves, format!("an edge leaves the sink `{}`", node.id));
        }
    }

    fn edge(&mut self, edge: &Edge, violation: bool) {
        let name = format!("{} -> {}", edge.source, edge.target);
        for end in [&edge.source, &edge.target] {
            let known = self.graph.nodes.iter().any(|node| node.id == *end);
            self.need(known, format!("{name}: there is no node `{end}`"));
        }
        self.need(
            edge.source != edge.target,
            format!("{name}: a loop at one node"),
        );
        for (key, text) in &edge.data {
            self.edge_value(&name, key, text, violation);
        }
        let result = values(&edge.data, "assumption").any(|text| text.contains("\\result"));
        let function = value(&edge.data, "assumption.resultfunction").is_some();
        self.need(
            !result || function,
            format!("{name}: whose result is `\\result`?"),
        );
        if let Some(thread) = value(&edge.data, "threadId") {
            let created = |edge: &Edge| value(&edge.data, "createThread") == Some(thread);
            let known = self.graph.edges.iter().any(created);
            self.need(known, format!("{name}: thread `{thread}` is never created"));
        }
    }

    fn edge_value(&mut self, name: &str, key: &str, text: &str, violation: bool) {
        match key {
            "control" => {
                let fine = ["condition-true", "condition-false"].contains(&text);
                self.need(fine, format!("{name}: `control` has an unknown value"));
            }
            "enterLoopHead" => {
                let fine = text == "true" || text == "false";
                self.need(
                    fine,
                    format!("{name}: `enterLoopHead` is neither true nor false"),
                );
            }
            "startline" | "endline" => {
                let most = self
                    .files
                    .iter()
                    .map(|file| file.lines)
                    .max()
                    .unwrap_or(u32::MAX);
                let fine = text
                    .parse::<u32>()
                    .is_ok_and(|line| (1..=most).contains(&line));
                self.need(
                    fine,
                    format!("{name}: `{key}` is not a line of the program"),
                );
            }
            "startoffset" | "endoffset" => {
                let fine = text.parse::<u32>().is_ok();
                self.need(fine, format!("{name}: `{key}` is not a number"));
            }
            "assumption" | "assumption.scope" | "assumption.resultfunction" => {
                self.need(
                    violation,
                    format!("{name}: an assumption in a correctness witness"),
                );
            }
            "enterFunction" | "returnFrom" | "returnFromFunction" | "threadId" | "createThread" => {
                self.need(!text.is_empty(), format!("{name}: `{key}` is empty"));
            }
            _ => {}
        }
    }
}

fn values<'a>(data: &'a Data, key: &str) -> impl Iterator<Item = &'a str> {
    let wanted = data.iter().filter(move |(known, _)| known == key);
    wanted.map(|(_, value)| value.as_str())
}
