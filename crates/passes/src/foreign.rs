//! Accesses through addresses that come from outside of the program.
//!
//! What a function without a body returns as a pointer is an arbitrary address, and so is a number
//! from outside that is used as one. The machine and the engines end a run that accesses memory
//! where no object of the program is, as for every access that is undefined; but this one may be
//! perfectly fine, and then the run goes on. So nothing is proved about a program that may have
//! such an access. Where values go is followed without regard to the order of steps, through
//! variables, objects, calls and threads.
//!
//! A number may also be an index. It is taken for an address where nothing else is: in an access
//! that points to no object of the program, or in a variable that otherwise holds pointers.

use crate::PointsTo;
use expr::{ObjId, Sort, Term, VarId};
use rustc_hash::FxHashMap;
use std::hash::Hash;
use std::rc::Rc;
use xcfa::{Callee, EdgeId, HavocOrigin, Label, ProcId, Xcfa};

/// Where a value came from, and as what.
#[derive(Clone, PartialEq, Eq)]
struct From {
    /// The function or variable.
    name: Rc<str>,
    /// Is it an address? Otherwise it is a number, which may become one.
    is_address: bool,
}

struct Flow<'a> {
    xcfa: &'a Xcfa,
    points_to: &'a PointsTo,
    vars: FxHashMap<VarId, From>,
    objects: FxHashMap<ObjId, From>,
    /// What threads end with.
    results: Option<From>,
    changed: bool,
}

/// The first access through a foreign pointer, in words; none if there can be none.
pub fn foreign_access(xcfa: &Xcfa, points_to: &PointsTo) -> Option<String> {
    let mut labels = xcfa.edges.iter().flat_map(|edge| &edge.labels);
    if !labels.any(|label| outside(xcfa, label).is_some()) {
        return None;
    }
    let mut flow = Flow {
        xcfa,
        points_to,
        vars: FxHashMap::default(),
        objects: FxHashMap::default(),
        results: None,
        changed: true,
    };
    while std::mem::take(&mut flow.changed) {
        for label in xcfa.edges.iter().flat_map(|edge| &edge.labels) {
            flow.follow(label);
        }
    }
    xcfa.edge_ids().find_map(|edge| flow.access(edge))
}

/// What comes in from outside here.
fn outside(xcfa: &Xcfa, label: &Label) -> Option<(VarId, From)> {
    let Label::Havoc { var, origin } = label else {
        return None;
    };
    let (name, is_address) = match origin {
        HavocOrigin::Pointer(name) => (name, true),
        HavocOrigin::External(name, _) | HavocOrigin::Input(name, _) => (name, false),
        HavocOrigin::Uninitialised => return None,
    };
    let name = name.as_str().into();
    let from = From { name, is_address };
    (xcfa[*var].sort != Sort::Bool).then_some((*var, from))
}

impl Flow<'_> {
    fn follow(&mut self, label: &Label) {
        if let Some((var, from)) = outside(self.xcfa, label) {
            self.reach(var, Some(from));
        }
        match label {
            Label::Assign { var, value } => {
                let from = self
                    .of(*value)
                    .map(|from| self.put_into(*var, *value, from));
                self.reach(*var, from);
            }
            Label::Load { var, addr } => {
                let objects = self.points_to.objects(self.xcfa, *addr);
                let stored = objects.iter().filter_map(|object| self.objects.get(object));
                let stored = stored.max_by_key(|from| from.is_address).cloned();
                self.reach(*var, stored);
                // Whoever reads through a foreign address gets what nobody knows.
                self.reach(*var, self.of(*addr).filter(|from| from.is_address));
            }
            Label::Store { addr, value } => {
                if let Some(from) = self.of(*value) {
                    for object in self.points_to.objects(self.xcfa, *addr) {
                        self.changed |= add(&mut self.objects, object, &from);
                    }
                }
            }
            Label::Start { proc, arg, .. } => self.pass(*proc, &[*arg]),
            Label::ThreadExit(value) => {
                if let Some(from) = self.of(*value)
                    && self
                        .results
                        .as_ref()
                        .is_none_or(|known| from.exceeds(known))
                {
                    self.results = Some(from);
                    self.changed = true;
                }
            }
            Label::Join {
                result: Some(var), ..
            } => self.reach(*var, self.results.clone()),
            Label::Call {
                callee,
                args,
                result,
            } => self.call(callee, args, *result),
            _ => {}
        }
    }

    fn call(&mut self, callee: &Callee, args: &[Term], result: Option<VarId>) {
        let called = match callee {
            Callee::Direct(proc) => vec![*proc],
            Callee::Pointer(pointer) => {
                let callees = self.points_to.callees(self.xcfa, *pointer);
                callees.into_iter().map(|(_, proc)| proc).collect()
            }
        };
        for proc in called {
            self.pass(proc, args);
            let returned = self.xcfa[proc].result;
            if let (Some(var), Some(returned)) = (result, returned) {
                self.reach(var, self.vars.get(&returned).cloned());
            }
        }
    }

    fn pass(&mut self, proc: ProcId, args: &[Term]) {
        let params = self.xcfa[proc].params.clone();
        for (param, &arg) in params.into_iter().zip(args) {
            self.reach(param, self.of(arg));
        }
    }

    fn reach(&mut self, var: VarId, from: Option<From>) {
        if let Some(from) = from {
            self.changed |= add(&mut self.vars, var, &from);
        }
    }

    /// A number that is put where pointers are is an address, unless it is added to a pointer.
    fn put_into(&self, var: VarId, value: Term, from: From) -> From {
        let holds_pointers = !self.points_to.var(var).is_empty();
        let is_bare = self.points_to.objects(self.xcfa, value).is_empty();
        From {
            is_address: from.is_address || holds_pointers && is_bare,
            ..from
        }
    }

    /// Where a value may come from, if from outside. A truth value is no address any more.
    fn of(&self, term: Term) -> Option<From> {
        if self.xcfa.terms.sort(term) == Sort::Bool {
            return None;
        }
        let vars = self.xcfa.terms.vars(term);
        let found = vars.iter().filter_map(|var| self.vars.get(var));
        found.max_by_key(|from| from.is_address).cloned()
    }

    /// What an edge accesses through a foreign pointer.
    fn access(&self, edge: EdgeId) -> Option<String> {
        let through = |label: &Label| match label {
            Label::Load { addr, .. }
            | Label::Store { addr, .. }
            | Label::Lock { addr, .. }
            | Label::Unlock { addr, .. }
            | Label::Wait { cond: addr }
            | Label::Signal { cond: addr, .. }
            | Label::Free(addr) => Some(*addr),
            Label::Call {
                callee: Callee::Pointer(pointer),
                ..
            } => Some(*pointer),
            _ => None,
        };
        let accessed = self.xcfa[edge].labels.iter().filter_map(through);
        let from = accessed.filter_map(|addr| {
            let from = self.of(addr)?;
            let points_nowhere = || self.points_to.objects(self.xcfa, addr).is_empty();
            (from.is_address || points_nowhere()).then_some(from.name)
        });
        let from = from.into_iter().next()?;
        let place = self.xcfa.sources.place(self.xcfa[edge].span);
        Some(format!(
            "{}:{}: what an address from `{from}` points to is not known",
            place.file, place.line
        ))
    }
}

impl From {
    /// Does this say more than what is known already?
    fn exceeds(&self, known: &From) -> bool {
        self.is_address && !known.is_address
    }
}

/// Notes where something comes from; is that news?
fn add<K: Hash + Eq>(known: &mut FxHashMap<K, From>, key: K, from: &From) -> bool {
    let is_news = known.get(&key).is_none_or(|known| from.exceeds(known));
    if is_news {
        known.insert(key, from.clone());
    }
    is_news
}
