//! `mazurka harness`.

use super::ProgramArgs;
use clap::Args;
use std::path::PathBuf;
use verdict::Count;

/// `mazurka harness`.
#[derive(Args, Clone, Debug)]
pub struct HarnessArgs {
    /// The functions that the threads call, separated by commas
    #[arg(long, value_name = "NAMES", required = true, value_delimiter = ',')]
    pub functions: Vec<String>,
    /// How many threads there are, or any
    #[arg(long, value_name = "NUMBER", default_value = "2", value_parser = count)]
    pub threads: Count,
    /// How many calls each thread makes, or any
    #[arg(long, value_name = "NUMBER", default_value = "2", value_parser = count)]
    pub calls: Count,
    /// A function that is called once before the threads start
    #[arg(long, value_name = "FUNCTION")]
    pub init: Option<String>,
    /// How many objects there are of each struct that a function is given a pointer to
    #[arg(long, value_name = "NUMBER", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..))]
    pub objects: u32,
    /// Integers are from 0 to NUMBER - 1 [default: any]
    #[arg(long, value_name = "NUMBER", value_parser = clap::value_parser!(u32).range(1..))]
    pub values: Option<u32>,
    /// Compare the results with this sequential specification: `struct spec`, and a function `spec_NAME` for each NAME
    #[arg(long, value_name = "SPEC.c")]
    pub linearizable: Option<PathBuf>,
    #[command(flatten)]
    pub program: ProgramArgs,
    /// Write the driver to this file instead of printing it
    #[arg(short, long, value_name = "FILE")]
    pub output: Option<PathBuf>,
}

fn count(text: &str) -> Result<Count, String> {
    match text.parse() {
        _ if text == "any" => Ok(Count::Any),
        Ok(0) => Err("at least 1".to_owned()),
        Ok(number) => Ok(Count::Exactly(number)),
        Err(_) => Err("a number, or `any`".to_owned()),
    }
}
