//! `mazurka verify-evidence`: is a verdict right, judging by what was written down about it?

use super::check::budget;
use crate::about::ProgramFile;
use crate::args::VerifyEvidenceArgs;
use crate::evidence_file::{Claim, EvidenceFile};
use crate::failure::{Exit, Failure};
use crate::output::{BAD, DOUBT, FAINT, GOOD, paint};
use crate::{output, pipeline, progress};

/// Runs the command. The exit status is 0 if the evidence stands up, 1 if it does not, and 2 if
/// there was no time to see.
pub fn run(args: &VerifyEvidenceArgs) -> Result<Exit, Failure> {
    let file = EvidenceFile::load(&args.folder)?;
    let about = file.about();
    let budget = budget(&args.limits);
    let program = about.program(&args.files)?;
    let files = pipeline::read(&program)?;
    about.check_unchanged(&files)?;
    let task = pipeline::task(files, &program, about.property)?;
    let refutation = file.refutation(&args.folder);
    let (word, claim) = match &file.claim {
        Claim::Unsafe(trace) => ("unsafe", evidence::Claim::Unsafe(trace)),
        Claim::Safe(proof) => ("safe", evidence::Claim::Safe(proof, refutation.as_deref())),
    };
    let checked = evidence::verify(&task, &claim, &progress::shown(&budget));
    let what = format!("{}: {word}, as {} says", about.property, file.engine);
    let seconds = format!("({:.2} s)", budget.elapsed().as_secs_f64());
    let seconds = paint(FAINT, &seconds);
    let (exit, text) = match checked {
        Ok(()) => (Exit::Safe, format!("{}  {what}", paint(GOOD, "CONFIRMED"))),
        Err(why) if budget.exceeded(0).is_some() => {
            let word = paint(DOUBT, "NOT CHECKED");
            (Exit::Unknown, format!("{word}  {what}: {why}"))
        }
        Err(why) => (
            Exit::Unsafe,
            format!("{}  {what}: {why}", paint(BAD, "REJECTED")),
        ),
    };
    output::print(&format!("{text}  {seconds}\n"));
    Ok(exit)
}
