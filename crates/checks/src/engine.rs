//! Facts about locations as an [`Engine`].

use engine::{About, BadOption, Checker, Engine, Evidence, Options};
use verdict::{Budget, Check, Proof, Property, Task};

/// `--engine checks`.
pub struct Checks;

impl Engine for Checks {
    fn about(&self) -> About {
        About {
            name: "checks",
            summary: "Prove that no check fails: by facts that hold at each location, whatever other threads do",
            page: "engines/checks.md",
            properties: Property::all_where(|it| it.target().is_some()),
            options: Vec::new(),
        }
    }

    fn configure(&self, _: Property, _: &Options) -> Result<Checker, BadOption> {
        Ok(Box::new(crate::check))
    }

    fn recheck(&self, task: &Task, evidence: &Evidence<'_>, budget: &Budget) -> Option<Check> {
        match evidence.proof {
            Proof::Invariants { certificate, .. } if certificate.get("places").is_some() => {
                Some(evidence::places(task, certificate, budget).into())
            }
            _ => None,
        }
    }
}
