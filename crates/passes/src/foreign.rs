//! Accesses through pointers that come from outside of the program.
//!
//! What a function without a body returns as a pointer is an arbitrary address. The machine and the
//! engines end a run that accesses memory where no object of the program is, as for every access
//! that is undefined; but this one may be perfectly fine, and then the run goes on. So nothing is
//! proved about a program that may have such an access. Where values go is followed without regard
//! to the order of steps, through variables, objects, calls and threads.

use crate::PointsTo;
use expr::{ObjId, Sort, Term, VarId};
use rustc_hash::FxHashMap;
use std::rc::Rc;
use xcfa::{Callee, EdgeId, HavocOrigin, Label, ProcId, Xcfa};

/// The function or variable that a pointer came from.
type From = Rc<str>;

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
    let comes_in = |label: &Label| {
        matches!(
            label,
            Label::Havoc {
                origin: HavocOrigin::Pointer(_),
                ..
            }
        )
    };
    if !labels.any(comes_in) {
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

impl Flow<'_> {
    fn follow(&mut self, label: &Label) {
        match label {
            Label::Havoc {
                var,
                origin: HavocOrigin::Pointer(name),
            } => self.reach(*var, Some(name.as_str().into())),
            Label::Assign { var, value } => self.reach(*var, self.of(*value)),
            Label::Load { var, addr } => {
                let objects = self.points_to.objects(self.xcfa, *addr);
                let stored = objects.iter().find_map(|object| self.objects.get(object));
                self.reach(*var, self.of(*addr).or(stored.cloned()));
            }
            Label::Store { addr, value } => {
                if let Some(from) = self.of(*value) {
                    for object in self.points_to.objects(self.xcfa, *addr) {
                        let entry = self.objects.entry(object);
                        entry.or_insert_with(|| {
                            self.changed = true;
                            from.clone()
                        });
                    }
                }
            }
            Label::Start { proc, arg, .. } => self.pass(*proc, &[*arg]),
            Label::ThreadExit(value) if self.results.is_none() => {
                self.results = self.of(*value);
                self.changed |= self.results.is_some();
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
        if let Some(from) = from
            && !self.vars.contains_key(&var)
        {
            self.vars.insert(var, from);
            self.changed = true;
        }
    }

    /// Where a value may come from, if from outside. A truth value is no address any more.
    fn of(&self, term: Term) -> Option<From> {
        if self.xcfa.terms.sort(term) == Sort::Bool {
            return None;
        }
        let vars = self.xcfa.terms.vars(term);
        vars.iter().find_map(|var| self.vars.get(var)).cloned()
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
            | Label::Free(addr) => self.of(*addr),
            Label::Call {
                callee: Callee::Pointer(pointer),
                ..
            } => self.of(*pointer),
            _ => None,
        };
        let from = self.xcfa[edge].labels.iter().find_map(through)?;
        let place = self.xcfa.sources.place(self.xcfa[edge].span);
        Some(format!(
            "{}:{}: what a pointer from `{from}` points to is not known",
            place.file, place.line
        ))
    }
}
