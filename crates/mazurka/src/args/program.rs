//! The program and how to read it.

use clap::builder::Resettable;
use clap::{Args, ValueEnum};
use driver::{Environment, Reading, Smaller};
use serde::{Deserialize, Serialize};
use std::ffi::OsString;
use std::path::PathBuf;
use xcfa::DataModel;

/// The program and how to read it.
#[derive(Args, Clone, Debug)]
pub struct ProgramArgs {
    /// The program: `.c` files are preprocessed with the system's `cc`, `.i` files are not; `-` is standard input
    #[arg(value_name = "FILE", help_heading = Resettable::Reset)]
    pub files: Vec<PathBuf>,
    #[command(flatten)]
    pub reading: ReadingArgs,
}

/// How to read a program. Files that belong to a program say so in these words.
#[derive(Args, Clone, Debug, Serialize, Deserialize)]
pub struct ReadingArgs {
    /// Sizes of C's types: `long` and pointers of 32 or of 64 bits
    #[arg(long, value_name = "MODEL", default_value = "lp64")]
    pub data_model: Model,
    /// Look for headers in this folder too
    #[arg(short = 'I', value_name = "DIR")]
    pub include: Vec<PathBuf>,
    /// Define a macro
    #[arg(short = 'D', value_name = "NAME[=VALUE]")]
    pub define: Vec<String>,
    /// Give a macro or an enumerator another value than the text; the verdict is about the program with that value
    #[arg(long, value_name = "NAME=VALUE", value_parser = smaller)]
    #[serde(default)]
    pub shrink: Vec<String>,
    /// Do not define a macro that the compiler defines
    #[arg(short = 'U', value_name = "NAME")]
    #[serde(default)]
    pub undefine: Vec<String>,
    /// Include this file before each file of the program; also `-include FILE`
    #[arg(long = "include", value_name = "FILE")]
    #[serde(default)]
    pub include_first: Vec<PathBuf>,
    /// Look in this folder for headers of the system, before the usual places; also `-isystem DIR`
    #[arg(long = "isystem", value_name = "DIR")]
    #[serde(default)]
    pub system_include: Vec<PathBuf>,
    /// The edition of C, c99 to gnu18; also `-std=NAME` [default: gnu11]
    #[arg(long = "std", value_name = "NAME", value_parser = standard)]
    #[serde(default)]
    pub standard: Option<String>,
    /// Start in this function instead of `main`, with arbitrary arguments
    #[arg(long, value_name = "FUNCTION", default_value = "main")]
    pub entry: String,
    /// Run the program with these arguments, separated as in a shell: `argv` is known then; the empty text is none
    #[arg(long, value_name = "TEXT", conflicts_with = "arguments", value_parser = arguments)]
    #[serde(default)]
    pub args: Option<String>,
    /// Run the program with these arguments
    #[arg(last = true, value_name = "ARG", help_heading = Resettable::Reset)]
    #[serde(default)]
    pub arguments: Vec<String>,
    /// What the system does that the program runs on: `typical` gives memory and threads, `arbitrary` may refuse both
    #[arg(long, value_name = "KIND", default_value = "typical")]
    #[serde(default)]
    pub environment: EnvironmentKind,
    /// Preprocess each file as this list of commands says (compile_commands.json); without FILE, check all files in the list
    #[arg(long, value_name = "FILE.json")]
    pub compile_commands: Option<PathBuf>,
    /// Large blocks: a shared operation and the local steps after it are one step
    #[arg(long, value_name = "ON", default_value = "on")]
    pub lbe: Switch,
    /// The program is untrusted: refuse directives that name files, and let the preprocessor open only headers
    #[arg(long, conflicts_with = "compile_commands")]
    #[serde(skip)]
    pub untrusted: bool,
}

/// A choice that is on or off.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Switch {
    /// Yes
    On,
    /// No
    Off,
}

/// What the system does that a program runs on.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum EnvironmentKind {
    /// It gives memory and threads
    #[default]
    Typical,
    /// It may refuse both
    Arbitrary,
}

impl From<EnvironmentKind> for Environment {
    fn from(kind: EnvironmentKind) -> Environment {
        match kind {
            EnvironmentKind::Typical => Environment::Typical,
            EnvironmentKind::Arbitrary => Environment::Arbitrary,
        }
    }
}

impl ReadingArgs {
    /// What the program is run with, if the user says it.
    pub fn known_arguments(&self) -> Option<Vec<String>> {
        match &self.args {
            // The text was examined when it was given.
            Some(text) => driver::split_words(text).ok(),
            None => (!self.arguments.is_empty()).then(|| self.arguments.clone()),
        }
    }
}

impl From<&ReadingArgs> for Reading {
    fn from(args: &ReadingArgs) -> Reading {
        Reading {
            data_model: args.data_model.into(),
            include: args.include.clone(),
            system_include: args.system_include.clone(),
            include_first: args.include_first.clone(),
            define: args.define.clone(),
            // The texts were examined when they were given.
            shrink: args
                .shrink
                .iter()
                .filter_map(|it| it.parse().ok())
                .collect(),
            undefine: args.undefine.clone(),
            standard: args.standard.clone(),
            entry: args.entry.clone(),
            arguments: args.known_arguments(),
            environment: args.environment.into(),
            compile_commands: args.compile_commands.clone(),
            large_blocks: args.lbe == Switch::On,
            untrusted: args.untrusted,
        }
    }
}

/// A data model as it is spelt on the command line.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Model {
    /// 32-bit `long` and pointers
    Ilp32,
    /// 64-bit `long` and pointers
    Lp64,
}

impl From<Model> for DataModel {
    fn from(model: Model) -> DataModel {
        match model {
            Model::Ilp32 => DataModel::Ilp32,
            Model::Lp64 => DataModel::Lp64,
        }
    }
}

/// The name of an edition of C.
fn standard(text: &str) -> Result<String, String> {
    match driver::is_standard(text) {
        true => Ok(text.to_owned()),
        false => Err("only c99, c11, c17, c18 and gnu99 to gnu18 are supported".to_owned()),
    }
}

/// A constant with its other value.
fn smaller(text: &str) -> Result<String, String> {
    text.parse::<Smaller>().map(|_| text.to_owned())
}

/// A text that a shell could split into words.
fn arguments(text: &str) -> Result<String, String> {
    driver::split_words(text).map(|_| text.to_owned())
}

/// Options as compilers spell them, in the words of this program.
pub fn from_compilers(given: impl Iterator<Item = OsString>) -> Vec<OsString> {
    let mut words = Vec::new();
    let mut is_ours = true;
    for word in given {
        is_ours &= word != "--";
        let text = word.to_str().unwrap_or_default();
        match text {
            "-include" | "-isystem" if is_ours => words.push(format!("-{text}").into()),
            _ if is_ours && text.starts_with("-std=") => words.push(format!("-{text}").into()),
            _ => words.push(word),
        }
    }
    words
}

impl ReadingArgs {
    /// What makes no sense together, if something does not.
    pub fn refused(&self) -> Option<String> {
        let name = |definition: &String| definition.split(['=', '(']).next().map(str::to_owned);
        let mut both = self.define.iter().filter_map(name);
        let both = both.find(|name| self.undefine.contains(name));
        both.map(|name| format!("the macro {name} is both defined (-D) and not (-U)"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn options_as_compilers_spell_them() {
        let check = |given: &str, expected: &str| {
            let words = from_compilers(given.split(' ').map(OsString::from));
            let words: Vec<_> = words.iter().map(|word| word.to_string_lossy()).collect();
            assert_eq!(words.join(" "), expected);
        };
        check("check -std=c99 a.c", "check --std=c99 a.c");
        check("-include a.h -isystem b", "--include a.h --isystem b");
        check(
            "-I inc a.c -- -std=c99 -include",
            "-I inc a.c -- -std=c99 -include",
        );
    }
}
