//! How the files of a program are read.

use crate::Smaller;
use std::path::PathBuf;
use verdict::Environment;
use xcfa::DataModel;

/// The editions of C that mean the same to us. In the first one (1990) large constants have other types, and
/// the latest (2023) gives `()`, `auto` and `bool` other meanings.
const STANDARDS: [&str; 14] = [
    "c99",
    "c9x",
    "c11",
    "c1x",
    "c17",
    "c18",
    "gnu99",
    "gnu9x",
    "gnu11",
    "gnu1x",
    "gnu17",
    "gnu18",
    "iso9899:1999",
    "iso9899:2011",
];

/// Is this an edition of C that is supported, by the name that compilers give it?
pub fn is_standard(name: &str) -> bool {
    STANDARDS.contains(&name)
}

/// How to read a program.
#[derive(Clone, Debug)]
pub struct Reading {
    /// Sizes of C's types.
    pub data_model: DataModel,
    /// Folders in which headers are searched for, besides the usual ones.
    pub include: Vec<PathBuf>,
    /// Folders in which headers of the system are searched for, before the usual ones.
    pub system_include: Vec<PathBuf>,
    /// Files that are included before each file of the program.
    pub include_first: Vec<PathBuf>,
    /// Macros, as `NAME` or `NAME=VALUE`.
    pub define: Vec<String>,
    /// Macros and enumerators with other values than the text gives them.
    pub shrink: Vec<Smaller>,
    /// Macros that are not defined, though the compiler does.
    pub undefine: Vec<String>,
    /// The edition of C, as compilers name it; `gnu11` if none.
    pub standard: Option<String>,
    /// The function in which the program starts.
    pub entry: String,
    /// What the program is run with, if that is known.
    pub arguments: Option<Vec<String>>,
    /// What the system does that it runs on.
    pub environment: Environment,
    /// A list of commands (compile_commands.json) that says how each file is preprocessed.
    pub compile_commands: Option<PathBuf>,
    /// Are a shared operation and the local steps after it one step?
    pub large_blocks: bool,
    /// Is the program untrusted? Then directives that name files are refused, and the
    /// preprocessor can open only headers.
    pub untrusted: bool,
}

impl Default for Reading {
    fn default() -> Reading {
        Reading {
            data_model: DataModel::Lp64,
            include: Vec::new(),
            system_include: Vec::new(),
            include_first: Vec::new(),
            define: Vec::new(),
            shrink: Vec::new(),
            undefine: Vec::new(),
            standard: None,
            entry: "main".to_owned(),
            arguments: None,
            environment: Environment::Typical,
            compile_commands: None,
            large_blocks: true,
            untrusted: false,
        }
    }
}
