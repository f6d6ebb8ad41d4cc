//! `cargo xtask setup`: puts the solver's library where the build looks for it.
//!
//! The library comes from the wheel that its authors publish for Python, checked against known
//! hashes. Nothing is installed into the system, and nothing of Python is used afterwards.

#[path = "../../crates/smt/build/place.rs"]
mod place;

pub use place::VERSION;

use std::path::{Path, PathBuf};
use std::process::Command;
use std::{env, fs, process};

/// The one release whose library fits the bindings, for each platform that has a wheel.
const REQUIREMENT: &str = "\
z3-solver==4.16.0.0 \
--hash=sha256:afae2551f795670f0522cfce82132d129c408a2694adff71eb01ba0f2ece44f9 \
--hash=sha256:358648c3b5ef82b9ec9a25711cf4fc498c7881f03a9f4a2ea6ffa9304ca65d94 \
--hash=sha256:cc52843cfdd3d3f2cd24bedc62e71c18af8c8b7b23fb05e639ab60b01b5f8f2f \
--hash=sha256:e292df40951523e4ecfbc8dee549d93dee00a3fe4ee4833270d19876b713e210
";

/// Makes sure that the library is there; says what to do where that is impossible.
pub fn set_up() -> bool {
    match find_or_fetch() {
        Ok(_) => true,
        Err(reason) => {
            eprintln!("error: {reason}");
            eprintln!(
                "help: set {} to a folder that holds {} of Z3 {}",
                place::EXPLICIT,
                place::names()[1],
                place::VERSION
            );
            false
        }
    }
}

/// The same, and tells where the library is.
pub fn report() -> bool {
    if !set_up() {
        return false;
    }
    if let Ok(Some(file)) = place::library() {
        println!("Z3 {} is {}", place::VERSION, file.display());
    }
    true
}

/// The folder that keeps what is built or fetched once, unless there is no home folder.
pub fn build_cache() -> Option<PathBuf> {
    place::cache()?.parent().map(Path::to_path_buf)
}

/// The library, if it is there.
pub fn library() -> Option<PathBuf> {
    place::library().ok().flatten()
}

fn find_or_fetch() -> Result<(), String> {
    if place::library()?.is_some() {
        return Ok(());
    }
    let cache = place::cache().ok_or("there is no home folder to keep the Z3 library in")?;
    let parent = cache.parent().unwrap_or(Path::new("."));
    // Filled beside its place and then renamed, so that no process ever sees half of it.
    let work = parent.join(format!("z3-incoming-{}", process::id()));
    fs::create_dir_all(&work).map_err(|error| format!("cannot make {work:?}: {error}"))?;
    let result = fetch(&work).and_then(|library| install(&library, &work, &cache));
    // What is left over is of no use; if it stays, it does no harm.
    let _ = fs::remove_dir_all(&work);
    result
}

/// Downloads the wheel into `work` and unpacks it there.
fn fetch(work: &Path) -> Result<PathBuf, String> {
    eprintln!("fetching the Z3 {} library (32 MB)", place::VERSION);
    let requirement = work.join("requirement.txt");
    fs::write(&requirement, REQUIREMENT).map_err(|error| error.to_string())?;
    let mut pip = Command::new(python());
    pip.args(["-m", "pip", "download", "--quiet", "--no-deps"])
        .args(["--only-binary", ":all:", "--require-hashes"])
        .arg("--disable-pip-version-check")
        .arg("--dest")
        .arg(work)
        .arg("--requirement")
        .arg(&requirement);
    run(&mut pip, "download the Z3 library")?;
    let wheel = wheel_in(work).ok_or("the download of the Z3 library holds no wheel")?;
    let unpacked = work.join("unpacked");
    let mut unzip = Command::new(python());
    unzip
        .args(["-m", "zipfile", "-e"])
        .arg(&wheel)
        .arg(&unpacked);
    run(&mut unzip, "unpack the Z3 library")?;
    place::library_in(&unpacked.join("z3")).ok_or_else(|| "the wheel holds no library".into())
}

fn install(library: &Path, work: &Path, cache: &Path) -> Result<(), String> {
    let ready = work.join("ready");
    let said = |error: std::io::Error| format!("cannot install the Z3 library: {error}");
    fs::create_dir_all(ready.join("lib")).map_err(said)?;
    fs::rename(library, ready.join("lib").join(place::names()[1])).map_err(said)?;
    match fs::rename(&ready, cache) {
        Ok(()) => Ok(()),
        // Another process was faster, which is as good.
        Err(_) if place::library_in(cache).is_some() => Ok(()),
        Err(error) => Err(said(error)),
    }
}

fn wheel_in(folder: &Path) -> Option<PathBuf> {
    let mut files = fs::read_dir(folder)
        .ok()?
        .flatten()
        .map(|entry| entry.path());
    files.find(|file| file.extension().is_some_and(|end| end == "whl"))
}

fn python() -> std::ffi::OsString {
    env::var_os("PYTHON").unwrap_or_else(|| "python3".into())
}

fn run(command: &mut Command, what: &str) -> Result<(), String> {
    match command.status() {
        Ok(status) if status.success() => Ok(()),
        Ok(_) => Err(format!(
            "could not {what}; python3 with pip is needed (on Debian: python3-pip)"
        )),
        Err(error) => Err(format!(
            "could not {what}: {:?}: {error}",
            command.get_program()
        )),
    }
}
