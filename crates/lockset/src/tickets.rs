//! Numbers that each thread gets for itself: drawn from a counter that only ever moves on.
//!
//! A global is such a counter if, once there are threads, all that is ever done to it is to add the
//! same constant, at most once by each thread, by an atomic operation or under one lock. What a thread
//! reads in the same critical section before it adds is then a number that no other thread gets.

use crate::held::Held;
use crate::lock::Lock;
use crate::program::Program;
use crate::updates::{Guard, Update, guard, once_a_thread, updates};
use crate::values::{Site, Values};
use rustc_hash::FxHashMap;

use expr::{Term, VarId};
use xcfa::EdgeId;

/// A number that a thread has drawn.
#[derive(Clone, Copy, Debug)]
pub struct Ticket {
    /// The counter.
    pub var: VarId,
    /// What is added for each.
    pub step: u64,
    /// What the counter is at first, if `main` never sets it.
    pub first: Option<Term>,
}

/// The labels that draw tickets.
#[derive(Default)]
pub struct Tickets {
    drawn: FxHashMap<(EdgeId, usize), Ticket>,
}

impl Tickets {
    pub fn of_program(
        program: &Program<'_>,
        values: &Values,
        held: &Held,
        atomic: &[bool],
    ) -> Tickets {
        let alone = program.xcfa.before_threads();
        let mut tickets = Tickets::default();
        for var in program
            .xcfa
            .var_ids()
            .filter(|&var| program.xcfa.is_global(var))
        {
            let updates = updates(program, values, alone, var);
            let Some(updates) = updates.filter(|all| only_move_on(program, all)) else {
                continue;
            };
            let first = first(program, updates.len(), var);
            match guard(program, held, atomic, &updates) {
                Some(Guard::Atomic) => updates
                    .iter()
                    .for_each(|it| tickets.in_step(it, var, first)),
                Some(Guard::Lock(lock)) => {
                    for it in &updates {
                        tickets.under_lock(program, held, lock, it, (var, first));
                    }
                }
                None => {}
            }
        }
        tickets
    }

    /// Every read of the same atomic step.
    fn in_step(&mut self, update: &Update, var: VarId, first: Option<Term>) {
        for label in 0..update.label {
            let step = update.step;
            self.drawn
                .insert((update.edge, label), Ticket { var, step, first });
        }
    }

    /// The ticket that a symbol is.
    pub fn of(&self, values: &Values, symbol: VarId) -> Option<Ticket> {
        let symbol = values.symbol(symbol)?;
        let Site::Label(edge, label) = symbol.site else {
            return None;
        };
        let ticket = self.drawn.get(&(edge, label))?;
        (ticket.var == symbol.var).then_some(*ticket)
    }

    /// Every read from which the counter is certainly moved on before the lock is unlocked.
    fn under_lock(
        &mut self,
        program: &Program<'_>,
        held: &Held,
        lock: Lock,
        update: &Update,
        (var, first): (VarId, Option<Term>),
    ) {
        let xcfa = program.xcfa;
        let proc = xcfa[xcfa[update.edge].source].proc;
        for edge in xcfa
            .edge_ids()
            .filter(|&edge| xcfa[xcfa[edge].source].proc == proc)
        {
            let released = || {
                let locs = xcfa.loc_ids().filter(|&loc| xcfa[loc].proc == proc);
                locs.filter(|&loc| !held.at(loc).contains(&lock))
                    .any(|loc| program.reaches(xcfa[edge].target, loc, |it| it == update.edge))
            };
            for (label, it) in xcfa[edge].labels.iter().enumerate() {
                let reads = it.terms().any(|term| xcfa.terms.vars(term).contains(&var));
                let before = edge != update.edge || label < update.label;
                if reads
                    && before
                    && held.throughout(program, lock, edge, update.edge)
                    && (edge == update.edge || !released())
                {
                    let ticket = Ticket {
                        var,
                        step: update.step,
                        first,
                    };
                    self.drawn.insert((edge, label), ticket);
                }
            }
        }
    }
}

/// The initial value of a global, if these updates are all that ever writes it.
fn first(program: &Program<'_>, updates: usize, var: VarId) -> Option<Term> {
    let labels = program.xcfa.edges.iter().flat_map(|edge| &edge.labels);
    let writes = labels.filter(|label| label.defines() == Some(var)).count();
    program.xcfa[var].init.filter(|_| writes == updates)
}

/// Do they all add the same, and does no thread take two of them?
fn only_move_on(program: &Program<'_>, updates: &[Update]) -> bool {
    let xcfa = program.xcfa;
    let proc = |it: &Update| xcfa[xcfa[it.edge].source].proc;
    let mut procs: Vec<_> = updates.iter().map(proc).collect();
    procs.sort_unstable();
    procs.dedup();
    procs.len() == updates.len()
        && !updates.is_empty()
        && updates
            .iter()
            .all(|it| it.step == updates[0].step && once_a_thread(program, it.edge))
}
