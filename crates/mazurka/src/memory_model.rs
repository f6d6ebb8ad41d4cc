//! `--memory-model`: a model that we ship, by name, or one of yours, by file.

use crate::args::CheckArgs;
use crate::failure::Failure;
use driver::Registry;
use serde::{Deserialize, Serialize};
use std::path::Path;
use verdict::{MemoryModel, Program};

/// The engine whose executions are graphs.
const GRAPHS: &str = "graphs";

/// A memory model as files that belong to a program say it: everything that it takes to read it again.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct ChosenModel {
    /// Its name.
    pub name: String,
    /// Its text, unless we ship it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    text: Option<String>,
}

impl Default for ChosenModel {
    fn default() -> ChosenModel {
        ChosenModel {
            name: "sc".into(),
            text: None,
        }
    }
}

impl ChosenModel {
    /// Reads what the user has said: a name, or a file.
    pub fn read(given: &str) -> Result<ChosenModel, Failure> {
        if MemoryModel::names().any(|name| name == given) {
            let (name, text) = (given.to_owned(), None);
            return Ok(ChosenModel { name, text });
        }
        if !given.ends_with(".cat") {
            let known: Vec<&str> = MemoryModel::names().collect();
            let known = known.join(", ");
            return Err(Failure::usage(format!(
                "--memory-model `{given}` is none of {known}, and no file FILE.cat"
            )));
        }
        let text = std::fs::read_to_string(given)
            .map_err(|error| Failure::refused(format!("cannot read {given}: {error}")))?;
        let stem = Path::new(given).file_stem().unwrap_or_default();
        let name = stem.to_string_lossy().into_owned();
        let text = Some(text);
        let chosen = ChosenModel { name, text };
        chosen
            .model()
            .map_err(|error| Failure::refused(format!("{given}: {error}")))?;
        Ok(chosen)
    }

    /// Is it sequential consistency as we ship it?
    pub fn is_sc(&self) -> bool {
        self.name == "sc" && self.text.is_none()
    }

    /// The model; what is wrong with its text, otherwise.
    pub fn model(&self) -> Result<MemoryModel, String> {
        match &self.text {
            Some(text) => MemoryModel::parse(&self.name, text).map_err(|error| error.to_string()),
            None => MemoryModel::shipped(&self.name)
                .ok_or_else(|| format!("there is no memory model {:?}", self.name)),
        }
    }

    /// An option that was given and makes no sense with executions that are graphs, if there is one.
    pub fn refused(&self, args: &CheckArgs) -> Option<String> {
        let is_graph = args.engine == GRAPHS || !self.is_sc();
        let option = match (&args.show.trace, args.witness.witness.is_empty()) {
            (Some(_), _) => "--trace",
            (_, false) => "--witness",
            _ => return None,
        };
        is_graph.then(|| {
            format!("{option} is about schedules, and executions are graphs here: use --evidence")
        })
    }

    /// The program under this model, as the engine needs it.
    pub fn apply(&self, program: Program, engine: &str) -> Result<Program, Failure> {
        let model = self.model().map_err(Failure::refused)?;
        let registry = Registry::standard();
        let own = registry.find(engine).and_then(|it| it.preparation());
        let program = match own {
            Some(preparation) => program.with_preparation(preparation),
            None => program,
        };
        Ok(program.with_memory_model(model))
    }
}
