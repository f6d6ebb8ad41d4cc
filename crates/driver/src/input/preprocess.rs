//! The system's C preprocessor.
//!
//! For 32-bit programs `cc -m32` gives the right sizes and limits, but most systems lack the
//! 32-bit headers. The C library's headers serve both widths, though: only the folder that they
//! are searched in differs, and the list of functions without a body, `gnu/stubs-32.h`. So the
//! second try names that folder and brings an empty list.
//!
//! A stranger's program (`--untrusted`) is preprocessed where nothing can be opened but the compiler,
//! headers and the program itself, if the system can do that ([`process::Confinement`]); its text has
//! been screened before in any case.

use super::original::dependencies;
use super::shrink::Shrinker;
use crate::Reading;
use process::Confinement;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use verdict::Refused;
use xcfa::DataModel;

/// Further arguments of the preprocessor.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Flags {
    /// The folder that it works in, if not this one.
    pub folder: Option<PathBuf>,
    /// More arguments.
    pub args: Vec<String>,
}

/// What the preprocessor makes of a file.
#[derive(Debug)]
pub struct Made {
    /// The text.
    pub text: Vec<u8>,
    /// What line markers call the file.
    pub name: String,
    /// The headers that were read, apart from the system's.
    pub headers: Vec<String>,
}

/// A stranger's program gets this much of the preprocessor.
const MOST_SECONDS: u64 = 20;
const MOST_MEMORY: u64 = 1 << 30;
const MOST_OUTPUT: u64 = 64 << 20;

/// Folders beneath a prefix in which compilers and headers live.
const PARTS: [&str; 8] = [
    "bin", "sbin", "lib", "lib32", "lib64", "libx32", "libexec", "include",
];

/// Preprocesses a file, or this text.
pub fn run(
    path: &Path,
    text: Option<&[u8]>,
    reading: &Reading,
    flags: &Flags,
    shrinker: &mut Shrinker,
) -> Result<Made, Refused> {
    let failed = |error| Refused::new(format!("cannot make a temporary folder: {error}"));
    let notes = tempfile::tempdir().map_err(failed)?;
    let path = &match &flags.folder {
        // The name is relative to our folder, not to the compiler's.
        Some(_) => std::path::absolute(path).unwrap_or_else(|_| path.to_owned()),
        None => path.to_owned(),
    };
    let written = notes.path().join("stdin");
    if let Some(text) = text {
        let failed = |error| Refused::new(format!("cannot write a temporary file: {error}"));
        std::fs::write(&written, text).map_err(failed)?;
    }
    let run = Run {
        path,
        stdin: text.map(|_| written.as_path()),
        reading,
        flags,
        notes: notes.path(),
        expands: shrinker.is_idle(),
    };
    let wide = reading.data_model == DataModel::Lp64;
    let width = if wide { "-m64" } else { "-m32" };
    let mut output = run.cc(&[width.into()])?;
    if !output.status.success() && wide {
        // Compilers for machines that are always 64 bits wide do not know the option.
        output = run.cc(&[])?;
    } else if !output.status.success() {
        output = run.with_shared_headers()?;
    }
    if output.status.success() {
        let rule = std::fs::read_to_string(run.rule()).unwrap_or_default();
        let text = match run.expands {
            true => output.stdout,
            false => run.expanded(&output.stdout, shrinker)?,
        };
        return Ok(Made {
            text,
            name: run.name(),
            headers: dependencies(&rule),
        });
    }
    let said = String::from_utf8_lossy(&output.stderr);
    let shown = match reading.untrusted {
        true => about_own_text(&said, &run.name()),
        false => said.to_string(),
    };
    let refused = Refused::new(format!("cc -E refused {}", run.name())).with_details(&shown);
    let help = "help: this compiler cannot preprocess 32-bit programs; give a .i file, or try \
                --data-model lp64\n";
    Err(match said.contains("-m32") {
        true => refused.with_details(help),
        false => refused,
    })
}

/// Messages about the text of a file; those that name another file could tell a stranger whether it
/// exists.
fn about_own_text(said: &str, name: &str) -> String {
    let own = |line: &&str| {
        let rest = line.strip_prefix(name).and_then(|it| it.strip_prefix(':'));
        rest.is_some_and(|rest| !rest.contains('/'))
    };
    said.lines()
        .filter(own)
        .flat_map(|line| [line, "\n"])
        .collect()
}

/// One run of the preprocessor, perhaps in several tries.
struct Run<'a> {
    path: &'a Path,
    /// Where the text of standard input was put, if that is what is preprocessed.
    stdin: Option<&'a Path>,
    reading: &'a Reading,
    flags: &'a Flags,
    /// A folder for what it writes besides its output, and for headers of ours.
    notes: &'a Path,
    /// Are macros expanded? Otherwise directives are followed, and definitions stay.
    expands: bool,
}

impl Run<'_> {
    /// A try with 32 bits and the headers of the 64-bit system.
    fn with_shared_headers(&self) -> Result<Output, Refused> {
        let failed = |error| Refused::new(format!("cannot write a temporary file: {error}"));
        std::fs::create_dir_all(self.notes.join("gnu")).map_err(failed)?;
        std::fs::write(self.notes.join("gnu/stubs-32.h"), "").map_err(failed)?;
        let mut extra: Vec<OsString> = vec!["-m32".into(), "-idirafter".into(), self.notes.into()];
        if let Some(multiarch) = multiarch() {
            extra.extend([
                "-idirafter".into(),
                format!("/usr/include/{multiarch}").into(),
            ]);
        }
        self.cc(&extra)
    }

    fn cc(&self, extra: &[OsString]) -> Result<Output, Refused> {
        let mut command = compiler();
        if let Some(folder) = &self.flags.folder {
            command.current_dir(folder);
        }
        command
            .args(["-E", "-std=gnu11", "-MMD", "-MF"])
            .arg(self.rule())
            .args(extra)
            .args(&self.flags.args);
        self.add_options(&mut command);
        if !self.expands {
            command.arg("-fdirectives-only");
        }
        match self.stdin.map(std::fs::File::open) {
            Some(Ok(file)) => command.args(["-x", "c", "-"]).stdin(file),
            Some(Err(error)) => {
                let what = format!("cannot read a temporary file: {error}");
                return Err(Refused::new(what));
            }
            None => command.arg(self.argument()),
        };
        self.output(command)
    }

    /// What becomes of a text whose directives were followed, once constants have other values.
    fn expanded(&self, text: &[u8], shrinker: &mut Shrinker) -> Result<Vec<u8>, Refused> {
        let name = self.name();
        let text = std::str::from_utf8(text)
            .map_err(|_| Refused::new(format!("{name}: not UTF-8 text, which --shrink needs")))?;
        let text = shrinker.rewrite(text).map_err(Refused::new)?;
        let path = self.notes.join("shrunk.c");
        let failed = |error| Refused::new(format!("cannot write a temporary file: {error}"));
        std::fs::write(&path, text).map_err(failed)?;
        let mut command = compiler();
        command
            .args(["-E", "-std=gnu11", "-fpreprocessed", "-fdirectives-only"])
            .arg(path);
        let output = self.output(command)?;
        let said = String::from_utf8_lossy(&output.stderr);
        match output.status.success() {
            true => Ok(output.stdout),
            false => Err(Refused::new(format!("cc -E refused {name}")).with_details(&said)),
        }
    }

    fn output(&self, mut command: Command) -> Result<Output, Refused> {
        let output = match self.reading.untrusted {
            true => self.confined(command),
            false => command.output().map(Some),
        };
        let output = output.map_err(|error| {
            let what = "cannot run the C compiler `cc`, which preprocesses .c files";
            let help = "help: install gcc, or give a .i file, which is preprocessed\n";
            Refused::new(format!("{what}: {error}")).with_details(help)
        })?;
        output.ok_or_else(|| {
            let most = MOST_OUTPUT >> 20;
            let name = self.path.display();
            Refused::new(format!("{name}: more than {most} MiB after preprocessing"))
        })
    }

    /// What the user says about headers, macros and the language.
    fn add_options(&self, command: &mut Command) {
        let reading = self.reading;
        for folder in &reading.include {
            command.arg("-I").arg(folder);
        }
        for folder in &reading.system_include {
            command.arg("-isystem").arg(folder);
        }
        for name in &reading.undefine {
            command.arg("-U").arg(name);
        }
        for definition in &reading.define {
            command.arg("-D").arg(definition);
        }
        for file in &reading.include_first {
            command.arg("-include").arg(file);
        }
        if let Some(standard) = &reading.standard {
            command.arg(format!("-std={standard}"));
        }
    }

    /// Runs the compiler on a stranger's program; nothing if that becomes too long.
    fn confined(&self, mut command: Command) -> std::io::Result<Option<Output>> {
        // Variables such as CPATH or DEPENDENCIES_OUTPUT name files, too.
        command.env_clear();
        let path = std::env::var_os("PATH").unwrap_or_else(|| SEARCH_PATH.into());
        command.env("PATH", path).env("TMPDIR", self.notes);
        let mut readable = system_folders();
        let reading = self.reading;
        let own = [
            &reading.include,
            &reading.system_include,
            &reading.include_first,
        ];
        readable.extend(own.into_iter().flatten().cloned());
        readable.push(self.path.to_owned());
        if let Some(confinement) = Confinement::new(&readable, &[self.notes]) {
            confinement.apply(&mut command);
        }
        process::most(&mut command, MOST_SECONDS, MOST_MEMORY, MOST_OUTPUT)
    }

    /// Where the list of the headers goes.
    fn rule(&self) -> PathBuf {
        self.notes.join("rule.d")
    }

    /// What line markers call the file.
    fn name(&self) -> String {
        match self.stdin {
            Some(_) => super::STDIN_NAME.to_owned(),
            None => self.argument().display().to_string(),
        }
    }

    /// A name that starts with a dash must not be taken for an option.
    fn argument(&self) -> PathBuf {
        match self.path.as_os_str().as_encoded_bytes().starts_with(b"-") {
            true => Path::new(".").join(self.path),
            false => self.path.to_owned(),
        }
    }
}

/// Where compilers, their libraries and headers are: beneath the usual prefixes, and beneath that of
/// the compiler that is found.
fn system_folders() -> Vec<PathBuf> {
    let mut prefixes: Vec<PathBuf> = ["/", "/usr", "/usr/local"].map(PathBuf::from).into();
    let path = std::env::var_os("PATH").unwrap_or_else(|| SEARCH_PATH.into());
    let found = std::env::split_paths(&path).map(|folder| folder.join("cc"));
    let found = found.filter_map(|cc| std::fs::canonicalize(cc).ok()).next();
    prefixes.extend(found.and_then(|cc| Some(cc.parent()?.parent()?.to_owned())));
    let parts = prefixes
        .iter()
        .flat_map(|prefix| PARTS.map(|part| prefix.join(part)));
    let others = ["/nix/store", "/gnu/store", "/etc/ld.so.cache", "/dev/null"];
    parts.chain(others.map(PathBuf::from)).collect()
}

/// The name under which Debian and its derivatives keep the headers of this machine.
fn multiarch() -> Option<String> {
    let output = compiler().arg("-print-multiarch").output().ok()?;
    let name = String::from_utf8(output.stdout).ok()?.trim().to_owned();
    (output.status.success() && !name.is_empty()).then_some(name)
}

/// Where to look for programs in an environment that does not say.
const SEARCH_PATH: &str = "/usr/local/bin:/usr/bin:/bin";

/// The compiler, which does not find its own parts in an environment without a search path.
fn compiler() -> Command {
    let mut command = Command::new("cc");
    if std::env::var_os("PATH").is_none() {
        command.env("PATH", SEARCH_PATH);
    }
    command
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What becomes of an expression over macros of the compiler and of the C library's headers.
    fn preprocessed(data_model: DataModel, untrusted: bool, expression: &str) -> String {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.c");
        let headers = "#include <limits.h>\n#include <pthread.h>\n#include <stdio.h>\n";
        std::fs::write(&path, format!("{headers}\n{expression}\n")).unwrap();
        let reading = Reading {
            data_model,
            define: vec!["THREE=3".into()],
            untrusted,
            ..Reading::default()
        };
        let made = run(
            &path,
            None,
            &reading,
            &Flags::default(),
            &mut Shrinker::new(&[]),
        )
        .map_err(|refused| refused.to_string());
        let text = String::from_utf8(made.unwrap().text).unwrap();
        text.lines().last().unwrap_or("").to_owned()
    }

    #[test]
    fn both_data_models_whatever_the_system_has() {
        let sizes = "__SIZEOF_POINTER__ __SIZEOF_LONG__ __SIZEOF_SIZE_T__ __SIZEOF_PTHREAD_MUTEX_T";
        for untrusted in [false, true] {
            assert_eq!(preprocessed(DataModel::Ilp32, untrusted, sizes), "4 4 4 24");
            assert_eq!(preprocessed(DataModel::Lp64, untrusted, sizes), "8 8 8 40");
            assert_eq!(preprocessed(DataModel::Ilp32, untrusted, "THREE"), "3");
        }
    }

    #[test]
    fn strangers_learn_about_their_own_text_only() {
        let said = "In file included from a.c:1:\na.c:2:2: error: #error no\n    2 | #error no\n\
                    a.c:3: fatal error: /root/x: Permission denied\nb.c:1: error: y\na.cc: z\n";
        let expected = "a.c:2:2: error: #error no\n";
        assert_eq!(about_own_text(said, "a.c"), expected);
    }

    /// Behind the screen there is a second wall, on systems that have it.
    #[test]
    fn a_strangers_program_opens_nothing_but_headers() {
        let folder = tempfile::tempdir().unwrap();
        let (path, secret) = (folder.path().join("a.c"), folder.path().join("secret"));
        std::fs::write(&secret, "int the_secret;\n").unwrap();
        let ways = [
            "#include \"FILE\"\n",
            "#include <../../../../../../../../../FILE>\n",
        ];
        for (way, untrusted) in ways.iter().flat_map(|way| [(way, false), (way, true)]) {
            let text = way.replace("FILE", secret.to_str().unwrap());
            std::fs::write(&path, format!("{text}int main(void) {{ }}\n")).unwrap();
            let reading = Reading {
                untrusted,
                ..Reading::default()
            };
            let made = run(
                &path,
                None,
                &reading,
                &Flags::default(),
                &mut Shrinker::new(&[]),
            );
            let read =
                made.is_ok_and(|made| String::from_utf8_lossy(&made.text).contains("the_secret"));
            let walled = Confinement::new(&["/usr"], &["/tmp"]).is_some();
            assert!(!(read && untrusted && walled), "{way}");
            assert!(untrusted || read || way.contains('<'), "{way}");
        }
    }
}
