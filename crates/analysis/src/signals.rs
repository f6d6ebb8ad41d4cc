//! Condition variables as variables.
//!
//! For errors a wait on a condition variable may be forgotten, because a wake-up may be spurious
//! ([`crate::flatten`] does so). Whoever asks whether threads wait for ever must not forget it: each
//! thread that ever waits has a variable here that holds the address of what it waits on, and 0
//! if it does not wait. One more variable, which nobody sets, says whether wake-ups may be spurious.

use expr::{Sort, Term, Terms, VarId};
use std::collections::BTreeMap;
use xcfa::{HavocOrigin, Label, ProcId, Scope, Var, Xcfa};

/// Replaces waiting and signalling by assignments; the variable that allows spurious wake-ups.
///
/// Every thread must be a procedure of its own without calls, as after unrolling.
pub fn explicit_signals(xcfa: &mut Xcfa) -> VarId {
    let spurious = new_var(
        xcfa,
        "spurious wake-ups".into(),
        Sort::Bool,
        Scope::Global,
        None,
    );
    let waiting = waiters(xcfa);
    let mut signals = Signals {
        xcfa,
        waiting,
        spurious,
    };
    for edge in signals.xcfa.edge_ids() {
        let proc = signals.xcfa[signals.xcfa[edge].source].proc;
        let mut labels = Vec::new();
        for label in signals.xcfa[edge].labels.clone() {
            signals.label(proc, label, &mut labels);
        }
        signals.xcfa[edge].labels = labels;
    }
    spurious
}

fn new_var(xcfa: &mut Xcfa, name: String, sort: Sort, scope: Scope, init: Option<Term>) -> VarId {
    xcfa.add_var(Var {
        name,
        sort,
        signed: false,
        scope,
        init,
        temp: true,
    })
}

/// A thread that waits at some time.
#[derive(Clone)]
struct Waiter {
    proc: ProcId,
    /// Holds the address of what it waits on.
    var: VarId,
    /// Everything that it ever waits on.
    conds: Vec<Term>,
}

/// The threads that ever wait, in their order.
fn waiters(xcfa: &mut Xcfa) -> Vec<Waiter> {
    let mut conds: BTreeMap<ProcId, Vec<Term>> = BTreeMap::new();
    for edge in &xcfa.edges {
        for label in &edge.labels {
            if let Label::Wait { cond } = label {
                let proc = xcfa[edge.source].proc;
                conds.entry(proc).or_default().push(*cond);
            }
        }
    }
    let sort = Sort::Bv(xcfa.pointer_bits());
    let of = |(proc, conds): (ProcId, Vec<Term>)| {
        let name = format!("what {} waits on", xcfa[proc].function());
        let nothing = xcfa.terms.constant(sort, 0);
        let var = new_var(xcfa, name, sort, Scope::Global, Some(nothing));
        Waiter { proc, var, conds }
    };
    conds.into_iter().map(of).collect()
}

/// Are these for certain addresses in different objects?
fn differ(terms: &Terms, a: Term, b: Term) -> bool {
    let fixed = |term| terms.vars(term).is_empty() && terms.bases(term).len() == 1;
    fixed(a) && fixed(b) && terms.bases(a) != terms.bases(b)
}

struct Signals<'a> {
    xcfa: &'a mut Xcfa,
    waiting: Vec<Waiter>,
    spurious: VarId,
}

impl Signals<'_> {
    fn label(&mut self, proc: ProcId, label: Label, out: &mut Vec<Label>) {
        let mine = self.waiting.iter().find(|waiter| waiter.proc == proc);
        let mine = mine.map(|waiter| waiter.var);
        match (label, mine) {
            (Label::Wait { cond }, Some(var)) => out.push(Label::Assign { var, value: cond }),
            (Label::AwaitSignal { timed }, Some(var)) => {
                let nothing = self.nothing();
                if !timed {
                    let waiting = self.xcfa.read(var);
                    let woken = self.xcfa.terms.eq(waiting, nothing);
                    let spurious = self.xcfa.read(self.spurious);
                    let goes_on = self.xcfa.terms.or(woken, spurious);
                    out.push(Label::Await(goes_on));
                }
                let value = nothing;
                out.push(Label::Assign { var, value });
            }
            // Whoever has never waited has nothing to wait for.
            (Label::AwaitSignal { .. }, None) => {}
            (Label::Signal { cond, all }, _) => self.signal(proc, cond, all, out),
            (other, _) => out.push(other),
        }
    }

    fn nothing(&mut self) -> Term {
        let width = self.xcfa.pointer_bits();
        self.xcfa.terms.bv(width, 0)
    }

    /// Those who may wait on `cond`, with the condition that they do.
    fn waiters(&mut self, cond: Term) -> Vec<(VarId, Term)> {
        let mut found = Vec::new();
        for waiter in self.waiting.clone() {
            let mut conds = waiter.conds.iter();
            if conds.all(|&other| differ(&self.xcfa.terms, cond, other)) {
                continue;
            }
            let on = self.xcfa.read(waiter.var);
            found.push((waiter.var, self.xcfa.terms.eq(on, cond)));
        }
        found
    }

    /// Wakes all who wait, or one of them.
    fn signal(&mut self, proc: ProcId, cond: Term, all: bool, out: &mut Vec<Label>) {
        let mut woken = self.waiters(cond);
        if !all && woken.len() > 1 {
            self.choose(proc, &mut woken, out);
        }
        // Labels happen one after the other, so it is settled who is woken before anybody is.
        let mut settled = Vec::new();
        for (var, wakes) in woken {
            let name = "is woken".into();
            let is_woken = new_var(self.xcfa, name, Sort::Bool, Scope::Local(proc), None);
            out.push(Label::Assign {
                var: is_woken,
                value: wakes,
            });
            settled.push((var, is_woken));
        }
        let nothing = self.nothing();
        for (var, is_woken) in settled {
            let (before, is_woken) = (self.xcfa.read(var), self.xcfa.read(is_woken));
            let value = self.xcfa.terms.ite(is_woken, nothing, before);
            out.push(Label::Assign { var, value });
        }
    }

    /// Leaves one of those who wait: the environment says of each whether it is the one, and if it
    /// is nobody, it is the last.
    fn choose(&mut self, proc: ProcId, waiters: &mut [(VarId, Term)], out: &mut Vec<Label>) {
        let terms = &mut self.xcfa.terms;
        let mut waits_later = vec![terms.bool(false)];
        for (_, waits) in waiters.iter().rev() {
            let last = waits_later[waits_later.len() - 1];
            waits_later.push(terms.or(last, *waits));
        }
        waits_later.pop();
        let mut nobody_yet = terms.bool(true);
        for (_, waits) in waiters {
            let somebody_later = waits_later.pop().expect("one for each who waits");
            let name = "is the one to be woken".into();
            let choice = new_var(self.xcfa, name, Sort::Bool, Scope::Local(proc), None);
            out.push(Label::Havoc {
                var: choice,
                origin: HavocOrigin::Uninitialised,
            });
            let choice = self.xcfa.read(choice);
            let terms = &mut self.xcfa.terms;
            let is_last = terms.not(somebody_later);
            let is_it = terms.or(choice, is_last);
            let is_it = terms.and(is_it, *waits);
            let is_it = terms.and(is_it, nobody_yet);
            let not = terms.not(is_it);
            nobody_yet = terms.and(nobody_yet, not);
            *waits = is_it;
        }
    }
}
