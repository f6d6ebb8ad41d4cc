//! Tells cargo where libz3 lies.
//!
//! The library is linked into the build's own output folder, so that `cargo run` and `cargo test`
//! of every crate above this one find it when they load; a program that is to run without cargo
//! takes the run-time path from `DEP_MAZURKA_Z3_LIB_DIR` in a build script of its own.

mod place;

use std::path::{Path, PathBuf};
use std::{env, fs, process};

fn main() {
    println!("cargo::rerun-if-changed=build");
    for name in [place::EXPLICIT, place::CACHE, "XDG_CACHE_HOME", "HOME"] {
        println!("cargo::rerun-if-env-changed={name}");
    }
    let library = match place::library() {
        Ok(Some(library)) => library,
        Ok(None) => give_up("the Z3 library is missing"),
        Err(reason) => give_up(&reason),
    };
    println!("cargo::rerun-if-changed={}", library.display());
    let out = PathBuf::from(env::var_os("OUT_DIR").expect("cargo sets OUT_DIR"));
    for name in place::names() {
        if let Err(error) = link(&library, &out.join(name)) {
            give_up(&format!("cannot link {}: {error}", library.display()));
        }
    }
    if let Some(runtime) = undeveloped_cxx_runtime() {
        // If this fails, so does the linker, and it says what it misses.
        let _ = link(&runtime, &out.join("libstdc++.so"));
    }
    println!("cargo::rustc-link-search=native={}", out.display());
    let folder = library.parent().unwrap_or(Path::new("/")).display();
    println!("cargo::metadata=lib_dir={folder}");
    println!("cargo::rustc-link-arg=-Wl,-rpath,{folder}");
}

/// Makes `link` stand for `library`, whatever was there before.
fn link(library: &Path, link: &Path) -> std::io::Result<()> {
    if fs::symlink_metadata(link).is_ok() {
        fs::remove_file(link)?;
    }
    std::os::unix::fs::symlink(library, link)
}

/// The C++ runtime, where only its run-time part is installed.
///
/// The bindings ask the linker for it under the name that comes with a C++ compiler; the library
/// itself needs no more than what every system has.
fn undeveloped_cxx_runtime() -> Option<PathBuf> {
    let find = |name: &str| {
        let mut command = process::Command::new("cc");
        let output = command.arg(format!("-print-file-name={name}")).output();
        let path = PathBuf::from(String::from_utf8(output.ok()?.stdout).ok()?.trim());
        // A bare name means that the compiler does not find it.
        path.is_absolute().then_some(path)
    };
    match find("libstdc++.so") {
        Some(_) => None,
        None => find("libstdc++.so.6"),
    }
}

fn give_up(reason: &str) -> ! {
    println!("cargo::error={reason}; run `cargo xtask setup`");
    process::exit(1)
}
