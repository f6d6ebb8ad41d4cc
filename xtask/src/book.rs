//! `cargo xtask book`: the manual as a book for a browser.
//!
//! The pages of `docs/` can be read as they are; mdBook adds the table of contents and the search.
//! The mdBook on the path is used, or else one that is built once and kept in the build cache.

use crate::{on_path, passes, root, target, z3};
use std::env;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The version that is built if there is none; pages look alike with any other.
const VERSION: &str = "0.5.4";

/// Makes the book and tells where it is.
pub fn make() -> bool {
    let Some(mdbook) = find_or_install() else {
        return false;
    };
    let folder = target().join("book");
    let mut command = Command::new(mdbook);
    command.arg("build").arg(root().join("docs"));
    let made = passes(command.arg("--dest-dir").arg(&folder));
    if made {
        println!("the manual is {}", folder.join("index.html").display());
    }
    made
}

fn find_or_install() -> Option<PathBuf> {
    if on_path("mdbook") {
        return Some("mdbook".into());
    }
    let Some(cache) = z3::build_cache() else {
        eprintln!("error: there is no home folder to keep mdBook in");
        return None;
    };
    let folder = cache.join(format!("mdbook-{VERSION}"));
    let program = folder.join("bin/mdbook");
    if program.is_file() || install(&folder) {
        return Some(program);
    }
    eprintln!("help: install mdBook {VERSION} so that it is on the path");
    None
}

/// Without its server, which we have no use for, it is built in half the time.
fn install(folder: &Path) -> bool {
    eprintln!("building mdBook {VERSION}, once");
    let cargo = env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let mut command = Command::new(cargo);
    command.args(["install", "mdbook", "--locked", "--version", VERSION]);
    command.args(["--no-default-features", "--features", "search"]);
    passes(command.arg("--root").arg(folder))
}
