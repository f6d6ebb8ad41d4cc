//! What `mazurka fence` prints.

use crate::output::{BAD, DOUBT, FAINT, GOOD, HEADING, paint};
use fence::{Advice, Found, Level, Outcome, Sites, Undecided};
use serde_json::{Value, json};
use std::time::Duration;
use verdict::Property;

/// Everything that there is to say.
pub struct FenceReport<'a> {
    /// The name of the memory model.
    pub model: &'a str,
    /// What must not get lost.
    pub properties: &'a [Property],
    /// The accesses and fences.
    pub sites: &'a Sites,
    /// What was found.
    pub outcome: &'a Outcome,
    /// How long it took.
    pub wall: Duration,
}

/// What to do, in a word; nothing for what may stay.
fn word(advice: Advice) -> &'static str {
    match advice {
        Advice::Keep => "",
        Advice::Weaken => "weaker",
        Advice::Remove => "can go",
        Advice::Strengthen => "STRONGER",
        Advice::Replace => "CHANGE",
    }
}

fn names(properties: &[Property]) -> String {
    let names: Vec<&str> = properties.iter().map(|it| it.name()).collect();
    names.join(", ")
}

fn counted(count: usize) -> String {
    match count {
        1 => "1 memory order".to_owned(),
        _ => format!("{count} memory orders"),
    }
}

impl FenceReport<'_> {
    /// A table for people.
    pub fn text(&self) -> String {
        let questions = self.outcome.questions;
        let cost = format!("({questions} questions, {:.2} s)", self.wall.as_secs_f64());
        let model = self.model;
        let mut out = match &self.outcome.found {
            Found::Levels {
                levels,
                violated,
                undecided,
            } => {
                let head = self.headline(levels, *violated);
                format!("{head}  {cost}\n{}", self.table(levels, undecided))
            }
            Found::Hopeless(property) => {
                let what = format!("{property} does not hold under {model}");
                let fails = paint(BAD, "FAILS");
                format!("{fails}  {what}, with `seq_cst` everywhere neither  {cost}\n")
            }
            Found::Open {
                property,
                reason,
                violated,
            } => {
                let unknown = match violated {
                    None => paint(DOUBT, "UNKNOWN"),
                    Some(_) => paint(BAD, "FAILS"),
                };
                let when = match violated {
                    None => "as written".to_owned(),
                    Some(it) => format!("{it} as written; with `seq_cst` everywhere"),
                };
                format!(
                    "{unknown}  {when}, it is not known whether {property} holds under {model}: {reason}  {cost}\n"
                )
            }
        };
        for assumption in self.sites.assumptions() {
            out += &format!("  assuming: {assumption}\n");
        }
        out
    }

    fn headline(&self, levels: &[Level], violated: Option<Property>) -> String {
        let model = self.model;
        let is = |wanted: &[Advice]| {
            let advice = self.advice(levels);
            advice.filter(|it| wanted.contains(it)).count()
        };
        if let Some(property) = violated {
            let count = counted(is(&[Advice::Strengthen, Advice::Replace]));
            let fails = paint(BAD, "FAILS");
            return format!("{fails}  {property} under {model} as written: strengthen {count}");
        }
        let holds = paint(GOOD, "HOLDS");
        let names = names(self.properties);
        let (weaker, gone) = (is(&[Advice::Weaken]), is(&[Advice::Remove]));
        let fences = match gone {
            0 => String::new(),
            1 => ", 1 fence can go".to_owned(),
            _ => format!(", {gone} fences can go"),
        };
        let what = match (weaker, gone) {
            (0, 0) => "no memory order can be weaker".to_owned(),
            _ => format!("{} can be weaker{fences}", counted(weaker)),
        };
        format!("{holds}  {names} under {model}: {what}")
    }

    fn advice(&self, levels: &[Level]) -> impl Iterator<Item = Advice> {
        let pairs = self.sites.all.iter().zip(levels);
        pairs.map(|(site, &level)| Advice::of(site.written, level))
    }

    fn table(&self, levels: &[Level], undecided: &[Undecided]) -> String {
        let mut out = String::new();
        let mut file = "";
        let rows = self.sites.all.iter().zip(levels).zip(self.advice(levels));
        for (at, ((site, level), advice)) in rows.enumerate() {
            if site.place.file != file {
                file = &site.place.file;
                let head = format!(
                    "{:>6}  {:<15}  {:<8} {:<8}",
                    "line", "operation", "written", "needed"
                );
                out += &format!("\n  {}\n{}\n", paint(HEADING, file), head.trim_end());
            }
            let (line, kind) = (site.place.line, site.kind.name());
            let row = format!(
                "{line:>6}  {kind:<15}  {:<8} {:<8}",
                site.written.to_string(),
                level.to_string()
            );
            let word = word(advice);
            out += &format!("{row} {word:<8}  {}\n", paint(FAINT, &site.line));
            for open in undecided.iter().filter(|it| it.site == at) {
                out += &format!("{:8}{} is not decided: {}\n", "", open.level, open.reason);
            }
        }
        out
    }

    /// The same for programs.
    pub fn json(&self) -> String {
        let names: Vec<&str> = self.properties.iter().map(|it| it.name()).collect();
        let mut object = json!({
            "memory_model": self.model,
            "properties": names,
            "questions": self.outcome.questions,
            "wall_s": self.wall.as_secs_f64(),
            "assumptions": self.sites.assumptions(),
        });
        let (verdict, more) = match &self.outcome.found {
            Found::Levels {
                levels,
                violated,
                undecided,
            } => {
                let verdict = if violated.is_some() { "fails" } else { "holds" };
                let sites = self.sites_json(levels, undecided);
                (verdict, json!({ "violated": violated, "sites": sites }))
            }
            Found::Hopeless(property) => ("fails", json!({ "violated": property, "sites": null })),
            Found::Open {
                property,
                reason,
                violated,
            } => {
                let verdict = if violated.is_some() {
                    "fails"
                } else {
                    "unknown"
                };
                let reason = reason.to_string();
                let more = json!({ "violated": violated, "open": property, "reason": reason, "sites": null });
                (verdict, more)
            }
        };
        object["verdict"] = json!(verdict);
        if let Value::Object(more) = more {
            for (name, value) in more {
                object[name] = value;
            }
        }
        object.to_string() + "\n"
    }

    fn sites_json(&self, levels: &[Level], undecided: &[Undecided]) -> Value {
        let rows = self.sites.all.iter().zip(levels).zip(self.advice(levels));
        let row = |(at, ((site, level), advice)): (usize, ((&fence::Site, &Level), Advice))| {
            let open = undecided.iter().filter(|it| it.site == at);
            let open = open.map(
                |it| json!({ "order": it.level.to_string(), "reason": it.reason.to_string() }),
            );
            json!({
                "file": site.place.file, "line": site.place.line, "text": site.line,
                "operation": site.kind.name(),
                "written": site.written.to_string(), "needed": level.to_string(),
                "advice": format!("{advice:?}").to_lowercase(),
                "undecided": open.collect::<Value>(),
            })
        };
        rows.enumerate().map(row).collect()
    }
}
