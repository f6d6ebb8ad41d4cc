//! What a campaign has covered.

use crate::case::Case;
use crate::constructs::constructs;
use crate::contest::Answers;
use crate::message::{Who, Word};
use crate::mix;
use std::collections::BTreeMap;
use std::fmt;
use std::time::Duration;

/// How often an engine was run and what it answered.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Count {
    /// How often.
    pub asked: u64,
    /// How often the answer was *safe*.
    pub safe: u64,
    /// How often it was *unsafe*.
    pub unsafe_: u64,
}

impl Count {
    fn hear(&mut self, said: Word) {
        self.asked += 1;
        self.safe += u64::from(said == Word::Safe);
        self.unsafe_ += u64::from(said == Word::Unsafe);
    }

    /// The percentage of definite answers.
    pub fn definite(&self) -> f64 {
        100.0 * (self.safe + self.unsafe_) as f64 / self.asked.max(1) as f64
    }
}

/// Counts of a campaign.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Summary {
    /// Programs that an engine was run on.
    pub programs: u64,
    /// Programs that the front end does not accept.
    pub refused: u64,
    /// Programs that an engine had a definite answer for.
    pub answered: u64,
    /// How often something was wrong.
    pub findings: u64,
    /// The numbers of changed programs with a counterexample that did not replay.
    pub not_replayed: Vec<u64>,
    /// How long it took.
    pub time: Duration,
    /// By property.
    pub properties: BTreeMap<&'static str, Count>,
    /// By engine, without settings.
    pub engines: BTreeMap<String, Count>,
    /// By engine and one of its settings.
    pub settings: BTreeMap<String, Count>,
    /// By class: how often it was drawn, and the first definite answer.
    pub classes: BTreeMap<&'static str, Count>,
    /// By class: how many programs the front end does not accept, or no compiler.
    pub refusals: BTreeMap<&'static str, u64>,
    /// By class and engine.
    pub class_engines: BTreeMap<String, Count>,
    /// Why special programs are not accepted.
    pub reasons: BTreeMap<String, u64>,
    /// By construct: how many programs use it.
    pub constructs: BTreeMap<&'static str, u64>,
    /// By mutation: how many programs were made with it.
    pub mutations: BTreeMap<&'static str, u64>,
}

impl Summary {
    /// Counts a program and what was said about it.
    pub fn add(&mut self, case: &Case, answers: &Answers) {
        let class = mix::name(case.class);
        if answers.refused {
            self.refused += 1;
            *self.refusals.entry(class).or_default() += 1;
            if let (Some(why), Some(_)) = (&answers.why, case.class) {
                *self.reasons.entry(why.clone()).or_default() += 1;
            }
            return;
        }
        self.programs += 1;
        for (name, used) in constructs(&case.files.join("\n")) {
            *self.constructs.entry(name).or_default() += u64::from(used);
        }
        let first = answers.given.iter().find(|(_, said)| said.is_definite());
        self.answered += u64::from(first.is_some());
        let word = first.map_or(Word::Unknown, |(_, said)| *said);
        let property = case.property.name();
        self.properties.entry(property).or_default().hear(word);
        self.classes.entry(class).or_default().hear(word);
        for (who, said) in &answers.given {
            self.hear(who, *said);
            let key = format!("{class}, {}", who.name);
            self.class_engines.entry(key).or_default().hear(*said);
        }
    }

    /// Counts the changes that made a program, unless it is none.
    pub fn changed(&mut self, seed: u64, changes: &[&'static str], answers: &Answers) {
        if answers.refused {
            return;
        }
        let mut said = answers.given.iter().map(|(_, said)| *said);
        if said.any(|said| said == Word::NotReplayed) {
            self.not_replayed.push(seed);
        }
        if changes.is_empty() {
            *self.mutations.entry("none").or_default() += 1;
        }
        for change in changes {
            *self.mutations.entry(change).or_default() += 1;
        }
    }

    /// Counts an answer for the engine and for each of its settings.
    fn hear(&mut self, who: &Who, said: Word) {
        self.engines.entry(who.name.clone()).or_default().hear(said);
        for setting in &who.settings {
            let key = format!("{} {setting}", who.name);
            self.settings.entry(key).or_default().hear(said);
        }
    }
}

impl fmt::Display for Summary {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let minutes = self.time.as_secs_f64() / 60.0;
        let rate = self.programs as f64 / minutes.max(1e-9);
        let share = 100.0 * self.answered as f64 / self.programs.max(1) as f64;
        write!(
            f,
            "{} programs in {minutes:.1} minutes ({rate:.0} per minute), {share:.0} % with a definite answer",
            self.programs
        )?;
        match self.refused {
            0 => writeln!(f)?,
            refused => writeln!(f, "; {refused} more were not accepted")?,
        }
        table(f, "engine", &self.engines)?;
        table(f, "engine and setting", &self.settings)?;
        table(f, "property", &self.properties)?;
        table(f, "class", &self.classes)?;
        table(f, "class and engine", &self.class_engines)?;
        if !self.refusals.is_empty() {
            list(f, "not accepted", &self.refusals)?;
        }
        for (why, count) in &self.reasons {
            writeln!(f, "    {count} {why}")?;
        }
        list(f, "constructs", &self.constructs)?;
        if !self.mutations.is_empty() {
            list(f, "mutations", &self.mutations)?;
        }
        if !self.not_replayed.is_empty() {
            let seeds: Vec<String> = self.not_replayed.iter().map(u64::to_string).collect();
            writeln!(
                f,
                "\n  counterexamples did not replay: {}",
                seeds.join(", ")
            )?;
        }
        Ok(())
    }
}

fn table<K: fmt::Display>(
    f: &mut fmt::Formatter<'_>,
    title: &str,
    rows: &BTreeMap<K, Count>,
) -> fmt::Result {
    writeln!(
        f,
        "\n  {title:<28} {:>8} {:>8} {:>8} {:>9}",
        "asked", "safe", "unsafe", "definite"
    )?;
    for (name, count) in rows {
        let Count {
            asked,
            safe,
            unsafe_,
        } = count;
        let (name, definite) = (name.to_string(), count.definite());
        writeln!(
            f,
            "  {name:<28} {asked:>8} {safe:>8} {unsafe_:>8} {definite:>7.0} %"
        )?;
    }
    Ok(())
}

fn list(
    f: &mut fmt::Formatter<'_>,
    title: &str,
    counts: &BTreeMap<&'static str, u64>,
) -> fmt::Result {
    write!(f, "\n  {title}:")?;
    let mut width = 0;
    for (at, (name, count)) in counts.iter().enumerate() {
        let comma = if at + 1 < counts.len() { "," } else { "" };
        let item = format!(" {name} {count}{comma}");
        if width == 0 || width + item.len() > 100 {
            write!(f, "\n   ")?;
            width = 0;
        }
        width += item.len();
        write!(f, "{item}")?;
    }
    writeln!(f)
}
