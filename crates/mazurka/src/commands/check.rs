//! `mazurka check`: one program, one property, one verdict.

use super::auto;
use crate::about::{About, ProgramFile};
use crate::args::{CheckArgs, Engine, Format, LimitArgs, ProgramArgs, ShowArgs};
use crate::evidence_file::{self, EvidenceFile};
use crate::explanation::Explanation;
use crate::failure::{Exit, Failure};
use crate::progress;
use crate::report::Report;
use crate::trace_file::TraceFile;
use crate::{graph, output, pipeline, signal, witness_file};
use verdict::{Answer, Budget, Task, Verdict};
use xcfa::SourceFile;

/// Do the options go together? All of this is known before a file is read.
pub fn consistent(args: &CheckArgs) -> Result<(), Failure> {
    if let Some(prune) = args.prune
        && prune.engine() != args.engine
    {
        let what = "--prune full and lazy go with --engine cegar, on and off with --engine fusion";
        return Err(Failure::usage(what));
    }
    let refused = args.order.refused(args.engine, &args.matching);
    if let Some(what) = refused.or(args.matching.refused()) {
        return Err(Failure::usage(what));
    }
    if args.dump.is_some() && !matches!(args.engine, Engine::Bmc | Engine::Horn) {
        return Err(Failure::usage("--dump goes with --engine bmc or horn"));
    }
    if (args.explain || args.paranoid) && args.engine != Engine::Auto {
        return Err(Failure::usage(
            "--explain and --paranoid go with --engine auto",
        ));
    }
    if args.horn.invariants && args.engine != Engine::Horn {
        return Err(Failure::usage("--invariants goes with --engine horn"));
    }
    if args.horn.solver_cmd.is_some() && args.engine != Engine::Horn {
        return Err(Failure::usage("--solver-cmd goes with --engine horn"));
    }
    if args.horn.rule.is_some() && args.engine != Engine::Horn {
        return Err(Failure::usage("--rule goes with --engine horn"));
    }
    match witness_file::refused(args) {
        Some(what) => Err(Failure::usage(what)),
        None => Ok(()),
    }
}

/// Runs the command.
pub fn run(args: &CheckArgs) -> Result<Exit, Failure> {
    consistent(args)?;
    if let Some(folder) = &args.evidence {
        evidence_file::prepare(folder)?;
    }
    let budget = budget(&args.limits);
    let property = pipeline::property(&args.property)?;
    if let Some(what) = args.horn.refused(property) {
        return Err(Failure::usage(what));
    }
    let files = pipeline::read(&args.program)?;
    let task = pipeline::task(files.clone(), &args.program, property)?;
    let (engine, answer, explanation) = match (&args.cegar.arg, args.engine) {
        (Some(path), Engine::Cegar) => ("cegar", draw(&task, args, &budget, path)?, None),
        (Some(_), _) => return Err(Failure::usage("--arg goes with --engine cegar")),
        (None, Engine::Auto) => {
            let (facts, outcome) = auto::solve(&task, args, &budget);
            let explanation = Explanation::new(facts, outcome.tried);
            (outcome.engine, outcome.answer, Some(explanation))
        }
        (None, engine) => {
            let budget = progress::shown(&budget);
            let answer = run_engine(engine, &task, args, &budget);
            (engine.name(), answer, None)
        }
    };
    let mut report = Report::new(&task, engine, budget.elapsed(), answer);
    report.explanation = explanation;
    if let Some(folder) = &args.evidence {
        let about = About::new::<EvidenceFile>(&args.program, &files, property);
        EvidenceFile::save(folder, about, engine, report.verdict())?;
    }
    witness_file::write(args, &files, &task, report.verdict())?;
    let exit = show(&report, &args.show, &args.program, &files, &task)?;
    if args.explain
        && args.show.format == Format::Text
        && let Some(explanation) = &report.explanation
    {
        output::print(&explanation.text());
    }
    Ok(exit)
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

/// Refines abstractions and draws each of them.
fn draw(
    task: &Task,
    args: &CheckArgs,
    budget: &Budget,
    path: &std::path::Path,
) -> Result<Answer, Failure> {
    let mut snapshots = Vec::new();
    let mut watch = |snapshot| snapshots.push(snapshot);
    let config = args.cegar.config(args.prune, &args.order);
    let answer = cegar::check_watched(task, &config, budget, Some(&mut watch));
    graph::write(path, &snapshots)?;
    Ok(answer)
}

/// Runs one engine.
pub fn run_engine(engine: Engine, task: &Task, args: &CheckArgs, budget: &Budget) -> Answer {
    match engine {
        Engine::Auto | Engine::Explore => {
            let config = explore::Config::default();
            explore::check(task, &config, budget, &mut |now| {
                budget.tell(|| progress::describe(now, budget.elapsed()));
            })
        }
        Engine::Cegar => cegar::check(task, &args.cegar.config(args.prune, &args.order), budget),
        Engine::Fusion => fusion::check(task, &args.fusion.config(args.prune), budget),
        Engine::Horn => prove(task, args, budget),
        Engine::Lockset => lockset::check(task, budget),
        Engine::Matching => matching::check(task, &args.matching.config(&args.order), budget),
        Engine::Bmc => {
            let refutation = args.evidence.as_deref().map(evidence_file::refutation_in);
            let config = args.bmc.config(args.dump.clone());
            let config = bmc::Config {
                refutation,
                ..config
            };
            bmc::check(task, &config, budget)
        }
    }
}

/// Looks for invariants, and shows them if they are wanted.
fn prove(task: &Task, args: &CheckArgs, budget: &Budget) -> Answer {
    let (answer, proved) = horn::check_shown(task, &args.horn.config(args.dump.clone()), budget);
    if args.horn.invariants {
        for invariant in proved {
            output::print(&format!("{}:\n  {}\n", invariant.place, invariant.formula));
        }
    }
    answer
}

/// Prints a report and writes the trace, and tells the exit code of its verdict.
pub fn show(
    report: &Report<'_>,
    how: &ShowArgs,
    program: &ProgramArgs,
    files: &[SourceFile],
    task: &Task,
) -> Result<Exit, Failure> {
    output::print(&match how.format {
        Format::Text => report.text(how.stats, how.all_steps),
        Format::Json => report.json(),
        Format::Gcc => report.lines(),
    });
    if let (Verdict::Unsafe(trace), Some(path)) = (report.verdict(), &how.trace) {
        let about = About::new::<TraceFile>(program, files, task.property);
        let trace = trace.clone();
        TraceFile { about, trace }.write(path)?;
    }
    if let Some(path) = &how.html {
        report.write_html(path, &program.files)?;
    }
    if let Some(path) = &how.sarif {
        report.write_sarif(path)?;
    }
    if let Some(path) = &how.junit {
        report.write_junit(path, &program.files)?;
    }
    Ok(match report.verdict() {
        Verdict::Safe(_) => Exit::Safe,
        Verdict::Unsafe(_) => Exit::Unsafe,
        Verdict::Unknown(_) => Exit::Unknown,
    })
}
