//! What a campaign has covered.

use std::collections::BTreeMap;
use std::fmt;

/// Counts of a campaign.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Summary {
    /// Programs.
    pub programs: u64,
    /// Programs that were also compiled and run.
    pub compiled: u64,
    /// By property: how many programs.
    pub properties: BTreeMap<&'static str, u64>,
    /// By contestant: asked, safe, unsafe.
    pub contestants: BTreeMap<String, [u64; 3]>,
    /// By construct: how many programs use it.
    pub constructs: BTreeMap<&'static str, u64>,
}

/// What is looked for in the text of a program.
const CONSTRUCTS: &[(&str, &str)] = &[
    ("mutexes", "pthread_mutex_lock"),
    ("trylock", "pthread_mutex_trylock"),
    ("condition variables", "pthread_cond_wait"),
    ("atomic sections", "__VERIFIER_atomic_begin"),
    ("atomics", "__atomic_"),
    ("heap", "malloc("),
    ("records", "struct "),
    ("thread-local variables", "__thread"),
    ("loops", "for ("),
    ("waiting loops", "while ("),
    ("inputs", "__VERIFIER_nondet"),
    ("semaphores", "sem_wait("),
    ("arrays", "["),
];

impl Summary {
    /// Counts what a program uses.
    pub fn look_at(&mut self, text: &str, property: &'static str) {
        self.programs += 1;
        *self.properties.entry(property).or_default() += 1;
        // Declarations use nothing.
        let body = text.lines().filter(|line| !line.starts_with("extern"));
        let body: String = body.collect();
        for (name, part) in CONSTRUCTS {
            *self.constructs.entry(name).or_default() += u64::from(body.contains(part));
        }
    }

    /// Counts an answer.
    pub fn hear(&mut self, name: &str, said: &str) {
        let counts = self.contestants.entry(name.to_owned()).or_default();
        counts[0] += 1;
        counts[1] += u64::from(said == "safe");
        counts[2] += u64::from(said == "unsafe");
    }
}

impl fmt::Display for Summary {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(
            f,
            "{} programs, {} of them compiled and run",
            self.programs, self.compiled
        )?;
        writeln!(
            f,
            "\n  {:<28} {:>8} {:>8} {:>8} {:>9}",
            "engine", "asked", "safe", "unsafe", "definite"
        )?;
        for (name, [asked, safe, unsafe_]) in &self.contestants {
            let definite = 100.0 * (safe + unsafe_) as f64 / (*asked).max(1) as f64;
            writeln!(
                f,
                "  {name:<28} {asked:>8} {safe:>8} {unsafe_:>8} {definite:>7.0} %"
            )?;
        }
        let list = |counts: &BTreeMap<&'static str, u64>| {
            let each = counts.iter().map(|(name, count)| format!("{name} {count}"));
            each.collect::<Vec<_>>().join(", ")
        };
        writeln!(f, "\n  properties: {}", list(&self.properties))?;
        writeln!(f, "  constructs: {}", list(&self.constructs))
    }
}
