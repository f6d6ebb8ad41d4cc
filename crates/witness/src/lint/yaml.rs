//! The rules for YAML, formats 2.0 to 2.2.

mod content;

use super::{LintFile, is_hash, is_time};
use crate::yaml::tree;
use semantics::Property;
use serde_json::{Map, Value};

/// The versions that exist.
const VERSIONS: [&str; 3] = ["2.0", "2.1", "2.2"];

pub fn lint(text: &str, files: &[LintFile]) -> Vec<String> {
    let tree = match tree(text) {
        Ok(tree) => tree,
        Err(why) => return vec![format!("the text is not YAML: {why}")],
    };
    let mut lint = Lint {
        files,
        named: Vec::new(),
        version: 0,
        complaints: Vec::new(),
    };
    lint.file(&tree);
    lint.complaints
}

struct Lint<'f> {
    files: &'f [LintFile],
    /// The input files of the entry that is examined.
    named: Vec<String>,
    /// Its version, as an index.
    version: usize,
    complaints: Vec<String>,
}

impl Lint<'_> {
    fn need(&mut self, holds: bool, complaint: impl Into<String>) {
        if !holds {
            self.complaints.push(complaint.into());
        }
    }

    fn file(&mut self, tree: &Value) {
        let entries = tree.as_array().map_or(&[][..], Vec::as_slice);
        self.need(!entries.is_empty(), "the file is not a list of entries");
        let violations = entries
            .iter()
            .filter(|entry| entry["entry_type"] == "violation_sequence");
        let violations = violations.count();
        let pure = violations == 0 || violations == entries.len();
        self.need(
            pure,
            "entries about violations and about correctness are mixed",
        );
        for entry in entries {
            self.entry(entry);
        }
    }

    fn entry(&mut self, entry: &Value) {
        let Some(fields) = self.map(
            entry,
            "an entry",
            &["entry_type", "metadata", "content"],
            &[],
        ) else {
            return;
        };
        if let Some(metadata) = fields.get("metadata") {
            self.metadata(metadata);
        }
        let content = fields.get("content").unwrap_or(&Value::Null);
        match fields.get("entry_type").and_then(Value::as_str) {
            Some("violation_sequence") => self.segments(content),
            Some("invariant_set") => self.invariants(content),
            Some("ghost_instrumentation") => self.ghosts(content),
            _ => self.need(false, "`entry_type` has an unknown value"),
        }
    }

    /// A mapping with these keys and no others.
    fn map<'v>(
        &mut self,
        value: &'v Value,
        what: &str,
        needed: &[&str],
        allowed: &[&str],
    ) -> Option<&'v Map<String, Value>> {
        let Some(map) = value.as_object() else {
            self.need(false, format!("{what} is not a mapping"));
            return None;
        };
        for key in needed {
            self.need(map.contains_key(*key), format!("{what} has no `{key}`"));
        }
        for key in map.keys() {
            let known = needed.contains(&&**key) || allowed.contains(&&**key);
            self.need(known, format!("{what} has an unknown key `{key}`"));
        }
        Some(map)
    }

    /// A string that is not empty.
    fn text<'v>(&mut self, value: &'v Value, what: &str) -> &'v str {
        let text = value.as_str().unwrap_or("");
        self.need(!text.is_empty(), format!("`{what}` is not a string"));
        text
    }

    fn metadata(&mut self, metadata: &Value) {
        let needed = [
            "format_version",
            "uuid",
            "creation_time",
            "producer",
            "task",
        ];
        self.map(metadata, "`metadata`", &needed, &[]);
        let version = self.text(&metadata["format_version"], "format_version");
        let known = VERSIONS.iter().position(|known| *known == version);
        self.need(
            known.is_some(),
            format!("format version `{version}` is not known"),
        );
        self.version = known.unwrap_or(VERSIONS.len() - 1);
        let uuid = self.text(&metadata["uuid"], "uuid");
        self.need(is_uuid(uuid), "`uuid` is not a UUID");
        let created = self.text(&metadata["creation_time"], "creation_time");
        self.need(
            is_time(created),
            "`creation_time` is not a date and time with a zone",
        );
        let producer = &metadata["producer"];
        let more = ["configuration", "command_line", "description"];
        self.map(producer, "`producer`", &["name", "version"], &more);
        for key in ["name", "version"] {
            self.text(&producer[key], key);
        }
        self.task(&metadata["task"]);
    }

    fn task(&mut self, task: &Value) {
        let needed = [
            "input_files",
            "input_file_hashes",
            "specification",
            "data_model",
            "language",
        ];
        self.map(task, "`task`", &needed, &[]);
        let files = task["input_files"].as_array().cloned().unwrap_or_default();
        self.need(!files.is_empty(), "`input_files` is not a list of names");
        self.named = files
            .iter()
            .filter_map(|file| file.as_str().map(str::to_owned))
            .collect();
        self.need(
            self.named.len() == files.len(),
            "`input_files` has something that is no name",
        );
        for (at, name) in self.named.clone().iter().enumerate() {
            let hash = task["input_file_hashes"][name.as_str()]
                .as_str()
                .unwrap_or("");
            self.need(
                is_hash(hash),
                format!("there is no SHA-256 hash for `{name}`"),
            );
            let same = |file: &LintFile| file.sha256.eq_ignore_ascii_case(hash);
            let fine = self.files.is_empty() || self.files.get(at).is_some_and(same);
            self.need(
                fine,
                format!("the hash of `{name}` is not that of the program"),
            );
        }
        let specification = self.text(&task["specification"], "specification");
        let read = Property::from_prp(specification);
        self.need(read.is_ok(), "`specification` is not a known property");
        let model = task["data_model"].as_str().unwrap_or("");
        self.need(
            ["ILP32", "LP64"].contains(&model),
            "`data_model` is neither ILP32 nor LP64",
        );
        self.need(task["language"] == "C", "`language` is not C");
    }

    fn location(&mut self, location: &Value) {
        let more = ["column", "function"];
        self.map(location, "`location`", &["file_name", "line"], &more);
        let name = self.text(&location["file_name"], "file_name").to_owned();
        self.need(
            self.named.contains(&name),
            format!("`{name}` is not an input file"),
        );
        let at = self.named.iter().position(|known| *known == name);
        let file = at.and_then(|at| self.files.get(at));
        let most = file.map_or(u64::MAX, |file| u64::from(file.lines));
        let line = location["line"].as_u64();
        let fine = line.is_some_and(|line| (1..=most).contains(&line));
        self.need(fine, "`line` is not a line of the file");
        if let Some(column) = location.get("column") {
            let fine = column.as_u64().is_some_and(|column| column >= 1);
            self.need(fine, "`column` is not a number from 1");
        }
        if let Some(function) = location.get("function") {
            self.text(function, "function");
        }
    }
}

fn is_uuid(text: &str) -> bool {
    let lengths: Vec<usize> = text.split('-').map(str::len).collect();
    let digits = |part: &str| part.bytes().all(|byte| byte.is_ascii_hexdigit());
    lengths == [8, 4, 4, 4, 12] && text.split('-').all(digits)
}
