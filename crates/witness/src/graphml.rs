//! Witness automata in GraphML: format 1.0.

mod read;
mod write;

pub use read::read;
pub use write::{correctness, violation};

/// An element with its data, by key.
pub type Data = Vec<(String, String)>;

/// The first value for a key.
pub fn value<'a>(data: &'a Data, key: &str) -> Option<&'a str> {
    let found = data.iter().find(|(known, _)| known == key);
    found.map(|(_, value)| value.as_str())
}

/// The definition of a key.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Key {
    /// As data elements name it.
    pub id: String,
    /// The elements that it is for: `graph`, `node` or `edge`.
    pub domain: String,
    /// What it is when it is missing.
    pub default: Option<String>,
}

/// A state of the automaton.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Node {
    /// Its name.
    pub id: String,
    /// What is said about it.
    pub data: Data,
}

/// A transition.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Edge {
    /// Where it starts.
    pub source: String,
    /// Where it leads.
    pub target: String,
    /// When it is taken.
    pub data: Data,
}

/// A witness automaton as its file has it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Graph {
    /// Attributes of the outermost element.
    pub attributes: Data,
    /// Keys.
    pub keys: Vec<Key>,
    /// `directed`, if that is said.
    pub edge_default: Option<String>,
    /// About the task.
    pub data: Data,
    /// States.
    pub nodes: Vec<Node>,
    /// Transitions.
    pub edges: Vec<Edge>,
    /// What does not belong into such a file.
    pub oddities: Vec<String>,
}

impl Graph {
    /// Is the key of a node true?
    pub fn is(&self, node: &Node, key: &str) -> bool {
        value(&node.data, key) == Some("true")
    }
}

/// The keys of the format: id, domain, type, and the default of a truth value.
pub(crate) const KEYS: [(&str, &str, &str); 29] = [
    ("witness-type", "graph", "string"),
    ("sourcecodelang", "graph", "string"),
    ("producer", "graph", "string"),
    ("specification", "graph", "string"),
    ("programfile", "graph", "string"),
    ("programhash", "graph", "string"),
    ("architecture", "graph", "string"),
    ("creationtime", "graph", "string"),
    ("witness-format-version", "graph", "string"),
    ("entry", "node", "boolean"),
    ("sink", "node", "boolean"),
    ("violation", "node", "boolean"),
    ("cyclehead", "node", "boolean"),
    ("invariant", "node", "string"),
    ("invariant.scope", "node", "string"),
    ("assumption", "edge", "string"),
    ("assumption.scope", "edge", "string"),
    ("assumption.resultfunction", "edge", "string"),
    ("control", "edge", "string"),
    ("startline", "edge", "int"),
    ("endline", "edge", "int"),
    ("startoffset", "edge", "int"),
    ("endoffset", "edge", "int"),
    ("enterLoopHead", "edge", "boolean"),
    ("enterFunction", "edge", "string"),
    ("returnFromFunction", "edge", "string"),
    ("returnFrom", "edge", "string"),
    ("threadId", "edge", "string"),
    ("createThread", "edge", "string"),
];

pub(crate) const NAMESPACE: &str = "http://graphml.graphdrawing.org/xmlns";
/// The namespace of XML schema instances.
pub(crate) const XSI: &str = "http://www.w3.org/2001/XMLSchema-instance";
