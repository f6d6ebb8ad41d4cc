//! The pictures of pages in the manual. `UPDATE_EXPECT=1` makes them anew, from the programs that the pages are about.

mod common;

use common::Folder;
use common::browser::Browser;
use std::path::{Path, PathBuf};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// The width and the height of a picture, from the head of its file.
fn size(png: &[u8]) -> (u32, u32) {
    let number = |at: usize| {
        let bytes: [u8; 4] = png[at..at + 4].try_into().expect("four bytes");
        u32::from_be_bytes(bytes)
    };
    (number(16), number(20))
}

/// The program that a page of the manual shows under this name.
fn program_in(page: &str, name: &str) -> String {
    let text = std::fs::read_to_string(root().join("docs").join(page)).expect("a page");
    let (_, rest) = text
        .split_once(&format!("```c file={name}\n"))
        .expect("the program");
    rest.split_once("```").expect("its end").0.to_owned()
}

/// Checks a program, opens the page about it in a window, and compares or writes the picture. `shows` must hold on the
/// page.
fn picture(name: &str, height: u64, file: &str, program: &str, args: &[&str], shows: &str) {
    let Some(browser) = Browser::open(1400, 1000) else {
        return;
    };
    // Without a folder in front, so that no picture shows where it was made.
    let folder = Folder::new();
    folder.write(file, program);
    folder.mazurka(&[&["check", "--html", "page.html", file], args].concat());
    browser.open_file(&folder.path().join("page.html"));
    browser.fit(1400, height);
    assert_eq!(browser.eval(shows), true, "{name}: {shows}");
    let wide = "document.documentElement.scrollWidth <= innerWidth";
    assert_eq!(browser.eval(wide), true, "{name}");
    browser.eval("document.documentElement.style.scrollbarWidth = 'none'");
    let shot = browser.screenshot();
    let path = root().join("docs/pictures").join(format!("{name}.png"));
    if std::env::var_os("UPDATE_EXPECT").is_some() {
        std::fs::write(&path, &shot).expect("a picture");
    }
    let kept = std::fs::read(&path).expect("a picture in docs/pictures");
    assert_eq!(
        size(&kept),
        size(&shot),
        "{name}: make it anew with UPDATE_EXPECT=1"
    );
}

/// The picture of a page about an example.
fn of_example(name: &str, file: &str, args: &[&str], shows: &str) {
    let program = std::fs::read_to_string(root().join("examples").join(file));
    picture(name, 880, file, &program.expect("an example"), args, shows);
}

#[test]
fn race() {
    let shows = "document.querySelectorAll('#grid .arrow.race').length === 1";
    let args = ["--property", "race", "--engine", "explore"];
    of_example("race", "lost_update.c", &args, shows);
}

#[test]
fn deadlock() {
    let shows = "document.querySelectorAll('.box.blocked').length > 1";
    let args = ["--property", "deadlock", "--engine", "explore"];
    of_example("deadlock", "two_locks.c", &args, shows);
}

#[test]
fn proof() {
    let shows = "document.querySelectorAll('.inv').length > 1";
    of_example("proof", "lost_update_fixed.c", &["--engine", "horn"], shows);
}

#[test]
fn account() {
    let program = program_in("tutorial.md", "account.c");
    let shows = "document.getElementById('headline').textContent.includes('balance >= 0')";
    let args = ["--engine", "explore"];
    picture("account", 660, "account.c", &program, &args, shows);
}

#[test]
fn weak() {
    let program = std::fs::read_to_string(root().join("litmus/weak/sb.c"));
    let shows = "document.body.textContent.includes('No interleaving does this')";
    let args = ["--memory-model", "tso", "--engine", "graphs"];
    picture(
        "weak",
        760,
        "sb.c",
        &program.expect("a program"),
        &args,
        shows,
    );
}

#[test]
fn reached() {
    let program = program_in("large.md", "key.c");
    let shows = "document.querySelectorAll('.src.missed').length === 2";
    let args = ["--engine", "explore"];
    picture("reached", 560, "key.c", &program, &args, shows);
}
