//! Reading programs.

mod compile_commands;
mod digest;
mod original;
mod preprocess;

pub use compile_commands::CompileCommands;
pub use digest::{Fingerprint, digest};
pub use original::Originals;
pub use preprocess::Flags;

use crate::args::ReadingArgs;
use crate::failure::Failure;
use std::path::Path;
use xcfa::SourceFile;

/// Reads one file of a program: `.c` through the preprocessor, `.i` as it is.
pub fn read(path: &Path, reading: &ReadingArgs) -> Result<SourceFile, Failure> {
    read_with(path, reading, &Flags::default())
}

/// The same, with more for the preprocessor.
pub fn read_with(path: &Path, reading: &ReadingArgs, flags: &Flags) -> Result<SourceFile, Failure> {
    let name = path.display().to_string();
    let ending = path.extension().and_then(|ending| ending.to_str());
    if !matches!(ending, Some("c" | "i")) {
        let what = format!("{name}: expected a C file (.c) or preprocessed C (.i)");
        return Err(Failure::refused(what));
    }
    // Read even what `cc` will read again: our message about a missing file is the clearer one.
    let bytes = std::fs::read(path)
        .map_err(|error| Failure::refused(format!("cannot read {name}: {error}")))?;
    let bytes = if ending == Some("c") {
        preprocess::run(path, reading, flags)?
    } else {
        bytes
    };
    if u32::try_from(bytes.len()).is_err() {
        return Err(Failure::refused(format!("{name}: larger than 4 GiB")));
    }
    // Guessing an encoding could change the value of a string, so this is refused.
    let text = String::from_utf8(bytes).map_err(|error| {
        let at = error.utf8_error().valid_up_to();
        let line = error.as_bytes()[..at]
            .iter()
            .filter(|&&byte| byte == b'\n')
            .count()
            + 1;
        Failure::refused(format!(
            "{name}: not UTF-8 text (line {line} after preprocessing)"
        ))
    })?;
    Ok(SourceFile::new(name, text))
}
