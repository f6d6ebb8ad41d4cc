//! A program with its text, as witnesses need it.

use crate::failure::Failure;
use verdict::{Preparation, Program, Property, Task};
use witness::{InputFile, Outline, Places, sha256};

/// The user's files and what they say.
pub struct WrittenProgram {
    /// The program as it was written.
    pub task: Task,
    /// Lines and columns.
    pub places: Places,
    /// Functions, statements, calls.
    pub outline: Outline,
    /// Names and hashes.
    pub inputs: Vec<InputFile>,
}

impl WrittenProgram {
    /// Reads the files of a program again, as they are before preprocessing.
    pub fn new(program: &Program, property: Property) -> Result<WrittenProgram, Failure> {
        let (mut inputs, mut given) = (Vec::new(), Vec::new());
        for file in program.files() {
            let bytes = bytes_of(&file.name)?;
            let name = file.name.clone();
            let sha256 = sha256(&bytes);
            let preprocessed = name.ends_with(".c");
            let text = preprocessed.then(|| String::from_utf8_lossy(&bytes).into_owned());
            given.push((name.clone(), text));
            inputs.push(InputFile { name, sha256 });
        }
        let outline = Outline::new(program.files().to_vec(), program.model())
            .map_err(|failure| Failure::refused(failure.to_string()))?;
        let written = program.clone().with_preparation(Preparation::Written);
        Ok(WrittenProgram {
            task: Task::prepare(&written, property)?,
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
