//! What a finding is called: the same in a program that has changed elsewhere.
//!
//! A fingerprint is made of the property, the kind of failure, and the text of the lines that it is about, each with its
//! file and its number among equal lines. Lines that are added above change nothing.

use semantics::{Failure, SourcePlace, What};
use verdict::Task;
use xcfa::Sources;

/// The version of the method, as SARIF wants it in the name.
pub const NAME: &str = "mazurkaFinding/v1";

/// The fingerprint of a violation.
pub fn fingerprint(task: &Task, failure: &Failure) -> String {
    let sources = &task.xcfa.sources;
    let line = |place: &Option<SourcePlace>| place.as_ref().map(|it| line(sources, it));
    let (kind, mut about): (&str, Vec<String>) = match &failure.what {
        What::Race { name, accesses, .. } => {
            let places = accesses.iter().filter_map(|access| line(&access.place));
            ("race", places.chain([without_numbers(name)]).collect())
        }
        What::Stuck { threads, .. } => {
            let waiting = threads.iter().filter_map(|thread| line(&thread.place));
            ("stuck", waiting.collect())
        }
        _ => ("place", line(&failure.place).into_iter().collect()),
    };
    // Which of two threads comes first is chance.
    about.sort();
    let property = task.property.name();
    let all = format!("{property}\n{kind}\n{}\n", about.join("\n"));
    let mut sum = witness::sha256(all.as_bytes());
    sum.truncate(32);
    sum
}

/// A name without the numbers of objects: which `struct task #2` of a heap it is depends on the schedule.
pub fn without_numbers(name: &str) -> String {
    let mut parts = name.split(" #");
    let first = parts.next().unwrap_or_default().to_owned();
    parts.fold(first, |known, part| {
        known + part.trim_start_matches(|c: char| c.is_ascii_digit())
    })
}

/// The file, the text of the line without its blanks, and how many lines before it have the same text.
fn line(sources: &Sources, place: &SourcePlace) -> String {
    let squeezed = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
    let mut originals = sources
        .files()
        .iter()
        .filter_map(|it| it.original(&place.file));
    let lines: Vec<String> = originals
        .next()
        .map_or_else(Vec::new, |text| text.lines().map(squeezed).collect());
    let at = (place.line as usize).saturating_sub(1);
    match lines.get(at) {
        Some(text) => {
            let before = lines[..at].iter().filter(|it| *it == text).count();
            format!("{}: {text} ({before})", place.file)
        }
        // The file is not known as it was written; the number of the line is all there is.
        None => place.to_string(),
    }
}

#[cfg(test)]
mod tests {
    #[test]
    fn objects_of_the_heap_have_no_numbers() {
        for (name, expected) in [
            ("struct task #2.n", "struct task.n"),
            ("malloc #12[4]", "malloc[4]"),
            ("a[3]", "a[3]"),
        ] {
            assert_eq!(super::without_numbers(name), expected);
        }
    }
}
