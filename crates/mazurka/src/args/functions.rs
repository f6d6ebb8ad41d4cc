//! `mazurka functions`.

use cfront::functions::Status;
use clap::{Args, ValueEnum};

/// Which functions of the library to list.
#[derive(Args, Clone, Debug)]
pub struct FunctionsArgs {
    /// Only these functions; all if none is named
    #[arg(value_name = "NAME")]
    pub names: Vec<String>,
    /// Only functions of this status
    #[arg(long, value_name = "STATUS")]
    pub status: Option<WhichStatus>,
    /// Only functions of this header, such as `string.h`
    #[arg(long, value_name = "HEADER")]
    pub header: Option<String>,
    /// Print JSON
    #[arg(long)]
    pub json: bool,
}

/// How much is known about a function.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum WhichStatus {
    /// A call behaves as in the library
    Modelled,
    /// A call reads its arguments and returns an arbitrary value
    Harmless,
    /// A program that calls it is refused
    Refused,
}

impl From<WhichStatus> for Status {
    fn from(status: WhichStatus) -> Status {
        match status {
            WhichStatus::Modelled => Status::Modelled,
            WhichStatus::Harmless => Status::Harmless,
            WhichStatus::Refused => Status::Refused,
        }
    }
}
