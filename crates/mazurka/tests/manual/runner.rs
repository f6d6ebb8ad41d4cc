//! Runs the commands of every page, in a folder of its own with the programs of the project.

use crate::blocks::{self, Block, Step};
use crate::common::Folder;
use crate::pages::{self, Page};
use crate::{expected, words};
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::Command;

/// Which engine answers first depends on how busy the machine is, so one is asked after the other.
const ONE_AT_A_TIME: &str = r#"#!/bin/sh
if [ "$1" = check ]; then
    case " $* " in
    *" --engine "* | *" --cores "*) ;;
    *) shift; set -- check --cores 1 "$@" ;;
    esac
fi
exec "$MAZURKA_UNDER_TEST" "$@"
"#;

/// Nothing is built in these tests: `cargo xtask check` is `mazurka check`, and there is no other chore.
const NOTHING_IS_BUILT: &str = r#"#!/bin/sh
[ "$1 $2" = "xtask check" ] || { echo "cargo is not run here: $*"; exit 1; }
shift
exec mazurka "$@"
"#;

/// A folder in which the commands of a page are run.
struct ManualPlace {
    folder: Folder,
    path: String,
}

impl ManualPlace {
    fn new() -> ManualPlace {
        let folder = Folder::new();
        for name in ["examples", "litmus"] {
            copy(&pages::root().join(name), &folder.path().join(name));
        }
        let scripts = [("mazurka", ONE_AT_A_TIME), ("cargo", NOTHING_IS_BUILT)];
        for (name, text) in scripts {
            let script = folder.write(&format!(".bin/{name}"), text);
            std::fs::set_permissions(&script, PermissionsExt::from_mode(0o755)).unwrap();
        }
        let programs = folder.path().join(".bin");
        let path = std::env::var("PATH").unwrap();
        let path = format!("{}:{path}", programs.display());
        ManualPlace { folder, path }
    }

    /// The status and all output of a command.
    fn run(&self, command: &str) -> (Option<i32>, String) {
        let output = Command::new("timeout")
            .args(["60", "sh", "-c", &format!("exec 2>&1\n{command}")])
            .current_dir(self.folder.path())
            .env("PATH", &self.path)
            .env("MAZURKA_UNDER_TEST", env!("CARGO_BIN_EXE_mazurka"))
            .env("LC_ALL", "C.UTF-8")
            .output()
            .unwrap();
        let text = String::from_utf8_lossy(&output.stdout).into_owned();
        (output.status.code(), text)
    }

    /// What is wrong with a command, if anything is.
    fn complaint(&self, step: &Step, status: Option<i32>) -> Option<String> {
        let (ended, output) = self.run(&step.command);
        let wanted = status.unwrap_or_else(|| status_of(&output));
        if ended != Some(wanted) {
            return Some(format!("ends with {ended:?}, not {wanted}:\n{output}"));
        }
        let fits = step.output.is_empty() || expected::fits(&step.output, &output);
        (!fits).then(|| format!("prints\n{output}\nand not\n{}", step.output.join("\n")))
    }
}

/// The exit status that goes with a verdict; 0 where there is none.
fn status_of(output: &str) -> i32 {
    let verdicts = output.lines().filter_map(|line| line.split_once("  "));
    let mut statuses = verdicts.filter_map(|(word, rest)| match word {
        "UNSAFE" => Some(1),
        "UNKNOWN" => Some(2),
        "CONFIRMED" if rest.contains("violation witness") => Some(1),
        "SAFE" | "CONFIRMED" => Some(0),
        _ => None,
    });
    statuses.next_back().unwrap_or(0)
}

fn copy(from: &Path, to: &Path) {
    std::fs::create_dir_all(to).unwrap();
    for entry in std::fs::read_dir(from).unwrap() {
        let entry = entry.unwrap();
        let target = to.join(entry.file_name());
        if entry.path().is_dir() {
            copy(&entry.path(), &target);
        } else {
            std::fs::copy(entry.path(), target).unwrap();
        }
    }
}

/// Does the definition of the command line accept all calls in a command?
fn misunderstood(command: &str) -> Option<String> {
    let wrong = |call: Vec<String>| {
        let words = std::iter::once("mazurka".to_owned()).chain(call);
        mazurka::definition().try_get_matches_from(words).err()
    };
    let error = words::calls(command).into_iter().find_map(wrong)?;
    Some(error.to_string())
}

/// Runs a page and lists what is wrong with it; counts the commands that were run.
fn run_page(page: &Page, ran: &mut usize) -> Vec<String> {
    let mut wrong = Vec::new();
    let mut place = None;
    let mut complain = |line: usize, command: &str, what: String| {
        wrong.push(format!("{}:{line}: `{command}` {what}", page.name));
    };
    for block in blocks::of(&page.text) {
        let (steps, ignored, status) = match block {
            Block::File { name, text } => {
                place
                    .get_or_insert_with(ManualPlace::new)
                    .folder
                    .write(&name, &text);
                continue;
            }
            Block::Hidden { line } => {
                complain(
                    line,
                    "mazurka",
                    "is in a block of another kind than console or sh".into(),
                );
                continue;
            }
            Block::Commands {
                steps,
                ignored,
                status,
            } => (steps, ignored, status),
        };
        let last = steps.len().saturating_sub(1);
        for (at, step) in steps.iter().enumerate() {
            let mut what = misunderstood(&step.command);
            if what.is_none() && ignored.is_none() {
                let place = place.get_or_insert_with(ManualPlace::new);
                what = place.complaint(step, status.filter(|_| at == last));
                *ran += 1;
            }
            if let Some(what) = what {
                complain(step.line, &step.command, what);
            }
        }
    }
    wrong
}

#[test]
fn every_command_of_the_manual_does_what_the_page_says() {
    let mut ran = 0;
    let pages = pages::all();
    let wrong: Vec<String> = pages
        .iter()
        .flat_map(|page| run_page(page, &mut ran))
        .collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n\n"));
    assert!(ran >= 40, "only {ran} commands were found");
}
