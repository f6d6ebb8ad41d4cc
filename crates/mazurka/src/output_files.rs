//! Files that a command will write: whether it can is found out before the work begins.

use crate::failure::Failure;
use std::fs::OpenOptions;
use std::path::PathBuf;

/// Refuses a file that cannot be written. What is in it stays.
pub fn check<'a>(files: impl Iterator<Item = &'a PathBuf>) -> Result<(), Failure> {
    for file in files {
        let is_new = !file.exists();
        let opened = OpenOptions::new().append(true).create(true).open(file);
        opened.map_err(|error| {
            Failure::refused(format!("cannot write {}: {error}", file.display()))
        })?;
        if is_new {
            // It was made just now, and is empty.
            let _ = std::fs::remove_file(file);
        }
    }
    Ok(())
}
