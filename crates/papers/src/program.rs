//! A program of an experiment and how to read it.

use std::path::{Path, PathBuf};
use verdict::{Property, Task};
use xcfa::DataModel;

/// A program, and what is asked about it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Program {
    /// Its files.
    pub files: Vec<PathBuf>,
    /// Macros, `NAME` or `NAME=VALUE`.
    pub define: Vec<String>,
    /// Sizes of types.
    pub data_model: DataModel,
    /// Are local steps part of the shared step before them?
    pub large_blocks: bool,
    /// What is asked.
    pub property: Property,
}

/// Reads a program; an error is a message for the user.
pub type Reader<'a> = dyn Fn(&Program) -> Result<Task, String> + 'a;

impl Program {
    /// One file, checked for errors that can be reached.
    pub fn new(folder: &Path, file: &str, define: &[String]) -> Program {
        Program {
            files: vec![folder.join(file)],
            define: define.to_vec(),
            data_model: DataModel::Lp64,
            large_blocks: true,
            property: Property::Reach,
        }
    }

    /// A number that changes with the text of the program and with the way it is read.
    ///
    /// FNV-1a over everything: it guards against mistakes, not against malice.
    pub fn fingerprint(&self) -> std::io::Result<String> {
        let mut bytes = Vec::new();
        for file in &self.files {
            bytes.extend(std::fs::read(file)?);
            bytes.push(0);
        }
        let how = (
            &self.define,
            self.data_model,
            self.large_blocks,
            self.property,
        );
        bytes.extend(format!("{how:?}").bytes());
        let hash = bytes
            .iter()
            .fold(0xcbf2_9ce4_8422_2325, |hash: u64, &byte| {
                (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3)
            });
        Ok(format!("{hash:016x}"))
    }
}
