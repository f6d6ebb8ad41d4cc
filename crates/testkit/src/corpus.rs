//! Where files outside this crate are.

use std::path::{Path, PathBuf};

/// The root of the workspace.
pub fn workspace_dir() -> PathBuf {
    let crates = Path::new(env!("CARGO_MANIFEST_DIR")).parent();
    crates
        .and_then(Path::parent)
        .expect("this crate lies two folders deep")
        .to_path_buf()
}

/// The folder of public verification tasks, which is not part of the project, if it is there.
pub fn corpus_dir() -> Option<PathBuf> {
    let dir = workspace_dir().parent()?.join("shared").join("corpus");
    dir.is_dir().then_some(dir)
}
