//! Race proofs as an [`Engine`].

use engine::{About, BadOption, Checker, Engine, Evidence, Options};
use verdict::{Budget, Check, Objection, Proof, Property, Task, Verdict};

/// `--engine lockset`.
pub struct Lockset;

impl Engine for Lockset {
    fn about(&self) -> About {
        About {
            name: "lockset",
            summary: "Prove that nothing can race, by locks, starts and joins, own memory; or that locks are taken in one order",
            page: "engines/lockset.md",
            properties: vec![Property::Race, Property::Deadlock, Property::Termination],
            options: Vec::new(),
        }
    }

    fn configure(&self, _: Property, _: &Options) -> Result<Checker, BadOption> {
        Ok(Box::new(crate::check))
    }

    fn recheck(&self, task: &Task, evidence: &Evidence<'_>, budget: &Budget) -> Option<Check> {
        if let Proof::Invariants { certificate, .. } = evidence.proof
            && certificate.get("locks").is_some()
        {
            let checked = evidence::order(task, certificate);
            return Some(checked.map_err(Objection::from).into());
        }
        let Proof::KeptApart { pairs, certificate } = evidence.proof else {
            return None;
        };
        let checked = match evidence::apart(task, *pairs, certificate) {
            Ok(0) => Ok(()),
            Ok(_) => same(evidence.proof, task, budget),
            Err(why) => Err(why.into()),
        };
        Some(checked.into())
    }
}

/// The same proof again.
fn same(proof: &Proof, task: &Task, budget: &Budget) -> Result<(), Objection> {
    match crate::check(task, budget).verdict {
        Verdict::Safe(found) if found == *proof => Ok(()),
        Verdict::Safe(_) => Err("there is a proof, but another one".into()),
        Verdict::Unsafe(_) => Err("there is a violation".into()),
        Verdict::Unknown(reason) => Err(reason.into()),
    }
}
