//! A model as plain data, free of the solver that found it.

use expr::{Env, ObjId, VarId};
use std::collections::BTreeMap;

/// Values of variables and addresses; what is not mentioned may be anything, and reads as zero.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Model {
    /// Variables, by their bits.
    pub vars: BTreeMap<VarId, u64>,
    /// Addresses of objects.
    pub bases: BTreeMap<ObjId, u64>,
}

impl Env for Model {
    fn var(&self, var: VarId) -> u64 {
        self.vars.get(&var).copied().unwrap_or(0)
    }

    fn base(&self, obj: ObjId) -> u64 {
        self.bases.get(&obj).copied().unwrap_or(0)
    }
}
