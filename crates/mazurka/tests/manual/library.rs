//! `docs/library.md` is made from the table of functions, so it never lags behind.
//! `UPDATE_EXPECT=1 cargo test -p mazurka --test manual library` writes it anew.

use cfront::functions::{HEADERS, Header, Meaning, Status};
use expect_test::expect_file;
use std::fmt::Write;

const HEAD: &str = "\
# The C library

What calls of the C library mean to the verifier. This page is made from the table that the front end acts on, and a test keeps it
so; `mazurka functions` prints the same, `mazurka functions NAME` one row, and `--status refused` what a program must not call.

| status | means |
| --- | --- |
| *modelled* | a call does what it does in the library; what the standard leaves open is any value that it allows |
| *harmless* | a call reads what it is given and returns something from outside, or a value that is not worked out |
| *refused* | a program that may call it is refused, with the place of the call |

Functions marked `lib/*.c` are written in C, in `crates/cfront/lib`, and run like the program's own code. Each of them is called
natively with generated arguments, and the model must agree (`cargo test -p conformance`). A result that is not
worked out is any value of its type, although the library returns a certain one: a violation that needs it is *unknown*, and so is
one that needs a second answer of a function that always says the same, such as `getuid`.

A program can always define a function itself: its own definition takes precedence over the table. For a function that has no row,

- if a header of the system declares it and it is given a pointer, the program is refused, with the advice to define it;
- otherwise the result is arbitrary, nothing else is assumed to change, and the verdict says so.

What is printed or sent is read: for races and for memory safety every character that `printf` or `write` looks at is an access.
Signals come only from the program itself: a handler runs where the program calls `raise` (see [what a verdict means](soundness.md)).

";

fn page() -> String {
    let mut page = HEAD.to_owned();
    let count = |status| {
        let rows = HEADERS.iter().flat_map(Header::functions);
        rows.filter(|row| row.meaning.status() == status).count()
    };
    let [modelled, harmless, refused] =
        [Status::Modelled, Status::Harmless, Status::Refused].map(count);
    let _ = writeln!(
        page,
        "{modelled} functions are modelled, {harmless} are harmless, {refused} are refused."
    );
    for header in HEADERS {
        section(&mut page, header);
    }
    page
}

/// A header; functions of the same meaning share a row.
fn section(page: &mut String, header: &Header) {
    let _ = write!(
        page,
        "\n## {}\n\n| functions | status | how |\n| --- | --- | --- |\n",
        header.name
    );
    let mut groups: Vec<(Meaning, Vec<String>)> = Vec::new();
    for row in header.functions() {
        let name = format!("`{}`", row.name);
        let same = |meaning: &Meaning| meaning.to_string() == row.meaning.to_string();
        match groups.iter_mut().find(|(meaning, _)| same(meaning)) {
            Some((_, names)) => names.push(name),
            None => groups.push((row.meaning, vec![name])),
        }
    }
    groups.sort_by_key(|(meaning, _)| meaning.status());
    for (meaning, names) in groups {
        let _ = writeln!(
            page,
            "| {} | {} | {meaning} |",
            names.join(", "),
            meaning.status()
        );
    }
}

#[test]
fn the_page_is_the_table() {
    expect_file!["../../../../docs/library.md"].assert_eq(&page());
}
