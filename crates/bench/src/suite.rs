//! Which runs the task files of folders and sets ask for.

use crate::set_file::{self, SetError};
use crate::{TaskError, TaskFile};
use std::collections::{BTreeMap, HashSet};
use std::io;
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
    /// The file of the property.
    pub property_file: PathBuf,
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

/// All runs of some sources: of each in the order of their names.
#[derive(Debug, Default)]
pub struct Suite {
    /// The runs.
    pub runs: Vec<Run>,
    /// Task definitions that could not be read.
    pub refused: Vec<TaskError>,
}

/// Sources that make no suite.
#[derive(Debug, thiserror::Error)]
pub enum SuiteError {
    /// A file or folder cannot be read.
    #[error("cannot read {}: {error}", path.display())]
    Unreadable {
        /// The file.
        path: PathBuf,
        /// The error of the system.
        error: io::Error,
    },
    /// A set file is wrong.
    #[error(transparent)]
    Set(#[from] SetError),
    /// Results are found again by the name of their task.
    #[error("two tasks are called {name}: {} and {}", first.display(), second.display())]
    SameName {
        /// The name.
        name: String,
        /// One of the two files.
        first: PathBuf,
        /// The other.
        second: PathBuf,
    },
}

/// A task file, and the folder that its family is named below.
struct Found {
    root: PathBuf,
    path: PathBuf,
}

impl Suite {
    /// Reads one source.
    pub fn read(source: &Path) -> Result<Suite, SuiteError> {
        Suite::read_all(&[source.to_owned()])
    }

    /// Reads what each source names: a folder all of its `*.yml` at any depth (hidden folders are
    /// passed by), a set file (`*.set`) what its lines match, any other file itself. A task that
    /// is named twice is read once.
    pub fn read_all(sources: &[PathBuf]) -> Result<Suite, SuiteError> {
        let mut suite = Suite::default();
        let mut seen = HashSet::new();
        let mut names = BTreeMap::new();
        for found in all(sources)? {
            let whole = found.path.canonicalize();
            if !seen.insert(whole.unwrap_or_else(|_| found.path.clone())) {
                continue;
            }
            let family = family(&found.root, &found.path);
            let name = format!("{family}/{}", stem(&found.path));
            if let Some(first) = names.insert(name.clone(), found.path.clone()) {
                let second = found.path;
                return Err(SuiteError::SameName {
                    name,
                    first,
                    second,
                });
            }
            match TaskFile::read(&found.path) {
                Ok(task) => suite.runs.extend(runs_of(&family, &found.path, task)),
                Err(error) => suite.refused.push(error),
            }
        }
        Ok(suite)
    }
}

fn all(sources: &[PathBuf]) -> Result<Vec<Found>, SuiteError> {
    let mut all = Vec::new();
    for source in sources {
        let unreadable = |error| SuiteError::Unreadable {
            path: source.clone(),
            error,
        };
        let (root, mut paths) = if source.extension().is_some_and(|ending| ending == "set") {
            let text = std::fs::read_to_string(source).map_err(unreadable)?;
            let folder = folder_of(source);
            (folder.clone(), set_file::paths(source, &folder, &text)?)
        } else if source.is_dir() {
            let mut paths = Vec::new();
            walk(source, &mut paths).map_err(unreadable)?;
            (source.clone(), paths)
        } else {
            std::fs::metadata(source).map_err(unreadable)?;
            (folder_of(source), vec![source.clone()])
        };
        paths.sort();
        let found = |path| Found {
            root: root.clone(),
            path,
        };
        all.extend(paths.into_iter().map(found));
    }
    Ok(all)
}

fn folder_of(path: &Path) -> PathBuf {
    match path.parent() {
        Some(folder) if folder != Path::new("") => folder.to_owned(),
        _ => PathBuf::from("."),
    }
}

fn walk(folder: &Path, found: &mut Vec<PathBuf>) -> io::Result<()> {
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

fn runs_of(family: &str, path: &Path, task: TaskFile) -> Vec<Run> {
    let name = stem(path);
    let run = |expected: crate::Expected| Run {
        family: family.to_owned(),
        task: name.clone(),
        property_name: stem(&expected.property_file),
        property: read_property(&expected.property_file),
        property_file: expected.property_file,
        input_files: task.input_files.clone(),
        data_model: task.data_model,
        holds: expected.holds,
        subproperty: expected.subproperty,
    };
    task.properties.into_iter().map(run).collect()
}

/// The folder of a task below the root; for a task right in the root, or outside of it, the own
/// name of its folder.
fn family(root: &Path, path: &Path) -> String {
    let parent = folder_of(path);
    match parent.strip_prefix(root) {
        Ok(below) if below != Path::new("") => below.to_string_lossy().into_owned(),
        _ => {
            let whole = parent.canonicalize().unwrap_or(parent);
            let name = whole.file_name();
            name.map_or_else(|| ".".into(), |name| name.to_string_lossy().into_owned())
        }
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

    const TASK: &str = "format_version: '2.0'\ninput_files: a.c\nproperties:\n  \
                        - property_file: ../r.prp\n    expected_verdict: true\n";

    fn names(sources: &[PathBuf]) -> Vec<String> {
        let suite = Suite::read_all(sources).unwrap();
        let name = |run: &Run| format!("{}/{}", run.family, run.task);
        suite.runs.iter().map(name).collect()
    }

    #[test]
    fn one_run_for_every_property_of_every_task() {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path();
        fs::create_dir_all(root.join("fam")).unwrap();
        fs::create_dir_all(root.join(".git")).unwrap();
        let race = "CHECK( init(main()), LTL(G ! data-race) )";
        fs::write(root.join("r.prp"), race).unwrap();
        let odd = "COVER( init(main()), FQL(COVER EDGES) )";
        fs::write(root.join("odd.prp"), odd).unwrap();
        let text = format!("{TASK}  - property_file: ../odd.prp\n  - property_file: none.prp\n");
        fs::write(root.join("fam/a.yml"), &text).unwrap();
        fs::write(root.join(".git/b.yml"), &text).unwrap();
        fs::write(root.join("broken.yml"), "format_version: [").unwrap();

        let suite = Suite::read(root).unwrap();
        let names = suite.runs.iter().map(|run| run.property_name.as_str());
        assert_eq!(names.collect::<Vec<_>>(), ["r", "odd", "none"]);
        assert_eq!(suite.runs[0].family, "fam");
        assert_eq!(suite.runs[0].property, Ok(Property::Race));
        let why = |at: usize| suite.runs[at].property.clone().unwrap_err();
        assert!(why(1).contains("LTL"));
        assert!(why(2).contains("none.prp"));
        assert_eq!(suite.refused.len(), 1);
    }

    #[test]
    fn folders_sets_and_single_files_together() {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path();
        for name in ["x/a", "x/b", "y/a", "y/c"] {
            fs::create_dir_all(root.join(name).parent().unwrap()).unwrap();
            fs::write(root.join(name).with_extension("yml"), TASK).unwrap();
        }
        let set = "# only some\n\nx/*.yml\ny/[a-b].yml\n";
        fs::write(root.join("some.set"), set).unwrap();
        let sources = [root.join("some.set"), root.join("y/c.yml"), root.join("x")];
        assert_eq!(names(&sources), ["x/a", "x/b", "y/a", "y/c"]);
        assert_eq!(names(&[root.join("y/c.yml")]), ["y/c"]);
    }

    #[test]
    fn names_are_unambiguous() {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path();
        for name in ["one/fam/a.yml", "two/fam/a.yml"] {
            fs::create_dir_all(root.join(name).parent().unwrap()).unwrap();
            fs::write(root.join(name), TASK).unwrap();
        }
        assert_eq!(names(&[root.into()]), ["one/fam/a", "two/fam/a"]);
        let error = Suite::read_all(&[root.join("one"), root.join("two")]).unwrap_err();
        assert!(error.to_string().contains("two tasks are called fam/a"));
    }
}
