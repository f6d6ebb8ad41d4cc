//! Locks that are found through pointers and indices.
//!
//! Such a lock has no name, but its address is a term of the thread that holds it. If two accesses can
//! only meet when the locks that go with them have the same address, then these locks keep them apart:
//! `p->lock` guards `p->data`, and `locks[i]` guards `data[i]`.

use crate::apart::Access;
use crate::program::Program;
use crate::prover::{Prover, overlap};
use crate::values::{Site, Values};
use passes::pointsto::{Offset, Target};
use rustc_hash::FxHashMap;

use expr::Term;
use xcfa::{EdgeId, Label, LocId, LockMode};

/// A lock that is held: where it was taken, its address and how.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Guard {
    taken: (EdgeId, usize),
    address: Term,
    mode: LockMode,
}

/// The locks that are certainly held at each location, by address.
pub struct Guards {
    held: Vec<Option<Vec<Guard>>>,
}

impl Guards {
    /// Follows the locks whose labels `is_lock` accepts: those whose words nothing else changes while
    /// they are held.
    pub fn of(
        program: &Program<'_>,
        values: &mut Values,
        is_lock: impl Fn(EdgeId, usize) -> bool,
    ) -> Guards {
        let xcfa = program.xcfa;
        let mut held: Vec<Option<Vec<Guard>>> = vec![None; xcfa.locs.len()];
        let mut work: Vec<LocId> = xcfa.procs.iter().map(|proc| proc.init).collect();
        for loc in &work {
            held[loc.0 as usize] = Some(Vec::new());
        }
        while let Some(loc) = work.pop() {
            for &edge in &xcfa[loc].out {
                let mut after = held[loc.0 as usize].clone().expect("it was reached");
                for label in 0..xcfa[edge].labels.len() {
                    pass(program, values, &is_lock, (edge, label), &mut after);
                }
                let target = xcfa[edge].target;
                after.retain(|guard| !mentions(values, guard.address, Site::Loc(target)));
                let known = &mut held[target.0 as usize];
                let changed = match known {
                    None => {
                        *known = Some(after);
                        true
                    }
                    Some(old) => {
                        let before = old.len();
                        old.retain(|guard| {
                            let same =
                                |it: &Guard| (it.address, it.mode) == (guard.address, guard.mode);
                            after.iter().any(same)
                        });
                        old.len() < before
                    }
                };
                if changed {
                    work.push(target);
                }
            }
        }
        Guards { held }
    }

    /// The locks that are held during the whole step, and whose addresses it does not recompute.
    fn during(&self, program: &Program<'_>, values: &mut Values, edge: EdgeId) -> Vec<Guard> {
        let xcfa = program.xcfa;
        let Some(held) = &self.held[xcfa[edge].source.0 as usize] else {
            return Vec::new();
        };
        let mut kept = held.clone();
        kept.retain(|guard| {
            let mut labels = xcfa[edge].labels.iter().enumerate();
            !labels.any(|(index, label)| {
                let lost = match label {
                    Label::Unlock { .. } | Label::Wait { .. } | Label::Call { .. } => true,
                    Label::Store { addr, .. } => {
                        let targets = program.points_to.targets(xcfa, *addr);
                        may_meet(program, guard, &targets)
                    }
                    _ => false,
                };
                lost || mentions(values, guard.address, Site::Label(edge, index))
                    || mentions(values, guard.address, Site::Aged(edge, index))
            })
        });
        kept
    }

    /// Do the two threads hold the same lock whenever these accesses meet?
    pub fn exclude_each_other(
        &self,
        program: &Program<'_>,
        values: &mut Values,
        prover: &mut Prover,
        a: Access,
        b: Access,
    ) -> bool {
        let mine = self.during(program, values, a.edge);
        let theirs = self.during(program, values, b.edge);
        if mine.is_empty() || theirs.is_empty() {
            return false;
        }
        let (mut of_a, mut of_b) = (FxHashMap::default(), FxHashMap::default());
        let Some(meet) = meet(program, values, prover, (a, &mut of_a), (b, &mut of_b)) else {
            return false;
        };
        for first in &mine {
            for second in &theirs {
                if first.mode == LockMode::Read && second.mode == LockMode::Read {
                    continue;
                }
                let x = prover.renamed(values, first.address, &mut of_a);
                let y = prover.renamed(values, second.address, &mut of_b);
                if values.terms.sort(x) != values.terms.sort(y) {
                    continue;
                }
                let different = values.terms.ne(x, y);
                if prover.excludes(values, &[meet, different]) {
                    return true;
                }
            }
        }
        false
    }
}

/// The condition that two accesses of different threads have a byte in common. In an object in which
/// both have a known offset they are at the same address less that offset.
fn meet(
    program: &Program<'_>,
    values: &mut Values,
    prover: &mut Prover,
    (a, of_a): (Access, &mut FxHashMap<expr::VarId, Term>),
    (b, of_b): (Access, &mut FxHashMap<expr::VarId, Term>),
) -> Option<Term> {
    let x = *values.evaluated(a.edge, a.label).first()?;
    let y = *values.evaluated(b.edge, b.label).first()?;
    let x = prover.renamed(values, x, of_a);
    let y = prover.renamed(values, y, of_b);
    let width = values.terms.width(x);
    if let (Some(from), Some(to)) = (known_offset(program, a), known_offset(program, b)) {
        let from = values.terms.bv(width, from as u64);
        let to = values.terms.bv(width, to as u64);
        let x = values.terms.binary(expr::Op::Sub, x, from);
        let y = values.terms.binary(expr::Op::Sub, y, to);
        return Some(values.terms.eq(x, y));
    }
    Some(overlap(values, (x, a.size?), (y, b.size?)))
}

/// The offset of an access in its object, if it is the same in every object that it may be in.
fn known_offset(program: &Program<'_>, access: Access) -> Option<i64> {
    let label = &program.xcfa[access.edge].labels[access.label];
    let address = label.terms().next()?;
    let targets = program.points_to.targets(program.xcfa, address);
    let mut offsets = targets.iter().map(|target| match target.offset {
        Offset::At(at) => Some(at),
        Offset::Any => None,
    });
    let first = offsets.next()??;
    access.size?;
    offsets.all(|it| it == Some(first)).then_some(first)
}

fn pass(
    program: &Program<'_>,
    values: &mut Values,
    is_lock: &impl Fn(EdgeId, usize) -> bool,
    (edge, label): (EdgeId, usize),
    held: &mut Vec<Guard>,
) {
    held.retain(|guard| {
        !mentions(values, guard.address, Site::Label(edge, label))
            && !mentions(values, guard.address, Site::Aged(edge, label))
    });
    match &program.xcfa[edge].labels[label] {
        Label::Lock { mode, .. } => {
            let address = values.evaluated(edge, label).first().copied();
            if let Some(address) = address.filter(|_| is_lock(edge, label)) {
                held.push(Guard {
                    taken: (edge, label),
                    address,
                    mode: *mode,
                });
            }
        }
        Label::Unlock { addr, .. } | Label::Store { addr, .. } => {
            let targets = program.points_to.targets(program.xcfa, *addr);
            let is_unlock = matches!(program.xcfa[edge].labels[label], Label::Unlock { .. });
            held.retain(|guard| {
                let lost = targets.is_empty() && is_unlock;
                !lost && !may_meet(program, guard, &targets)
            });
        }
        Label::Call { .. } => held.clear(),
        _ => {}
    }
}

/// May eight bytes at one of the targets be words of the lock?
fn may_meet(program: &Program<'_>, guard: &Guard, targets: &[Target]) -> bool {
    let (edge, label) = guard.taken;
    let address = program.xcfa[edge].labels[label].terms().next();
    let own = address.map(|it| program.points_to.targets(program.xcfa, it));
    own.unwrap_or_default().iter().any(|own| {
        targets.iter().any(|target| {
            let near = match (own.offset, target.offset) {
                (Offset::At(x), Offset::At(y)) => (x - y).abs() < 8,
                _ => true,
            };
            own.object == target.object && near
        })
    })
}

fn mentions(values: &mut Values, term: Term, site: Site) -> bool {
    let symbols = values.mentioned(term);
    symbols
        .iter()
        .any(|&symbol| values.symbol(symbol).is_some_and(|it| it.site == site))
}
