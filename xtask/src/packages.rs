//! The wheel and the Debian package of `cargo xtask dist`: made by a script from the folder of the archive, and tried.

use crate::dist::{checks_examples, demand, output};
use crate::root;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Makes both, beside the archive.
pub fn make(folder: &Path, out: &Path) -> Result<Vec<PathBuf>, String> {
    let script = root().join("scripts/packages.py");
    let mut make = Command::new("python3");
    make.arg(script).arg(folder).arg(env!("CARGO_PKG_VERSION"));
    let made = output(make.arg(out))?;
    Ok(made.lines().map(PathBuf::from).collect())
}

/// Installs a package below an empty folder, and checks examples with what is there, with an empty environment.
pub fn try_out(package: &Path, empty: &Path, examples: &Path) -> Result<(), String> {
    let place = empty.join(package.file_name().ok_or("a package without a name")?);
    let program = match package.extension().and_then(|end| end.to_str()) {
        Some("whl") => {
            let mut pip = Command::new("python3");
            pip.args(["-m", "pip", "install", "--quiet", "--no-index"]);
            pip.args(["--no-deps", "--no-warn-script-location", "--prefix"]);
            demand(pip.arg(&place).arg(package), "install the wheel")?;
            place.join("bin/mazurka")
        }
        _ => {
            let mut extract = Command::new("dpkg-deb");
            let extract = extract.arg("--extract").arg(package).arg(&place);
            demand(extract, "unpack the Debian package")?;
            place.join("usr/bin/mazurka")
        }
    };
    checks_examples(&program, examples, empty)
}
