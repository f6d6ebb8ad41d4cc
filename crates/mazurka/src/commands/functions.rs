//! `mazurka functions`: what is known about functions of the C library.

use crate::args::FunctionsArgs;
use crate::failure::{Exit, Failure};
use crate::output;
use cfront::functions::{Function, HEADERS, Status, function};
use serde_json::json;

/// Runs the command.
pub fn run(args: &FunctionsArgs) -> Result<Exit, Failure> {
    if let Some(name) = args.names.iter().find(|name| function(name).is_none()) {
        let what = format!(
            "there is no row for `{name}`: a program that gives it a pointer is refused if a header of the system \
             declares it, and otherwise it is assumed to change nothing"
        );
        return Err(Failure::usage(what));
    }
    let wanted = wanted(args);
    let text = match args.json {
        true => as_json(&wanted),
        false => as_table(&wanted),
    };
    output::print(&text);
    Ok(Exit::Safe)
}

/// The rows with their headers.
fn wanted(args: &FunctionsArgs) -> Vec<(&'static str, Function)> {
    let status = args.status.map(Status::from);
    let mut wanted = Vec::new();
    for header in HEADERS {
        let is_wanted = |row: &Function| {
            let named = args.names.is_empty() || args.names.iter().any(|name| is_row_of(row, name));
            named && status.is_none_or(|status| row.meaning.status() == status)
        };
        let names = || header.name.split(", ");
        if args
            .header
            .as_ref()
            .is_none_or(|wanted| names().any(|name| name == wanted))
        {
            let rows = header.functions().filter(is_wanted);
            wanted.extend(rows.map(|row| (header.name, row)));
        }
    }
    wanted
}

fn is_row_of(this: &Function, name: &str) -> bool {
    function(name).is_some_and(|found| found.name == this.name)
}

fn as_table(rows: &[(&'static str, Function)]) -> String {
    let mut text = String::new();
    let mut last = "";
    for (header, row) in rows {
        if *header != last {
            let gap = if last.is_empty() { "" } else { "\n" };
            text += &format!("{gap}{header}\n");
            last = header;
        }
        let (name, meaning) = (row.name, row.meaning);
        text += &format!("  {name:<36} {:<9} {meaning}\n", meaning.status());
    }
    let count = |status| {
        rows.iter()
            .filter(|(_, row)| row.meaning.status() == status)
            .count()
    };
    text + &format!(
        "\n{} modelled, {} harmless, {} refused\n",
        count(Status::Modelled),
        count(Status::Harmless),
        count(Status::Refused)
    )
}

fn as_json(rows: &[(&'static str, Function)]) -> String {
    let rows: Vec<_> = rows
        .iter()
        .map(|(header, row)| {
            json!({
                "name": row.name,
                "header": header,
                "status": row.meaning.status().to_string(),
                "how": row.meaning.to_string(),
            })
        })
        .collect();
    let text = serde_json::to_string_pretty(&rows).unwrap_or_default();
    text + "\n"
}
