//! Other verifiers: how to call them, and what their last words mean. All of it is data, in
//! `peers.toml`; here is how the data is read.

use serde::Deserialize;
use std::collections::BTreeMap;
use std::path::PathBuf;

const BUILT_IN: &str = include_str!("peers.toml");

/// One tool.
#[derive(Clone, Debug, PartialEq)]
pub struct Peer {
    /// What the user calls it.
    pub name: String,
    /// The words of its command line, with places to fill in; the first is the program.
    pub command: Vec<String>,
    /// What makes it print its version.
    pub version: Vec<String>,
    /// By the short name of a property: what asks for it.
    pub options: BTreeMap<String, Vec<String>>,
    /// What the lines of its output mean, the decisive one first.
    pub answers: Vec<Meaning>,
}

/// What a line means.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Meaning {
    /// A part of the line; `*` stands for anything.
    line: String,
    /// `true`, `false`, `false(valid-deref)` or `unknown`.
    means: String,
}

/// A table of the file; what it leaves out is taken from the built-in one of the same name.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Table {
    command: Option<Vec<String>>,
    version: Option<Vec<String>>,
    options: Option<BTreeMap<String, Vec<String>>>,
    answers: Option<Vec<Meaning>>,
}

/// All tools that are known, by name.
#[derive(Clone, Debug)]
pub struct Peers(BTreeMap<String, Peer>);

impl Peers {
    /// The built-in ones.
    pub fn built_in() -> Peers {
        let mut peers = Peers(BTreeMap::new());
        let added = peers.add(BUILT_IN);
        added.expect("the table that comes with this crate is well-formed");
        peers
    }

    /// Adds or changes tools as a text says.
    pub fn add(&mut self, text: &str) -> Result<(), String> {
        let tables: BTreeMap<String, Table> =
            toml::from_str(text).map_err(|error| error.to_string())?;
        for (name, table) in tables {
            let old = self.0.remove(&name);
            let peer = table.over(&name, old)?;
            self.0.insert(name, peer);
        }
        Ok(())
    }

    /// The tool of that name.
    pub fn get(&self, name: &str) -> Result<Peer, String> {
        self.0.get(name).cloned().ok_or_else(|| {
            let known: Vec<&str> = self.0.keys().map(String::as_str).collect();
            format!(
                "no verifier called {name} is known, only {}",
                known.join(", ")
            )
        })
    }
}

impl Table {
    fn over(self, name: &str, old: Option<Peer>) -> Result<Peer, String> {
        let old = old.as_ref();
        let missing = |field: &str| format!("[{name}] needs `{field}`");
        let command = self.command.or_else(|| old.map(|old| old.command.clone()));
        let command = command.filter(|words| !words.is_empty());
        let options = self.options.or_else(|| old.map(|old| old.options.clone()));
        let answers = self.answers.or_else(|| old.map(|old| old.answers.clone()));
        let answers = answers.ok_or_else(|| missing("answers"))?;
        let version = self.version.or_else(|| old.map(|old| old.version.clone()));
        if let Some(odd) = answers.iter().find(|answer| answer.verdict().is_none()) {
            let means = &odd.means;
            return Err(format!(
                "[{name}] an answer means `{means}`: that is not true, false or unknown"
            ));
        }
        Ok(Peer {
            name: name.to_owned(),
            command: command.ok_or_else(|| missing("command"))?,
            version: version.unwrap_or_default(),
            options: options.ok_or_else(|| missing("options"))?,
            answers,
        })
    }
}

/// What fills the places of a command line.
pub struct Filling<'a> {
    /// The short name of the property.
    pub property: &'a str,
    /// Its file.
    pub property_file: String,
    /// The programs.
    pub files: Vec<String>,
    /// 32 or 64.
    pub bits: u32,
    /// The limit of time.
    pub seconds: u64,
    /// The limit of memory.
    pub mib: u64,
}

impl Peer {
    /// The whole command line, or nothing if the tool does not check the property.
    pub fn words(&self, filling: &Filling<'_>) -> Option<Vec<String>> {
        let options = self.options.get(filling.property)?;
        let mut words = Vec::new();
        for word in &self.command {
            match word.as_str() {
                "{files}" => words.extend(filling.files.iter().cloned()),
                "{options}" => words.extend(options.iter().cloned()),
                word => words.push(filling.fill(word)),
            }
        }
        Some(words)
    }

    /// What the output means: a verdict, the part of the property that it blames, and the line.
    pub fn answer<'a>(&self, output: &'a str) -> Option<(&'static str, Option<&str>, &'a str)> {
        self.answers.iter().find_map(|answer| {
            let line = output.lines().find(|line| matches(&answer.line, line))?;
            let (verdict, part) = answer.verdict()?;
            Some((verdict, part, line.trim()))
        })
    }

    /// Where the program is: as the command names it, or on the PATH.
    pub fn find(&self) -> Result<PathBuf, String> {
        let name = &self.command[0];
        if name.contains('/') {
            let path = PathBuf::from(name);
            return path.canonicalize().map_err(|error| {
                format!("cannot run {}: there is no {name} ({error})", self.name)
            });
        }
        let path = std::env::var_os("PATH").unwrap_or_default();
        let mut places = std::env::split_paths(&path).map(|folder| folder.join(name));
        places.find(|place| place.is_file()).ok_or_else(|| {
            let peer = &self.name;
            format!(
                "cannot run {peer}: there is no {name} on the PATH; \
                 a file for --peers can say where it is: [{peer}] command = [\"/where/{name}\", ...]"
            )
        })
    }
}

impl Filling<'_> {
    fn fill(&self, word: &str) -> String {
        let model = if self.bits == 32 { "ILP32" } else { "LP64" };
        word.replace("{property}", &self.property_file)
            .replace("{bits}", &self.bits.to_string())
            .replace("{model}", model)
            .replace("{seconds}", &self.seconds.to_string())
            .replace("{mib}", &self.mib.to_string())
    }
}

impl Meaning {
    fn verdict(&self) -> Option<(&'static str, Option<&str>)> {
        match self.means.as_str() {
            "true" => Some(("safe", None)),
            "false" => Some(("unsafe", None)),
            "unknown" => Some(("unknown", None)),
            other => {
                let part = other.strip_prefix("false(")?.strip_suffix(')')?;
                Some(("unsafe", Some(part)))
            }
        }
    }
}

/// Are the pieces between the stars in the line, one after the other?
fn matches(pattern: &str, line: &str) -> bool {
    let mut rest = line;
    pattern.split('*').all(|piece| match rest.find(piece) {
        Some(at) => {
            rest = &rest[at + piece.len()..];
            true
        }
        None => false,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn filling(property: &str) -> Filling<'_> {
        Filling {
            property,
            property_file: "p.prp".into(),
            files: vec!["a.c".into(), "b.c".into()],
            bits: 32,
            seconds: 60,
            mib: 4096,
        }
    }

    #[test]
    fn command_lines_are_filled() {
        let cbmc = Peers::built_in().get("cbmc").unwrap();
        let words = cbmc.words(&filling("overflow")).unwrap().join(" ");
        assert!(words.starts_with("cbmc --32 --unwind"), "{words}");
        let end = "--no-assertions --signed-overflow-check a.c b.c";
        assert!(words.ends_with(end), "{words}");
        assert_eq!(cbmc.words(&filling("race")), None);
        let cpachecker = Peers::built_in().get("cpachecker").unwrap();
        let words = cpachecker.words(&filling("reach")).unwrap().join(" ");
        assert!(words.contains("--heap 4096M --timelimit 60s --spec p.prp --32"));
    }

    /// Typical last lines, tool by tool.
    #[test]
    fn last_words_are_understood() {
        let peers = Peers::built_in();
        let check = |name: &str, output: &str, expected: Option<(&str, Option<&str>)>| {
            let peer = peers.get(name).unwrap();
            let answer = peer.answer(output);
            let answer = answer.map(|(verdict, part, _)| (verdict, part));
            assert_eq!(answer, expected, "{name}: {output}");
        };
        let (safe, bad, none) = (
            Some(("safe", None)),
            Some(("unsafe", None)),
            Some(("unknown", None)),
        );
        check("cbmc", "** 0 of 3 failed\nVERIFICATION SUCCESSFUL", safe);
        let failed = "[main.assertion.1] line 9 assertion 0: FAILURE\nVERIFICATION FAILED";
        check("cbmc", failed, bad);
        let bound = "[main.unwind.0] line 4 unwinding assertion loop 0: FAILURE\n\
                     VERIFICATION FAILED";
        check("cbmc", bound, none);
        check("cbmc", &format!("{bound}\n{failed}"), bad);
        let pointers = "pointer handling for concurrency is unsound\nVERIFICATION SUCCESSFUL";
        check("cbmc", pointers, none);
        check("cbmc", "CONVERSION ERROR", None);
        let cpa = "Verification result: FALSE. Property violation (valid-deref: x) found";
        check("cpachecker", cpa, Some(("unsafe", Some("valid-deref"))));
        check("cpachecker", "Verification result: TRUE. No property", safe);
        check(
            "cpachecker",
            "Verification result: UNKNOWN, incomplete",
            none,
        );
        check("dartagnan", "PASS", safe);
        check("dartagnan", "FAIL", bad);
        check("deagle", "VERIFICATION SUCCESSFUL", safe);
        check("deagle", "VERIFICATION FAILED", bad);
        check("esbmc", "FALSE_REACH", bad);
        check("esbmc", "FALSE_FREE", Some(("unsafe", Some("valid-free"))));
        check("esbmc", "TRUE", safe);
        check("esbmc", "Unknown", None);
        check("goblint", "SV-COMP result: true", safe);
        check("goblint", "SV-COMP result: unknown", none);
        check(
            "nidhugg",
            " Trace count: 6\n No errors were detected.",
            safe,
        );
        check("nidhugg", "\n Error detected:\n  (<0>,5)", bad);
        check("theta", "(SafetyResult Safe)", safe);
        check("theta", "(SafetyResult Unsafe (Trace length:3))", bad);
    }

    #[test]
    fn a_file_changes_what_it_names() {
        let mut peers = Peers::built_in();
        peers
            .add("[cbmc]\ncommand = [\"/opt/cbmc\", \"{files}\"]\n")
            .unwrap();
        let cbmc = peers.get("cbmc").unwrap();
        assert_eq!(
            cbmc.words(&filling("reach")).unwrap(),
            ["/opt/cbmc", "a.c", "b.c"]
        );
        assert!(cbmc.find().unwrap_err().contains("there is no /opt/cbmc"));
        let wrong = |text| Peers::built_in().add(text).unwrap_err();
        assert!(wrong("[new]\ncommand = [\"new\"]\n").contains("[new] needs `answers`"));
        assert!(wrong("[cbmc]\ncomand = []\n").contains("comand"));
        let odd = "[cbmc]\nanswers = [{ line = \"x\", means = \"maybe\" }]\n";
        assert!(wrong(odd).contains("maybe"));
        let known = peers.get("spin").unwrap_err();
        assert!(known.contains("cbmc, cpachecker"), "{known}");
    }
}
