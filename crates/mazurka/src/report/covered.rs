//! What was looked at where there is no answer; and `--coverage`: the lines that were reached, for other programs.

use super::Report;
use crate::failure::Failure;
use driver::{Covered, FileCoverage};
use std::fs::File;
use std::io::{self, Write};
use std::path::Path;
use verdict::grouped;

/// More gaps in a file are only counted.
const MOST_GAPS: usize = 8;

/// In sentences: how far each engine came, and which lines of the program were never reached.
pub fn lines(covered: &Covered) -> Vec<String> {
    let engines = covered.engines.iter();
    let engines: Vec<String> = engines
        .map(|it| format!("{} ({})", it.progress, it.engine))
        .collect();
    let looked_at = (!engines.is_empty()).then(|| format!("looked at: {}", engines.join(", ")));
    let files = covered.lines.iter().flat_map(|lines| &lines.files);
    let files = files.filter_map(of_file);
    looked_at.into_iter().chain(files).collect()
}

/// `reached 85 of 120 lines of pool.c; never reached: 12-15, 33`; nothing if no line of it counts.
fn of_file(file: &FileCoverage) -> Option<String> {
    let all = file.reached.len() + file.missed.len();
    let (reached, of) = (grouped(file.reached.len() as u64), grouped(all as u64));
    let name = &file.file;
    let gaps = file.gaps();
    let shown = gaps.iter().take(MOST_GAPS);
    let mut shown: Vec<String> = shown.map(|&(from, to)| range(from, to)).collect();
    if gaps.len() > MOST_GAPS {
        shown.push(format!("and {} more places", gaps.len() - MOST_GAPS));
    }
    match (all, file.missed.len()) {
        (0, _) => None,
        (_, 0) => Some(format!("reached all {of} lines of {name}")),
        _ => Some(format!(
            "reached {reached} of {of} lines of {name}; never reached: {}",
            shown.join(", ")
        )),
    }
}

fn range(from: u32, to: u32) -> String {
    match from == to {
        true => from.to_string(),
        false => format!("{from}-{to}"),
    }
}

impl Report<'_> {
    /// Writes the lines that were reached as a tracefile of lcov, behind those of another answer if there is one.
    pub fn write_coverage(&self, path: &Path, append: bool) -> Result<(), Failure> {
        let lines = self.covered.as_ref().and_then(|it| it.lines.as_ref());
        let text = lines.map_or_else(String::new, |lines| lines.lcov(self.task.property.name()));
        let written = open(path, append).and_then(|mut file| file.write_all(text.as_bytes()));
        written
            .map_err(|error| Failure::refused(format!("cannot write {}: {error}", path.display())))
    }
}

fn open(path: &Path, append: bool) -> io::Result<File> {
    match append {
        true => File::options().append(true).create(true).open(path),
        false => File::create(path),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn file(reached: &[u32], missed: &[u32]) -> Option<String> {
        of_file(&FileCoverage {
            file: "f.c".into(),
            reached: reached.to_vec(),
            missed: missed.to_vec(),
            left_out: vec![100],
        })
    }

    #[test]
    fn what_was_never_reached_is_named() {
        assert_eq!(file(&[], &[]), None);
        assert_eq!(file(&[1, 2], &[]).unwrap(), "reached all 2 lines of f.c");
        let some = "reached 2 of 5 lines of f.c; never reached: 3-4, 7";
        assert_eq!(file(&[1, 6], &[3, 4, 7]).unwrap(), some);
        let odd: Vec<u32> = (0..20).map(|it| 2 * it + 1).collect();
        let even: Vec<u32> = odd.iter().map(|it| it + 1).collect();
        let many = "reached 20 of 40 lines of f.c; never reached: 2, 4, 6, 8, 10, 12, 14, 16, and 12 more places";
        assert_eq!(file(&odd, &even).unwrap(), many);
    }
}
