//! `mazurka check`: one program, and a verdict for each property.

use super::look::Look;
use super::question::{Question, answer_quickly};
use super::{auto, check_all};
use crate::about::{About, ProgramFile};
use crate::args::{AUTO, CheckArgs, Format, LimitArgs, ProgramArgs, ShowArgs};
use crate::baseline::Baseline;
use crate::cache;
use crate::evidence_file::{self, EvidenceFile};
use crate::explanation::Explanation;
use crate::failure::{Exit, Failure};
use crate::findings::{self, Findings};
use crate::memory_model::ChosenModel;
use crate::progress;
use crate::report::{Report, refusal};
use crate::trace_file::TraceFile;
use crate::watchdog::Watchdog;
use crate::{output, output_files, pipeline, signal, witness_file};
use driver::{CheckResult, Covered, Plan};
use std::sync::Arc;
use std::time::Duration;
use verdict::{Budget, Confirmed, Program, Property, Reason, Task, Verdict};
use xcfa::{SourceFile, Sources, Xcfa};

/// What the arguments ask for. Conflicting arguments are reported before a file is read.
pub fn plan(args: &CheckArgs, properties: &[Property], budget: &Budget) -> Result<Plan, Failure> {
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
        memory: args.limits.memory,
        paranoid: args.paranoid,
        ..standard
    };
    for &property in properties {
        let checkers = plan.checkers(property);
        checkers.map_err(|bad| Failure::usage(bad.to_string()))?;
    }
    Ok(plan)
}

/// Runs the command.
pub fn run(args: &CheckArgs) -> Result<Exit, Failure> {
    if args.is_of_file() {
        return check_all::run(args);
    }
    if args.config.is_some() || !args.only.is_empty() {
        let what = "--config and --only are about the checks of a file, not about a program";
        return Err(Failure::usage(what));
    }
    if let Some(what) = args.refused() {
        return Err(Failure::usage(what));
    }
    let outputs = args.show.outputs().chain(&args.witness.witness);
    output_files::check(outputs)?;
    program(args).map_err(|failure| refused(failure, args.show.format))
}

/// Tells other programs, too, that a program is not accepted.
fn refused(mut failure: Failure, format: Format) -> Failure {
    let refused = failure.refused.as_deref();
    if let Some(text) = refused.and_then(|refused| refusal(refused, format)) {
        output::print(&text);
        // Who reads an object finds the message for people where it always is.
        if format != Format::Json {
            failure.message = refused.map_or_else(String::new, |refused| refused.details.clone());
        }
    }
    failure
}

/// Checks one program.
fn program(args: &CheckArgs) -> Result<Exit, Failure> {
    let memory_model = ChosenModel::read(&args.memory_model)?;
    let entry = &args.program.reading.entry;
    let properties = pipeline::properties(args.asked(), entry, memory_model.is_sc())?;
    if let Some(what) = memory_model.refused(args) {
        return Err(Failure::usage(what));
    }
    let budget = budget(&args.limits);
    let plan = plan(args, &properties, &budget)?;
    if let (Some(option), true) = (args.only_for_one(), properties.len() > 1) {
        let what = format!("{option} is about one property: name one with --property");
        return Err(Failure::usage(what));
    }
    if let Some(folder) = &args.evidence {
        evidence_file::prepare(folder)?;
    }
    let args = &args.with_names_by_property(properties.len() > 1);
    let asked = Asked::new(args, &properties, &budget);
    let baseline = args.baseline.as_deref().map(Baseline::read).transpose()?;
    let memory = args.limits.memory;
    let watchdog = Watchdog::watch(&budget, memory, asked.without_answer(Exit::Safe, None));
    let program = pipeline::read(&args.program)?;
    let program = memory_model.apply(program, &args.engine)?;
    let mut run = CheckRun {
        args,
        budget: &budget,
        plan: &plan,
        watchdog: &watchdog,
        program: &program,
        memory_model: &memory_model,
        baseline,
        exit: Exit::Safe,
        shown_until: Duration::ZERO,
        told: Vec::new(),
    };
    let others = match args.looks_further() {
        true => Property::all_where(|it| !it.is_about_weak_memory() && !properties.contains(&it)),
        false => Vec::new(),
    };
    let mut questions = Question::about(&[properties.clone(), others].concat());
    if args.cache.is_none() && args.only_for_one().is_none() {
        answer_quickly(&mut questions, &program, &plan)?;
    }
    let others = questions.split_off(properties.len());
    let mut asked = Asked::new(args, &properties, &budget);
    for question in questions {
        run.one(question, &asked)?;
        asked = asked.rest();
    }
    run.look_at(others)?;
    let exit = args.fail_on.exit(run.exit);
    watchdog.pen().lay_down(exit);
    Ok(exit)
}

/// The properties of one program, one after the other.
struct CheckRun<'a> {
    args: &'a CheckArgs,
    budget: &'a Budget,
    plan: &'a Plan,
    watchdog: &'a Watchdog,
    program: &'a Program,
    memory_model: &'a ChosenModel,
    /// The findings that are known.
    baseline: Option<Baseline>,
    /// What the answers so far come to.
    exit: Exit,
    /// When the answer before this one was shown.
    shown_until: Duration,
    /// The assumptions that were told with the answers so far.
    told: Vec<String>,
}

impl CheckRun<'_> {
    /// Answers the first of the questions that are left, and shows the answer.
    fn one(&mut self, mut question: Question, asked: &Asked) -> Result<(), Failure> {
        let (args, watchdog, program) = (self.args, self.watchdog, self.program);
        let property = question.property;
        let budget = self.share(asked.properties.len() as u32);
        let plan = self.plan.clone().with_budget(budget.clone());
        let task = match question.task(program) {
            Ok(task) => task,
            Err(why) if self.shown_until > Duration::ZERO => {
                // Others have an answer, or may have one.
                let failure = refused(why.into(), args.show.format);
                output::complain(&failure.message);
                self.exit = self.exit.and(failure.exit);
                return Ok(());
            }
            Err(why) => return Err(why.into()),
        };
        let entry = args.cache.as_deref();
        let entry =
            entry.map(|cache| cache::Entry::of(cache, args, program, property, self.memory_model));
        let asked = &asked.with_entry(entry.clone());
        watchdog.say_instead(asked.without_answer(self.exit, Some(task.clone())));
        let kept = entry.as_ref().and_then(|entry| entry.find(&task));
        let cached = kept.is_some();
        let quick = question.found.take();
        let quick_wall = quick.as_ref().and_then(CheckResult::wall);
        let outcome = match (quick, kept, &entry) {
            (Some(found), ..) => found,
            (None, Some((engine, confirmed)), _) => CheckResult {
                engine,
                confirmed,
                tried: None,
                covered: Covered::default(),
            },
            (None, None, Some(entry)) => {
                entry.prepare()?;
                let mut keeping = plan.clone();
                keeping.options = keeping.options.with_artifacts(Some(entry.artifacts()));
                auto::solve(&task, &keeping)?
            }
            (None, None, None) => auto::solve(&task, &plan)?,
        };
        let (engine, notes) = (&outcome.engine, outcome.confirmed.notes().to_owned());
        let confirmed = outcome.confirmed.shortened(&task);
        // What was answered together with others took only its own turn.
        let wall = quick_wall.unwrap_or_else(|| budget.elapsed() - self.shown_until);
        let mut report = Report::new(&task, engine, wall, confirmed);
        report.explanation = outcome.tried.map(Explanation::from);
        report.covered = (!cached).then_some(outcome.covered);
        report.check = args.check_name.clone();
        report.cached = cached;
        if let (Some(entry), false) = (&entry, cached) {
            let _pen = watchdog.pen();
            let about = About::new::<EvidenceFile>(&args.program, program.files(), property);
            let about = about.under(self.memory_model);
            if let Err(failure) = entry.keep(about, engine, &task, report.verdict()) {
                output::complain(&failure.message);
            }
        }
        if args.wants_all() && matches!(report.verdict(), Verdict::Unsafe(_)) {
            report.findings = Some(self.search(&mut report, &plan, asked)?);
            report.set_wall(budget.elapsed() - self.shown_until);
        }
        let exit = self.exit.and(report.exit());
        watchdog.say_instead(with_answer(&report, asked, exit));
        if let Some(folder) = &args.evidence {
            let _pen = watchdog.pen();
            let about = About::new::<EvidenceFile>(&args.program, program.files(), property);
            let about = about.under(self.memory_model);
            let assumptions = &task.xcfa.assumptions;
            EvidenceFile::save(folder, about, engine, assumptions, report.verdict())?;
        }
        witness_file::write(args, program, &task, report.verdict(), &budget, watchdog)?;
        let how = asked.args.show.for_property(property);
        let page = page(&report, &how, &args.program, &budget);
        let mut pen = watchdog.pen();
        output::print(&notes);
        let files = program.files();
        show(&report, &how, &args.program, files, &task, page)?;
        self.write_others(&report, &budget)?;
        if args.explain
            && args.show.format == Format::Text
            && let Some(explanation) = &report.explanation
        {
            output::print(&explanation.text());
        }
        if asked.properties.len() > 1 && args.show.format == Format::Text && !args.quiet {
            output::print("\n");
        }
        (self.exit, self.shown_until) = (exit, budget.elapsed());
        self.told.extend(task.xcfa.assumptions.iter().cloned());
        pen.say_instead(asked.rest().without_answer(exit, None));
        Ok(())
    }

    /// Looks at properties that nobody named.
    fn look_at(&mut self, mut others: Vec<Question>) -> Result<(), Failure> {
        if others.is_empty() {
            return Ok(());
        }
        let look = Look::at(&mut others, self.program, self.plan)?;
        let _pen = self.watchdog.pen();
        output::print(&look.text(&self.told, self.args.quiet));
        self.exit = self.exit.and(look.exit());
        Ok(())
    }

    /// All violations, of which the report has the first.
    fn search(
        &self,
        report: &mut Report<'_>,
        plan: &Plan,
        asked: &Asked,
    ) -> Result<Findings, Failure> {
        findings::search(report.finding(), plan, self.baseline.as_ref(), |so_far| {
            report.findings = Some(so_far.clone());
            let exit = self.exit.and(report.exit());
            self.watchdog.say_instead(with_answer(report, asked, exit));
        })
    }

    /// Writes the pages and traces of all findings but the first: `bug-2.html`, `bug-3.html` and so on.
    fn write_others(&self, report: &Report<'_>, budget: &Budget) -> Result<(), Failure> {
        let found = report.findings.iter().flat_map(|findings| &findings.found);
        for (at, finding) in found.enumerate().skip(1) {
            let how = self.args.show.for_property(finding.task.property);
            let how = how.for_finding(at + 1);
            let report = finding.report();
            let page = page(&report, &how, &self.args.program, budget);
            let (program, files) = (&self.args.program, self.program.files());
            write_files(&report, &how, program, files, &finding.task, page)?;
        }
        Ok(())
    }

    /// The time that is left, in equal parts for the properties that are left.
    fn share(&self, left: u32) -> Budget {
        match self.budget.remaining() {
            Some(time) if left > 1 => self.budget.at_most(time / left),
            _ => self.budget.clone(),
        }
    }
}

/// What was asked and has no answer yet, to answer *unknown* with when there is no time left.
struct Asked {
    args: CheckArgs,
    properties: Vec<Property>,
    budget: Budget,
    /// Where the answer to the first of them is kept.
    entry: Option<cache::Entry>,
}

impl Asked {
    fn new(args: &CheckArgs, properties: &[Property], budget: &Budget) -> Asked {
        Asked {
            args: args.clone(),
            properties: properties.to_vec(),
            budget: budget.clone(),
            entry: None,
        }
    }

    /// The same, with the place in the cache for the first answer.
    fn with_entry(&self, entry: Option<cache::Entry>) -> Asked {
        Asked {
            entry,
            ..Asked::new(&self.args, &self.properties, &self.budget)
        }
    }

    /// The same without the first property.
    fn rest(&self) -> Asked {
        let mut rest = Asked::new(&self.args, &self.properties[1..], &self.budget);
        rest.args.show.append = true;
        rest
    }

    /// The last words as long as there is no answer; without a task, the program is not known yet. `exit`
    /// is what the answers so far come to.
    fn without_answer(
        &self,
        exit: Exit,
        task: Option<Arc<Task>>,
    ) -> impl FnMut(&Reason) -> Exit + Send + 'static + use<> {
        let (args, budget) = (self.args.clone(), self.budget.clone());
        let entry = self.entry.clone();
        let known = usize::from(task.is_some());
        let left = self.properties[known.min(self.properties.len())..].to_vec();
        move |reason| {
            if let Some(folder) = &args.evidence {
                evidence_file::discard(folder);
            }
            if let Some(entry) = &entry {
                entry.discard();
            }
            let mut show = args.show.clone();
            let unread = |&property: &Property| Arc::new(unread_task(&args.program, property));
            let tasks = task.iter().cloned().chain(left.iter().map(unread));
            let said = tasks.map(|task| {
                let task = &*task;
                let unknown = Confirmed::unknown(reason.clone());
                let report = Report::new(task, &args.engine, budget.elapsed(), unknown);
                let how = show.for_property(task.property);
                let exit = give_up(&report, &how, &args.program, task, &budget);
                show.append = true;
                exit
            });
            args.fail_on.exit(said.fold(exit, Exit::and))
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
    asked: &Asked,
    exit: Exit,
) -> impl FnMut(&Reason) -> Exit + Send + 'static {
    let text = text_of(report, &asked.args.show);
    let mut rest = asked.rest().without_answer(exit, None);
    move |reason| {
        progress::clear();
        output::print(&text);
        output::complain(&format!(
            "note: {reason}; not all files that were asked for are written\n"
        ));
        rest(reason)
    }
}

/// The limits of the user, ready to be interrupted.
pub fn budget(limits: &LimitArgs) -> Budget {
    let mut budget = Budget::unlimited().with_memory(limits.memory);
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
        Format::Text if how.quiet => report.first_line(),
        Format::Text => report.text(how),
        Format::Json => report.json(),
        Format::Gcc => report.lines(),
        Format::Github => report.annotations(),
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
    write_files(report, how, program, files, task, page)?;
    Ok(report.exit())
}

/// Writes the files about an answer.
fn write_files(
    report: &Report<'_>,
    how: &ShowArgs,
    program: &ProgramArgs,
    files: &[SourceFile],
    task: &Task,
    page: Option<String>,
) -> Result<(), Failure> {
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
        report.write_sarif(path, how.append)?;
    }
    if let Some(path) = &how.junit {
        report.write_junit(path, &program.files, how.append)?;
    }
    if let Some(path) = &how.coverage {
        report.write_coverage(path, how.append)?;
    }
    Ok(())
}
