//! A program that is refused, for other programs and for editors.

use super::{SCHEMA_VERSION, github};
use crate::args::Format;
use serde_json::{Value, json};
use verdict::Refused;

/// What is printed on standard output, if the format is not for people.
pub fn refusal(refused: &Refused, format: Format) -> Option<String> {
    let place = refused
        .place
        .as_ref()
        .map(|(sources, span)| sources.place(*span));
    let region = refused
        .place
        .as_ref()
        .and_then(|(sources, span)| driver::region(sources, *span));
    let what = &refused.what;
    match format {
        Format::Text => None,
        Format::Json => {
            let at = place.as_ref().map(|place| {
                let mut at = json!({ "file": place.file, "line": place.line });
                let region = region.map_or(Value::Null, |region| json!(region));
                for (name, value) in region.as_object().into_iter().flatten() {
                    at[name] = value.clone();
                }
                at
            });
            // What every answer has is here as well: who reads only that sees that this is none.
            let object = json!({
                "schema_version": SCHEMA_VERSION, "verdict": "refused", "reason": what, "place": at,
                "details": refused.details, "wall_s": 0.0, "stats": {},
            });
            Some(format!("{object}\n"))
        }
        Format::Gcc => {
            let at = place.map_or_else(
                || "mazurka".to_owned(),
                |place| match region {
                    Some(region) => format!("{}:{}:{}", place.file, place.line, region.column),
                    None => format!("{}:{}", place.file, place.line),
                },
            );
            Some(format!("{at}: error: {what}\n"))
        }
        Format::Github => {
            let place = place.map(|place| (place.file, place.line.max(1)));
            Some(github::command("error", "mazurka", place, what))
        }
    }
}
