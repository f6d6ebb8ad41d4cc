//! A witness of whichever format, as it was read.

use crate::annotated_program::AnnotatedProgram;
use crate::automaton::{Automaton, Trouble};
use crate::graphml::{self, Graph, value};
use crate::lint::is_graphml;
use crate::yaml::{self, Entry};
use crate::{from_graphml, from_yaml};
use semantics::{Property, PropertyError};
use xcfa::DataModel;

/// A witness.
#[derive(Clone, Debug)]
pub enum Document {
    /// In GraphML.
    Graphml(Graph),
    /// In YAML.
    Yaml(Vec<Entry>),
}

impl Document {
    /// Reads a witness; the message says why it is none.
    pub fn read(text: &str) -> Result<Document, String> {
        if is_graphml(text) {
            return Ok(Document::Graphml(graphml::read(text)?));
        }
        let entries = yaml::read(text)?;
        match entries.is_empty() {
            true => Err("there are no entries".into()),
            false => Ok(Document::Yaml(entries)),
        }
    }

    /// Is it about a violation, rather than about correctness?
    pub fn is_violation(&self) -> bool {
        match self {
            Document::Graphml(graph) => {
                value(&graph.data, "witness-type") == Some("violation_witness")
            }
            Document::Yaml(entries) => entries[0].entry_type == "violation_sequence",
        }
    }

    /// The property that it is about.
    pub fn property(&self) -> Result<Property, PropertyError> {
        let text = match self {
            Document::Graphml(graph) => {
                let lines = graph.data.iter().filter(|(key, _)| key == "specification");
                let lines: Vec<&str> = lines.map(|(_, text)| text.as_str()).collect();
                lines.join("\n")
            }
            Document::Yaml(entries) => entries[0].metadata.task.specification.clone(),
        };
        // Some tools leave out what is always the same.
        let bare = !text.contains("CHECK") && !text.is_empty();
        match bare {
            true => Property::from_prp(&format!("CHECK( init(main()), LTL({text}) )")),
            false => Property::from_prp(&text),
        }
    }

    /// The data model that it is for, if it says so.
    pub fn model(&self) -> Option<DataModel> {
        let text = match self {
            Document::Graphml(graph) => value(&graph.data, "architecture")?,
            Document::Yaml(entries) => &entries[0].metadata.task.data_model,
        };
        match text {
            "32bit" | "ILP32" => Some(DataModel::Ilp32),
            "64bit" | "LP64" => Some(DataModel::Lp64),
            _ => None,
        }
    }

    /// The hashes of the program that it names.
    pub fn hashes(&self) -> Vec<&str> {
        match self {
            Document::Graphml(graph) => value(&graph.data, "programhash").into_iter().collect(),
            Document::Yaml(entries) => {
                let hashes = &entries[0].metadata.task.input_file_hashes;
                hashes.values().map(String::as_str).collect()
            }
        }
    }

    /// Its format and its producer, as text.
    pub fn origin(&self) -> String {
        match self {
            Document::Graphml(graph) => {
                let producer = value(&graph.data, "producer").unwrap_or("nobody");
                format!("GraphML, by {producer}")
            }
            Document::Yaml(entries) => {
                let metadata = &entries[0].metadata;
                let producer = &metadata.producer;
                let version = &metadata.format_version;
                format!("YAML {version}, by {} {}", producer.name, producer.version)
            }
        }
    }

    /// Does an automaton for correctness have invariants?
    pub fn has_node_invariants(&self) -> bool {
        let trivial = |text: &str| text == "true" || text == "1";
        match self {
            Document::Graphml(graph) => {
                let mut invariants = graph.nodes.iter().flat_map(|node| &node.data);
                invariants.any(|(key, text)| key == "invariant" && !trivial(text))
            }
            Document::Yaml(_) => false,
        }
    }

    /// The executions that a violation witness describes.
    pub fn automaton(&self, program: &AnnotatedProgram<'_>) -> Result<Automaton, Trouble> {
        match self {
            Document::Graphml(graph) => from_graphml(graph, program),
            Document::Yaml(entries) => from_yaml(entries, program),
        }
    }
}
