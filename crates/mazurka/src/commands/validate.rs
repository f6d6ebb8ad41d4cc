//! `mazurka validate`: is a witness right, whichever tool wrote it?

mod correctness;
mod violation;

use super::check;
use crate::args::{Format, Model, ProgramArgs, ValidateArgs};
use crate::failure::{Exit, Failure};
use crate::output::{BAD, DOUBT, FAINT, GOOD, paint};
use crate::watchdog::Watchdog;
use crate::written_program::{WrittenProgram, bytes_of};
use crate::{output, pipeline, progress, report};
use driver::Plan;
use semantics::{Machine, replay};
use serde_json::json;
use verdict::{Budget, Property, Reason, Task, Trace};
use witness::Document;
use witness::lint::{LintFile, lint};
use xcfa::DataModel;

/// What came of looking at a witness.
pub enum Judgement {
    /// It describes this violation of this program.
    Violation(Box<Task>, Trace),
    /// Its invariants hold, and so does the property.
    Correct,
    /// It is wrong.
    Rejected(String),
    /// We do not know.
    Unknown(String),
}

/// Runs the command: 0 if a proof is confirmed, 1 if a violation is, 2 otherwise.
pub fn run(args: &ValidateArgs) -> Result<Exit, Failure> {
    let text = text_of(args)?;
    let complaints = complaints(args, &text)?;
    if args.lint_only {
        return Ok(lint_only(args, &complaints));
    }
    let name = args.witness.display();
    let document = Document::read(&text)
        .map_err(|why| Failure::refused(format!("{name} is not a witness: {why}")))?;
    let budget = check::budget(&args.limits);
    let said = document
        .property()
        .map_err(|error| Failure::refused(format!("{name}: {error}")))?;
    let heading = Heading {
        args: args.clone(),
        origin: document.origin().to_string(),
        is_violation: document.is_violation(),
        property: said,
        complaints,
        budget: budget.clone(),
    };
    let last = heading.clone();
    let last_words = move |reason: &Reason| {
        progress::clear();
        last.show(&Judgement::Unknown(reason.to_string()))
    };
    let watchdog = Watchdog::watch(&budget, args.limits.memory, last_words);
    let judgement = match premises(args, &document, said)? {
        Err(why) => Judgement::Rejected(why),
        Ok(model) => judge(args, &document, said, model, &budget)?,
    };
    let pen = watchdog.pen();
    let exit = heading.show(&judgement);
    pen.lay_down(exit);
    Ok(exit)
}

/// What a judgement is about, for the message.
#[derive(Clone)]
struct Heading {
    args: ValidateArgs,
    /// Which format and tool the witness is of.
    origin: String,
    is_violation: bool,
    property: Property,
    complaints: Vec<String>,
    budget: Budget,
}

fn text_of(args: &ValidateArgs) -> Result<String, Failure> {
    let name = args.witness.display().to_string();
    String::from_utf8(bytes_of(&name)?)
        .map_err(|_| Failure::refused(format!("{name}: not UTF-8 text")))
}

fn complaints(args: &ValidateArgs, text: &str) -> Result<Vec<String>, Failure> {
    let mut files = Vec::new();
    for path in &args.files {
        files.push(LintFile::new(&bytes_of(&path.display().to_string())?));
    }
    Ok(lint(text, &files))
}

fn lint_only(args: &ValidateArgs, complaints: &[String]) -> Exit {
    let clean = complaints.is_empty();
    let text = match args.show.format {
        Format::Json => format!("{}\n", json!({"lint": complaints})),
        Format::Text | Format::Gcc | Format::Github if clean => {
            format!("{}  nothing is wrong with its form\n", paint(GOOD, "CLEAN"))
        }
        Format::Text | Format::Gcc | Format::Github => listed(complaints),
    };
    output::print(&text);
    if clean { Exit::Safe } else { Exit::Refused }
}

fn listed(complaints: &[String]) -> String {
    let line = |complaint: &String| format!("{}  {complaint}\n", paint(DOUBT, "LINT"));
    complaints.iter().map(line).collect()
}

/// Is the witness about this program and about what the user asks for? Gives the data model.
fn premises(
    args: &ValidateArgs,
    document: &Document,
    said: Property,
) -> Result<Result<Model, String>, Failure> {
    if let Some(text) = &args.property {
        let wanted = pipeline::property(text, &args.entry)?;
        // What violates a part of a property violates it.
        let mut parts = said.formulas().iter();
        let is_part = parts.all(|part| wanted.formulas().contains(part));
        if wanted != said && !(is_part && document.is_violation()) {
            let what = format!("the witness is about another property: {said}");
            return Ok(Err(what));
        }
    }
    let meant = document.model().map(|model| match model {
        DataModel::Ilp32 => Model::Ilp32,
        DataModel::Lp64 => Model::Lp64,
    });
    if let (Some(wanted), Some(meant)) = (args.data_model, meant)
        && wanted != meant
    {
        return Ok(Err("the witness is for another data model".into()));
    }
    for path in &args.files {
        let hash = witness::sha256(&bytes_of(&path.display().to_string())?);
        let same = |known: &&str| known.eq_ignore_ascii_case(&hash);
        let known = document.hashes();
        // The format in GraphML has room for one file only.
        let one = matches!(document, Document::Graphml(_)) && args.files.len() > 1;
        if !known.iter().any(same) && !one {
            let name = path.display();
            return Ok(Err(format!(
                "the witness is about another program: the hash of {name} differs"
            )));
        }
    }
    Ok(Ok(args.data_model.or(meant).unwrap_or(Model::Lp64)))
}

fn judge(
    args: &ValidateArgs,
    document: &Document,
    property: Property,
    model: Model,
    budget: &Budget,
) -> Result<Judgement, Failure> {
    let program = ProgramArgs {
        files: args.files.clone(),
        reading: args.reading(model),
    };
    let program = pipeline::read(&program)?;
    let written = WrittenProgram::new(&program, property)?;
    let plan = Plan {
        memory: args.limits.memory,
        budget: budget.clone(),
        ..Plan::default()
    };
    if !document.is_violation() {
        return correctness::judge(document, written, program, plan);
    }
    let task = Task::prepare(&program, property)?;
    violation::judge(document, written, task, plan)
}

impl Heading {
    fn show(&self, judgement: &Judgement) -> Exit {
        let (word, style, exit, reason) = match judgement {
            Judgement::Violation(..) => ("confirmed", BAD, Exit::Unsafe, ""),
            Judgement::Correct => ("confirmed", GOOD, Exit::Safe, ""),
            Judgement::Rejected(why) => ("rejected", DOUBT, Exit::Unknown, why.as_str()),
            Judgement::Unknown(why) => ("unknown", DOUBT, Exit::Unknown, why.as_str()),
        };
        let (property, origin) = (self.property, &self.origin);
        let seconds = self.budget.elapsed().as_secs_f64();
        if self.args.show.format == Format::Json {
            let verdict = match exit {
                Exit::Safe => "safe",
                Exit::Unsafe => "unsafe",
                _ => "unknown",
            };
            let object = json!({
                "result": word, "verdict": verdict, "property": property, "reason": reason,
                "witness": origin, "wall_s": seconds, "lint": self.complaints,
            });
            output::print(&format!("{object}\n"));
            return exit;
        }
        let kind = match self.is_violation {
            true => "violation",
            false => "correctness",
        };
        let why = match reason {
            "" => String::new(),
            reason => format!(": {reason}"),
        };
        let took = paint(FAINT, &format!("({seconds:.2} s)"));
        let head = paint(style, &word.to_uppercase());
        let mut out = format!("{head}  {property}: {kind} witness in {origin}{why}  {took}\n");
        out += &listed(&self.complaints);
        if let Judgement::Violation(task, trace) = judgement {
            out += &schedule(&self.args, task, trace);
        }
        output::print(&out);
        exit
    }
}

/// The execution that was found.
fn schedule(args: &ValidateArgs, task: &Task, trace: &Trace) -> String {
    match replay(&Machine::new(&task.xcfa, task.property), trace) {
        Ok(replay) => {
            let drawn = report::draw(&task.xcfa.sources, &replay, trace, args.show.schedule);
            format!("  {}\n\n{drawn}", replay.failure.headline())
        }
        Err(_) => String::new(),
    }
}
