//! Which places an address can mean.

use super::accesses::Access;
use super::objects::Objects;
use crate::ordering::Unsupported;
use expr::{Node, ObjId, Op, Sort, Term, Terms, apply};
use xcfa::Span;

/// An address with more possible values than this is not taken apart.
const MOST_VALUES: usize = 128;

/// An access that can hit more places than this is refused.
const MOST_PLACES: usize = 1024;

/// A place that an access can hit.
#[derive(Clone, Copy, Debug)]
pub struct PossibleCell {
    /// When it is this one.
    pub here: Term,
    /// In which object.
    pub object: ObjId,
    /// How far from its start.
    pub offset: u64,
}

/// The places that an access can hit.
pub struct PossibleCells {
    /// At most one of them is meant.
    pub list: Vec<PossibleCell>,
    /// When one of them is.
    pub valid: Term,
}

/// Finds the places that `access` hits with an address that is `addr` by now.
pub fn places(
    terms: &mut Terms,
    objects: &Objects,
    access: &Access,
    addr: Term,
    span: Span,
) -> Result<PossibleCells, Unsupported> {
    let mut looked_at = 0;
    match values(terms, addr, &mut looked_at) {
        Some(values) => Ok(by_value(terms, objects, access, &values)),
        None => by_target(terms, objects, access, addr, span),
    }
}

fn by_value(
    terms: &mut Terms,
    objects: &Objects,
    access: &Access,
    values: &[(Term, u64)],
) -> PossibleCells {
    let mut list: Vec<PossibleCell> = Vec::new();
    let mut lost = false;
    for &(here, address) in values {
        let object = objects.behind(address);
        let object = object.filter(|&object| access.objects().any(|known| known == object));
        let place = object.and_then(|object| {
            let offset = address - objects.base(object);
            let inside = offset + access.bytes <= objects.size(object)?;
            inside.then_some((object, offset))
        });
        let Some((object, offset)) = place else {
            lost = true;
            continue;
        };
        let same = |place: &&mut PossibleCell| place.object == object && place.offset == offset;
        match list.iter_mut().find(same) {
            Some(place) => place.here = terms.or(place.here, here),
            None => list.push(PossibleCell {
                here,
                object,
                offset,
            }),
        }
    }
    let valid = match lost {
        false => terms.bool(true),
        true => terms.or_all(list.iter().map(|place| place.here)),
    };
    PossibleCells { list, valid }
}

fn by_target(
    terms: &mut Terms,
    objects: &Objects,
    access: &Access,
    addr: Term,
    span: Span,
) -> Result<PossibleCells, Unsupported> {
    let width = terms.width(addr);
    let mut list: Vec<PossibleCell> = Vec::new();
    for &target in &access.targets {
        let object = target.object;
        let Some(size) = objects.size(object) else {
            return Err(Unsupported::at(
                span,
                "memory whose size is not known in time",
            ));
        };
        for offset in access.offsets(target, size) {
            if objects.cells(object, offset, access.bytes).is_none() {
                continue;
            }
            let place = terms.bv(width, objects.base(object) + offset);
            let here = terms.eq(addr, place);
            if terms.as_const(here) != Some(0) {
                list.push(PossibleCell {
                    here,
                    object,
                    offset,
                });
            }
            if list.len() > MOST_PLACES {
                let what = format!("an access may hit more than {MOST_PLACES} places");
                return Err(Unsupported::at(span, what));
            }
        }
    }
    let valid = terms.or_all(list.iter().map(|place| place.here));
    Ok(PossibleCells { list, valid })
}

/// All constants that a term can be equal to, each with the condition under which it is.
///
/// Nothing if the term depends on an unknown other than through conditions, or if finding out
/// takes too long.
fn values(terms: &mut Terms, term: Term, looked_at: &mut usize) -> Option<Vec<(Term, u64)>> {
    *looked_at += 1;
    if *looked_at > 8 * MOST_VALUES {
        return None;
    }
    let result = terms.sort(term);
    match terms.node(term) {
        Node::Const(_, bits) => {
            let truth = terms.bool(true);
            Some(vec![(truth, bits)])
        }
        Node::Var(..) | Node::Base(..) => None,
        Node::Unary(op, a) => {
            let sort = terms.sort(a);
            if sort == Sort::Bool {
                return None;
            }
            let values = values(terms, a, looked_at)?;
            let image = values.into_iter();
            let image = image.map(|(c, x)| (c, apply(op, sort, x, 0) & result.mask()));
            Some(merge(terms, image.collect()))
        }
        Node::Binary(op, a, b) => {
            let sort = terms.sort(a);
            if sort == Sort::Bool || result == Sort::Bool || op == Op::Concat {
                return None;
            }
            let (left, right) = (values(terms, a, looked_at)?, values(terms, b, looked_at)?);
            if left.len() * right.len() > MOST_VALUES {
                return None;
            }
            let mut image = Vec::new();
            for &(c, x) in &left {
                for &(d, y) in &right {
                    let both = terms.and(c, d);
                    if terms.as_const(both) != Some(0) {
                        image.push((both, apply(op, sort, x, y) & result.mask()));
                    }
                }
            }
            Some(merge(terms, image))
        }
        Node::Ite(c, a, b) => {
            let (left, right) = (values(terms, a, looked_at)?, values(terms, b, looked_at)?);
            if left.len() + right.len() > MOST_VALUES {
                return None;
            }
            let not = terms.not(c);
            let mut image = Vec::new();
            for (condition, side) in [(c, left), (not, right)] {
                for (d, x) in side {
                    let both = terms.and(condition, d);
                    image.push((both, x));
                }
            }
            Some(merge(terms, image))
        }
    }
}

/// One entry for each value.
fn merge(terms: &mut Terms, values: Vec<(Term, u64)>) -> Vec<(Term, u64)> {
    let mut merged: Vec<(Term, u64)> = Vec::new();
    for (condition, value) in values {
        match merged.iter_mut().find(|(_, known)| *known == value) {
            Some((known, _)) => *known = terms.or(*known, condition),
            None => merged.push((condition, value)),
        }
    }
    if let [(condition, _)] = &mut *merged {
        *condition = terms.bool(true);
    }
    merged
}
