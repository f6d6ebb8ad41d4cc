//! The files that a comparison is written to, beside its rows.

use crate::args::BenchArgs;
use crate::failure::Failure;
use bench::{About, Figure, Record, Results};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// Writes what was asked for, and lays the records side by side.
pub fn write(args: &BenchArgs, records: Vec<Record>, about: &About) -> Result<Results, Failure> {
    if let Some(path) = &args.json {
        save(path, &bench::json(&records, about))?;
    }
    if let Some(path) = &args.xml {
        for (path, text) in xml(path, &records, about) {
            save(&path, &text)?;
        }
    }
    let results = Results::new(records);
    if let Some(path) = &args.html {
        save(path, &bench::page(&title(args), &results, about))?;
    }
    if let Some(path) = &args.svg {
        save(path, &bench::quantile(&results, &Figure::Cpu))?;
    }
    Ok(results)
}

fn save(path: &Path, text: &str) -> Result<(), Failure> {
    std::fs::write(path, text)
        .map_err(|error| Failure::refused(format!("cannot write {}: {error}", path.display())))
}

fn title(args: &BenchArgs) -> String {
    let sources = args.suites.iter().chain(&args.from);
    let names: Vec<_> = sources.map(|path| path.display().to_string()).collect();
    format!("mazurka bench {}", names.join(" "))
}

/// BenchExec has a file for each set of runs.
fn xml(path: &Path, records: &[Record], about: &About) -> Vec<(PathBuf, String)> {
    let mut sets: BTreeMap<(&str, u32), Vec<&Record>> = BTreeMap::new();
    for record in records {
        let set = sets.entry((&record.config, record.run)).or_default();
        set.push(record);
    }
    let repeated = records.iter().any(|record| record.run > 1);
    let single = sets.len() == 1;
    let file = |((config, run), rows): ((&str, u32), Vec<&Record>)| {
        let name = match repeated {
            true => format!("{config}.{run}"),
            false => config.to_owned(),
        };
        // Names from files can hold anything.
        let ending = format!("{}.xml", name.replace(['/', ':', ' '], "_"));
        let path = match single {
            true => path.to_owned(),
            false => path.with_extension(ending),
        };
        (path, bench::xml(&name, &rows, about))
    };
    sets.into_iter().map(file).collect()
}
