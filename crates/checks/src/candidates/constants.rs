//! Constants that variables get, directly or from other variables.

use super::Collector;
use expr::VarId;
use std::collections::{BTreeMap, BTreeSet};

/// A variable with more constants than this is not one that stays what it is.
const MOST: usize = 6;

impl Collector<'_> {
    /// A variable may have one of the constants that reach it by copies.
    pub(super) fn constants(&mut self) {
        let mut reach: BTreeMap<VarId, BTreeSet<u64>> = BTreeMap::new();
        loop {
            let mut grown = false;
            for action in &self.program.actions {
                for &(var, value) in &action.updates {
                    let new = match self.terms.as_const(value) {
                        Some(bits) => BTreeSet::from([bits]),
                        None => {
                            let source = self.terms.as_var(value);
                            source
                                .and_then(|it| reach.get(&it).cloned())
                                .unwrap_or_default()
                        }
                    };
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
            for bits in constants.into_iter().take(MOST) {
                let read = self.read(var);
                let value = self.constant(read, bits);
                let same = self.terms.eq(read, value);
                if self.matters(same) {
                    self.add(same);
                }
            }
        }
    }
}
