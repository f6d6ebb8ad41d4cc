//! Which tasks are run.

use crate::args::BenchArgs;
use crate::failure::Failure;
use crate::output::complain;
use bench::{Run, Suite};

/// All runs of the suites that were asked for.
pub fn read(args: &BenchArgs) -> Result<Suite, Failure> {
    let mut suite =
        Suite::read_all(&args.suites).map_err(|error| Failure::refused(error.to_string()))?;
    for error in &suite.refused {
        complain(&format!("warning: {error}\n"));
    }
    if suite.runs.is_empty() {
        let names: Vec<_> = args
            .suites
            .iter()
            .map(|path| path.display().to_string())
            .collect();
        let what = format!("no usable task definition (*.yml) in {}", names.join(", "));
        return Err(Failure::refused(what));
    }
    suite.runs.retain(|run| asked_for(args, run));
    Ok(suite)
}

fn asked_for(args: &BenchArgs, run: &Run) -> bool {
    let named = |name: &String| {
        *name == run.property_name || run.property.as_ref().is_ok_and(|p| p.name() == name)
    };
    chosen(args, &run.family, &run.task)
        && (args.property.is_empty() || args.property.iter().any(named))
}

/// Is a task of this name wanted?
pub fn chosen(args: &BenchArgs, family: &str, task: &str) -> bool {
    let text = format!("{family}/{task}");
    let filter = args.filter.as_ref();
    filter.is_none_or(|wanted| text.contains(wanted))
}
