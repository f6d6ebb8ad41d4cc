//! `mazurka man`: manual pages, made from the definition of the arguments.

use crate::args::Cli;
use crate::failure::{Exit, Failure};
use crate::output;
use clap::CommandFactory;

/// Runs the command.
pub fn run(command: Option<&str>) -> Result<Exit, Failure> {
    output::print(&page(command)?);
    Ok(Exit::Safe)
}

/// The page of a command, or of the whole program.
fn page(command: Option<&str>) -> Result<String, Failure> {
    let mut whole = Cli::command();
    whole.build();
    let described = match command {
        None => whole,
        Some(name) => {
            let found = whole.find_subcommand(name);
            let found = found.ok_or_else(|| Failure::usage(format!("no command is `{name}`")))?;
            found.clone().version(env!("CARGO_PKG_VERSION"))
        }
    };
    let mut text = Vec::new();
    clap_mangen::Man::new(described)
        .render(&mut text)
        .map_err(|error| Failure::refused(format!("cannot write the page: {error}")))?;
    Ok(String::from_utf8_lossy(&text).into_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_command_has_a_page() {
        let whole = Cli::command();
        for command in whole.get_subcommands() {
            let name = command.get_name();
            let page = page(Some(name)).unwrap_or_else(|_| panic!("{name} has no page"));
            let title = format!("mazurka\\-{}", name.replace('-', "\\-"));
            assert!(page.contains(&title), "{page}");
        }
        assert!(page(None).is_ok_and(|page| page.contains("mazurka\\-check(1)")));
        assert!(page(Some("dance")).is_err());
    }
}
