//! Nearly all public verification tasks lower.

use crate::{LowerOptions, Text, compile};
use std::path::Path;
use xcfa::{DataModel, SourceFile};

#[test]
fn nearly_every_program_of_the_corpus_lowers() {
    let Some(corpus) = testkit::corpus_dir() else {
        return;
    };
    let tasks = std::fs::read_to_string(corpus.join("tasks.csv")).expect("a list of tasks");
    let mut programs: Vec<(String, DataModel)> =
        tasks.lines().skip(1).filter_map(program).collect();
    programs.sort_by(|a, b| a.0.cmp(&b.0));
    programs.dedup_by(|a, b| a.0 == b.0);
    let mut refused = Vec::new();
    for (name, model) in &programs {
        let Some(file) = read(&corpus.join(name), name) else {
            continue;
        };
        let options = LowerOptions::default();
        if let Err(failure) = compile(&Text::new(vec![file], *model), &options) {
            let place = failure.sources.place(failure.error.span);
            refused.push(format!("{name}: {place}: {}", failure.error));
        }
    }
    println!(
        "{} of {} refused\n{}",
        refused.len(),
        programs.len(),
        refused.join("\n")
    );
    assert!(
        refused.len() <= 5,
        "too many are refused:\n{}",
        refused.join("\n")
    );
}

fn program(line: &str) -> Option<(String, DataModel)> {
    let fields: Vec<&str> = line.split(',').collect();
    let model = match *fields.get(4)? {
        "ILP32" => DataModel::Ilp32,
        _ => DataModel::Lp64,
    };
    Some((format!("{}/{}", fields[0], fields[1]), model))
}

fn read(path: &Path, name: &str) -> Option<SourceFile> {
    let text = ["i", "c"].iter().find_map(|suffix| {
        let mut file = path.as_os_str().to_owned();
        file.push(format!(".{suffix}"));
        std::fs::read_to_string(file).ok()
    });
    text.map(|text| SourceFile::new(name, text))
}
