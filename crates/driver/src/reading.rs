//! How the files of a program are read.

use std::path::PathBuf;
use verdict::Environment;
use xcfa::DataModel;

/// How to read a program.
#[derive(Clone, Debug)]
pub struct Reading {
    /// Sizes of C's types.
    pub data_model: DataModel,
    /// Folders in which headers are searched for, besides the usual ones.
    pub include: Vec<PathBuf>,
    /// Macros, as `NAME` or `NAME=VALUE`.
    pub define: Vec<String>,
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
            define: Vec::new(),
            entry: "main".to_owned(),
            arguments: None,
            environment: Environment::Typical,
            compile_commands: None,
            large_blocks: true,
            untrusted: false,
        }
    }
}
