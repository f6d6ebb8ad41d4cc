//! The reduced product of a program without inputs, run with concrete values: to compare reductions.

use crate::commute::{Commutativity, Commutes};
use crate::config::OrderChoice;
use crate::groups::orders;
use crate::history::Histories;
use crate::known::Followed;
use crate::letters::{Letter, Letters};
use crate::product::{Builder, Product};
use abstraction::Program;
use expr::{Env, ObjId, Term, Terms, VarId};
use rustc_hash::FxHashSet;
use std::collections::BTreeSet;
use std::time::Duration;
use verdict::{Budget, Task};
use xcfa::LocId;

/// What was found.
#[derive(Debug, PartialEq, Eq)]
pub struct Explored {
    /// Is an error reached?
    pub error: bool,
    /// Where the threads are and what the variables of the program are, where no thread can move.
    pub finals: BTreeSet<(Vec<Option<LocId>>, Vec<u64>)>,
}

/// Runs the reduction of a program by an order, with branches told apart if `split`; nothing if the program has inputs or memory that is not
/// variables, if there is no such order, or if there are more states than this.
pub fn explore_product(
    task: &Task,
    order: OrderChoice,
    level: Commutativity,
    membranes: bool,
    split: bool,
    most: usize,
) -> Option<Explored> {
    let (program, mut terms) = Program::remembering(&task.xcfa, 1).ok()?;
    let letters = Letters::of(&program, &mut terms, task.property.error()?, false).ok()?;
    let inputs = program
        .actions
        .iter()
        .any(|action| !action.inputs.is_empty());
    let arbitrary = program
        .vars
        .iter()
        .any(|var| var.init.is_none() && !var.input);
    if program.has_templates() || inputs || arbitrary || !program.given_up.is_empty() {
        return None;
    }
    let followed = Followed::of(&program, &terms, &letters);
    let order = orders(&program, &terms, &letters, order)
        .into_iter()
        .next()?
        .order;
    let mut commutes = Commutes::new(&program, &terms, &letters, level);
    let histories = Histories::of_branches(&letters);
    let builder = Builder {
        program: &program,
        letters: &letters,
        followed: &followed,
        order: &order,
        use_membranes: membranes,
        histories: split.then_some(&histories),
    };
    let budget = Budget::unlimited().with_timeout(Duration::from_secs(20));
    let product = builder.build(&mut terms, &mut commutes, &budget).ok()?;
    let run = Run {
        program: &program,
        terms: &terms,
        letters: &letters,
        product: &product,
    };
    run.states(most)
}

struct Run<'a> {
    program: &'a Program,
    terms: &'a Terms,
    letters: &'a Letters,
    product: &'a Product,
}

/// The values of all variables.
struct Values<'a>(&'a Program, &'a [u64]);

impl Env for Values<'_> {
    fn var(&self, var: VarId) -> u64 {
        self.1[var.0 as usize]
    }
    fn base(&self, object: ObjId) -> u64 {
        self.0.bases[&object]
    }
}

impl Run<'_> {
    fn states(&self, most: usize) -> Option<Explored> {
        let first: Vec<u64> = self
            .program
            .vars
            .iter()
            .map(|var| var.init.unwrap_or(0))
            .collect();
        let mut open = vec![(0, first)];
        let mut seen: FxHashSet<(usize, Vec<u64>)> = open.iter().cloned().collect();
        let mut found = Explored {
            error: false,
            finals: BTreeSet::new(),
        };
        while let Some((number, values)) = open.pop() {
            let node = &self.product.nodes[number];
            found.error |= node.error;
            if self.is_final(&node.state.locs, &values) {
                found
                    .finals
                    .insert((node.state.locs.clone(), values.clone()));
            }
            for step in &node.steps {
                let letter = &self.letters[step.letter];
                let condition = step.condition.is_none_or(|it| self.holds(it, &values));
                if condition && self.holds(letter.guard, &values) {
                    let next = (step.target, self.after(letter, &values));
                    if seen.len() > most {
                        return None;
                    }
                    if seen.insert(next.clone()) {
                        open.push(next);
                    }
                }
            }
        }
        Some(found)
    }

    fn holds(&self, term: Term, values: &[u64]) -> bool {
        self.terms.eval(term, &Values(self.program, values)) == 1
    }

    fn after(&self, letter: &Letter, values: &[u64]) -> Vec<u64> {
        let mut next = values.to_vec();
        for (var, &value) in &letter.updates {
            next[var.0 as usize] = self.terms.eval(value, &Values(self.program, values));
        }
        next
    }

    /// Can no thread move, in the program itself?
    fn is_final(&self, locs: &[Option<LocId>], values: &[u64]) -> bool {
        let letters = locs.iter().flatten().flat_map(|&loc| self.letters.out(loc));
        let mut letters = letters.map(|&id| &self.letters[id]);
        !letters.any(|letter| self.holds(letter.guard, values))
    }
}
