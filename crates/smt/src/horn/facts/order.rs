//! In which order rules are followed.

use crate::horn::HornSystem;

/// The rules in the order of a walk that leaves a predicate only after all that lead to it, as far as
/// there are no loops.
pub fn from_the_start(system: &HornSystem) -> Vec<usize> {
    let count = system.predicates().len();
    let mut next: Vec<Vec<usize>> = vec![Vec::new(); count];
    let mut starts = Vec::new();
    for rule in system.rules() {
        let Some(head) = &rule.head else { continue };
        for body in &rule.body {
            next[body.pred.index()].push(head.pred.index());
        }
        if rule.body.is_empty() {
            starts.push(head.pred.index());
        }
    }
    let mut left = Vec::new();
    let mut seen = vec![false; count];
    for start in starts {
        let mut path = vec![(start, 0)];
        while let Some((pred, child)) = path.pop() {
            if child == 0 && std::mem::replace(&mut seen[pred], true) {
                continue;
            }
            match next[pred].get(child) {
                Some(&target) => path.extend([(pred, child + 1), (target, 0)]),
                None => left.push(pred),
            }
        }
    }
    let rank = |pred: usize| left.iter().rposition(|&it| it == pred).unwrap_or(0);
    let late: Vec<usize> = (0..count).map(|pred| count - rank(pred)).collect();
    let mut order: Vec<usize> = (0..system.rules().len()).collect();
    order.sort_by_key(|&number| {
        let body = system.rules()[number].body.first();
        body.map_or(0, |body| late[body.pred.index()])
    });
    order
}
