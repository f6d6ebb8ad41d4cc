//! The program `mazurka`; all of it is in the library beside this file.

use std::process::ExitCode;

fn main() -> ExitCode {
    mazurka::run()
}
