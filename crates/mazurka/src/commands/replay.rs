//! `mazurka replay`: a counterexample again, from its file.

use crate::about::ProgramFile;
use crate::args::ReplayArgs;
use crate::failure::{Exit, Failure};
use crate::output::{DOUBT, paint};
use crate::trace_file::TraceFile;
use crate::{output, pipeline, report};
use semantics::{Machine, replay};
use verdict::Task;

/// Runs the command: exit status 1 if the violation happens again, 2 if it does not.
pub fn run(args: &ReplayArgs) -> Result<Exit, Failure> {
    let file = TraceFile::read(&args.trace)?;
    let about = file.about();
    let program = about.program(&args.files);
    let read = pipeline::read(&program)?;
    // A trace shows no name that it says: files may be called otherwise by now.
    let renamed = about.clone().renamed(read.files());
    renamed.check_unchanged(read.files())?;
    let task = Task::prepare(&read, about.property)?;
    match replay(&Machine::new(&task.xcfa, task.property), &file.trace) {
        Ok(replay) => {
            let head = report::unsafe_headline(task.property, &replay.failure, "(replayed)");
            output::print(&head);
            if !args.native {
                let sources = &task.xcfa.sources;
                let schedule = report::draw(sources, &replay, &file.trace, args.schedule);
                output::print(&format!("\n{schedule}"));
            }
            if let Some(path) = &args.html {
                report::write_replay(path, &program.files, &task, &file.trace, &replay)?;
            }
            match args.native {
                true => super::native::write(args, &program, &read, &task, &file.trace),
                false => Ok(Exit::Unsafe),
            }
        }
        Err(mismatch) => {
            let word = paint(DOUBT, "UNKNOWN");
            output::print(&format!("{word}  the trace does not replay: {mismatch}\n"));
            Ok(Exit::Unknown)
        }
    }
}
