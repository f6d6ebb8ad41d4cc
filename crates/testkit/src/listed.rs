//! The programs of `litmus/` and `examples/`, with the verdicts that the file beside them lists.

use crate::{preprocess, task, workspace_dir};
use bench::Expectations;
use verdict::{Property, Task, Verdict};

/// A program with the verdict that is listed for it.
pub struct Listed {
    /// The name of its file, without the ending.
    pub name: String,
    /// The program, prepared for the property.
    pub task: Task,
    /// The listed verdict.
    pub expected: String,
}

/// What is listed in the file `expect.toml` of a folder of the workspace.
pub fn expectations(folder: &str) -> Expectations {
    let path = workspace_dir().join(folder).join("expect.toml");
    let text = std::fs::read_to_string(path).expect("a file expect.toml");
    Expectations::parse(&text).expect("a valid expect.toml")
}

/// The programs of a folder with a listed verdict for a property, without those that are refused.
pub fn listed(folder: &str, property: Property) -> impl Iterator<Item = Listed> {
    let root = workspace_dir().join(folder);
    let programs = expectations(folder).programs.into_iter();
    programs.filter_map(move |program| {
        let mut verdicts = program.verdicts.into_iter();
        let (_, expected) = verdicts.find(|(known, _)| known == property.name())?;
        let path = root.join(&program.name).with_extension("c");
        let task = task(preprocess(&path).expect("readable C"), property).ok()?;
        Some(Listed {
            name: program.name,
            task,
            expected,
        })
    })
}

/// How many of the [`listed`] programs an engine solves.
///
/// # Panics
/// If a verdict is not the listed one, or shows a fault of the engine.
pub fn solved(folder: &str, property: Property, ask: impl Fn(&Task) -> Verdict) -> usize {
    let (mut wrong, mut solved) = (String::new(), 0);
    for Listed {
        name,
        task,
        expected,
    } in listed(folder, property)
    {
        match ask(&task) {
            Verdict::Unknown(reason) if reason.is_fault() => {
                wrong += &format!("{name}: {reason}\n");
            }
            Verdict::Unknown(reason) => println!("{name}: {reason}"),
            // An engine may settle what exploration leaves open because of inputs.
            verdict if verdict.name() == expected || expected == "unknown" => solved += 1,
            verdict => wrong += &format!("{name}: {}, not {expected}\n", verdict.name()),
        }
    }
    assert!(wrong.is_empty(), "{property}:\n{wrong}");
    println!("{property}: {solved} solved");
    solved
}
