//! Options that the text of the manual mentions, as `--option`, exist.

use crate::pages;
use std::collections::BTreeSet;

/// Options of the scripts that pages speak of.
const FOREIGN: &[&str] = &["show"];

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

/// The long options in the inline code of a text.
fn mentioned(text: &str) -> BTreeSet<String> {
    let code = text
        .lines()
        .flat_map(|line| line.split('`').skip(1).step_by(2));
    let options = code
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
fn options_in_inline_code() {
    let found = mentioned("use `--engine bmc` or `mazurka check --html=x`, not --this\n`a`");
    assert_eq!(found.into_iter().collect::<Vec<_>>(), ["engine", "html"]);
}
