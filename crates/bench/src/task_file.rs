//! The field's task definitions, formats 1.0 and 2.0: a YAML file beside a program.
//!
//! Only what a verifier needs is read: the programs, the properties with their expected verdicts,
//! and the data model. Unknown keys are left alone, as the format asks.

use serde::Deserialize;
use std::path::{Path, PathBuf};
use xcfa::DataModel;

/// A task definition that we cannot use.
#[derive(Debug, thiserror::Error)]
pub enum TaskError {
    /// The file cannot be read.
    #[error("cannot read {}: {error}", path.display())]
    Unreadable {
        /// The file.
        path: PathBuf,
        /// The error of the system.
        error: std::io::Error,
    },
    /// It is not YAML, or not of the expected shape.
    #[error("{} is not a task definition: {what}", path.display())]
    Malformed {
        /// The file.
        path: PathBuf,
        /// Why, with the line.
        what: String,
    },
}

/// What a task says about one property.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Expected {
    /// The property file.
    pub property_file: PathBuf,
    /// Does the property hold? Not every task knows.
    pub holds: Option<bool>,
    /// If it does not hold: which part of it is violated, where the task says so.
    pub subproperty: Option<String>,
}

/// One task definition; paths are relative to where the user is, not to the definition.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TaskFile {
    /// The programs.
    pub input_files: Vec<PathBuf>,
    /// What to check.
    pub properties: Vec<Expected>,
    /// Sizes of types. Format 1.0 has no place for it, and its suites were made for 32 bits.
    pub data_model: DataModel,
}

#[derive(Deserialize)]
struct RawTask {
    format_version: String,
    input_files: OneOrMany,
    #[serde(default)]
    properties: Vec<RawProperty>,
    #[serde(default)]
    options: RawOptions,
}

#[derive(Deserialize)]
#[serde(untagged)]
enum OneOrMany {
    One(String),
    Many(Vec<String>),
}

#[derive(Deserialize)]
struct RawProperty {
    property_file: String,
    expected_verdict: Option<bool>,
    subproperty: Option<String>,
}

#[derive(Default, Deserialize)]
struct RawOptions {
    data_model: Option<String>,
    language: Option<String>,
}

impl TaskFile {
    /// Reads a task definition.
    pub fn read(path: &Path) -> Result<TaskFile, TaskError> {
        let text = std::fs::read_to_string(path).map_err(|error| TaskError::Unreadable {
            path: path.to_owned(),
            error,
        })?;
        let folder = path.parent().unwrap_or(Path::new(""));
        TaskFile::parse(&text, folder).map_err(|what| TaskError::Malformed {
            path: path.to_owned(),
            what,
        })
    }

    fn parse(text: &str, folder: &Path) -> Result<TaskFile, String> {
        let raw: RawTask = serde_saphyr::from_str(text).map_err(|error| error.to_string())?;
        // `2.0` is often written without quotes, and 2.1 would still be readable by us.
        if !raw.format_version.starts_with("1.") && !raw.format_version.starts_with("2.") {
            return Err(format!(
                "format version {} is not 1.0 or 2.0",
                raw.format_version
            ));
        }
        if let Some(language) = raw.options.language.filter(|name| name != "C") {
            return Err(format!("the language is {language}, not C"));
        }
        let data_model = match raw.options.data_model.as_deref() {
            None | Some("ILP32") => DataModel::Ilp32,
            Some("LP64") => DataModel::Lp64,
            Some(other) => return Err(format!("data model {other} is not ILP32 or LP64")),
        };
        let names = match raw.input_files {
            OneOrMany::One(name) => vec![name],
            OneOrMany::Many(names) => names,
        };
        if names.is_empty() {
            return Err("it names no input file".into());
        }
        let expected = |property: RawProperty| Expected {
            property_file: folder.join(property.property_file),
            holds: property.expected_verdict,
            subproperty: property.subproperty,
        };
        Ok(TaskFile {
            input_files: names.iter().map(|name| folder.join(name)).collect(),
            properties: raw.properties.into_iter().map(expected).collect(),
            data_model,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(text: &str) -> Result<TaskFile, String> {
        TaskFile::parse(text, Path::new("suite"))
    }

    #[test]
    fn format_1_0() {
        let task = parse(
            "format_version: '1.0'\n\ninput_files: 'a.i'\n\nproperties:\n  \
             - property_file: ../properties/unreach-call.prp\n    expected_verdict: false\n",
        )
        .unwrap();
        assert_eq!(task.input_files, [Path::new("suite/a.i")]);
        assert_eq!(task.data_model, DataModel::Ilp32);
        let property = &task.properties[0];
        assert_eq!(
            property.property_file,
            Path::new("suite/../properties/unreach-call.prp")
        );
        assert_eq!(property.holds, Some(false));
    }

    #[test]
    fn format_2_0_with_everything() {
        let task = parse(
            "format_version: 2.0\ninput_files:\n  - a.c\n  - b.c\nrequired_files: h.h\n\
             properties:\n  - property_file: p.prp\n    expected_verdict: false\n    \
             subproperty: valid-deref\n  - property_file: coverage.prp\n\
             options:\n  language: C\n  data_model: LP64\nadditional_information: {x: [1]}\n",
        )
        .unwrap();
        assert_eq!(
            task.input_files,
            [Path::new("suite/a.c"), Path::new("suite/b.c")]
        );
        assert_eq!(task.data_model, DataModel::Lp64);
        assert_eq!(
            task.properties[0].subproperty.as_deref(),
            Some("valid-deref")
        );
        assert_eq!(task.properties[1].holds, None);
    }

    #[test]
    fn refusals_name_the_trouble() {
        let message = |text| parse(text).unwrap_err();
        assert!(message("input_files: a.c\n").contains("format_version"));
        assert!(message("format_version: '3.0'\ninput_files: a.c\n").contains("3.0"));
        assert!(message("format_version: '2.0'\ninput_files: []\n").contains("no input file"));
        assert!(message("format_version: '2.0'\ninput_files: [a\n").contains("line 2"));
        let java = "format_version: '2.0'\ninput_files: a\noptions: {language: Java}\n";
        assert!(message(java).contains("Java"));
        let odd = "format_version: '2.0'\ninput_files: a\noptions: {data_model: LLP64}\n";
        assert!(message(odd).contains("LLP64"));
    }
}
