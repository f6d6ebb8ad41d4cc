//! Which runs the task files below a folder ask for.

use crate::{TaskError, TaskFile};
use std::path::{Path, PathBuf};
use verdict::Property;
use xcfa::DataModel;

/// One task with one of its properties.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Run {
    /// The folder of the task, below the folder of the suite.
    pub family: String,
    /// The name of the task definition without its ending.
    pub task: String,
    /// The name of the property file without its ending.
    pub property_name: String,
    /// The property, or why it cannot be checked.
    pub property: Result<Property, String>,
    /// The programs.
    pub input_files: Vec<PathBuf>,
    /// Sizes of types.
    pub data_model: DataModel,
    /// Does the property hold? Not every task knows.
    pub holds: Option<bool>,
    /// If it does not hold: which part of it is violated.
    pub subproperty: Option<String>,
}

/// All runs below a folder, in the order of their names.
#[derive(Debug, Default)]
pub struct Suite {
    /// The runs.
    pub runs: Vec<Run>,
    /// Task definitions that could not be read.
    pub refused: Vec<TaskError>,
}

impl Suite {
    /// Reads every `*.yml` below `folder`; hidden folders are passed by.
    pub fn read(folder: &Path) -> std::io::Result<Suite> {
        let mut files = Vec::new();
        if folder.is_file() {
            files.push(folder.to_owned());
        } else {
            walk(folder, &mut files)?;
        }
        files.sort();
        let mut suite = Suite::default();
        for path in files {
            match TaskFile::read(&path) {
                Ok(task) => suite.runs.extend(runs_of(folder, &path, task)),
                Err(error) => suite.refused.push(error),
            }
        }
        Ok(suite)
    }
}

fn walk(folder: &Path, found: &mut Vec<PathBuf>) -> std::io::Result<()> {
    for entry in std::fs::read_dir(folder)? {
        let entry = entry?;
        let path = entry.path();
        // Links to folders are not followed: they can go in circles.
        if entry.file_type()?.is_dir() {
            if !entry.file_name().as_encoded_bytes().starts_with(b".") {
                walk(&path, found)?;
            }
        } else if path
            .extension()
            .is_some_and(|ending| ending == "yml" || ending == "yaml")
        {
            found.push(path);
        }
    }
    Ok(())
}

fn runs_of(folder: &Path, path: &Path, task: TaskFile) -> Vec<Run> {
    let family = family(folder, path);
    let name = stem(path);
    let run = |expected: crate::Expected| Run {
        family: family.clone(),
        task: name.clone(),
        property_name: stem(&expected.property_file),
        property: read_property(&expected.property_file),
        input_files: task.input_files.clone(),
        data_model: task.data_model,
        holds: expected.holds,
        subproperty: expected.subproperty,
    };
    task.properties.into_iter().map(run).collect()
}

/// The folder of a task below the suite; for a task right in the suite, the suite's own name.
fn family(folder: &Path, path: &Path) -> String {
    let parent = path.parent().unwrap_or(folder);
    let below = parent.strip_prefix(folder).unwrap_or(parent);
    if below.as_os_str().is_empty() || folder.is_file() {
        let whole = parent.canonicalize().unwrap_or_else(|_| parent.to_owned());
        whole
            .file_name()
            .map_or_else(|| ".".into(), |name| name.to_string_lossy().into_owned())
    } else {
        below.to_string_lossy().into_owned()
    }
}

fn stem(path: &Path) -> String {
    path.file_stem()
        .map_or_else(String::new, |name| name.to_string_lossy().into_owned())
}

fn read_property(path: &Path) -> Result<Property, String> {
    let text = std::fs::read_to_string(path)
        .map_err(|error| format!("cannot read {}: {error}", path.display()))?;
    Property::from_prp(&text).map_err(|error| error.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    #[test]
    fn one_run_for_every_property_of_every_task() {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path();
        fs::create_dir_all(root.join("fam")).unwrap();
        fs::create_dir_all(root.join(".git")).unwrap();
        fs::write(
            root.join("r.prp"),
            "CHECK( init(main()), LTL(G ! data-race) )",
        )
        .unwrap();
        fs::write(
            root.join("odd.prp"),
            "COVER( init(main()), FQL(COVER EDGES) )",
        )
        .unwrap();
        let text = "format_version: '2.0'\ninput_files: a.c\nproperties:\n  \
                    - property_file: ../r.prp\n    expected_verdict: true\n  \
                    - property_file: ../odd.prp\n  - property_file: none.prp\n";
        fs::write(root.join("fam/a.yml"), text).unwrap();
        fs::write(root.join(".git/b.yml"), text).unwrap();
        fs::write(root.join("broken.yml"), "format_version: [").unwrap();

        let suite = Suite::read(root).unwrap();
        let names: Vec<_> = suite
            .runs
            .iter()
            .map(|run| run.property_name.as_str())
            .collect();
        assert_eq!(names, ["r", "odd", "none"]);
        assert_eq!(suite.runs[0].family, "fam");
        assert_eq!(suite.runs[0].property, Ok(Property::Race));
        assert!(
            suite.runs[1]
                .property
                .as_ref()
                .is_err_and(|why| why.contains("LTL"))
        );
        assert!(
            suite.runs[2]
                .property
                .as_ref()
                .is_err_and(|why| why.contains("none.prp"))
        );
        assert_eq!(suite.refused.len(), 1);
    }
}
