//! `mazurka paper`: the tables and figures of a paper again.

use crate::args::{PaperArgs, Switch, WhichPaper};
use crate::failure::{Exit, Failure};
use crate::progress::StatusLine;
use crate::{output, signal};
use driver::Reading;
use papers::{
    Cell, Experiment, Five, Four, Head, One, PAPERS, Paper, Part, Program, Results, RunResult,
    Runner, Settings, Three, Two,
};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;
use verdict::Task;

/// Measures whatever has not been measured, shows it, and writes it down if that was asked for.
pub fn run(args: &PaperArgs) -> Result<Exit, Failure> {
    if let Some(what) = args.refused() {
        return Err(Failure::usage(what));
    }
    let paper = PAPERS[args.paper as usize];
    let mut folders = args.folder.clone();
    if folders.is_empty() {
        folders = paper.folders.iter().map(PathBuf::from).collect();
    }
    let settings = Settings {
        folder: folders[0].clone(),
        timeout: args.timeout.unwrap_or(Duration::from_secs(paper.timeout)),
        repeat: args.repeat.unwrap_or(paper.repeat),
    };
    let experiment = chosen(args, folders);
    let all = experiment.cells(&settings).map_err(|error| lost(&error))?;
    let count = all.len();
    let filter = args.filter.as_deref().unwrap_or("");
    let cells = all
        .into_iter()
        .filter(|cell| cell.id.to_string().contains(filter));
    let cells: Vec<Cell> = cells.collect();
    if cells.is_empty() {
        return Err(Failure::usage(format!(
            "no cell has `{filter}` in its name"
        )));
    }
    let mut results = open(args, &paper, &settings)?;
    let stop = Arc::new(AtomicBool::new(false));
    signal::on_interrupt(Arc::clone(&stop));
    let measured = measure(&cells, &mut results, args, &stop);

    let mut parts = vec![papers::account(&results, count)];
    parts.extend(experiment.parts(&results));
    // Where nothing could be measured at all, an error says enough.
    if measured.is_ok() || results.iter().next().is_some() {
        show(&paper, &parts);
        if let Some(folder) = &args.out {
            write(folder, &paper, &parts)?;
        }
    }
    measured?;
    Ok(exit(&results, &stop))
}

fn chosen(args: &PaperArgs, folders: Vec<PathBuf>) -> Box<dyn Experiment> {
    match args.paper {
        WhichPaper::One => Box::new(One { folders }),
        WhichPaper::Two => Box::new(Two),
        WhichPaper::Three => Box::new(Three),
        WhichPaper::Four => Box::new(Four {
            count: args.hunt.count.unwrap_or(40),
            seed: args.hunt.seed.unwrap_or(1),
            search: order(args.hunt.search.as_deref()),
            frugal: args.hunt.frugal == Some(Switch::On),
        }),
        WhichPaper::Five => Box::new(Five),
    }
}

/// The order of search by its word, which the command line has checked.
fn order(word: Option<&str>) -> matching::Search {
    let mut words = matching::SEARCH.words.iter();
    let chosen = words.find(|(name, ..)| Some(*name) == word);
    chosen.map_or_else(Default::default, |(_, order, _)| *order)
}

/// Where results are kept, with those of an earlier run by the same build under the same limits.
fn open(args: &PaperArgs, paper: &Paper, settings: &Settings) -> Result<Results, Failure> {
    // Rows that are left out, and more runs of a cell, make no difference to what is there.
    let same = PaperArgs {
        filter: None,
        repeat: None,
        out: None,
        timeout: Some(settings.timeout),
        ..args.clone()
    };
    let head = Head {
        key: format!("{} {same:?}", build()),
        command: command(),
        limits: format!("{} s for a run", settings.timeout.as_secs_f64()),
        machine: papers::machine(),
    };
    let Some(folder) = &args.out else {
        return Ok(Results::unkept(head));
    };
    let path = folder.join(format!("{}.results.jsonl", paper.number));
    let made = std::fs::create_dir_all(folder).and_then(|()| Results::kept(head, &path));
    made.map_err(|error| Failure::refused(format!("{}: {error}", path.display())))
}

/// What the user typed, but for the folder of the results: for readers of the page.
fn command() -> String {
    let mut words = Vec::from(["mazurka".to_owned()]);
    let mut typed = std::env::args().skip(1);
    while let Some(word) = typed.next() {
        match word.as_str() {
            "--out" => drop(typed.next()),
            _ if word.starts_with("--out=") => {}
            _ if word.contains(' ') => words.push(format!("'{word}'")),
            _ => words.push(word),
        }
    }
    words.join(" ")
}

/// Changes with every build: the size of this program and when it was written.
fn build() -> String {
    let about = std::env::current_exe().and_then(std::fs::metadata);
    let Ok(about) = about else {
        return env!("CARGO_PKG_VERSION").to_owned();
    };
    let written = about.modified().ok();
    let since = written.and_then(|time| time.duration_since(std::time::UNIX_EPOCH).ok());
    format!("{} {:?}", about.len(), since)
}

fn measure(
    cells: &[Cell],
    results: &mut Results,
    args: &PaperArgs,
    stop: &AtomicBool,
) -> Result<(), Failure> {
    let mut line = StatusLine::new();
    let mut runner = Runner {
        read: &read,
        memory: args.memory,
        stop,
        tell: &mut |at, all, name| {
            let seconds = line.elapsed().as_secs();
            line.show(&format!("{}/{all} after {seconds} s: {name}", at + 1));
        },
    };
    runner.run_all(cells, results).map_err(|error| lost(&error))
}

fn lost(error: &str) -> Failure {
    Failure::refused(format!(
        "{error} (run it in the folder of the repository, or name one with --folder)"
    ))
}

fn read(program: &Program) -> Result<Task, String> {
    let reading = Reading {
        data_model: program.data_model,
        define: program.define.clone(),
        large_blocks: program.large_blocks,
        ..Reading::default()
    };
    let read = driver::read(&program.files, &reading);
    let task = read.and_then(|read| Task::prepare(&read, program.property));
    task.map_err(|refused| Failure::from(refused).message)
}

fn show(paper: &Paper, parts: &[Part]) {
    let red = output::paint(output::BAD, "WRONG");
    output::print(&format!("# Paper {}: {}\n", paper.number, paper.title));
    for part in parts.iter().filter(|part| !part.is_empty()) {
        output::print(&format!("\n{}", part.text.replace("WRONG", &red)));
    }
}

/// The page with its tables, and the pictures beside it.
fn write(folder: &Path, paper: &Paper, parts: &[Part]) -> Result<(), Failure> {
    let path = folder.join(format!("{}.md", paper.number));
    let old = std::fs::read_to_string(&path).unwrap_or_else(|_| {
        let Paper {
            number,
            title,
            source,
            ..
        } = paper;
        format!("# Paper {number}: {title}\n\n{source}.\n")
    });
    let pictures = parts.iter().flat_map(|part| &part.pictures);
    let page = (format!("{}.md", paper.number), papers::filled(&old, parts));
    for (name, text) in pictures.chain([&page]) {
        let path = folder.join(name);
        let written = std::fs::write(&path, text);
        written.map_err(|error| Failure::refused(format!("{}: {error}", path.display())))?;
    }
    Ok(())
}

fn exit(results: &Results, stop: &AtomicBool) -> Exit {
    let wrong = |record: &papers::Record| matches!(record.seen.outcome, RunResult::Wrong(_));
    if results.iter().any(wrong) {
        Exit::Unsafe
    } else if stop.load(Ordering::Relaxed) {
        Exit::Unknown
    } else {
        Exit::Safe
    }
}
