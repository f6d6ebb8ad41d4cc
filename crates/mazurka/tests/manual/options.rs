//! Commands and options that the text of the manual mentions, `mazurka check` or `--option`, exist.

use crate::pages;
use std::collections::BTreeSet;

/// Options of other programs that pages speak of: `cargo install --path`, `cargo test --test`.
const FOREIGN: &[&str] = &["path", "test"];

/// All long options of all commands.
fn known() -> BTreeSet<String> {
    let definition = mazurka::definition();
    let arguments = definition
        .get_subcommands()
        .flat_map(|command| command.get_arguments());
    let names = arguments.filter_map(|argument| argument.get_long());
    let always = ["help", "version"];
    names.chain(always).map(str::to_owned).collect()
}

/// What a text has in inline code, line by line.
fn inline_code(text: &str) -> impl Iterator<Item = &str> {
    let lines = text.lines();
    lines.flat_map(|line| line.split('`').skip(1).step_by(2))
}

/// The commands in the inline code of a text.
fn mentioned_commands(text: &str) -> BTreeSet<&str> {
    let calls = inline_code(text).filter_map(|code| code.strip_prefix("mazurka "));
    let names = calls.filter_map(|call| call.split(' ').next());
    let is_name = |name: &&str| name.starts_with(|letter: char| letter.is_ascii_lowercase());
    names.filter(is_name).collect()
}

/// The long options in the inline code of a text.
fn mentioned(text: &str) -> BTreeSet<String> {
    let options = inline_code(text)
        .flat_map(|code| code.split([' ', '=', ',']))
        .filter_map(|word| word.strip_prefix("--"));
    let name = |word: &str| {
        let end = word.find(|letter: char| !letter.is_ascii_alphanumeric() && letter != '-');
        word[..end.unwrap_or(word.len())].to_owned()
    };
    options.map(name).filter(|name| !name.is_empty()).collect()
}

#[test]
fn options_that_are_mentioned_exist() {
    let known = known();
    for page in pages::all() {
        for option in mentioned(&page.text) {
            let exists = known.contains(&option) || FOREIGN.contains(&option.as_str());
            assert!(exists, "{}: there is no option --{option}", page.name);
        }
    }
}

#[test]
fn commands_that_are_mentioned_exist() {
    let definition = mazurka::definition();
    for page in pages::all() {
        for command in mentioned_commands(&page.text) {
            let exists = command == "help" || definition.find_subcommand(command).is_some();
            assert!(exists, "{}: there is no mazurka {command}", page.name);
        }
    }
}

#[test]
fn commands_in_inline_code() {
    let found = mentioned_commands("`mazurka check a.c`, `mazurka COMMAND`, `check`, mazurka cfa");
    assert_eq!(found.into_iter().collect::<Vec<_>>(), ["check"]);
}

#[test]
fn options_in_inline_code() {
    let found = mentioned("use `--engine bmc` or `mazurka check --html=x`, not --this\n`a`");
    assert_eq!(found.into_iter().collect::<Vec<_>>(), ["engine", "html"]);
}
