//! The pages of the manual: everything in `docs/`, and the pages beside it.

use std::path::{Path, PathBuf};

/// A page and its text.
pub struct Page {
    /// Below the folder of the workspace: `docs/tutorial.md`.
    pub name: String,
    /// Where it is.
    pub path: PathBuf,
    /// What it says.
    pub text: String,
}

/// The folder of the workspace.
pub fn root() -> PathBuf {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    root.canonicalize().expect("the workspace exists")
}

/// All pages, by name.
pub fn all() -> Vec<Page> {
    let beside = ["README.md", "ARCHITECTURE.md", "CONTRIBUTING.md"];
    let mut paths = beside.map(|name| root().join(name)).to_vec();
    collect(&root().join("docs"), &mut paths);
    paths.sort();
    paths.into_iter().map(read).collect()
}

fn read(path: PathBuf) -> Page {
    let text = std::fs::read_to_string(&path).unwrap();
    let name = path.strip_prefix(root()).unwrap().display().to_string();
    Page { name, path, text }
}

fn collect(folder: &Path, paths: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            collect(&path, paths);
        } else if path.extension().is_some_and(|end| end == "md") {
            paths.push(path);
        }
    }
}
