//! `mazurka lsp`: a language server over standard input and output.

use crate::failure::{Exit, Failure};
use std::io::{BufReader, stdin, stdout};

/// Serves an editor until it goes away.
pub fn run() -> Result<Exit, Failure> {
    let checker = std::env::current_exe()
        .map_err(|error| Failure::refused(format!("cannot find this program: {error}")))?;
    let version = env!("CARGO_PKG_VERSION").to_owned();
    let config = lsp::Config { checker, version };
    let served = lsp::run(config, BufReader::new(stdin()), &mut stdout().lock());
    served
        .map(|()| Exit::Safe)
        .map_err(|error| Failure::refused(format!("the editor cannot be reached: {error}")))
}
