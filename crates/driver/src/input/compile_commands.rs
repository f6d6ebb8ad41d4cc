//! `compile_commands.json`: how each file of a project is compiled.
//!
//! Of a command only what the preprocessor needs is kept: where headers are, macros, files that are
//! included first, and the language. Everything else is up to the compiler.

use super::Flags;
use serde::Deserialize;
use std::path::{Path, PathBuf};
use verdict::Refused;

/// One entry of the list.
#[derive(Clone, Debug, Deserialize)]
struct Entry {
    directory: PathBuf,
    file: PathBuf,
    #[serde(default)]
    arguments: Vec<String>,
    #[serde(default)]
    command: String,
}

/// The list.
#[derive(Clone, Debug)]
pub struct CompileCommands {
    name: String,
    entries: Vec<Entry>,
}

/// Options whose value is the next argument, or follows at once.
const WITH_VALUE: [&str; 9] = [
    "-I",
    "-D",
    "-U",
    "-isystem",
    "-iquote",
    "-include",
    "-imacros",
    "-idirafter",
    "-isysroot",
];

impl CompileCommands {
    /// Reads a list.
    pub fn read(path: &Path) -> Result<CompileCommands, Refused> {
        let name = path.display().to_string();
        let text = std::fs::read_to_string(path)
            .map_err(|error| Refused::new(format!("cannot read {name}: {error}")))?;
        let entries: Vec<Entry> = serde_json::from_str(&text)
            .map_err(|error| Refused::new(format!("{name}: {error}")))?;
        Ok(CompileCommands { name, entries })
    }

    /// The files that are wanted, or all C files of the list, with their preprocessor arguments.
    pub fn wanted(&self, files: &[PathBuf]) -> Result<Vec<(PathBuf, Flags)>, Refused> {
        let mut wanted: Vec<(PathBuf, Flags)> = Vec::new();
        if files.is_empty() {
            let is_c = |entry: &&Entry| entry.file.extension().is_some_and(|ending| ending == "c");
            for entry in self.entries.iter().filter(is_c) {
                let path = entry.path();
                // A file that is compiled twice is part of the program once.
                if wanted.iter().all(|(known, _)| *known != path) {
                    wanted.push((path, entry.flags()));
                }
            }
        }
        for file in files {
            let place = |path: &Path| std::fs::canonicalize(path).ok();
            let here = place(file);
            let entry = self
                .entries
                .iter()
                .find(|entry| place(&entry.path()) == here);
            let Some(entry) = entry.filter(|_| here.is_some()) else {
                let what = format!("{} has no command for {}", self.name, file.display());
                return Err(Refused::new(what));
            };
            wanted.push((file.clone(), entry.flags()));
        }
        match wanted.is_empty() {
            true => Err(Refused::new(format!("{} names no C file", self.name))),
            false => Ok(wanted),
        }
    }
}

impl Entry {
    fn path(&self) -> PathBuf {
        self.directory.join(&self.file)
    }

    fn flags(&self) -> Flags {
        let words = match self.arguments.is_empty() {
            true => split(&self.command),
            false => self.arguments.clone(),
        };
        Flags {
            folder: Some(self.directory.clone()),
            args: for_preprocessor(words),
        }
    }
}

fn for_preprocessor(words: Vec<String>) -> Vec<String> {
    let mut kept = Vec::new();
    let mut words = words.into_iter().skip(1);
    while let Some(word) = words.next() {
        if WITH_VALUE.contains(&word.as_str()) {
            kept.push(word);
            kept.extend(words.next());
        } else if word == "-o" || word == "-MF" || word == "-MT" || word == "-MQ" {
            words.next();
        } else if WITH_VALUE.iter().any(|option| word.starts_with(option))
            || word.starts_with("-std=")
            || word == "-nostdinc"
            || word == "-pthread"
        {
            kept.push(word);
        }
    }
    kept
}

/// Splits a command as a shell would: blanks, both kinds of quotes, and backslashes.
fn split(command: &str) -> Vec<String> {
    let mut words = Vec::new();
    let mut word = None::<String>;
    let mut quote = None;
    let mut letters = command.chars();
    while let Some(letter) = letters.next() {
        match (quote, letter) {
            (Some(open), _) if letter == open => quote = None,
            (Some('\''), _) => word.get_or_insert_default().push(letter),
            (_, '\\') => word.get_or_insert_default().extend(letters.next()),
            (None, '"' | '\'') => {
                quote = Some(letter);
                word.get_or_insert_default();
            }
            (None, _) if letter.is_whitespace() => words.extend(word.take()),
            _ => word.get_or_insert_default().push(letter),
        }
    }
    words.extend(word);
    words
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_command_is_split_as_a_shell_would() {
        let words = split(r#"cc  -DNAME=\"x\" '-DTWO=a b' "-I dir" -c a.c"#);
        assert_eq!(
            words,
            ["cc", "-DNAME=\"x\"", "-DTWO=a b", "-I dir", "-c", "a.c"]
        );
        assert_eq!(split(""), Vec::<String>::new());
        assert_eq!(split("''"), [""]);
    }

    #[test]
    fn only_what_the_preprocessor_needs() {
        let words = split("gcc -Iinc -I more -O2 -DX=1 -D Y -MF dep -o out -std=c99 -Wall -c a.c");
        let kept = for_preprocessor(words);
        assert_eq!(
            kept,
            ["-Iinc", "-I", "more", "-DX=1", "-D", "Y", "-std=c99"]
        );
    }
}
