//! A program with its text, as witnesses need it.

use crate::args::ProgramArgs;
use crate::failure::Failure;
use crate::pipeline;
use verdict::{Property, Task};
use witness::{InputFile, Outline, Places, sha256};
use xcfa::SourceFile;

/// The user's files and what they say.
pub struct Stage {
    /// The program as it was written.
    pub task: Task,
    /// Lines and columns.
    pub places: Places,
    /// Functions, statements, calls.
    pub outline: Outline,
    /// Names and hashes.
    pub inputs: Vec<InputFile>,
}

impl Stage {
    /// Reads the files of a program again, as they are before preprocessing.
    pub fn new(
        program: &ProgramArgs,
        files: &[SourceFile],
        property: Property,
    ) -> Result<Stage, Failure> {
        let (mut inputs, mut given) = (Vec::new(), Vec::new());
        for file in files {
            let bytes = bytes_of(&file.name)?;
            let name = file.name.clone();
            let sha256 = sha256(&bytes);
            let preprocessed = name.ends_with(".c");
            let text = preprocessed.then(|| String::from_utf8_lossy(&bytes).into_owned());
            given.push((name.clone(), text));
            inputs.push(InputFile { name, sha256 });
        }
        let model = program.reading.data_model.into();
        let outline = Outline::new(files.to_vec(), model)
            .map_err(|failure| Failure::refused(failure.to_string()))?;
        Ok(Stage {
            task: pipeline::full_task(files.to_vec(), program, property)?,
            places: Places::new(given),
            outline,
            inputs,
        })
    }
}

/// The bytes of a file.
pub fn bytes_of(path: &str) -> Result<Vec<u8>, Failure> {
    std::fs::read(path).map_err(|error| Failure::refused(format!("cannot read {path}: {error}")))
}
