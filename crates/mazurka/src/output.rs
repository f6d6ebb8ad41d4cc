//! Writing to the terminal: styles only where they are wanted, no complaint about a closed pipe.

use crate::args::Color;
use anstyle::{AnsiColor, Style};
use std::io::{ErrorKind, Write};

/// For *unsafe* and what is to blame.
pub const BAD: Style = AnsiColor::Red.on_default().bold();
/// For *safe*.
pub const GOOD: Style = AnsiColor::Green.on_default().bold();
/// For *unknown*.
pub const DOUBT: Style = AnsiColor::Yellow.on_default().bold();
/// For headings.
pub const HEADING: Style = Style::new().bold();
/// For what is only there to be looked up.
pub const FAINT: Style = Style::new().dimmed();
/// For values that changed.
pub const VALUE: Style = AnsiColor::Cyan.on_default();

/// The text in that style.
pub fn paint(style: Style, text: &str) -> String {
    format!("{style}{text}{style:#}")
}

/// From now on, colours are used there.
pub fn choose_colors(choice: Color) {
    let choice = match choice {
        Color::Auto => anstream::ColorChoice::Auto,
        Color::Always => anstream::ColorChoice::Always,
        Color::Never => anstream::ColorChoice::Never,
    };
    choice.write_global();
}

/// Writes to standard output; styles are dropped unless it is a terminal that shows them.
pub fn print(text: &str) {
    let mut out = anstream::stdout().lock();
    quietly(out.write_all(text.as_bytes()).and_then(|()| out.flush()));
}

/// Writes to standard error.
pub fn complain(text: &str) {
    let mut out = anstream::stderr().lock();
    quietly(out.write_all(text.as_bytes()).and_then(|()| out.flush()));
}

/// A reader that has gone away (`mazurka ... | head`) is no error of ours, and any other error has
/// no reader left.
fn quietly(written: std::io::Result<()>) {
    if let Err(error) = written
        && error.kind() != ErrorKind::BrokenPipe
    {
        let _ = writeln!(std::io::stderr(), "error: cannot write: {error}");
    }
}

/// Columns of the terminal; a generous page where there is none.
pub fn width() -> usize {
    terminal_size::terminal_size_of(std::io::stdout())
        .map_or(120, |(width, _)| usize::from(width.0))
        .max(40)
}
