//! Where the truth of a condition about one counter can change, so that a long loop is not counted
//! out round by round.
//!
//! A condition that compares the counter (also after a constant was added to it, or it was extended)
//! with constants changes its truth at few values. Law: between two neighbouring cuts it is constant.

use expr::{Node, Op, Sort, Term, Terms, VarId};

/// The values of a counter at which conditions can change; empty runs between them are allowed.
pub(super) struct Cuts {
    /// In rising order; `None` if some condition is of another shape.
    values: Option<Vec<u64>>,
    /// The largest value of the counter.
    mask: u64,
}

impl Cuts {
    /// Of all conditions together.
    pub(super) fn of(terms: &Terms, conditions: &[Term], counter: VarId, mask: u64) -> Cuts {
        let mut values = Vec::new();
        let known = conditions
            .iter()
            .all(|&condition| collect(terms, condition, counter, &mut values).is_some());
        values.sort_unstable();
        values.dedup();
        Cuts {
            values: known.then_some(values),
            mask,
        }
    }

    /// How many times `step` can be added to `value` without passing a cut or wrapping around.
    pub(super) fn steps_within(&self, value: u64, step: u64) -> u64 {
        let Some(values) = &self.values else { return 0 };
        let next = values.partition_point(|&cut| cut <= value);
        let down = self.mask.wrapping_sub(step).wrapping_add(1) & self.mask;
        if step == 0 {
            u64::MAX
        } else if step <= down {
            let last = values.get(next).map_or(self.mask, |&cut| cut - 1);
            (last - value) / step
        } else {
            let first = next.checked_sub(1).map_or(0, |at| values[at]);
            (value - first) / down
        }
    }
}

/// Adds the cuts of a condition; `None` if its shape is another.
fn collect(terms: &Terms, condition: Term, counter: VarId, values: &mut Vec<u64>) -> Option<()> {
    match terms.node(condition) {
        Node::Const(..) => Some(()),
        Node::Unary(Op::Not, inner) => collect(terms, inner, counter, values),
        Node::Binary(Op::And | Op::Or, a, b) => {
            collect(terms, a, counter, values)?;
            collect(terms, b, counter, values)
        }
        Node::Binary(Op::Eq | Op::Ult | Op::Ule | Op::Slt | Op::Sle, a, b) => {
            let (compared, constant) = match (terms.as_const(a), terms.as_const(b)) {
                (None, Some(constant)) => (a, constant),
                (Some(constant), None) => (b, constant),
                _ => return None,
            };
            let sort @ Sort::Bv(width) = terms.sort(compared) else {
                return None;
            };
            let ends = [constant, constant.wrapping_add(1) & sort.mask()];
            let cuts = [ends[0], ends[1], 0, half(width)];
            values.extend(pulled_back(terms, compared, counter, cuts.to_vec())?);
            Some(())
        }
        _ => None,
    }
}

/// The first value of a width that is negative if it is signed.
fn half(width: u32) -> u64 {
    1 << (width - 1)
}

/// From cuts of a term to cuts of the counter that it is computed from.
fn pulled_back(terms: &Terms, term: Term, counter: VarId, mut cuts: Vec<u64>) -> Option<Vec<u64>> {
    match terms.node(term) {
        Node::Var(var, _) if var == counter => Some(cuts),
        Node::Binary(Op::Add, inner, added) => {
            let added = terms.as_const(added)?;
            let mask = terms.sort(term).mask();
            for cut in &mut cuts {
                *cut = cut.wrapping_sub(added) & mask;
            }
            cuts.push(added.wrapping_neg() & mask);
            pulled_back(terms, inner, counter, cuts)
        }
        Node::Unary(Op::ZeroExt(_), inner) => {
            let mask = terms.sort(inner).mask();
            cuts.retain(|&cut| cut <= mask);
            pulled_back(terms, inner, counter, cuts)
        }
        Node::Unary(Op::SignExt(_), inner) => {
            let (mask, wide) = (terms.sort(inner).mask(), terms.sort(term).mask());
            let half = half(terms.width(inner));
            // Values in between are no extension of any.
            cuts.retain(|&cut| cut < half || cut > wide - half);
            for cut in &mut cuts {
                *cut &= mask;
            }
            cuts.push(half);
            pulled_back(terms, inner, counter, cuts)
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::Cuts;
    use expr::{Env, ObjId, Op, Sort, Term, Terms, VarId};

    struct Counter(u64);

    impl Env for Counter {
        fn var(&self, _: VarId) -> u64 {
            self.0
        }

        fn base(&self, _: ObjId) -> u64 {
            unreachable!("no condition here mentions an object")
        }
    }

    /// All values of a counter of eight bits: the steps that are promised change nothing.
    fn check(condition: impl Fn(&mut Terms, Term) -> Term) {
        let mut terms = Terms::new();
        let counter = terms.var(VarId(0), Sort::Bv(8));
        let condition = condition(&mut terms, counter);
        let cuts = Cuts::of(&terms, &[condition], VarId(0), 0xff);
        let holds = |value| terms.eval(condition, &Counter(value)) != 0;
        for value in 0..=0xff {
            for step in 1..=0xff {
                let steps = cuts.steps_within(value, step);
                for taken in 0..=steps {
                    let reached = value.wrapping_add(taken.wrapping_mul(step)) & 0xff;
                    assert_eq!(holds(reached), holds(value), "{value} + {taken} * {step}");
                }
            }
        }
        let skips = (0..=0xff).any(|value| cuts.steps_within(value, 1) > 1);
        assert!(skips, "nothing is skipped");
    }

    #[test]
    fn comparisons_are_constant_between_cuts() {
        for constant in [0, 1, 7, 0x7f, 0x80, 0x81, 0xfe, 0xff] {
            let number = |terms: &mut Terms| terms.bv(8, constant);
            check(|terms, i| {
                let n = number(terms);
                terms.binary(Op::Ult, i, n)
            });
            check(|terms, i| {
                let n = number(terms);
                terms.binary(Op::Sle, n, i)
            });
            check(|terms, i| {
                let n = number(terms);
                terms.ne(i, n)
            });
            check(|terms, i| {
                let (n, three) = (number(terms), terms.bv(8, 3));
                let sum = terms.add(i, three);
                terms.binary(Op::Slt, sum, n)
            });
        }
    }

    #[test]
    fn extended_counters_too() {
        for constant in [
            0, 5, 0x7f, 0x80, 0xff, 0x100, 0x7fff, 0x8000, 0xff7f, 0xff80, 0xffff,
        ] {
            check(|terms, i| {
                let (wide, n) = (terms.resize(i, 16, true), terms.bv(16, constant));
                terms.binary(Op::Slt, wide, n)
            });
            check(|terms, i| {
                let (wide, n) = (terms.resize(i, 16, true), terms.bv(16, constant));
                terms.binary(Op::Ult, n, wide)
            });
            check(|terms, i| {
                let (wide, n) = (terms.resize(i, 16, false), terms.bv(16, constant));
                terms.binary(Op::Sle, wide, n)
            });
        }
    }
}
