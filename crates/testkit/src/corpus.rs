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

/// The folder of public verification tasks, which is not part of the project: `MAZURKA_CORPUS`, or else
/// `shared/corpus` beside the workspace.
///
/// `None` only if `MAZURKA_CORPUS` is `none`, so that these tests are never skipped by accident.
///
/// # Panics
/// If there is no such folder.
pub fn corpus_dir() -> Option<PathBuf> {
    let dir = match std::env::var_os("MAZURKA_CORPUS") {
        Some(none) if none == "none" => {
            eprintln!("LEFT OUT: public verification tasks, because MAZURKA_CORPUS=none");
            return None;
        }
        Some(dir) => dir.into(),
        None => workspace_dir().join("../shared/corpus"),
    };
    assert!(
        dir.is_dir(),
        "this test needs the public verification tasks, and there is no folder {}; set MAZURKA_CORPUS \
         to the folder that has them, or to `none` to leave them out",
        dir.display()
    );
    Some(dir)
}
