//! Clauses whose predicates are told apart by the rule that leads to them.
//!
//! Where several paths meet, one conjunction often says too little. So each predicate becomes several, one for
//! each rule that it is the head of (trace partitioning, Mauborgne and Rival, ESOP 2005,
//! doi:10.1007/978-3-540-31987-0_2). A solution for these is a solution of disjunctions for the
//! others.

use expr::{Term, Terms};
use smt::horn::{Application, HornSystem, PredId, Rule};

/// Larger systems are not split.
const MOST_RULES: usize = 400;

/// A system whose predicates are told apart by the last rule.
pub struct Split {
    /// The rules.
    pub system: HornSystem,
    /// By predicate of the system: the predicate that it is a part of.
    pub origins: Vec<usize>,
}

impl Split {
    /// Splits a system; nothing if that would be too large.
    pub fn of(system: &HornSystem) -> Option<Split> {
        let mut split = Split {
            system: HornSystem::new(),
            origins: Vec::new(),
        };
        for (&object, &base) in system.bases() {
            split.system.bind_base(object, base);
        }
        let mut parts: Vec<Vec<PredId>> = vec![Vec::new(); system.predicates().len()];
        let mut heads: Vec<Option<PredId>> = Vec::new();
        for rule in system.rules() {
            let head = rule.head.as_ref().map(|head| {
                let index = head.pred.index();
                let whole = &system.predicates()[index];
                let part = split.system.predicate(&whole.name, whole.params.clone());
                split.origins.push(index);
                parts[index].push(part);
                part
            });
            heads.push(head);
        }
        for (rule, part) in system.rules().iter().zip(heads) {
            let head = rule.head.as_ref().zip(part);
            let head = head.map(|(head, part)| Application::new(part, head.args.clone()));
            for body in bodies(rule, &parts)? {
                split
                    .system
                    .rule(Rule::new(body, rule.constraint, head.clone()));
            }
            if split.system.rules().len() > MOST_RULES {
                return None;
            }
        }
        Some(split)
    }

    /// What is said of each predicate of the original system, for each of its parts.
    pub fn parts<T: Clone>(&self, said: &[T]) -> Vec<T> {
        self.origins
            .iter()
            .map(|&whole| said[whole].clone())
            .collect()
    }

    /// A formula for each predicate of the original system.
    pub fn merged(&self, terms: &mut Terms, system: &HornSystem, formulas: &[Term]) -> Vec<Term> {
        let all = 0..system.predicates().len();
        all.map(|whole| {
            let parts = self.origins.iter().zip(formulas);
            let parts = parts.filter(|(origin, _)| **origin == whole);
            terms.or_all(parts.map(|(_, &formula)| formula))
        })
        .collect()
    }
}

/// The bodies of a rule with the parts of its predicate; nothing if it has several.
fn bodies(rule: &Rule, parts: &[Vec<PredId>]) -> Option<Vec<Vec<Application>>> {
    match &rule.body[..] {
        [] => Some(vec![Vec::new()]),
        [body] => {
            let parts = parts[body.pred.index()].iter();
            let with = |&part: &PredId| vec![Application::new(part, body.args.clone())];
            Some(parts.map(with).collect())
        }
        _ => None,
    }
}
