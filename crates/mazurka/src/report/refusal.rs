//! A program that is refused, for other programs and for editors.

use super::{SCHEMA_VERSION, github};
use crate::args::Format;
use driver::Region;
use serde_json::{Value, json};
use verdict::Refused;
use xcfa::{Place, Sources, Span};

/// One thing that is in the way.
struct Obstacle<'r> {
    what: &'r str,
    place: Option<Place>,
    region: Option<Region>,
}

impl<'r> Obstacle<'r> {
    fn new(what: &'r str, at: Option<(&Sources, Span)>) -> Obstacle<'r> {
        Obstacle {
            what,
            place: at.map(|(sources, span)| sources.place(span)),
            region: at.and_then(|(sources, span)| driver::region(sources, span)),
        }
    }

    fn json(&self) -> Value {
        let Some(place) = &self.place else {
            return Value::Null;
        };
        let mut at = json!({ "file": place.file, "line": place.line });
        let region = self.region.map_or(Value::Null, |region| json!(region));
        for (name, value) in region.as_object().into_iter().flatten() {
            at[name] = value.clone();
        }
        at
    }

    /// As compilers print it.
    fn line(&self) -> String {
        let at = match (&self.place, &self.region) {
            (Some(place), Some(region)) => {
                format!("{}:{}:{}", place.file, place.line, region.column)
            }
            (Some(place), None) => format!("{}:{}", place.file, place.line),
            (None, _) => "mazurka".to_owned(),
        };
        format!("{at}: error: {}\n", self.what)
    }

    fn annotation(&self) -> String {
        let place = self.place.as_ref();
        let place = place.map(|place| (place.file.clone(), place.line.max(1)));
        github::command("error", "mazurka", place, self.what)
    }
}

/// Everything that is in the way, in the order of the text.
fn obstacles(refused: &Refused) -> Vec<Obstacle<'_>> {
    let place = refused.place.as_ref();
    let first = Obstacle::new(&refused.what, place.map(|(sources, span)| (sources, *span)));
    let others = refused.others.iter().map(|(span, what)| {
        let at = place.map(|(sources, _)| (sources, *span));
        Obstacle::new(what, at)
    });
    std::iter::once(first).chain(others).collect()
}

/// What is printed on standard output, if the format is not for people.
pub fn refusal(refused: &Refused, format: Format) -> Option<String> {
    let obstacles = obstacles(refused);
    match format {
        Format::Text => None,
        Format::Json => {
            let others = obstacles[1..].iter();
            let others = others.map(|it| json!({ "reason": it.what, "place": it.json() }));
            // What every answer has is here as well: who reads only that sees that this is none.
            let object = json!({
                "schema_version": SCHEMA_VERSION, "verdict": "refused", "reason": refused.what,
                "place": obstacles[0].json(), "others": others.collect::<Vec<_>>(),
                "details": refused.details, "wall_s": 0.0, "stats": {},
            });
            Some(format!("{object}\n"))
        }
        Format::Gcc => Some(obstacles.iter().map(Obstacle::line).collect()),
        Format::Github => Some(obstacles.iter().map(Obstacle::annotation).collect()),
    }
}
