//! `mazurka check`: one program, one property, one verdict.

use super::auto;
use crate::about::{About, ProgramFile};
use crate::args::{AUTO, CheckArgs, Format, LimitArgs, ProgramArgs, ShowArgs};
use crate::evidence_file::{self, EvidenceFile};
use crate::explanation::Explanation;
use crate::failure::{Exit, Failure};
use crate::progress;
use crate::report::Report;
use crate::trace_file::TraceFile;
use crate::watchdog::Watchdog;
use crate::{output, pipeline, signal, witness_file};
use driver::Plan;
use std::sync::Arc;
use verdict::{Budget, Confirmed, Program, Property, Reason, Task, Verdict};
use xcfa::{SourceFile, Sources, Xcfa};

/// What the arguments ask for. Conflicting arguments are reported before a file is read.
pub fn plan(args: &CheckArgs, property: Property, budget: &Budget) -> Result<Plan, Failure> {
    if (args.explain || args.paranoid) && args.engine != AUTO {
        return Err(Failure::usage(
            "--explain and --paranoid need --engine auto",
        ));
    }
    let refused = args.engines.refused(&args.engine);
    if let Some(what) = refused.or_else(|| witness_file::refused(args)) {
        return Err(Failure::usage(what));
    }
    let options = args.engines.options.clone();
    let standard = Plan::default();
    let plan = Plan {
        engine: Some(args.engine.clone()).filter(|name| name != AUTO),
        options: options.with_artifacts(args.evidence.clone()),
        budget: budget.clone(),
        cores: args.cores.map_or(standard.cores, usize::from),
        memory: args.limits.memory << 20,
        paranoid: args.paranoid,
        ..standard
    };
    match plan.checkers(property) {
        Ok(_) => Ok(plan),
        Err(bad) => Err(Failure::usage(bad.to_string())),
    }
}

/// Runs the command.
pub fn run(args: &CheckArgs) -> Result<Exit, Failure> {
    let property = pipeline::property(&args.property, &args.program.reading.entry)?;
    let budget = budget(&args.limits);
    let plan = plan(args, property, &budget)?;
    if let Some(folder) = &args.evidence {
        evidence_file::prepare(folder)?;
    }
    let asked = Asked::new(args, property, &budget);
    let watchdog = Watchdog::watch(
        &budget,
        args.limits.memory << 20,
        asked.without_answer(None),
    );
    let program = pipeline::read(&args.program)?;
    let task = Arc::new(Task::prepare(&program, property)?);
    watchdog.say_instead(asked.without_answer(Some(task.clone())));
    let outcome = auto::solve(&task, &plan)?;
    let (engine, notes) = (&outcome.engine, outcome.confirmed.notes().to_owned());
    let mut report = Report::new(&task, engine, budget.elapsed(), outcome.confirmed);
    report.explanation = outcome.tried.map(Explanation::from);
    watchdog.say_instead(with_answer(&report, &args.show));
    if let Some(folder) = &args.evidence {
        let _pen = watchdog.pen();
        let about = About::new::<EvidenceFile>(&args.program, program.files(), property);
        let assumptions = &task.xcfa.assumptions;
        EvidenceFile::save(folder, about, engine, assumptions, report.verdict())?;
    }
    witness_file::write(args, &program, &task, report.verdict(), &budget, &watchdog)?;
    let page = page(&report, &args.show, &args.program, &budget);
    let pen = watchdog.pen();
    output::print(&notes);
    let files = program.files();
    let exit = show(&report, &args.show, &args.program, files, &task, page)?;
    if args.explain
        && args.show.format == Format::Text
        && let Some(explanation) = &report.explanation
    {
        output::print(&explanation.text());
    }
    pen.lay_down(exit);
    Ok(exit)
}

/// What was asked, to answer *unknown* with when there is no time for another answer.
struct Asked {
    args: CheckArgs,
    property: Property,
    budget: Budget,
}

impl Asked {
    fn new(args: &CheckArgs, property: Property, budget: &Budget) -> Asked {
        let (args, budget) = (args.clone(), budget.clone());
        Asked {
            args,
            property,
            budget,
        }
    }

    /// The last words as long as there is no answer; without a task, the program is not known yet.
    fn without_answer(
        &self,
        task: Option<Arc<Task>>,
    ) -> impl FnMut(&Reason) -> Exit + Send + 'static {
        let (args, budget) = (self.args.clone(), self.budget.clone());
        let unread = || Arc::new(unread_task(&args.program, self.property));
        let task = task.unwrap_or_else(unread);
        move |reason| {
            if let Some(folder) = &args.evidence {
                evidence_file::discard(folder);
            }
            let unknown = Confirmed::unknown(reason.clone());
            let report = Report::new(&task, &args.engine, budget.elapsed(), unknown);
            give_up(&report, &args.show, &args.program, &task, &budget)
        }
    }
}

/// What is known of a program before it is read: nothing.
pub fn unread_task(program: &ProgramArgs, property: Property) -> Task {
    let xcfa = Xcfa::new(program.reading.data_model.into(), Sources::default());
    let empty = Program::from_automaton(xcfa);
    Task::prepare(&empty, property).expect("an automaton is taken as it is")
}

/// Prints an answer of *unknown*, from another thread than the one that should have given one.
pub fn give_up(
    report: &Report<'_>,
    how: &ShowArgs,
    program: &ProgramArgs,
    task: &Task,
    budget: &Budget,
) -> Exit {
    progress::clear();
    let page = page(report, how, program, budget);
    match show(report, how, program, &[], task, page) {
        Ok(exit) => exit,
        Err(failure) => {
            output::complain(&failure.message);
            failure.exit
        }
    }
}

/// The last words when the answer is known, and what else was asked for takes too long.
fn with_answer(
    report: &Report<'_>,
    how: &ShowArgs,
) -> impl FnMut(&Reason) -> Exit + Send + 'static {
    let (text, exit) = (text_of(report, how), exit_of(report.verdict()));
    move |reason| {
        progress::clear();
        output::print(&text);
        output::complain(&format!(
            "note: {reason}; not all files that were asked for are written\n"
        ));
        exit
    }
}

/// The limits of the user, ready to be interrupted.
pub fn budget(limits: &LimitArgs) -> Budget {
    let mut budget = Budget::unlimited().with_memory(limits.memory << 20);
    if let Some(timeout) = limits.timeout {
        budget = budget.with_timeout(timeout);
    }
    signal::on_interrupt(budget.interrupt_flag());
    budget
}

/// The page of an answer, if one is wanted. This may take a while: a proof is checked once more.
pub fn page(
    report: &Report<'_>,
    how: &ShowArgs,
    program: &ProgramArgs,
    budget: &Budget,
) -> Option<String> {
    let wanted = how.html.as_ref();
    wanted.map(|_| report.html(&program.files, budget))
}

fn text_of(report: &Report<'_>, how: &ShowArgs) -> String {
    match how.format {
        Format::Text => report.text(how.stats, how.all_steps),
        Format::Json => report.json(),
        Format::Gcc => report.lines(),
        Format::Github => report.annotations(),
    }
}

fn exit_of(verdict: &Verdict) -> Exit {
    match verdict {
        Verdict::Safe(_) => Exit::Safe,
        Verdict::Unsafe(_) => Exit::Unsafe,
        Verdict::Unknown(_) => Exit::Unknown,
    }
}

/// Prints a report and writes its files, and tells the exit code of its verdict.
pub fn show(
    report: &Report<'_>,
    how: &ShowArgs,
    program: &ProgramArgs,
    files: &[SourceFile],
    task: &Task,
    page: Option<String>,
) -> Result<Exit, Failure> {
    output::print(&text_of(report, how));
    if let (Verdict::Unsafe(trace), Some(path)) = (report.verdict(), &how.trace) {
        let about = About::new::<TraceFile>(program, files, task.property);
        let trace = trace.clone();
        TraceFile { about, trace }.write(path)?;
    }
    if let (Some(path), Some(page)) = (&how.html, page) {
        std::fs::write(path, page).map_err(|error| {
            Failure::refused(format!("cannot write {}: {error}", path.display()))
        })?;
    }
    if let Some(path) = &how.sarif {
        report.write_sarif(path)?;
    }
    if let Some(path) = &how.junit {
        report.write_junit(path, &program.files)?;
    }
    Ok(exit_of(report.verdict()))
}
