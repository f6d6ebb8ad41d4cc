//! `docs/reference.md` is made from the definition of the command line, so it never lags behind.
//! `UPDATE_EXPECT=1 cargo test -p mazurka --test manual reference` writes it anew.

use clap::builder::StyledStr;
use clap::{Arg, Command};
use expect_test::expect_file;
use std::fmt::Write;

const HEAD: &str = "\
# Commands and options

This page is made from the program's own definition of its command line, and a test keeps it so. `mazurka help COMMAND` says the
same in a terminal. Exit status of `check`, `watch`, `replay`, `simulate` and `validate`: 0 *safe*, 1 *unsafe*, 2 *unknown*, 64 a
wrong command line, 65 a program that cannot be read or is refused.

";

/// The whole page.
fn page() -> String {
    let definition = mazurka::definition();
    let commands = || definition.get_subcommands().filter(|it| !it.is_hide_set());
    let mut page = HEAD.to_owned() + "| command | what it does |\n| --- | --- |\n";
    for command in commands() {
        let name = command.get_name();
        let about = cell(command.get_about());
        let _ = writeln!(page, "| [`mazurka {name}`](#mazurka-{name}) | {about} |");
    }
    let check = definition.find_subcommand("check").expect("it exists");
    for command in commands() {
        section(&mut page, command, check);
    }
    page
}

/// A command with its arguments, under the headings that they have in its help.
fn section(page: &mut String, command: &Command, check: &Command) {
    let name = command.get_name();
    let about = cell(command.get_about());
    let _ = write!(page, "\n## mazurka {name}\n{about}.\n");
    let mut arguments: Vec<&Arg> = shown(command);
    let extends_check = name != check.get_name() && has_all(command, check);
    if extends_check {
        arguments.retain(|argument| !has(check, argument));
        let _ = write!(
            page,
            "\nIt has all options of [`mazurka check`](#mazurka-check).\n"
        );
    }
    let mut headings: Vec<Option<&str>> = Vec::new();
    for argument in &arguments {
        let heading = argument.get_help_heading();
        if !headings.contains(&heading) {
            headings.push(heading);
        }
    }
    // Options without a heading of their own come first, as in the help.
    headings.sort_by_key(|heading| heading.is_some());
    for heading in headings {
        if let Some(heading) = heading {
            let _ = write!(page, "\n### {heading}\n");
        }
        let _ = write!(
            page,
            "\n| argument | default | meaning |\n| --- | --- | --- |\n"
        );
        let of_heading = arguments.iter();
        for argument in of_heading.filter(|argument| argument.get_help_heading() == heading) {
            let _ = writeln!(page, "{}", row(argument));
        }
    }
}

fn shown(command: &Command) -> Vec<&Arg> {
    let arguments = command.get_arguments();
    let mut arguments: Vec<&Arg> = arguments
        .filter(|argument| !argument.is_hide_set())
        .collect();
    arguments.sort_by_key(|argument| !argument.is_positional());
    arguments
}

fn has(command: &Command, argument: &Arg) -> bool {
    let mut arguments = command.get_arguments();
    arguments.any(|other| other.get_id() == argument.get_id())
}

fn has_all(command: &Command, check: &Command) -> bool {
    check.get_arguments().all(|argument| has(command, argument))
}

fn row(argument: &Arg) -> String {
    let defaults = argument.get_default_values().iter();
    let defaults = defaults.map(|value| format!("`{}`", value.to_string_lossy()));
    let hidden = argument.is_hide_default_value_set() || !takes_value(argument);
    let default = match hidden {
        true => String::new(),
        false => defaults.collect::<Vec<_>>().join(", "),
    };
    let help = cell(argument.get_help());
    let values = values(argument);
    format!("| {} | {default} | {help}{values} |", spelling(argument))
}

fn takes_value(argument: &Arg) -> bool {
    argument.get_action().takes_values()
}

/// `-o`, `--output REPRO.c`, or `FILE` for an argument without a name.
fn spelling(argument: &Arg) -> String {
    let values = argument.get_value_names().unwrap_or_default();
    let value = match takes_value(argument) {
        true => values.iter().map(|name| format!(" {name}")).collect(),
        false => String::new(),
    };
    let long = argument.get_long().map(|name| format!("`--{name}{value}`"));
    let short = argument.get_short().map(|letter| match long {
        Some(_) => format!("`-{letter}`"),
        None => format!("`-{letter}{value}`"),
    });
    let names: Vec<String> = short.into_iter().chain(long).collect();
    match names.is_empty() {
        true => format!("`{}`", value.trim()),
        false => names.join(", "),
    }
}

/// The values that can be chosen, each with what it means.
fn values(argument: &Arg) -> String {
    let values = argument.get_possible_values();
    if !takes_value(argument) || values.is_empty() {
        return String::new();
    }
    let names: Vec<&str> = values.iter().map(|value| value.get_name()).collect();
    if names == ["on", "off"] || names == ["off", "on"] {
        return " (`on` or `off`)".to_owned();
    }
    let shown = values.iter().filter(|value| !value.is_hide_set());
    let each = shown.map(|value| {
        let help = cell(value.get_help());
        let colon = if help.is_empty() { "" } else { ": " };
        format!("<br>`{}`{colon}{help}", value.get_name())
    });
    each.collect()
}

/// Text for a cell of a table.
fn cell(text: Option<&StyledStr>) -> String {
    let text = text.map(StyledStr::to_string).unwrap_or_default();
    let words: Vec<&str> = text.split_whitespace().collect();
    words.join(" ").replace('|', "\\|")
}

#[test]
fn the_reference_is_the_definition() {
    expect_file!["../../../../docs/reference.md"].assert_eq(&page());
}
