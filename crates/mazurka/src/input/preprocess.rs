//! The system's C preprocessor.
//!
//! For 32-bit programs `cc -m32` gives the right sizes and limits, but most systems lack the
//! 32-bit headers. The C library's headers serve both widths, though: only the folder that they
//! are searched in differs, and the list of functions without a body, `gnu/stubs-32.h`. So the
//! second try names that folder and brings an empty list.

use crate::args::{Model, ReadingArgs};
use crate::failure::Failure;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// What else the preprocessor is told.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Flags {
    /// The folder that it works in, if not this one.
    pub folder: Option<PathBuf>,
    /// More arguments.
    pub args: Vec<String>,
}

/// What the preprocessor makes of a file.
pub fn run(path: &Path, reading: &ReadingArgs, flags: &Flags) -> Result<Vec<u8>, Failure> {
    let path = &match &flags.folder {
        // The name is meant from here, not from there.
        Some(_) => std::path::absolute(path).unwrap_or_else(|_| path.to_owned()),
        None => path.to_owned(),
    };
    let wide = reading.data_model == Model::Lp64;
    let width = if wide { "-m64" } else { "-m32" };
    let mut output = cc(path, reading, flags, &[width.into()])?;
    if !output.status.success() && wide {
        // Compilers for machines that are always 64 bits wide do not know the option.
        output = cc(path, reading, flags, &[])?;
    } else if !output.status.success() {
        output = with_shared_headers(path, reading, flags)?;
    }
    if output.status.success() {
        return Ok(output.stdout);
    }
    let said = String::from_utf8_lossy(&output.stderr);
    let mut failure = Failure::refused(format!("cc -E refused {}", path.display()));
    failure.message += &said;
    if said.contains("-m32") {
        failure.message += "help: this compiler cannot preprocess 32-bit programs; \
                            give a .i file, or try --data-model lp64\n";
    }
    Err(failure)
}

/// A try with 32 bits and the headers of the 64-bit system.
fn with_shared_headers(
    path: &Path,
    reading: &ReadingArgs,
    flags: &Flags,
) -> Result<Output, Failure> {
    let failed = |error| Failure::refused(format!("cannot make a temporary folder: {error}"));
    let folder = tempfile::tempdir().map_err(failed)?;
    std::fs::create_dir(folder.path().join("gnu")).map_err(failed)?;
    std::fs::write(folder.path().join("gnu/stubs-32.h"), "").map_err(failed)?;
    let mut extra: Vec<OsString> = vec!["-m32".into(), "-idirafter".into(), folder.path().into()];
    if let Some(multiarch) = multiarch() {
        extra.extend([
            "-idirafter".into(),
            format!("/usr/include/{multiarch}").into(),
        ]);
    }
    cc(path, reading, flags, &extra)
}

/// The name under which Debian and its kin keep the headers of this machine.
fn multiarch() -> Option<String> {
    let output = compiler().arg("-print-multiarch").output().ok()?;
    let name = String::from_utf8(output.stdout).ok()?.trim().to_owned();
    (output.status.success() && !name.is_empty()).then_some(name)
}

fn cc(
    path: &Path,
    reading: &ReadingArgs,
    flags: &Flags,
    extra: &[OsString],
) -> Result<Output, Failure> {
    let mut command = compiler();
    if let Some(folder) = &flags.folder {
        command.current_dir(folder);
    }
    command
        .args(["-E", "-std=gnu11"])
        .args(extra)
        .args(&flags.args);
    for folder in &reading.include {
        command.arg("-I").arg(folder);
    }
    for macro_definition in &reading.define {
        command.arg("-D").arg(macro_definition);
    }
    // A name that starts with a dash must not be taken for an option.
    let dashed = path.as_os_str().as_encoded_bytes().starts_with(b"-");
    command.arg(if dashed {
        Path::new(".").join(path)
    } else {
        path.to_owned()
    });
    command.output().map_err(|error| {
        let what = "cannot run the C compiler `cc`, which preprocesses .c files";
        let mut failure = Failure::refused(format!("{what}: {error}"));
        failure.message += "help: install gcc, or give a .i file, which is preprocessed\n";
        failure
    })
}

/// The compiler, which does not find its own parts in an environment without a search path.
fn compiler() -> Command {
    let mut command = Command::new("cc");
    if std::env::var_os("PATH").is_none() {
        command.env("PATH", "/usr/local/bin:/usr/bin:/bin");
    }
    command
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What becomes of an expression over macros of the compiler and of the C library's headers.
    fn preprocessed(data_model: Model, expression: &str) -> String {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.c");
        let headers = "#include <limits.h>\n#include <pthread.h>\n#include <stdio.h>\n";
        std::fs::write(&path, format!("{headers}\n{expression}\n")).unwrap();
        let reading = ReadingArgs {
            data_model,
            include: Vec::new(),
            define: vec!["THREE=3".into()],
            entry: "main".into(),
            compile_commands: None,
            lbe: crate::args::Switch::On,
        };
        let text = run(&path, &reading, &Flags::default()).map_err(|failure| failure.message);
        let text = String::from_utf8(text.unwrap()).unwrap();
        text.lines().last().unwrap_or("").to_owned()
    }

    #[test]
    fn both_data_models_whatever_the_system_has() {
        let sizes = "__SIZEOF_POINTER__ __SIZEOF_LONG__ __SIZEOF_SIZE_T__ __SIZEOF_PTHREAD_MUTEX_T";
        assert_eq!(preprocessed(Model::Ilp32, sizes), "4 4 4 24");
        assert_eq!(preprocessed(Model::Lp64, sizes), "8 8 8 40");
        assert_eq!(preprocessed(Model::Ilp32, "THREE"), "3");
    }
}
