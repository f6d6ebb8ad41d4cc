//! The folder that `check --evidence` writes and `verify-evidence` reads: `evidence.json`, and
//! `refutation.txt` beside it if the proof is one.

use crate::about::{About, ProgramFile};
use crate::digest::Fingerprint;
use crate::failure::Failure;
use serde::{Deserialize, Serialize};
use std::path::{Path, PathBuf};
use verdict::{Proof, Trace, Verdict};

/// A verdict with what it rests on.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct EvidenceFile {
    /// The program.
    #[serde(flatten)]
    pub about: About,
    /// The engine that said so.
    pub engine: String,
    /// What the verdict takes for granted.
    pub assumptions: Vec<String>,
    /// What was said.
    pub claim: Claim,
    /// A fingerprint of the refutation, if there is one.
    refutation: Option<String>,
    /// A fingerprint of all of this.
    checksum: String,
}

/// A definite verdict.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Claim {
    /// This execution violates the property.
    Unsafe(Trace),
    /// None does, because of this.
    Safe(Proof),
}

impl Claim {
    /// `safe` or `unsafe`.
    pub fn name(&self) -> &'static str {
        match self {
            Claim::Unsafe(_) => "unsafe",
            Claim::Safe(_) => "safe",
        }
    }
}

impl ProgramFile for EvidenceFile {
    const FORMAT: &'static str = "mazurka-evidence";
    const WHAT: &'static str = "evidence";

    fn about(&self) -> &About {
        &self.about
    }
}

fn refutation_in(folder: &Path) -> PathBuf {
    folder.join(bmc::REFUTATION)
}

fn evidence_in(folder: &Path) -> PathBuf {
    folder.join("evidence.json")
}

/// Makes the folder and removes evidence of an earlier run from it.
pub fn prepare(folder: &Path) -> Result<(), Failure> {
    let failed = |error: std::io::Error| {
        Failure::refused(format!("cannot write to {}: {error}", folder.display()))
    };
    std::fs::create_dir_all(folder).map_err(failed)?;
    for file in [evidence_in(folder), refutation_in(folder)] {
        match std::fs::remove_file(&file) {
            Err(error) if error.kind() != std::io::ErrorKind::NotFound => {
                return Err(failed(error));
            }
            _ => {}
        }
    }
    Ok(())
}

/// Removes what an engine has begun to write for a verdict that it has not given.
pub fn discard(folder: &Path) {
    let _ = std::fs::remove_file(refutation_in(folder));
}

impl EvidenceFile {
    /// Writes the evidence for a verdict; nothing for *unknown*.
    pub fn save(
        folder: &Path,
        about: About,
        engine: &str,
        assumptions: &[String],
        verdict: &Verdict,
    ) -> Result<(), Failure> {
        let claim = match verdict {
            Verdict::Unsafe(trace) => Claim::Unsafe(trace.clone()),
            Verdict::Safe(proof) => Claim::Safe(proof.clone()),
            Verdict::Unknown(_) => {
                discard(folder);
                return Ok(());
            }
        };
        let refutation = refutation_in(folder);
        let is_refutation = matches!(&claim, Claim::Safe(proof) if proof.has_refutation());
        let fingerprint = match is_refutation && refutation.is_file() {
            true => Some(of_file(&refutation)?),
            // Another engine may have left the beginning of one.
            false => {
                let _ = std::fs::remove_file(&refutation);
                None
            }
        };
        let mut file = EvidenceFile {
            about,
            engine: engine.to_owned(),
            assumptions: assumptions.to_vec(),
            claim,
            refutation: fingerprint,
            checksum: String::new(),
        };
        file.checksum = file.sum();
        file.write(&evidence_in(folder))
    }

    /// Reads the evidence in a folder, as it was written.
    pub fn load(folder: &Path) -> Result<EvidenceFile, Failure> {
        let file = EvidenceFile::read(&evidence_in(folder))?;
        if file.sum() != file.checksum {
            return Err(changed(&evidence_in(folder)));
        }
        let refutation = refutation_in(folder);
        if let Some(fingerprint) = &file.refutation
            && of_file(&refutation)? != *fingerprint
        {
            return Err(changed(&refutation));
        }
        Ok(file)
    }

    /// The folder, if there is more in it than this file.
    pub fn artifacts<'a>(&self, folder: &'a Path) -> Option<&'a Path> {
        self.refutation.as_ref().map(|_| folder)
    }

    fn sum(&self) -> String {
        let blank = EvidenceFile {
            checksum: String::new(),
            ..self.clone()
        };
        let mut fingerprint = Fingerprint::default();
        fingerprint.add(serde_json::to_string(&blank).unwrap_or_default().as_bytes());
        fingerprint.to_string()
    }
}

fn changed(path: &Path) -> Failure {
    let name = path.display();
    Failure::refused(format!("{name} has been changed since it was written"))
}

fn of_file(path: &Path) -> Result<String, Failure> {
    let failed = |error: std::io::Error| {
        Failure::refused(format!("cannot read {}: {error}", path.display()))
    };
    let mut file = std::fs::File::open(path).map_err(failed)?;
    let mut fingerprint = Fingerprint::default();
    std::io::copy(&mut file, &mut fingerprint).map_err(failed)?;
    Ok(fingerprint.to_string())
}
