//! `mazurka verify-evidence`: is a verdict right, judging by what was written down about it?

use super::check::budget;
use crate::about::{CHANGED, Expected, ProgramFile, quoted};
use crate::args::{Format, VerifyEvidenceArgs};
use crate::evidence_file::{Claim, EvidenceFile};
use crate::failure::{Exit, Failure};
use crate::output::{BAD, DOUBT, FAINT, GOOD, paint};
use crate::watchdog::Watchdog;
use crate::{output, pipeline, progress};
use driver::Registry;
use engine::Evidence;
use serde_json::json;
use verdict::{Budget, Check, Reason, Task};

/// Runs the command. The exit status is 0 if the evidence is accepted, 1 if it is rejected, and 2 if
/// it cannot be decided in the time and memory that there is.
pub fn run(args: &VerifyEvidenceArgs) -> Result<Exit, Failure> {
    let mut file = EvidenceFile::load(&args.folder)?;
    let budget = budget(&args.limits);
    let (unchecked, clock, format) = (file.clone(), budget.clone(), args.format);
    let last_words = move |reason: &Reason| {
        progress::clear();
        say(
            &unchecked,
            &Check::Undecided(reason.clone()),
            format,
            &clock,
        )
    };
    let watchdog = Watchdog::watch(&budget, args.limits.memory, last_words);
    let check = match file.about().unexpected(&expected(args)?) {
        Some(why) => Check::Rejected(why),
        None => verify(args, &mut file, &budget)?,
    };
    let pen = watchdog.pen();
    let exit = say(&file, &check, args.format, &budget);
    pen.lay_down(exit);
    Ok(exit)
}

/// Prints what came of it, and tells the exit status.
fn say(file: &EvidenceFile, check: &Check, format: Format, budget: &Budget) -> Exit {
    output::print(&match format {
        Format::Json => in_json(file, check, budget),
        Format::Text | Format::Gcc | Format::Github => in_words(file, check, budget),
    });
    match check {
        Check::Accepted => Exit::Safe,
        Check::Rejected(_) => Exit::Unsafe,
        Check::Undecided(_) => Exit::Unknown,
    }
}

fn expected(args: &VerifyEvidenceArgs) -> Result<Expected, Failure> {
    let stated = args.property.as_deref().map(pipeline::stated).transpose()?;
    let (property, entry) =
        stated.map_or((None, None), |(property, entry)| (Some(property), entry));
    Ok(Expected {
        property,
        data_model: args.data_model,
        entry: args.entry.clone().or(entry),
        define: (!args.define.is_empty()).then(|| args.define.clone()),
    })
}

/// Reads the program as the evidence says, and checks the claim about it.
fn verify(
    args: &VerifyEvidenceArgs,
    file: &mut EvidenceFile,
    budget: &Budget,
) -> Result<Check, Failure> {
    let registry = Registry::standard();
    if registry.find(&file.engine).is_none() {
        return Ok(Check::Rejected("there is no such engine".into()));
    }
    let program = file.about.program(&args.files);
    let read = pipeline::read(&program)?;
    if !args.files.is_empty() {
        file.about = file.about.clone().renamed(read.files());
    }
    let about = &file.about;
    if !about.is_about(read.files()) {
        return Ok(Check::Rejected(CHANGED.into()));
    }
    let read = about.memory_model.apply(read, &file.engine)?;
    let task = Task::prepare(&read, about.property)?;
    if task.xcfa.assumptions != file.assumptions {
        let what = "it rests on other assumptions than it says";
        return Ok(Check::Rejected(what.into()));
    }
    let claim = match &file.claim {
        Claim::Unsafe(trace) => driver::Claim::Unsafe(trace),
        Claim::Safe(proof) => {
            let artifacts = file.artifacts(&args.folder);
            driver::Claim::Safe(Evidence { proof, artifacts })
        }
    };
    let budget = progress::shown(budget);
    Ok(registry.verify(&task, &claim, &budget))
}

fn in_words(file: &EvidenceFile, check: &Check, budget: &Budget) -> String {
    let about = file.about();
    let (property, described, engine) = (about.property, about.described(), quoted(&file.engine));
    let claim = file.claim.name();
    let what = format!("{property}: {claim} of {described}, as {engine} says");
    let (word, why) = match check {
        Check::Accepted => (paint(GOOD, "CONFIRMED"), String::new()),
        Check::Rejected(why) => (paint(BAD, "REJECTED"), format!(": {why}")),
        Check::Undecided(why) => (paint(DOUBT, "UNDECIDED"), format!(": {why}")),
    };
    let seconds = format!("({:.2} s)", budget.elapsed().as_secs_f64());
    let seconds = paint(FAINT, &seconds);
    let mut text = format!("{word}  {what}{why}  {seconds}\n");
    if *check == Check::Accepted {
        let assumed = file.assumptions.iter();
        text.extend(assumed.map(|assumption| format!("  assuming: {assumption}\n")));
    }
    text
}

fn in_json(file: &EvidenceFile, check: &Check, budget: &Budget) -> String {
    let (word, reason) = match check {
        Check::Accepted => ("accepted", None),
        Check::Rejected(why) => ("rejected", Some(why.clone())),
        Check::Undecided(why) => ("undecided", Some(why.to_string())),
    };
    let object = json!({
        "result": word, "reason": reason, "claim": file.claim.name(), "engine": file.engine,
        "about": file.about().value(), "assumptions": file.assumptions,
        "wall_s": budget.elapsed().as_secs_f64(),
    });
    format!("{object}\n")
}
