//! `--cache DIR`: a check that was answered before is not repeated.
//!
//! An entry is a folder of evidence, as `--evidence` writes it, whose name is a hash of everything that the answer depends
//! on: the preprocessed text, how it is read, the property, the engine with its options, and our own version. Only *safe* and
//! *unsafe* are kept. A schedule that is kept is replayed before it is shown; a proof is taken as it is kept, and
//! `mazurka verify-evidence` checks it again.

use crate::about::About;
use crate::args::CheckArgs;
use crate::evidence_file::{self, Claim, EvidenceFile};
use crate::failure::Failure;
use crate::memory_model::ChosenModel;
use serde_json::json;
use std::path::{Path, PathBuf};
use verdict::{Answer, Confirmed, Program, Property, Stats, Task, Verdict};

/// Where the answer to one question is, or will be.
#[derive(Clone, Debug)]
pub struct Entry {
    folder: PathBuf,
    /// Where it is made; it gets its name when it is whole.
    making: PathBuf,
}

impl Entry {
    /// The entry of a question.
    pub fn of(
        cache: &Path,
        args: &CheckArgs,
        program: &Program,
        property: Property,
        model: &ChosenModel,
    ) -> Entry {
        let files = program.files().iter();
        let files: Vec<_> = files.map(|file| (&file.name, &file.text)).collect();
        let question = json!({
            "version": env!("CARGO_PKG_VERSION"),
            "build": build(),
            "files": files,
            "reading": args.program.reading,
            "property": property,
            "memory_model": model,
            "engine": args.engine,
            "options": format!("{:?}", args.engines.options),
            "paranoid": args.paranoid,
        });
        let name = witness::sha256(question.to_string().as_bytes());
        let making = format!("{name}.{}", std::process::id());
        Entry {
            folder: cache.join(name),
            making: cache.join(making),
        }
    }

    /// Where the engines put evidence that is too large for an answer.
    pub fn artifacts(&self) -> PathBuf {
        self.making.clone()
    }

    /// Makes room for an answer.
    pub fn prepare(&self) -> Result<(), Failure> {
        evidence_file::prepare(&self.making)
    }

    /// The answer that is kept, with the engine that gave it. What is damaged, or no longer replays, is no answer.
    pub fn find(&self, task: &Task) -> Option<(String, Confirmed)> {
        let file = EvidenceFile::load(&self.folder).ok()?;
        let verdict = match file.claim {
            Claim::Safe(proof) => Verdict::Safe(proof),
            Claim::Unsafe(trace) => Verdict::Unsafe(trace),
        };
        let same =
            file.about.property == task.property && file.assumptions == task.xcfa.assumptions;
        let confirmed = Answer::new(verdict, Stats::default()).confirm(task);
        let is_answer = !matches!(confirmed.verdict(), Verdict::Unknown(_));
        (same && is_answer).then_some((file.engine, confirmed))
    }

    /// Keeps an answer; nothing is kept of *unknown*.
    pub fn keep(
        &self,
        about: About,
        engine: &str,
        task: &Task,
        verdict: &Verdict,
    ) -> Result<(), Failure> {
        if let Verdict::Unknown(_) = verdict {
            self.discard();
            return Ok(());
        }
        EvidenceFile::save(&self.making, about, engine, &task.xcfa.assumptions, verdict)?;
        // Somebody else may have answered the same question by now; what is there may also be damaged.
        let _ = std::fs::remove_dir_all(&self.folder);
        if std::fs::rename(&self.making, &self.folder).is_err() {
            self.discard();
        }
        Ok(())
    }

    /// Removes what was begun.
    pub fn discard(&self) {
        let _ = std::fs::remove_dir_all(&self.making);
    }
}

/// Tells this program from others of its version. One that cannot look at itself takes nothing from before.
fn build() -> String {
    let itself = std::env::current_exe().and_then(std::fs::metadata);
    let made = itself.and_then(|file| Ok((file.len(), file.modified()?)));
    match made {
        Ok((length, time)) => format!("{length} {time:?}"),
        Err(_) => format!("process {}", std::process::id()),
    }
}
