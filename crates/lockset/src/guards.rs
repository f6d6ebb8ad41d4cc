//! Locks that are found through pointers and indices.
//!
//! Such a lock has no name, but its address is a term of the thread that holds it. If two accesses can
//! only meet when the locks that go with them have the same address, then these locks keep them apart:
//! `p->lock` guards `p->data`, and `locks[i]` guards `data[i]`.

use crate::address_disjointness::Access;
use crate::held::Held;
use crate::lock::{Identity, Lock};
use crate::program::Program;
use crate::prover::{Prover, overlap};
use crate::values::{Site, Values};
use dataflow::pointsto::Offset;
use rustc_hash::FxHashMap;
use std::collections::BTreeSet;

use expr::Term;

/// The addresses of locks that are held during the whole step, and that it does not recompute.
fn during(
    program: &Program<'_>,
    values: &mut Values,
    held: &Held,
    access: Access,
) -> Vec<(Lock, Term)> {
    let edge = access.edge;
    let labels = program.xcfa[edge].labels.len();
    let all = held.during(program, edge);
    let beside = all
        .iter()
        .filter_map(|&lock| Some((lock, beside(program, values, access, lock)?)));
    let beside: Vec<(Lock, Term)> = beside.collect();
    let found = all
        .into_iter()
        .filter_map(|lock| Some((lock, lock.address()?)));
    let mut found: Vec<(Lock, Term)> = found.collect();
    found.retain(|&(_, address)| {
        !(0..labels).any(|index| {
            values.mentions(address, Site::Label(edge, index))
                || values.mentions(address, Site::Aged(edge, index))
        })
    });
    found.extend(beside);
    found
}

/// The address of a lock with a name, by that of an access to the same object: a thread that got the address of the object
/// in another way knows the lock by it.
fn beside(program: &Program<'_>, values: &mut Values, access: Access, lock: Lock) -> Option<Term> {
    let Identity::Name(object, offset) = lock.identity else {
        return None;
    };
    let label = &program.xcfa[access.edge].labels[access.label];
    let targets = program
        .points_to
        .targets(program.xcfa, label.terms().next()?);
    let [target] = &*targets else { return None };
    let (true, Offset::At(at)) = (target.object == object, target.offset) else {
        return None;
    };
    let address = *values.evaluated(access.edge, access.label).first()?;
    let width = values.terms.width(address);
    let distance = values.terms.bv(width, offset.wrapping_sub(at) as u64);
    Some(values.terms.add(address, distance))
}

/// Do two threads that hold these locks hold one that is at the same address for both?
pub fn share_one(values: &mut Values, held: &BTreeSet<Lock>, other: &BTreeSet<Lock>) -> bool {
    held.iter().any(|first| {
        let Some(address) = first.address() else {
            return false;
        };
        let is_shared = values.mentioned(address).iter().all(|&symbol| {
            let site = values.symbol(symbol).map(|it| it.site);
            site.is_some_and(Site::is_shared_by_living)
        });
        is_shared
            && other.iter().any(|second| {
                let exclusive = first.is_exclusive() || second.is_exclusive();
                exclusive && second.identity == first.identity
            })
    })
}

/// Do the two threads hold the same lock whenever these accesses meet?
pub fn exclude_each_other(
    program: &Program<'_>,
    values: &mut Values,
    prover: &mut Prover,
    held: &Held,
    (a, b): (Access, Access),
) -> bool {
    let mine = during(program, values, held, a);
    let theirs = during(program, values, held, b);
    if mine.is_empty() || theirs.is_empty() {
        return false;
    }
    let (mut of_a, mut of_b) = (FxHashMap::default(), FxHashMap::default());
    let Some(meet) = meet(program, values, prover, (a, &mut of_a), (b, &mut of_b)) else {
        return false;
    };
    for &(first, x) in &mine {
        for &(second, y) in &theirs {
            if !first.is_exclusive() && !second.is_exclusive() {
                continue;
            }
            let x = prover.renamed(values, x, &mut of_a);
            let y = prover.renamed(values, y, &mut of_b);
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
