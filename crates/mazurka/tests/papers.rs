//! `mazurka paper`: a few cells of every paper, what is kept, and what is said about wrong verdicts.

mod common;

use common::processes::{assert_gone, children, signal};
use common::{Folder, LOST_UPDATE, Ran};
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

/// The root of the repository, where the programs are.
fn root() -> &'static Path {
    let crates = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap();
    crates.parent().unwrap()
}

/// Runs `mazurka paper` there, with results in a folder, one short run for each cell.
fn paper(out: &Folder, number: &str, more: &[&str]) -> Ran {
    let mut command = assert_cmd::Command::cargo_bin("mazurka").unwrap();
    command.current_dir(root()).args(["paper", number]);
    command.arg("--out").arg(out.path());
    command.args(["--repeat", "1"]).args(more);
    let output = command.output().unwrap();
    Ran {
        status: output.status.code(),
        stdout: String::from_utf8(output.stdout).unwrap(),
        stderr: String::from_utf8(output.stderr).unwrap(),
    }
}

/// The pages and pictures say what was measured, and nothing is wrong.
#[track_caller]
fn check(number: &str, more: &[&str], printed: &[&str], pictures: &[&str]) {
    let out = Folder::new();
    let ran = paper(&out, number, more).exits(0).prints(printed);
    assert!(ran.stdout.contains("No verdict is wrong."), "{ran:#?}");
    let page = out.read(&format!("{number}.md"));
    for text in printed {
        assert!(page.contains(text), "`{text}` is missing:\n{page}");
    }
    for picture in pictures {
        let svg = out.read(picture);
        assert!(
            svg.starts_with("<svg") && svg.contains("</svg>"),
            "{picture}"
        );
        assert!(page.contains(&format!("({picture})")), "{picture}:\n{page}");
    }
}

#[test]
fn paper_1() {
    let more = [
        "--timeout",
        "2",
        "--folder",
        "examples",
        "--filter",
        "lost_update_fixed/",
    ];
    let printed = ["Of our 1 tasks", "| PRED LAZY LBE ", "130", "Figure 5.6"];
    let pictures = ["1-figure-5-4.svg", "1-figure-5-5-expl-seconds.svg"];
    check("1", &more, &printed, &pictures);
}

#[test]
fn paper_2() {
    let printed = ["| P1-1 ", "| Comp steps |", "redcomp s |"];
    check("2", &["--timeout", "5", "--filter", "P1-1/"], &printed, &[]);
}

#[test]
fn paper_3() {
    let printed = ["| phil2-pa ", "| paper: steps |"];
    check(
        "3",
        &["--timeout", "2", "--filter", "phil2-pa"],
        &printed,
        &[],
    );
    let pictures = ["3-figure-8-conflicts.svg", "3-figure-8-seconds.svg"];
    let filter = ["--timeout", "2", "--filter", "Figure 8/015"];
    check("3", &filter, &["| 15 "], &pictures);
}

#[test]
fn paper_4() {
    let filter = ["--timeout", "2", "--filter", "Handshake"];
    check("4", &filter, &["| Handshake ", "79/298 bissimulation"], &[]);
    let filter = [
        "--timeout",
        "0.2",
        "--count",
        "5",
        "--filter",
        "CustWorkers/hunt",
    ];
    let printed = ["Table 5.5", "| CustWorkers ", "CustWorkers 304,325"];
    check(
        "4",
        &filter,
        &printed,
        &["4-table-5-1.svg", "4-table-5-2.svg"],
    );
}

#[test]
fn paper_5() {
    let filter = ["--timeout", "2", "--filter", "account-1/"];
    check("5", &filter, &["| account-1 ", "fa02-1", "545"], &[]);
    let filter = ["--timeout", "2", "--filter", "indexer-12/"];
    check("5", &filter, &["Figure 6"], &["5-figure-6-seconds.svg"]);
}

#[test]
fn what_was_measured_is_kept_and_words_stay() {
    let out = Folder::new();
    out.write(
        "5.md",
        "# Our page\n\n<!-- begin table-1 -->\nold\n<!-- end table-1 -->\n\nOur words.\n",
    );
    let one = ["--timeout", "2", "--filter", "account-1/"];
    paper(&out, "5", &one).exits(0);
    let (page, kept) = (out.read("5.md"), out.read("5.results.jsonl"));
    assert!(
        page.starts_with("# Our page\n") && page.contains("Our words."),
        "{page}"
    );
    assert!(!page.contains("\nold\n"), "{page}");
    // The same again measures nothing, another row is added to what is there.
    paper(&out, "5", &one).exits(0);
    let sorted = |text: &str| {
        let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
        lines.sort();
        lines
    };
    assert_eq!(sorted(&out.read("5.results.jsonl")), sorted(&kept));
    assert_eq!(out.read("5.md"), page);
    paper(&out, "5", &["--timeout", "2", "--filter", "records-2/"]).exits(0);
    let both = out.read("5.md");
    assert!(
        both.contains("| account-1 ") && both.contains("| records-2 "),
        "{both}"
    );
    assert!(both.contains("4 of 56 cells were measured"), "{both}");
    // Under another limit everything is measured anew, and the old results are put aside.
    paper(&out, "5", &["--timeout", "3", "--filter", "records-2/"]).exits(0);
    assert!(!out.read("5.md").contains("| account-1 "));
    assert!(out.read("5.results.jsonl.old").contains("account-1"));
}

#[test]
fn out_of_time_is_no_number() {
    let out = Folder::new();
    let args = ["--timeout", "0.5", "--filter", "account-10/dpor"];
    let ran = paper(&out, "5", &args).exits(0);
    assert!(ran.stdout.contains("1 ran out of time"), "{ran:#?}");
    let row = ran
        .stdout
        .lines()
        .find(|line| line.starts_with("| account-10 "));
    let cells: Vec<&str> = row.unwrap().split('|').map(str::trim).collect();
    assert_eq!(cells[5..9], ["t/o"; 4], "{ran:#?}");
}

#[test]
fn a_wrong_verdict_is_an_error() {
    // A program with an error, where a program without one is expected.
    let programs = Folder::new();
    programs.write("p1.c", LOST_UPDATE);
    let folder = programs.path().to_str().unwrap();
    let args = [
        "--timeout",
        "10",
        "--folder",
        folder,
        "--filter",
        "Table I/P1-1/RedComp",
    ];
    let ran = paper(&Folder::new(), "2", &args).exits(1);
    ran.prints(&["WRONG verdicts: Table I/P1-1/RedComp: unsafe.", " WRONG |"]);
}

#[test]
fn an_interrupt_shows_what_there_is() {
    let out = Folder::new();
    let child = Command::new(assert_cmd::cargo::cargo_bin("mazurka"))
        .current_dir(root())
        .args(["paper", "5", "--timeout", "100", "--repeat", "1", "--out"])
        .arg(out.path())
        .args(["--filter", "account"])
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    // Four short cells come before the one that takes for ever.
    let kept = out.path().join("5.results.jsonl");
    let lines = || std::fs::read_to_string(&kept).map_or(0, |text| text.lines().count());
    let begun = Instant::now();
    while lines() < 6 {
        assert!(
            begun.elapsed() < Duration::from_secs(60),
            "{} lines",
            lines()
        );
        std::thread::sleep(Duration::from_millis(20));
    }
    let below = children(child.id());
    signal("-INT", child.id());
    let output = child.wait_with_output().unwrap();
    assert_gone(&below);
    assert_eq!(output.status.code(), Some(2));
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(text.contains("| account-5 "), "{text}");
    assert!(text.contains("5 of 56 cells were measured"), "{text}");
}

#[test]
fn mistakes_are_explained() {
    let nowhere = Folder::new();
    let ran = nowhere.mazurka(&["paper", "3", "--filter", "phil2"]);
    ran.exits(65).complains(&["--folder", "philosophers.c"]);
    let ran = nowhere.mazurka(&["paper", "3", "--filter", "nonsense"]);
    ran.exits(64).complains(&["no cell has `nonsense`"]);
    let ran = nowhere.mazurka(&["paper", "3", "--count", "5"]);
    ran.exits(64).complains(&["for paper 4"]);
    let ran = nowhere.mazurka(&["paper", "3", "--folder", "a", "--folder", "b"]);
    ran.exits(64).complains(&["only paper 1"]);
    let ran = nowhere.mazurka(&["paper", "6"]);
    ran.exits(64).complains(&["6"]);
}
