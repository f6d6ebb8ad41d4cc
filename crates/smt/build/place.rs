//! Where the solver's library lies. Shared by the build script of `smt`, which links it, and by
//! `cargo xtask setup`, which puts it there; neither of them searches the system, because any
//! other version than ours numbers its term kinds differently.

use std::env;
use std::path::{Path, PathBuf};

/// The version that the bindings are made for.
pub const VERSION: &str = "4.16.0";

/// Names a folder that holds the library, in itself or in its `lib`; wins over the cache.
pub const EXPLICIT: &str = "MAZURKA_Z3_DIR";

/// Moves everything that is kept between builds, outside any clone.
pub const CACHE: &str = "MAZURKA_CACHE";

/// The file names under which the linker and the loader look for the library.
pub fn names() -> [&'static str; 2] {
    match cfg!(target_os = "macos") {
        true => ["libz3.dylib", "libz3.4.16.dylib"],
        false => ["libz3.so", "libz3.so.4.16"],
    }
}

/// The folder that the set-up fills, unless there is no home folder.
pub fn cache() -> Option<PathBuf> {
    let set = |name| env::var_os(name).filter(|value| !value.is_empty());
    let root = set(CACHE)
        .map(PathBuf::from)
        .or_else(|| set("XDG_CACHE_HOME").map(|root| PathBuf::from(root).join("mazurka")))
        .or_else(|| set("HOME").map(|home| PathBuf::from(home).join(".cache/mazurka")))?;
    Some(root.join(format!("z3-{VERSION}")))
}

/// The library inside `folder`, as a file that exists.
pub fn library_in(folder: &Path) -> Option<PathBuf> {
    let places = [folder.to_path_buf(), folder.join("lib")];
    let files = places
        .iter()
        .flat_map(|place| names().map(|name| place.join(name)));
    // The longer name goes first: it holds the version that we want.
    let mut files: Vec<PathBuf> = files.filter(|file| file.is_file()).collect();
    files.sort_by_key(|file| std::cmp::Reverse(file.as_os_str().len()));
    files.into_iter().next()
}

/// The library, where the user or the set-up says that it is.
///
/// A folder that was named but holds no library is an error: to use another one silently would
/// hide a mistake.
pub fn library() -> Result<Option<PathBuf>, String> {
    if let Some(folder) = env::var_os(EXPLICIT).filter(|value| !value.is_empty()) {
        let folder = PathBuf::from(folder);
        return match library_in(&folder) {
            Some(file) => Ok(Some(file)),
            None => Err(format!(
                "{EXPLICIT} is {}, which holds no {}",
                folder.display(),
                names()[1]
            )),
        };
    }
    Ok(cache().and_then(|folder| library_in(&folder)))
}
