//! `cargo xtask dist`: one archive with all that it takes to run on another machine, and packages of the same.
//!
//! The program finds the solver's library beside itself (`$ORIGIN/../lib`), so the folder can be
//! unpacked anywhere. Before the archive is called done, it is unpacked in an empty folder and
//! checks an example with an empty environment.

use crate::{cargo, packages, passes, root, target, z3};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::{env, fs};

/// Makes the build script of `mazurka` look for the library beside the program only.
const RELOCATABLE: &str = "MAZURKA_RELOCATABLE";

/// Where shells look for what they complete with, below the prefix.
const COMPLETIONS: [(&str, &str); 3] = [
    ("bash", "share/bash-completion/completions/mazurka"),
    ("zsh", "share/zsh/site-functions/_mazurka"),
    ("fish", "share/fish/vendor_completions.d/mazurka.fish"),
];

const TEXTS: [&str; 4] = ["README.md", "CHANGELOG.md", "LICENSE-MIT", "LICENSE-APACHE"];

/// Builds, packs and tries it.
pub fn run() -> bool {
    match make() {
        Ok(made) => {
            for file in made {
                println!("{}", file.display());
            }
            true
        }
        Err(reason) => {
            eprintln!("error: {reason}");
            false
        }
    }
}

/// The program that was packed.
pub fn program() -> PathBuf {
    target().join("dist").join(name()).join("bin/mazurka")
}

fn make() -> Result<Vec<PathBuf>, String> {
    let program = build()?;
    let (dist, name) = (target().join("dist"), name());
    let folder = dist.join(&name);
    // What an earlier run left must not get into the archive.
    let _ = fs::remove_dir_all(&folder);
    fill(&folder, &program)?;
    let archive = dist.join(format!("{name}.tar.gz"));
    pack(&dist, &name, &archive)?;
    let mut made = packages::make(&folder, &dist)?;
    try_out(&archive, &name, &made)?;
    made.insert(0, archive);
    Ok(made)
}

fn build() -> Result<PathBuf, String> {
    let mut build = cargo("build");
    build.args(["--release", "--package", "mazurka"]);
    build.env(RELOCATABLE, "1");
    demand(&mut build, "build mazurka")?;
    Ok(target().join("release/mazurka"))
}

/// Everything in its place below the prefix.
fn fill(folder: &Path, program: &Path) -> Result<(), String> {
    let binary = folder.join("bin/mazurka");
    copy(program, &binary)?;
    // The debugging information is larger than the program.
    demand(Command::new("strip").arg(&binary), "strip the program")?;
    let library = z3::library().ok_or("the solver's library is missing")?;
    let name = library.file_name().ok_or("the library has no name")?;
    copy(&library, &folder.join("lib").join(name))?;
    for (shell, place) in COMPLETIONS {
        let script = output(ours(folder).args(["completions", shell]))?;
        write(&folder.join(place), &script)?;
    }
    manual_pages(folder)?;
    for text in TEXTS {
        copy(
            &root().join(text),
            &folder.join("share/doc/mazurka").join(text),
        )?;
    }
    write(
        &folder.join("share/doc/mazurka/THIRD-PARTY"),
        &third_party()?,
    )?;
    tree(&root().join("docs"), &folder.join("share/doc/mazurka/docs"))?;
    tree(
        &root().join("examples"),
        &folder.join("share/mazurka/examples"),
    )
}

fn manual_pages(folder: &Path) -> Result<(), String> {
    let pages = folder.join("share/man/man1");
    let whole = output(ours(folder).arg("man"))?;
    // The page itself says which commands have pages of their own: `mazurka\-check(1)`.
    let names = whole.lines().filter_map(|line| {
        let name = line.strip_prefix("mazurka\\-")?;
        Some(name.strip_suffix("(1)")?.replace('\\', ""))
    });
    for name in names.filter(|name| name != "help") {
        let page = output(ours(folder).args(["man", &name]))?;
        write(&pages.join(format!("mazurka-{name}.1")), &page)?;
    }
    write(&pages.join("mazurka.1"), &whole)
}

/// What the archive holds of other people's work, and under which licences.
fn third_party() -> Result<String, String> {
    let mut tree = cargo("tree");
    tree.args(["--package", "mazurka", "--edges", "normal,no-proc-macro"]);
    tree.args(["--prefix", "none", "--format", "{p}\t{l}"]);
    let listed = output(&mut tree)?;
    // Our own crates are listed with their folder.
    let mut lines: Vec<&str> = listed.lines().filter(|line| !line.contains(" (")).collect();
    lines.sort_unstable();
    lines.dedup();
    let z3 = format!("z3 library v{}\tMIT", z3::VERSION);
    Ok(format!("{z3}\n{}\n", lines.join("\n")))
}

/// The same content gives the same archive: names are sorted, owners and times are left out.
fn pack(dist: &Path, name: &str, archive: &Path) -> Result<(), String> {
    let mut tar = Command::new("tar");
    tar.args(["--sort=name", "--owner=0", "--group=0", "--numeric-owner"]);
    tar.args(["--mtime=@0", "--gzip", "--create", "--file"])
        .arg(archive);
    demand(
        tar.arg("--directory").arg(dist).arg(name),
        "pack the archive",
    )
}

/// Unpacks it in an empty folder and checks an example, with an empty environment.
fn try_out(archive: &Path, name: &str, packages: &[PathBuf]) -> Result<(), String> {
    let empty = env::temp_dir().join(format!("mazurka-dist-{}", std::process::id()));
    fs::create_dir(&empty).map_err(|error| format!("cannot make {empty:?}: {error}"))?;
    let result = unpack_and_check(archive, &empty.join(name), &empty, packages);
    // If it stays, it does no harm.
    let _ = fs::remove_dir_all(&empty);
    result
}

fn unpack_and_check(
    archive: &Path,
    folder: &Path,
    empty: &Path,
    packages: &[PathBuf],
) -> Result<(), String> {
    let mut tar = Command::new("tar");
    tar.args(["--extract", "--file"]).arg(archive);
    demand(tar.arg("--directory").arg(empty), "unpack the archive")?;
    let examples = folder.join("share/mazurka/examples");
    checks_examples(&folder.join("bin/mazurka"), &examples, empty)?;
    let mut packages = packages.iter();
    packages.try_for_each(|package| packages::try_out(package, empty, &examples))
}

/// Does a program check two examples, with an empty environment?
pub fn checks_examples(program: &Path, examples: &Path, empty: &Path) -> Result<(), String> {
    for (example, engine, expected) in [
        ("lost_update.c", "auto", 1),
        ("lost_update_fixed.c", "horn", 0),
    ] {
        let file = examples.join(example);
        let mut check = Command::new(program);
        check.env_clear();
        check.current_dir(empty).args(["check", "--engine", engine]);
        let status = check
            .arg(file)
            .status()
            .map_err(|error| error.to_string())?;
        if status.code() != Some(expected) {
            return Err(format!("{program:?} fails on {example}: {status}"));
        }
    }
    Ok(())
}

/// The program of the folder, with an empty environment.
fn ours(folder: &Path) -> Command {
    let mut command = Command::new(folder.join("bin/mazurka"));
    command.env_clear();
    command
}

/// What the folder in the archive is called. All crates have the same version.
fn name() -> String {
    let version = env!("CARGO_PKG_VERSION");
    format!("mazurka-{version}-{}-linux", env::consts::ARCH)
}

fn tree(from: &Path, to: &Path) -> Result<(), String> {
    let entries = fs::read_dir(from).map_err(|error| format!("cannot read {from:?}: {error}"))?;
    for entry in entries.flatten() {
        let (source, place) = (entry.path(), to.join(entry.file_name()));
        // What `mazurka paper --out docs/papers` keeps to go on with is not part of the pages.
        let is_kept = |end: &std::ffi::OsStr| end == "jsonl" || end == "old";
        match source.is_dir() {
            true => tree(&source, &place)?,
            false if source.extension().is_some_and(is_kept) => {}
            false => copy(&source, &place)?,
        }
    }
    Ok(())
}

fn copy(from: &Path, to: &Path) -> Result<(), String> {
    make_parent(to)?;
    let copied = fs::copy(from, to);
    copied.map_err(|error| format!("cannot copy {from:?} to {to:?}: {error}"))?;
    Ok(())
}

fn write(to: &Path, text: &str) -> Result<(), String> {
    make_parent(to)?;
    fs::write(to, text).map_err(|error| format!("cannot write {to:?}: {error}"))
}

fn make_parent(of: &Path) -> Result<(), String> {
    let parent = of.parent().unwrap_or(Path::new("."));
    fs::create_dir_all(parent).map_err(|error| format!("cannot make {parent:?}: {error}"))
}

pub fn demand(command: &mut Command, what: &str) -> Result<(), String> {
    match passes(command) {
        true => Ok(()),
        false => Err(format!("could not {what}")),
    }
}

pub fn output(command: &mut Command) -> Result<String, String> {
    let program = command.get_program().to_owned();
    let said = |what: &dyn std::fmt::Display| format!("{program:?}: {what}");
    let output = command.output().map_err(|error| said(&error))?;
    if !output.status.success() {
        return Err(said(&String::from_utf8_lossy(&output.stderr)));
    }
    String::from_utf8(output.stdout).map_err(|error| said(&error))
}
