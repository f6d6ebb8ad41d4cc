//! Programs with known numbers of executions.

use crate::{count, task_of};
use fusion::Dpor;
use testkit::workspace_dir;
use verdict::{Property, Task};
use xcfa::SourceFile;

/// A line of the table: a program, the size it is compiled with, its number of executions.
fn expectations() -> Vec<(String, String, u64)> {
    let path = workspace_dir().join("litmus/executions/expect.txt");
    let text = std::fs::read_to_string(path).expect("the table of executions");
    let lines = text.lines().filter(|line| !line.starts_with('#'));
    lines
        .map(|line| {
            let words: Vec<&str> = line.split_whitespace().collect();
            let [name, size, executions] = words[..] else {
                panic!("not three words: {line}");
            };
            let executions = executions.parse().expect("a number");
            (name.to_owned(), size.to_owned(), executions)
        })
        .collect()
}

pub fn litmus_task(name: &str, size: &str) -> Task {
    let path = workspace_dir()
        .join("litmus/executions")
        .join(name)
        .with_extension("c");
    let mut command = std::process::Command::new("cc");
    command.args(["-E", "-std=gnu11"]).arg(&path);
    if size != "-" {
        command.arg(format!("-DN={size}"));
    }
    let output = command.output().expect("a C compiler named cc");
    let text = String::from_utf8(output.stdout).expect("a program");
    task_of(
        SourceFile::new(path.display().to_string(), text),
        Property::Reach,
    )
}

#[test]
fn litmus_programs_have_their_number_of_executions() {
    for (name, size, expected) in expectations() {
        let task = litmus_task(&name, &size);
        let optimal = count(&task, Dpor::Optimal, 1);
        assert_eq!(optimal, ("safe", expected, 0), "{name} {size}");
        for dpor in [Dpor::Source, Dpor::Classic] {
            let (verdict, executions, _) = count(&task, dpor, 1);
            let is = (verdict, executions);
            assert_eq!(is, ("safe", expected), "{name} {size}, {dpor:?}");
        }
    }
}

/// Several workers run the same executions as one.
#[test]
fn workers_share_the_executions_of_litmus_programs() {
    for (name, size, expected) in expectations() {
        let task = litmus_task(&name, &size);
        for dpor in [Dpor::Optimal, Dpor::Source, Dpor::Classic] {
            for jobs in [2, 4] {
                let (verdict, executions, _) = count(&task, dpor, jobs);
                let what = format!("{name} {size}, {dpor:?}, {jobs} jobs");
                assert_eq!((verdict, executions), ("safe", expected), "{what}");
            }
        }
    }
}
