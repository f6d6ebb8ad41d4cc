//! The packages of `cargo xtask dist`, of a folder with a stand-in for the program: `dist` itself tries the real one.

mod common;

use common::Folder;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Runs a program that must succeed, and tells what it prints.
fn run(command: &mut Command) -> String {
    let output = command
        .output()
        .unwrap_or_else(|error| panic!("{command:?}: {error}"));
    assert!(
        output.status.success(),
        "{command:?}: {}",
        String::from_utf8_lossy(&output.stderr)
    );
    String::from_utf8(output.stdout).expect("text")
}

/// It prints what is in the solver's library, which it finds where the real one does.
const PROGRAM: &str = "#!/bin/sh\ncat \"$(dirname \"$(readlink -f \"$0\")\")/../lib/libz3.so.4\"\n";

fn packages(folder: &Folder) -> Vec<PathBuf> {
    let program = folder.write("dist/bin/mazurka", PROGRAM);
    run(Command::new("chmod").arg("755").arg(program));
    folder.write("dist/lib/libz3.so.4", "the solver\n");
    folder.write("dist/share/man/man1/mazurka.1", ".TH mazurka\n");
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../scripts/packages.py");
    let mut make = Command::new("python3");
    make.arg(script)
        .args([folder.path().join("dist").as_os_str(), "1.2.3".as_ref()]);
    let made = run(make.arg(folder.path().join("out")));
    made.lines().map(PathBuf::from).collect()
}

fn ending(packages: &[PathBuf], ending: &str) -> Option<PathBuf> {
    let mut packages = packages.iter();
    packages
        .find(|it| it.extension().is_some_and(|end| end == ending))
        .cloned()
}

#[test]
fn packages_install_the_program_with_its_library() {
    let folder = Folder::new();
    let made = packages(&folder);
    let again = std::fs::read(&made[0]).expect("a file");
    assert_eq!(packages(&folder), made);
    assert_eq!(
        std::fs::read(&made[0]).expect("a file"),
        again,
        "the same content gives the same file"
    );

    let wheel = ending(&made, "whl").expect("a wheel");
    if Command::new("python3")
        .args(["-m", "pip", "--version"])
        .output()
        .is_ok_and(|it| it.status.success())
    {
        let prefix = folder.path().join("prefix");
        let mut pip = Command::new("python3");
        pip.args([
            "-m",
            "pip",
            "install",
            "--quiet",
            "--no-index",
            "--no-deps",
            "--prefix",
        ]);
        run(pip.arg(&prefix).arg(&wheel));
        assert_eq!(
            run(Command::new(prefix.join("bin/mazurka"))
                .env_clear()
                .env("PATH", "/usr/bin:/bin")),
            "the solver\n"
        );
        assert!(prefix.join("share/man/man1/mazurka.1").is_file());
    } else {
        eprintln!("left out: pip is not installed");
    }
    match ending(&made, "deb") {
        Some(package) => {
            let root = folder.path().join("root");
            run(Command::new("dpkg-deb")
                .arg("--extract")
                .arg(&package)
                .arg(&root));
            assert_eq!(
                run(Command::new(root.join("usr/bin/mazurka"))
                    .env_clear()
                    .env("PATH", "/usr/bin:/bin")),
                "the solver\n"
            );
            let field = run(Command::new("dpkg-deb")
                .arg("--field")
                .arg(&package)
                .arg("Version"));
            assert_eq!(field.trim(), "1.2.3");
        }
        None => eprintln!("left out: dpkg-deb is not installed"),
    }
}
