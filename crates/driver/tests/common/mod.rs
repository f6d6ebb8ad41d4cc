//! What the tests of evidence share.
#![allow(dead_code, reason = "each test uses a part of it")]

use driver::{Claim, Registry};
use engine::{Evidence, Options};
use std::path::Path;
use verdict::{Answer, Budget, Check, Proof, Task};

/// Asks an engine that leaves its evidence in a folder.
pub fn ask(name: &str, task: &Task, folder: &Path, budget: &Budget) -> Answer {
    let options = Options::default().with_artifacts(Some(folder.to_owned()));
    let engine = Registry::standard().find(name).expect("an engine");
    let checker = engine.configure(task.property, &options);
    checker.expect("defaults go together")(task, budget)
}

/// A claim with the folder that belongs to it.
pub fn safe<'a>(proof: &'a Proof, folder: &'a Path) -> Claim<'a> {
    let artifacts = Some(folder);
    Claim::Safe(Evidence { proof, artifacts })
}

/// Checks a claim.
pub fn verify(task: &Task, claim: &Claim<'_>, budget: &Budget) -> Check {
    Registry::standard().verify(task, claim, budget)
}
