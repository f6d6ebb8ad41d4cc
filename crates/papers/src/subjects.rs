//! Folders of programs of which it is known whether an error can be reached.

use bench::{Expectations, Suite};
use std::path::{Path, PathBuf};
use verdict::Property;
use xcfa::DataModel;

/// A program to be solved.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Subject {
    /// Its name, with that of its folder.
    pub name: String,
    /// Its files.
    pub files: Vec<PathBuf>,
    /// Sizes of types.
    pub data_model: DataModel,
    /// Is no error reachable?
    pub safe: bool,
}

/// What a folder holds: the programs that its `expect.toml` knows, or else the reachability tasks
/// of the field's own format below it.
pub fn subjects(folder: &Path) -> Result<Vec<Subject>, String> {
    let list = folder.join("expect.toml");
    let subjects = match list.is_file() {
        true => expected(folder, &list)?,
        false => tasks(folder)?,
    };
    if subjects.is_empty() {
        return Err(format!("no reachability task below {}", folder.display()));
    }
    Ok(subjects)
}

fn expected(folder: &Path, list: &Path) -> Result<Vec<Subject>, String> {
    let text = std::fs::read_to_string(list).map_err(|error| error.to_string());
    let known = text.and_then(|text| Expectations::parse(&text));
    let known = known.map_err(|error| format!("{}: {error}", list.display()))?;
    let family = folder.file_name().unwrap_or_default().to_string_lossy();
    let programs = known.programs.into_iter().filter_map(|program| {
        let reach = program.verdicts.iter().find(|(name, _)| name == "reach")?;
        let safe = match reach.1.as_str() {
            "safe" => true,
            "unsafe" => false,
            _ => return None,
        };
        Some(Subject {
            name: format!("{family}/{}", program.name),
            files: vec![folder.join(&program.name).with_extension("c")],
            data_model: DataModel::Lp64,
            safe,
        })
    });
    Ok(programs.collect())
}

fn tasks(folder: &Path) -> Result<Vec<Subject>, String> {
    let unreadable = |error| format!("cannot read {}: {error}", folder.display());
    let suite = Suite::read(folder).map_err(unreadable)?;
    let runs = suite.runs.into_iter().filter_map(|run| {
        let reach = matches!(run.property, Ok(Property::Reach));
        Some(Subject {
            name: format!("{}/{}", run.family, run.task),
            safe: run.holds.filter(|_| reach)?,
            files: run.input_files,
            data_model: run.data_model,
        })
    });
    Ok(runs.collect())
}
