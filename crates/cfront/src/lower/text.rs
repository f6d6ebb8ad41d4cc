//! The text of a program, read once for every question about it.

use super::library::units::Unit;
use crate::hir::Program;
use crate::{ParseFailure, parse_program};
use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};
use xcfa::{DataModel, SourceFile};

/// Preprocessed C files, and what they say in a data model.
///
/// Law: the files and the data model never change, so what was parsed once holds for every later question.
#[derive(Debug)]
pub struct Text {
    files: Vec<SourceFile>,
    model: DataModel,
    /// The typed program, by the units of the library that are added to the files.
    parsed: Mutex<BTreeMap<Vec<&'static str>, Arc<Program>>>,
}

impl Text {
    /// These files, with these sizes of C's types.
    pub fn new(files: Vec<SourceFile>, model: DataModel) -> Text {
        Text {
            files,
            model,
            parsed: Mutex::default(),
        }
    }

    /// The files.
    pub fn files(&self) -> &[SourceFile] {
        &self.files
    }

    /// The sizes of its types.
    pub fn model(&self) -> DataModel {
        self.model
    }

    /// The typed program, without any model of the library.
    pub fn program(&self) -> Result<Arc<Program>, ParseFailure> {
        self.with_library(&[])
    }

    /// The typed program together with these units of the library.
    pub(super) fn with_library(
        &self,
        units: &[&'static Unit],
    ) -> Result<Arc<Program>, ParseFailure> {
        let names: Vec<&'static str> = units.iter().map(|unit| unit.name).collect();
        let mut parsed = self.parsed.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(known) = parsed.get(&names) {
            return Ok(Arc::clone(known));
        }
        let library = units.iter().map(|unit| unit.source());
        let files = self.files.iter().cloned().chain(library).collect();
        let program = Arc::new(parse_program(files, self.model)?);
        parsed.insert(names, Arc::clone(&program));
        Ok(program)
    }
}
