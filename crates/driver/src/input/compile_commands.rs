//! `compile_commands.json`: how each file of a project is compiled.
//!
//! Of a command only what the preprocessor needs is kept: where headers are, macros, files that are
//! included first, and the language. Options that change nothing in what the program means are left
//! out; any other is refused.

use super::Flags;
use super::words::split;
use crate::reading::is_standard;
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

/// Options without an effect on what programs mean that stand alone.
const HARMLESS: &str = "-- -c -S -E -w -v -s -g -pedantic -pedantic-errors -pipe -M -MM -MD -MMD -MP -MG -m64 \
     -rdynamic -shared -static -pg -p --coverage -mno-red-zone -mcx16";

/// What other such options start with: optimisation, warnings, debugging, linking, instruction sets, and
/// those of `-f` that are about the form of the code.
const HARMLESS_STARTS: &str = "-O -W -g -l -L -save-temps --param -march= -mtune= -mcpu= -mcmodel= -msse -mavx -mmmx -mfma \
     -mbmi -mpopcnt -mprefer -mno-sse -mno-avx -mno-mmx -fPIC -fpic -fPIE -fpie -fno-pie -fno-PIE -fno-pic -fno-PIC \
     -fsigned-char -fno-unsigned-char -fno-short-enums -fdiagnostics -fno-diagnostics -fcolor -fno-color -fmessage-length \
     -fmacro-prefix-map -ffile-prefix-map -fdebug-prefix-map -fdebug-info -fdebug-types -fvisibility -ffunction-sections \
     -fdata-sections -fno-function-sections -fno-data-sections -fstack-protector -fno-stack-protector -fstack-clash \
     -fno-stack-clash -fstack-check -fcf-protection -fasynchronous-unwind -fno-asynchronous-unwind -funwind-tables \
     -fno-unwind-tables -fexceptions -fno-exceptions -fomit-frame -fno-omit-frame -foptimize-sibling \
     -fno-optimize-sibling -fstrict-aliasing -fno-strict-aliasing -fstrict-overflow -fno-strict-overflow -fwrapv \
     -fno-trapv -fcommon -fno-common -fno-plt -fsemantic-interposition -fno-semantic-interposition -flto -fno-lto \
     -ffat-lto -fuse-ld -finline -fno-inline -ftree- -fno-tree- -funroll -fno-unroll -fno-delete-null-pointer-checks \
     -fanalyzer -fno-ident -fsanitize -fno-sanitize -fprofile -ftest-coverage -fno-builtin -fmax-errors \
     -ftabstop -fverbose-asm -ftrack-macro -fno-openmp -fno-fast-math -fno-pack-struct";

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
                    wanted.push((path, entry.flags()?));
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
            wanted.push((file.clone(), entry.flags()?));
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

    fn flags(&self) -> Result<Flags, Refused> {
        let words = match self.arguments.is_empty() {
            true => split(&self.command).map_err(|what| {
                Refused::new(format!("the command for {}: {what}", self.file.display()))
            })?,
            false => self.arguments.clone(),
        };
        let args = for_preprocessor(words).map_err(|option| {
            let file = self.file.display();
            Refused::new(format!(
                "{file} is compiled with `{option}`, which is not modelled"
            ))
        })?;
        Ok(Flags {
            folder: Some(self.directory.clone()),
            args,
        })
    }
}

/// What the preprocessor needs of a command, or the option that is refused.
fn for_preprocessor(words: Vec<String>) -> Result<Vec<String>, String> {
    let mut kept = Vec::new();
    let mut words = words.into_iter().skip(1);
    while let Some(word) = words.next() {
        if WITH_VALUE.contains(&word.as_str()) {
            kept.push(word);
            kept.extend(words.next());
        } else if ["-o", "-MF", "-MT", "-MQ", "-l", "-L", "--param"].contains(&word.as_str()) {
            words.next();
        } else if WITH_VALUE.iter().any(|option| word.starts_with(option))
            || word.strip_prefix("-std=").is_some_and(is_standard)
            || word == "-nostdinc"
            || word == "-pthread"
        {
            kept.push(word);
        } else if word == "-x" {
            words
                .next()
                .filter(|language| language == "c")
                .ok_or(word)?;
        } else if !is_harmless(&word) {
            return Err(word);
        }
    }
    Ok(kept)
}

/// Is it no option at all, or one without an effect on what the program means?
fn is_harmless(word: &str) -> bool {
    let is_file = !word.starts_with('-') && !word.starts_with('@');
    let mut alone = HARMLESS.split_ascii_whitespace();
    let mut starts = HARMLESS_STARTS.split_ascii_whitespace();
    let is_known = alone.any(|known| known == word) || starts.any(|start| word.starts_with(start));
    is_file || is_known && word != "-Ofast" && !word.starts_with("-Wp,")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_the_preprocessor_needs() {
        let words = "gcc -Iinc -I more -O2 -DX=1 -D Y -MF dep -o out -std=c99 -Wall -c a.c";
        let words = split(words).expect("words");
        let kept = for_preprocessor(words).expect("all of them are harmless");
        assert_eq!(
            kept,
            ["-Iinc", "-I", "more", "-DX=1", "-D", "Y", "-std=c99"]
        );
    }

    #[test]
    fn options_that_change_the_meaning_are_refused() {
        for option in [
            "-funsigned-char",
            "-fpack-struct=1",
            "-fshort-enums",
            "-m32",
            "-ftrapv",
            "-fopenmp",
            "-ffast-math",
            "-Ofast",
            "@file",
            "-ansi",
            "-std=c90",
            "-std=c23",
        ] {
            let words = split(&format!("gcc {option} -c a.c")).expect("words");
            assert_eq!(for_preprocessor(words), Err(option.to_owned()));
        }
    }
}
