//! Set files: which task definitions belong to a set, a pattern on each line.

use std::path::{Path, PathBuf};

/// A line of a set file that cannot be used.
#[derive(Debug, thiserror::Error)]
#[error("{}:{line}: {what}", path.display())]
pub struct SetError {
    /// The set file.
    pub path: PathBuf,
    /// Which line, from 1.
    pub line: usize,
    /// What is wrong with it.
    pub what: String,
}

/// The files that the lines of a set file match, below the folder of the file. Lines that begin
/// with `#` are comments; a pattern that matches nothing is an error, because it is a misspelt one.
pub fn paths(path: &Path, folder: &Path, text: &str) -> Result<Vec<PathBuf>, SetError> {
    let mut found = Vec::new();
    for (at, line) in text.lines().enumerate() {
        let pattern = line.trim();
        if pattern.is_empty() || pattern.starts_with('#') {
            continue;
        }
        let wrong = |what: String| SetError {
            path: path.to_owned(),
            line: at + 1,
            what,
        };
        let whole = folder.join(pattern);
        let matches =
            glob::glob(&whole.to_string_lossy()).map_err(|error| wrong(error.to_string()))?;
        let before = found.len();
        for file in matches {
            found.push(file.map_err(|error| wrong(error.to_string()))?);
        }
        if found.len() == before {
            return Err(wrong(format!("no file matches {pattern}")));
        }
    }
    Ok(found)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn errors_name_the_line() {
        let folder = tempfile::tempdir().unwrap();
        let message = |text| {
            let error = paths(Path::new("a.set"), folder.path(), text).unwrap_err();
            error.to_string()
        };
        assert_eq!(
            message("# x\nb/*.yml\n"),
            "a.set:2: no file matches b/*.yml"
        );
        assert!(
            message("a[\n").starts_with("a.set:1: "),
            "{}",
            message("a[\n")
        );
    }
}
