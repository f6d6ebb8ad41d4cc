//! Where ways with different values meet.

use rustc_hash::FxHashSet;

use expr::{Term, VarId};
use xcfa::{LocId, Scope, Xcfa};

/// Where variables have symbols because different values meet.
#[derive(Default)]
pub struct Merged {
    vars: FxHashSet<(LocId, VarId)>,
    locs: FxHashSet<LocId>,
    /// Locations that are only reached backwards.
    pub forced: FxHashSet<LocId>,
    /// Some way to the location does not track the variable.
    pub untracked: FxHashSet<(LocId, VarId)>,
    /// Ways to the location do not agree about the memory at that address.
    pub cells: FxHashSet<(LocId, Term)>,
}

impl Merged {
    pub fn contains(&self, loc: LocId, var: VarId) -> bool {
        self.vars.contains(&(loc, var))
    }

    pub fn at(&self, loc: LocId) -> bool {
        self.locs.contains(&loc)
    }

    pub fn insert(&mut self, loc: LocId, var: VarId) -> bool {
        self.locs.insert(loc);
        self.vars.insert((loc, var))
    }

    pub fn force(&mut self, xcfa: &Xcfa, loc: LocId) {
        self.forced.insert(loc);
        let proc = xcfa[loc].proc;
        for var in xcfa.var_ids() {
            self.insert(loc, var);
            let own = match xcfa[var].scope {
                Scope::Local(of) => of == proc,
                Scope::ThreadLocal => true,
                Scope::Global => false,
            };
            if !own {
                self.untracked.insert((loc, var));
            }
        }
    }
}
