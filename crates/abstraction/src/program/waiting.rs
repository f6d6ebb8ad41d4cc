//! Condition variables as variables.
//!
//! For errors a wait on a condition variable may be forgotten, because a wake-up may be spurious.
//! A search for threads that wait for ever must not forget it: each thread that ever waits has a
//! variable that holds the address of what it waits on, and 0 if it does not wait. One more
//! variable, which is never set, says whether wake-ups may be spurious.

use expr::{Sort, Term, Terms, VarId};
use std::collections::BTreeMap;
use xcfa::{Label, ProcId, Scope, Var, Xcfa};

pub(super) struct Waiting {
    /// Says whether wake-ups may be spurious.
    pub spurious: VarId,
    waiters: Vec<Waiter>,
}

/// A thread that waits at some time.
struct Waiter {
    proc: ProcId,
    /// Holds the address of what it waits on.
    var: VarId,
    /// Everything that it ever waits on.
    conds: Vec<Term>,
}

impl Waiting {
    /// Adds the variables to a program in which every thread is a procedure of its own without
    /// calls, as after unrolling.
    pub fn add_to(xcfa: &mut Xcfa) -> Waiting {
        let mut conds: BTreeMap<ProcId, Vec<Term>> = BTreeMap::new();
        for edge in &xcfa.edges {
            for label in &edge.labels {
                if let Label::Wait { cond } = label {
                    let proc = xcfa[edge.source].proc;
                    conds.entry(proc).or_default().push(*cond);
                }
            }
        }
        let spurious = new_var(xcfa, "spurious wake-ups".into(), Sort::Bool);
        let sort = Sort::Bv(xcfa.pointer_bits());
        let of = |(proc, conds): (ProcId, Vec<Term>)| {
            let name = format!("what {} waits on", xcfa[proc].function());
            let var = new_var(xcfa, name, sort);
            Waiter { proc, var, conds }
        };
        let waiters = conds.into_iter().map(of).collect();
        Waiting { spurious, waiters }
    }

    /// What a thread waits on; nothing if it never waits.
    pub fn of(&self, proc: ProcId) -> Option<VarId> {
        let waiter = self.waiters.iter().find(|waiter| waiter.proc == proc);
        waiter.map(|waiter| waiter.var)
    }

    /// The same, of all threads that may wait on `cond`.
    pub fn on(&self, terms: &Terms, cond: Term) -> Vec<VarId> {
        let may = |waiter: &&Waiter| !waiter.conds.iter().all(|&other| differ(terms, cond, other));
        let waiters = self.waiters.iter().filter(may);
        waiters.map(|waiter| waiter.var).collect()
    }
}

fn new_var(xcfa: &mut Xcfa, name: String, sort: Sort) -> VarId {
    xcfa.add_var(Var::temp(name, sort, Scope::Global))
}

/// Are these for certain addresses in different objects?
fn differ(terms: &Terms, a: Term, b: Term) -> bool {
    let fixed = |term| terms.vars(term).is_empty() && terms.bases(term).len() == 1;
    fixed(a) && fixed(b) && terms.bases(a) != terms.bases(b)
}
