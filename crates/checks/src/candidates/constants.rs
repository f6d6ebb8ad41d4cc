//! Constants that variables get: directly, from other variables, or by adding to one of these.

use super::Collector;
use expr::{Node, Op, Sort, Term, VarId};
use std::collections::{BTreeMap, BTreeSet};

/// A variable with more constants than this is not one that stays what it is.
const MOST: usize = 6;

/// Constants are added to this often: up, and back down again.
const MOST_ADDED: u8 = 1;

/// A constant, and how often something was added on the way to it.
type Reached = BTreeSet<(u8, u64)>;

impl Collector<'_> {
    /// A variable may have one of the constants that reach it.
    pub(super) fn constants(&mut self) {
        let mut reach = self.first_values();
        loop {
            let mut grown = false;
            for action in &self.program.actions {
                for &(var, value) in &action.updates {
                    let new = self.reaching(value, &reach);
                    let known = reach.entry(var).or_default();
                    let before = known.len();
                    if before <= MOST {
                        known.extend(new);
                        grown |= known.len() > before;
                    }
                }
            }
            if !grown {
                break;
            }
        }
        for (var, constants) in reach {
            let mut constants: Vec<u64> = constants.into_iter().map(|(_, bits)| bits).collect();
            constants.truncate(MOST);
            for bits in constants {
                let read = self.read(var);
                let value = self.constant(read, bits);
                let same = self.terms.eq(read, value);
                if self.matters(same) {
                    self.add(same);
                }
            }
        }
    }

    /// What shared variables hold at first.
    fn first_values(&self) -> BTreeMap<VarId, Reached> {
        let vars = self.program.vars.iter().enumerate();
        let shared = vars.filter(|(_, about)| {
            about.owner.is_none() && !about.control && matches!(about.sort, Sort::Bv(_))
        });
        let first = shared.filter_map(|(at, about)| Some((VarId(at as u32), about.init?)));
        first
            .map(|(var, init)| (var, BTreeSet::from([(0, init)])))
            .collect()
    }

    /// The constants that a value may be.
    fn reaching(&self, value: Term, reach: &BTreeMap<VarId, Reached>) -> Reached {
        if let Some(bits) = self.terms.as_const(value) {
            return BTreeSet::from([(0, bits)]);
        }
        let of = |term: Term| self.terms.as_var(term).and_then(|var| reach.get(&var));
        if let Some(copied) = of(value) {
            return copied.clone();
        }
        let Node::Binary(Op::Add, a, b) = self.terms.node(value) else {
            return Reached::new();
        };
        let (Some(known), Some(step)) = (of(a), self.terms.as_const(b)) else {
            return Reached::new();
        };
        let mask = self.terms.sort(value).mask();
        let few = known.iter().filter(|(added, _)| *added < MOST_ADDED);
        few.map(|&(added, bits)| (added + 1, bits.wrapping_add(step) & mask))
            .collect()
    }
}
