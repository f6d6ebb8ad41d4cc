//! Verdicts on whole programs: those that are known, and those that exploration finds.

use std::path::Path;
use std::time::Duration;
use testkit::{Expectations, Profile, generate, preprocess, translate, workspace_dir};
use verdict::{Answer, Budget, Property, Task, Verdict};
use xcfa::SourceFile;

fn task(file: SourceFile) -> Result<Task, String> {
    let property = Property::Reach;
    let xcfa = translate(file, property)?;
    let xcfa = passes::prepare(xcfa, &passes::Options::default()).map_err(|error| error.what)?;
    Ok(Task { xcfa, property })
}

fn by_bmc(task: &Task, seconds: u64) -> Answer {
    let budget = Budget::unlimited().with_timeout(Duration::from_secs(seconds));
    bmc::check(task, &bmc::Config::default(), &budget)
}

/// Compares all programs of a folder with what is expected of them; gives how many were solved.
fn check_folder(folder: &Path) -> usize {
    let text = std::fs::read_to_string(folder.join("expect.toml")).expect("a file expect.toml");
    let expectations = Expectations::parse(&text).expect("a valid expect.toml");
    let mut wrong = String::new();
    let mut solved = 0;
    for program in &expectations.programs {
        let known = program
            .verdicts
            .iter()
            .find(|(property, _)| property == "reach");
        let Some((_, expected)) = known else { continue };
        let path = folder.join(&program.name).with_extension("c");
        let task = match task(preprocess(&path).expect("readable C")) {
            Ok(task) => task,
            Err(refusal) => {
                println!("{}: {refusal}", program.name);
                continue;
            }
        };
        let answer = by_bmc(&task, 3);
        match &answer.verdict {
            Verdict::Unknown(reason) => println!("{}: {reason}", program.name),
            verdict if verdict.name() == expected => solved += 1,
            // What exploration cannot settle because of inputs, this engine may.
            _ if expected == "unknown" => solved += 1,
            verdict => wrong += &format!("{}: {verdict:?}\n", program.name),
        }
        if let Verdict::Unknown(verdict::Reason::NotReplayed(what)) = &answer.verdict {
            wrong += &format!("{}: {what}\n", program.name);
        }
    }
    assert!(wrong.is_empty(), "\n{wrong}");
    println!("{solved} of {} solved", expectations.programs.len());
    solved
}

#[test]
fn litmus() {
    assert!(check_folder(&workspace_dir().join("litmus")) >= 60);
}

#[test]
fn examples() {
    assert!(check_folder(&workspace_dir().join("examples")) >= 10);
}

/// Two definite answers about a random program never differ.
fn compare(profile: &Profile, seeds: std::ops::Range<u64>) {
    let (mut both, mut safe, mut unknown) = (0, 0, 0);
    for seed in seeds {
        let text = generate(seed, profile).to_string();
        let task = task(SourceFile::new("random.c", text.clone())).expect("a program");
        let budget = Budget::unlimited().with_timeout(Duration::from_secs(10));
        let config = explore::Config::default();
        let explored = explore::check(&task, &config, &budget, &mut |_| {}).verdict;
        let answer = by_bmc(&task, 4).verdict;
        if let Verdict::Unknown(reason) = &answer {
            unknown += 1;
            println!("seed {seed}: {reason}");
            let lost = matches!(reason, verdict::Reason::NotReplayed(_));
            assert!(!lost, "seed {seed} of {profile:?}: {reason}\n{text}");
            continue;
        }
        if matches!(explored, Verdict::Unknown(_)) {
            continue;
        }
        both += 1;
        safe += usize::from(matches!(answer, Verdict::Safe(_)));
        assert_eq!(
            answer.name(),
            explored.name(),
            "seed {seed} of {profile:?}\n{text}"
        );
    }
    println!("{both} definite, {safe} of them safe, {unknown} unknown");
    assert!(both > unknown, "too little was compared");
}

/// How many programs of each kind; more with `BMC_RANDOM=N`.
fn count() -> u64 {
    let wanted = std::env::var("BMC_RANDOM")
        .ok()
        .and_then(|text| text.parse().ok());
    wanted.unwrap_or(75)
}

#[test]
fn random_programs() {
    compare(&Profile::standard(), 0..count());
}

#[test]
fn random_programs_that_block() {
    compare(&Profile::blocking(), 0..count());
}

#[test]
fn random_programs_with_inputs() {
    compare(&Profile::with_inputs(), 0..count());
}

#[test]
fn random_programs_without_threads() {
    compare(&Profile::sequential(), 0..count());
}
