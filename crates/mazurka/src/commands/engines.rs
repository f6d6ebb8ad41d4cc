//! `mazurka engines`: the engines, and the options of each.

use crate::args::{EnginesArgs, help_of_engine};
use crate::failure::{Exit, Failure};
use crate::output::{self, HEADING, paint};
use driver::Registry;
use verdict::Property;

/// Runs the command.
pub fn run(args: &EnginesArgs) -> Result<Exit, Failure> {
    let registry = Registry::standard();
    let text = match args.engine.as_deref() {
        None => list(&registry),
        Some(name) => one(&registry, name)?,
    };
    output::print(&text);
    Ok(Exit::Safe)
}

/// All engines, a line each.
fn list(registry: &Registry) -> String {
    let engines = registry.engines().map(|engine| engine.about());
    let rows = engines.map(|about| format!("  {:<10} {}\n", about.name, about.summary));
    let heading = paint(HEADING, "engines of `mazurka check --engine NAME`");
    let rows: String = rows.collect();
    format!("{heading}\n{rows}\nOptions of one of them: mazurka engines NAME\n")
}

/// What an engine checks, and its options.
fn one(registry: &Registry, name: &str) -> Result<String, Failure> {
    let Some(engine) = registry.find(name) else {
        let known = registry.names().join(", ");
        let what = format!("no engine is called `{name}`: there are {known}");
        return Err(Failure::usage(what));
    };
    let about = engine.about();
    let heading = paint(HEADING, &format!("--engine {name}"));
    let checked = Property::ALL.into_iter().filter(|it| about.checks(*it));
    let checked: Vec<&str> = checked.map(Property::name).collect();
    let options = help_of_engine(name).unwrap_or_else(|| "  It has no options.\n".to_owned());
    let (summary, checked) = (about.summary, checked.join(", "));
    Ok(format!(
        "{heading}: {summary}\n  checks {checked}\n\n{}\n",
        options.trim_end()
    ))
}
