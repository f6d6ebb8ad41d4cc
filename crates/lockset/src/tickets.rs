//! Numbers that each thread gets for itself: drawn from a counter that only ever moves on.
//!
//! A global is such a counter if, once there are threads, all that is ever done to it is to add the
//! same constant, at most once by each thread, by an atomic operation or under one lock. What a thread
//! reads in the same critical section before it adds is then a number that no other thread gets.

use crate::held;
use crate::program::Program;
use crate::values::{Site, Values, as_sum};
use passes::{HeldLock, Locksets, locations_before_threads};
use rustc_hash::FxHashMap;

use expr::VarId;
use xcfa::{EdgeId, Label, LockMode};

/// A number that a thread has drawn.
#[derive(Clone, Copy, Debug)]
pub struct Ticket {
    /// The counter.
    pub var: VarId,
    /// What is added for each.
    pub step: u64,
}

/// The labels that draw tickets.
#[derive(Default)]
pub struct Tickets {
    drawn: FxHashMap<(EdgeId, usize), Ticket>,
}

/// A label that moves a counter on.
struct Advance {
    edge: EdgeId,
    label: usize,
    /// The edge that reads the old value.
    read: EdgeId,
    step: u64,
}

impl Tickets {
    pub fn of_program(
        program: &Program<'_>,
        values: &Values,
        locksets: &Locksets,
        atomic: &[bool],
    ) -> Tickets {
        let alone = locations_before_threads(program.xcfa);
        let mut tickets = Tickets::default();
        for var in program
            .xcfa
            .var_ids()
            .filter(|&var| program.xcfa.is_global(var))
        {
            let Some(advances) = advances(program, values, &alone, var) else {
                continue;
            };
            let is_atomic = |it: &Advance| atomic[it.edge.0 as usize] && it.edge == it.read;
            if advances.iter().all(is_atomic) {
                for it in &advances {
                    for label in 0..it.label {
                        let ticket = Ticket { var, step: it.step };
                        tickets.drawn.insert((it.edge, label), ticket);
                    }
                }
            } else if let Some(lock) = common_lock(program, locksets, &advances) {
                for it in &advances {
                    tickets.under_lock(program, locksets, lock, it, var);
                }
            }
        }
        tickets
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

    /// Every read from which the counter is certainly moved on before the lock is given back.
    fn under_lock(
        &mut self,
        program: &Program<'_>,
        locksets: &Locksets,
        lock: HeldLock,
        advance: &Advance,
        var: VarId,
    ) {
        let xcfa = program.xcfa;
        let proc = xcfa[xcfa[advance.edge].source].proc;
        for edge in xcfa
            .edge_ids()
            .filter(|&edge| xcfa[xcfa[edge].source].proc == proc)
        {
            let released = || {
                let locs = xcfa.loc_ids().filter(|&loc| xcfa[loc].proc == proc);
                locs.filter(|&loc| !locksets.held(loc).contains(&lock))
                    .any(|loc| program.reaches(xcfa[edge].target, loc, |it| it == advance.edge))
            };
            for (label, it) in xcfa[edge].labels.iter().enumerate() {
                let reads = it.terms().any(|term| xcfa.terms.vars(term).contains(&var));
                let before = edge != advance.edge || label < advance.label;
                if reads
                    && before
                    && held::throughout(program, locksets, lock, edge, advance.edge)
                    && (edge == advance.edge || !released())
                {
                    let ticket = Ticket {
                        var,
                        step: advance.step,
                    };
                    self.drawn.insert((edge, label), ticket);
                }
            }
        }
    }
}

/// All writes of a global once there are threads, if each of them moves it on by the same constant and
/// no thread takes two of them.
fn advances(
    program: &Program<'_>,
    values: &Values,
    alone: &[bool],
    var: VarId,
) -> Option<Vec<Advance>> {
    let xcfa = program.xcfa;
    let mut found: Vec<Advance> = Vec::new();
    for edge in xcfa.edge_ids() {
        for (label, it) in xcfa[edge].labels.iter().enumerate() {
            let starts = xcfa[edge]
                .labels
                .iter()
                .any(|it| matches!(it, Label::Start { .. }));
            let early = alone[xcfa[edge].source.0 as usize] && !starts;
            if it.defines() != Some(var) || early {
                continue;
            }
            let Label::Assign { .. } = it else {
                return None;
            };
            let (base, step) = as_sum(&values.terms, *values.evaluated(edge, label).first()?)?;
            let symbol = values.symbol(values.terms.as_var(base)?)?;
            let Site::Label(read, _) = symbol.site else {
                return None;
            };
            let proc = xcfa[xcfa[edge].source].proc;
            let fits = symbol.var == var
                && program.threads.running(proc).eq([proc])
                && !has_calls(program)
                && !program.repeats(edge)
                && found.iter().all(|other| other.step == step)
                && !found
                    .iter()
                    .any(|other| xcfa[xcfa[other.edge].source].proc == proc);
            if !fits {
                return None;
            }
            found.push(Advance {
                edge,
                label,
                read,
                step,
            });
        }
    }
    (!found.is_empty()).then_some(found)
}

/// Are there calls left, so that a procedure may have several activations?
fn has_calls(program: &Program<'_>) -> bool {
    let mut labels = program.xcfa.edges.iter().flat_map(|edge| &edge.labels);
    labels.any(|label| matches!(label, Label::Call { .. }))
}

/// A lock that is held exclusively from each read of the old value to the write of the new one.
fn common_lock(
    program: &Program<'_>,
    locksets: &Locksets,
    advances: &[Advance],
) -> Option<HeldLock> {
    let first = advances.first()?;
    let mut locks = held::during(program, locksets, first.edge).into_iter();
    locks.find(|lock| {
        lock.mode != LockMode::Read
            && advances
                .iter()
                .all(|it| held::throughout(program, locksets, *lock, it.read, it.edge))
    })
}
