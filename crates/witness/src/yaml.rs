//! Witnesses in YAML: format 2.0 and its successors 2.1 (ghost variables) and 2.2 (threads).

use crate::Meta;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::fmt;
use xcfa::DataModel;

/// The versions that we write.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Version {
    /// One thread, or no word about threads.
    V2_0,
    /// Ghost variables in correctness witnesses.
    V2_1,
    /// Threads in violation witnesses.
    V2_2,
}

impl fmt::Display for Version {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Version::V2_0 => "2.0",
            Version::V2_1 => "2.1",
            Version::V2_2 => "2.2",
        })
    }
}

/// One entry of a witness; a file is a list of them.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Entry {
    /// `violation_sequence`, `invariant_set` or `ghost_instrumentation`.
    pub entry_type: String,
    /// The task and its producer.
    pub metadata: Metadata,
    /// What it says.
    pub content: Content,
}

/// What an entry says.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum Content {
    /// Ghost variables.
    Ghosts(Ghosts),
    /// Segments or invariants.
    Items(Vec<Item>),
}

/// A segment or an invariant.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Item {
    /// A part of an execution.
    Segment(Vec<Way>),
    /// Something that always holds at a place.
    Invariant(Invariant),
}

/// One element of a segment.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Way {
    /// The waypoint.
    pub waypoint: Waypoint,
}

/// A requirement on an execution.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Waypoint {
    /// `assumption`, `branching`, `function_enter`, `function_return` or `target`.
    #[serde(rename = "type")]
    pub kind: String,
    /// `follow`, `avoid` or `cycle`.
    pub action: String,
    /// Which thread; `main` is 0, the others follow in the order of their creation.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub thread_id: Option<u64>,
    /// What has to hold.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub constraint: Option<Constraint>,
    /// The place in the source.
    pub location: Location,
}

/// What has to hold at a waypoint.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Constraint {
    /// `c_expression`, `acsl_expression` or `ext_c_expression`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub format: Option<String>,
    /// The expression.
    pub value: String,
}

/// A place.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Location {
    /// The file.
    pub file_name: String,
    /// Line, from 1.
    pub line: u32,
    /// Column, from 1.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub column: Option<u32>,
    /// The function around it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub function: Option<String>,
}

/// An invariant.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Invariant {
    /// `loop_invariant` or `location_invariant`.
    #[serde(rename = "type")]
    pub kind: String,
    /// Where it holds.
    pub location: Location,
    /// The expression.
    pub value: String,
    /// `c_expression`.
    pub format: String,
}

/// Variables that exist for the proof alone.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Ghosts {
    /// The variables.
    pub ghost_variables: Vec<GhostVariable>,
    /// Where they change.
    pub ghost_updates: Vec<GhostUpdates>,
}

/// A ghost variable.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct GhostVariable {
    /// Its name, which the program does not use.
    pub name: String,
    /// Its C type.
    #[serde(rename = "type")]
    pub ty: String,
    /// `global`.
    pub scope: String,
    /// Its first value.
    pub initial: GhostValue,
}

/// The value of a ghost variable.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct GhostValue {
    /// The expression.
    pub value: String,
    /// `c_expression`.
    pub format: String,
}

/// Changes of ghost variables at one place.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct GhostUpdates {
    /// The place in the source.
    pub location: Location,
    /// What changes, in order.
    pub updates: Vec<GhostUpdate>,
}

/// One change.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct GhostUpdate {
    /// The ghost variable.
    pub variable: String,
    /// Its new value.
    pub value: String,
    /// `c_expression`.
    pub format: String,
}

/// Where an entry comes from.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Metadata {
    /// The version of the format.
    pub format_version: String,
    /// A name for this entry alone.
    pub uuid: String,
    /// When it was written.
    pub creation_time: String,
    /// The tool that wrote it.
    pub producer: Producer,
    /// About what.
    pub task: TaskInfo,
}

/// The tool.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Producer {
    /// Its name.
    pub name: String,
    /// Its version.
    pub version: String,
}

/// The task.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct TaskInfo {
    /// The program.
    pub input_files: Vec<String>,
    /// Its hashes, by file.
    pub input_file_hashes: BTreeMap<String, String>,
    /// The property.
    pub specification: String,
    /// `ILP32` or `LP64`.
    pub data_model: String,
    /// `C`.
    pub language: String,
}

impl Metadata {
    /// The metadata of an entry of ours; `what` tells the entries of one file apart.
    pub fn new(meta: &Meta, version: Version, what: &str) -> Metadata {
        let files = meta.files.iter();
        let hashes = files
            .clone()
            .map(|file| (file.name.clone(), file.sha256.clone()));
        Metadata {
            format_version: version.to_string(),
            uuid: meta.uuid(&format!("{version} {what}")),
            creation_time: meta.created.clone(),
            producer: Producer {
                name: meta.producer.clone(),
                version: meta.version.clone(),
            },
            task: TaskInfo {
                input_files: files.map(|file| file.name.clone()).collect(),
                input_file_hashes: hashes.collect(),
                specification: meta.specification.clone(),
                data_model: match meta.model {
                    DataModel::Ilp32 => "ILP32".into(),
                    DataModel::Lp64 => "LP64".into(),
                },
                language: "C".into(),
            },
        }
    }
}

/// The entry with some invariants, or with none.
pub fn invariant_set(meta: &Meta, version: Version, invariants: Vec<Invariant>) -> Entry {
    Entry {
        entry_type: "invariant_set".into(),
        metadata: Metadata::new(meta, version, "invariants"),
        content: Content::Items(invariants.into_iter().map(Item::Invariant).collect()),
    }
}

/// The entry with ghost variables.
pub fn ghost_instrumentation(meta: &Meta, version: Version, ghosts: Ghosts) -> Entry {
    Entry {
        entry_type: "ghost_instrumentation".into(),
        metadata: Metadata::new(meta, version, "ghosts"),
        content: Content::Ghosts(ghosts),
    }
}

/// A witness as text.
pub fn write(entries: &[Entry]) -> Result<String, String> {
    serde_saphyr::to_string(&entries).map_err(|error| error.to_string())
}

/// Reads a witness; the message says what is wrong with it.
pub fn read(text: &str) -> Result<Vec<Entry>, String> {
    serde_json::from_value(tree(text)?).map_err(|error| error.to_string())
}

/// The text as a tree, whatever it says.
pub(crate) fn tree(text: &str) -> Result<serde_json::Value, String> {
    serde_saphyr::from_str(text).map_err(|error| error.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{InputFile, specification};
    use expect_test::expect;

    fn meta() -> Meta {
        Meta {
            producer: "mazurka".into(),
            version: "0.1.0".into(),
            specification: specification(semantics::Property::Reach),
            files: vec![InputFile {
                name: "a.c".into(),
                // Looks like a number in scientific notation.
                sha256: format!("1e{}", "0".repeat(62)),
            }],
            model: DataModel::Lp64,
            created: "2026-01-01T00:00:00Z".into(),
        }
    }

    #[test]
    fn strings_stay_strings() {
        let entry = Entry {
            entry_type: "violation_sequence".into(),
            metadata: Metadata::new(&meta(), Version::V2_2, ""),
            content: Content::Items(vec![Item::Segment(vec![Way {
                waypoint: Waypoint {
                    kind: "function_return".into(),
                    action: "follow".into(),
                    thread_id: Some(1),
                    constraint: Some(Constraint {
                        format: Some("acsl_expression".into()),
                        value: "\\result == 1".into(),
                    }),
                    location: Location {
                        file_name: "a.c".into(),
                        line: 3,
                        column: None,
                        function: Some("main".into()),
                    },
                },
            }])]),
        };
        let text = write(std::slice::from_ref(&entry)).unwrap();
        assert_eq!(read(&text).unwrap(), [entry]);
        expect![[r#"
            - entry_type: violation_sequence
              metadata:
                format_version: "2.2"
                uuid: e9d31a0f-224d-80bf-be78-cb26111196e8
                creation_time: "2026-01-01T00:00:00Z"
                producer:
                  name: mazurka
                  version: "0.1.0"
                task:
                  input_files:
                  - a.c
                  input_file_hashes:
                    a.c: "1e00000000000000000000000000000000000000000000000000000000000000"
                  specification: CHECK( init(main()), LTL(G ! call(reach_error())) )
                  data_model: LP64
                  language: C
              content:
              - segment:
                - waypoint:
                    type: function_return
                    action: follow
                    thread_id: 1
                    constraint:
                      format: acsl_expression
                      value: \result == 1
                    location:
                      file_name: a.c
                      line: 3
                      function: main
        "#]]
        .assert_eq(&text);
    }
}
