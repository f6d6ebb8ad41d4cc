//! Building and running what was written, to see that it fails as it should.

use crate::{Expectation, Unit};
use process::{Ended, Limits, run};
use std::io;
use std::process::Command;
use std::sync::atomic::AtomicBool;
use std::time::Duration;
use tempfile::TempDir;

/// How wide the program's words are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Data {
    /// `-m32`.
    Narrow,
    /// `-m64`.
    Wide,
}

/// A compiled program, in a folder of its own that goes with it.
#[derive(Debug)]
pub struct Built {
    folder: TempDir,
    expectation: Expectation,
}

/// Compiles the files; the error is what the compiler said.
pub fn build(
    units: &[Unit],
    expectation: Expectation,
    data: Data,
) -> io::Result<Result<Built, String>> {
    let folder = tempfile::tempdir()?;
    let mut command = Command::new("gcc");
    command.args(["-std=gnu11", "-w", "-pthread", "-o", "repro"]);
    command.args(expectation.compiler_options());
    // ThreadSanitizer exists for wide machines only; most narrow programs can be built there too.
    if data == Data::Narrow && expectation != Expectation::Races {
        command.arg("-m32");
    }
    for (number, unit) in units.iter().enumerate() {
        let name = format!("unit{number}.c");
        std::fs::write(folder.path().join(&name), &unit.text)?;
        command.arg(name);
    }
    let output = command.arg("-lm").current_dir(folder.path()).output()?;
    Ok(match output.status.success() {
        true => Ok(Built {
            folder,
            expectation,
        }),
        false => Err(String::from_utf8_lossy(&output.stderr).into_owned()),
    })
}

/// Runs the program once: `Ok` if it fails as expected, else what it did instead.
pub fn observe(built: &Built, patience: Duration) -> io::Result<Result<(), String>> {
    let limits = Limits {
        wall: patience,
        cpu: None,
        memory: u64::MAX,
    };
    let mut command = Command::new(built.folder.path().join("repro"));
    command.env("TSAN_OPTIONS", "halt_on_error=1");
    let finished = run(&mut command, &limits, &AtomicBool::new(false))?;
    let said = finished.stderr;
    let as_expected = match built.expectation {
        Expectation::Aborts => {
            said.contains("mazurka: an error is reached") || said.contains("Assertion `")
        }
        // A race with `free` is reported under another name.
        Expectation::Races => {
            said.contains("ThreadSanitizer: data race")
                || said.contains("ThreadSanitizer: heap-use-after-free")
        }
        Expectation::Hangs => {
            let followed = ["the schedule is done", "the schedule begins again"];
            finished.ended == Ended::OutOfTime && followed.iter().any(|line| said.contains(line))
        }
        Expectation::Misuses => said.contains("the schedule is done"),
        Expectation::Overflows => said.contains("signed integer overflow"),
        Expectation::MemoryError => {
            said.contains("AddressSanitizer") || said.contains("LeakSanitizer")
        }
    };
    Ok(match as_expected {
        true => Ok(()),
        false => Err(format!("{:?}\n{said}", finished.ended)),
    })
}
