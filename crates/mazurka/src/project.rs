//! `mazurka.toml`: the checks of a project, by name.
//!
//! Each check becomes a command line of `mazurka check`, so that there is one definition of what can be asked.

use crate::args::Cli;
use crate::failure::Failure;
use clap::Parser;
use serde::Deserialize;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// The file in a folder that is read if no program is named.
pub const FILE: &str = "mazurka.toml";

/// The file.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    /// For checks that do not say otherwise.
    #[serde(default)]
    timeout: Option<String>,
    #[serde(default)]
    memory: Option<String>,
    #[serde(default)]
    flags: Vec<String>,
    check: BTreeMap<String, Entry>,
}

/// One check.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Entry {
    files: Vec<String>,
    #[serde(default)]
    property: Option<OneOrMore>,
    #[serde(default)]
    flags: Vec<String>,
    #[serde(default)]
    timeout: Option<String>,
    #[serde(default)]
    memory: Option<String>,
}

/// A text, or a list.
#[derive(Debug, Deserialize)]
#[serde(untagged)]
enum OneOrMore {
    One(String),
    More(Vec<String>),
}

/// A check that can be run.
#[derive(Debug)]
pub struct NamedCheck {
    /// Its name.
    pub name: String,
    /// The arguments of `mazurka check`.
    pub arguments: Vec<String>,
}

/// The checks of a file.
#[derive(Debug)]
pub struct Project {
    /// Paths are relative to this folder.
    pub folder: PathBuf,
    /// In the order of their names.
    pub checks: Vec<NamedCheck>,
}

impl Project {
    /// Reads a file, and examines each of its checks.
    pub fn read(path: &Path) -> Result<Project, Failure> {
        let shown = path.display();
        let text = std::fs::read_to_string(path)
            .map_err(|error| Failure::refused(format!("cannot read {shown}: {error}")))?;
        let file: File =
            toml::from_str(&text).map_err(|error| Failure::refused(format!("{shown}: {error}")))?;
        let folder = path.parent().filter(|it| *it != Path::new(""));
        let checks = file.check.iter();
        let checks = checks.map(|(name, entry)| NamedCheck {
            name: name.clone(),
            arguments: entry.arguments(name, &file),
        });
        let checks: Vec<NamedCheck> = checks.collect();
        for check in &checks {
            check.examine().map_err(|what| {
                Failure::refused(format!("{shown}: check `{}`: {what}", check.name))
            })?;
        }
        Ok(Project {
            folder: folder.unwrap_or(Path::new(".")).to_owned(),
            checks,
        })
    }

    /// Leaves only the checks of these names; all, if there are none.
    pub fn only(mut self, names: &[String]) -> Result<Project, Failure> {
        if let Some(name) = names.iter().find(|name| !self.has(name)) {
            let known: Vec<&str> = self.checks.iter().map(|it| it.name.as_str()).collect();
            let known = known.join(", ");
            let what = format!("there is no check `{name}`; there are {known}");
            return Err(Failure::usage(what));
        }
        if !names.is_empty() {
            self.checks.retain(|check| names.contains(&check.name));
        }
        Ok(self)
    }

    fn has(&self, name: &str) -> bool {
        self.checks.iter().any(|check| check.name == name)
    }
}

impl Entry {
    fn arguments(&self, name: &str, file: &File) -> Vec<String> {
        let mut words = vec![format!("--check-name={name}")];
        let property = self.property.as_ref().map(|property| match property {
            OneOrMore::One(text) => text.clone(),
            OneOrMore::More(list) => list.join(","),
        });
        words.extend(property.map(|property| format!("--property={property}")));
        let timeout = self.timeout.as_ref().or(file.timeout.as_ref());
        words.extend(timeout.map(|time| format!("--timeout={time}")));
        let memory = self.memory.as_ref().or(file.memory.as_ref());
        words.extend(memory.map(|size| format!("--memory={size}")));
        words.extend(file.flags.iter().chain(&self.flags).cloned());
        words.extend(self.files.iter().cloned());
        words
    }
}

impl NamedCheck {
    /// Is it something that can be asked?
    fn examine(&self) -> Result<(), String> {
        if self.arguments.iter().any(|word| word == "--") {
            return Err("write `--args` instead of `--`".to_owned());
        }
        let words = ["mazurka", "check"].into_iter();
        let words = words.chain(self.arguments.iter().map(String::as_str));
        let words = crate::args::from_compilers(words.map(Into::into));
        let cli = Cli::try_parse_from(words).map_err(|error| {
            let text = error.to_string();
            let first = text.lines().next().unwrap_or_default();
            first.trim_start_matches("error: ").to_owned()
        })?;
        match cli.command {
            crate::args::Command::Check(args) if args.is_of_file() => {
                Err("it names no file".to_owned())
            }
            _ => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Result<Vec<String>, String> {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join(FILE);
        std::fs::write(&path, text).expect("a file");
        let project = Project::read(&path).map_err(|failure| failure.message)?;
        let lines = project.checks.iter().map(|check| check.arguments.join(" "));
        Ok(lines.collect())
    }

    #[test]
    fn checks_are_command_lines() {
        let lines = read(
            "timeout = '5m'\n[check.b]\nfiles = ['b.c']\nproperty = ['race', 'deadlock']\n\
             [check.a]\nfiles = ['a.c', 'c.c']\nflags = ['-DN=2', '-std=c99']\ntimeout = '3'\n",
        );
        let expected = [
            "--check-name=a --timeout=3 -DN=2 -std=c99 a.c c.c",
            "--check-name=b --property=race,deadlock --timeout=5m b.c",
        ];
        assert_eq!(lines.expect("checks"), expected);
    }

    #[test]
    fn what_makes_no_sense_is_refused_with_its_name() {
        for (text, what) in [
            ("[check.a]\nfiles = []\n", "check `a`: it names no file"),
            ("[check.a]\nfiles = ['a.c']\nflags = ['--nope']\n", "--nope"),
            (
                "[check.a]\nfiles = ['a.c']\nflags = ['--', 'x']\n",
                "--args",
            ),
            ("[check.a]\nfiles = ['a.c']\ntimeout = 'soon'\n", "soon"),
            ("[check.a]\nfile = 'a.c'\n", "unknown field"),
            ("[checks.a]\nfiles = ['a.c']\n", "unknown field"),
        ] {
            let error = read(text).expect_err("refused");
            assert!(error.contains(what), "{text}: {error}");
        }
    }
}
