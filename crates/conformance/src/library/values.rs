//! Generated arguments: `$s` and the like in a text become literals.

use generator::Rng;

const TEXTS: &[&str] = &[
    "", "a", "ab", "abc", "ba", "aab", "Ab", "a,b", ",a", "a,,b", "/x/y", "zz", "a b", "B",
];
const NUMBERS: &[&str] = &[
    "0",
    "7",
    "-1",
    "+12",
    " 42x",
    "0x1f",
    "0x",
    "010",
    "99999999999999999999",
    "-9223372036854775808",
    "9223372036854775808",
    "z",
    "",
    "-",
    "123abc",
    "\\t-5",
];
const DECIMALS: &[&str] = &[
    "0",
    "-0",
    "7.5",
    "-2.25e2x",
    ".5",
    "5.",
    ".",
    "1e",
    "1e+3",
    "  3.125",
    "0.1",
    "3e-2 ",
    "+16777216e-5",
    "e5",
];
const PATHS: &[&str] = &[
    "", "/", "//", "///", "a", "a/", "/a", "/a/b", "a//b//", "//a", "a/b/c", "///a///",
];
const WIDE: &[&str] = &[
    "0",
    "1",
    "-1",
    "7",
    "-8",
    "255",
    "65536",
    "2147483647",
    "-2147483647",
];
const REALS: &[&str] = &[
    "0.0",
    "-0.0",
    "1.0",
    "-2.5",
    "1e300",
    "0.1",
    "-123456.75",
    "5e-324",
    "3.5",
];

/// The text with a literal for each `$` and letter; the same letter is the same literal. Numbers
/// in an open range are those that the place asks for.
pub(super) fn with_values(text: &str, rng: &mut Rng) -> String {
    let mut text = text.to_owned();
    for letter in ["$s", "$t"] {
        text = replace(text, letter, || quoted(TEXTS, rng));
    }
    text = replace(text, "$z", || quoted(NUMBERS, rng));
    text = replace(text, "$r", || quoted(DECIMALS, rng));
    text = replace(text, "$p", || quoted(PATHS, rng));
    text = replace(text, "$c", || {
        format!("'{}'", ["a", "b", ",", "A", "\\0", "7"][rng.below(6)])
    });
    text = replace(text, "$k", || (rng.below(258) as i64 - 1).to_string());
    for letter in ["$n", "$m"] {
        text = replace(text, letter, || rng.below(5).to_string());
    }
    for letter in ["$i", "$j"] {
        text = replace(text, letter, || WIDE[rng.below(WIDE.len())].to_owned());
    }
    text = replace(text, "$b", || {
        ["0", "10", "16", "8", "2", "36", "1", "37"][rng.below(8)].to_owned()
    });
    for letter in ["$x", "$y"] {
        text = replace(text, letter, || {
            format!("({})", REALS[rng.below(REALS.len())])
        });
    }
    replace(text, "$q", || (rng.below(70) as i64 - 2).to_string())
}

fn replace(text: String, letter: &str, mut value: impl FnMut() -> String) -> String {
    match text.contains(letter) {
        true => text.replace(letter, &value()),
        false => text,
    }
}

fn quoted(list: &[&str], rng: &mut Rng) -> String {
    format!("\"{}\"", list[rng.below(list.len())])
}
