//! What a campaign has covered.

use crate::constructs::constructs;
use crate::contest::{Answers, NOT_REPLAYED};
use std::collections::BTreeMap;
use std::fmt;
use std::time::Duration;

/// How often somebody was asked and what was said.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Count {
    /// How often.
    pub asked: u64,
    /// So often the answer was *safe*.
    pub safe: u64,
    /// So often it was *unsafe*.
    pub unsafe_: u64,
}

impl Count {
    fn hear(&mut self, said: &str) {
        self.asked += 1;
        self.safe += u64::from(said == "safe");
        self.unsafe_ += u64::from(said == "unsafe");
    }

    /// Of a hundred, so many answers were definite.
    pub fn definite(&self) -> f64 {
        100.0 * (self.safe + self.unsafe_) as f64 / self.asked.max(1) as f64
    }
}

/// Counts of a campaign.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Summary {
    /// Programs that somebody was asked about.
    pub programs: u64,
    /// Programs that the front end does not accept.
    pub refused: u64,
    /// Programs that somebody had a definite answer for.
    pub answered: u64,
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
    /// By construct: how many programs use it.
    pub constructs: BTreeMap<&'static str, u64>,
    /// By mutation: how many programs were made with it.
    pub mutations: BTreeMap<&'static str, u64>,
}

impl Summary {
    /// Counts a program and what was said about it.
    pub fn add(&mut self, text: &str, property: &'static str, answers: &Answers) {
        if answers.refused {
            self.refused += 1;
            return;
        }
        self.programs += 1;
        for (name, used) in constructs(text) {
            *self.constructs.entry(name).or_default() += u64::from(used);
        }
        let definite = |said: &String| matches!(said.as_str(), "safe" | "unsafe");
        let first = answers.given.iter().find(|(_, said)| definite(said));
        self.answered += u64::from(first.is_some());
        let word = first.map_or("unknown", |(_, said)| said.as_str());
        self.properties.entry(property).or_default().hear(word);
        for (name, said) in &answers.given {
            self.hear(name, said);
        }
    }

    /// Counts the changes that made a program, unless it is none.
    pub fn changed(&mut self, seed: u64, changes: &[&'static str], answers: &Answers) {
        if answers.refused {
            return;
        }
        if answers.given.iter().any(|(_, said)| said == NOT_REPLAYED) {
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
    fn hear(&mut self, name: &str, said: &str) {
        let (engine, rest) = name.split_once(' ').unwrap_or((name, ""));
        self.engines.entry(engine.into()).or_default().hear(said);
        let mut setting = String::new();
        let mut words = rest.split(' ').filter(|word| !word.is_empty()).peekable();
        while let Some(word) = words.next() {
            setting += &format!(" {word}");
            let next_is_value = words
                .peek()
                .is_some_and(|next| !next.starts_with(['-', '(']));
            if !next_is_value {
                let key = format!("{engine}{setting}");
                self.settings.entry(key).or_default().hear(said);
                setting.clear();
            }
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
