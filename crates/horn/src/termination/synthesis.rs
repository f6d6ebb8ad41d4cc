//! Linear terms that become smaller, found from examples.
//!
//! A term is a sum of a few variables with small factors. All such sums are tried, the simple ones first:
//! against the steps that were seen so far, which takes no solver, and if none of these makes it larger, by
//! a solver against all steps. A step that makes it larger is an example more. No bound has to be found: the
//! variables have finitely many values, and the sums are wide enough not to wrap.

use super::candidates::Rank;
use expr::{Op, Sort, Term, Terms, VarId};
use smt::{Check, Solver};

/// No question may take more: the answers do not depend on the clock.
const EFFORT: u32 = 5_000_000;

/// Sums have so many bits more than their variables, so that they do not wrap.
const ROOM: u32 = 5;

/// Wider variables are left out.
const WIDEST: u32 = 48;

/// How many variables a sum has, and its largest factor.
const SHAPES: [(usize, i64); 5] = [(1, 1), (2, 1), (2, 5), (3, 3), (4, 2)];

/// More variables are not examined.
const MOST_VARIABLES: usize = 12;

/// So often the solver is asked.
const MOST_QUESTIONS: usize = 300;

/// What a step, or several, make of the variables.
pub struct Change {
    /// When it can happen.
    pub guard: Term,
    /// The variables afterwards, as terms over those before and inputs.
    pub after: Vec<Term>,
}

/// A sum of variables that no change makes larger and one makes smaller.
pub fn linear(terms: &mut Terms, vars: &[(VarId, Sort)], changes: &[Change]) -> Option<Rank> {
    let fits = |sort: Sort| matches!(sort, Sort::Bool | Sort::Bv(1..=WIDEST));
    let places: Vec<usize> = (0..vars.len()).filter(|&at| fits(vars[at].1)).collect();
    if places.is_empty() || places.len() > MOST_VARIABLES {
        return None;
    }
    let widths = places.iter().map(|&at| vars[at].1.width());
    let width = ROOM + widths.max().unwrap_or(1);
    [true, false].into_iter().find_map(|signed| {
        let before = places.iter().map(|&at| {
            let (var, sort) = vars[at];
            let var = terms.var(var, sort);
            wide(terms, var, width, signed)
        });
        let mut search = Search {
            before: before.collect(),
            changes: Vec::new(),
            examples: Vec::new(),
            questions: 0,
        };
        for change in changes {
            let after = places
                .iter()
                .map(|&at| wide(terms, change.after[at], width, signed));
            let after = after.collect();
            search.begin(terms, change.guard, after)?;
        }
        search.run(terms)
    })
}

fn wide(terms: &mut Terms, term: Term, width: u32, signed: bool) -> Term {
    match terms.sort(term) {
        Sort::Bool => terms.bool_to_bv(term, width),
        _ => terms.resize(term, width, signed),
    }
}

/// A step that was seen.
struct Example {
    change: usize,
    /// By how much each variable became smaller.
    less: Vec<i64>,
}

struct Search {
    /// The variables, extended.
    before: Vec<Term>,
    /// The changes that can happen: a solver that knows when, and the variables afterwards.
    changes: Vec<(Solver, Vec<Term>)>,
    examples: Vec<Example>,
    questions: usize,
}

impl Search {
    /// Finds a first example of a change, if there is one; nothing if the solver does not know.
    fn begin(&mut self, terms: &mut Terms, guard: Term, after: Vec<Term>) -> Option<()> {
        let mut solver = Solver::new();
        solver.set_effort(EFFORT);
        solver.assert(terms, guard);
        match solver.check(terms, &[]) {
            Check::Unsat => return Some(()),
            Check::Unknown(_) => return None,
            Check::Sat => {}
        }
        self.changes.push((solver, after));
        self.see(terms, self.changes.len() - 1)
    }

    /// Notes the step that the solver of a change has just found.
    fn see(&mut self, terms: &mut Terms, change: usize) -> Option<()> {
        let (solver, after) = &mut self.changes[change];
        let both = self.before.iter().zip(after);
        let less = both.map(|(&before, &mut after)| {
            let difference = terms.binary(Op::Sub, before, after);
            let bits = solver.value(terms, difference)?;
            Some(expr::sign_extend(bits, terms.width(difference)))
        });
        let less = less.collect::<Option<_>>()?;
        self.examples.push(Example { change, less });
        Some(())
    }

    fn run(&mut self, terms: &mut Terms) -> Option<Rank> {
        for (parts, largest) in SHAPES {
            let mut factors = vec![0; self.before.len()];
            let mut found = None;
            each_sum(&mut factors, 0, parts, largest, &mut |factors| {
                if self.questions >= MOST_QUESTIONS {
                    return true;
                }
                if self.fits(factors) {
                    found = self.sum_that_decreases(terms, factors);
                }
                found.is_some()
            });
            if found.is_some() {
                return found;
            }
        }
        None
    }

    /// Do the steps that were seen make the sum not larger, and those of some change smaller?
    fn fits(&self, factors: &[i64]) -> bool {
        let mut smaller = vec![true; self.changes.len()];
        for example in &self.examples {
            let both = factors.iter().zip(&example.less);
            let less: i128 = both.map(|(&f, &by)| i128::from(f) * i128::from(by)).sum();
            if less < 0 {
                return false;
            }
            smaller[example.change] &= less > 0;
        }
        smaller.contains(&true)
    }

    /// The sum, if no change makes it larger and one smaller; otherwise there is an example more.
    fn sum_that_decreases(&mut self, terms: &mut Terms, factors: &[i64]) -> Option<Rank> {
        let before = sum(terms, factors, &self.before);
        // Larger, and then at least as large.
        for op in [Op::Slt, Op::Sle] {
            for change in 0..self.changes.len() {
                let (solver, after) = &mut self.changes[change];
                let after = sum(terms, factors, after);
                let broken = terms.binary(op, before, after);
                self.questions += 1;
                match (solver.check(terms, &[broken]), op) {
                    (Check::Unsat, Op::Sle) => {
                        let (term, signed) = (before, true);
                        return Some(Rank { term, signed });
                    }
                    (Check::Unsat, _) => {}
                    (Check::Sat, Op::Sle) => self.see(terms, change)?,
                    (Check::Sat, _) => {
                        self.see(terms, change)?;
                        return None;
                    }
                    (Check::Unknown(_), _) => return None,
                }
            }
        }
        None
    }
}

/// Shows all factors with so many that are not zero, from this place on, until one is taken.
fn each_sum(
    factors: &mut Vec<i64>,
    from: usize,
    parts: usize,
    largest: i64,
    taken: &mut impl FnMut(&[i64]) -> bool,
) -> bool {
    if parts == 0 {
        return taken(factors);
    }
    for at in from..factors.len() {
        for size in 1..=largest {
            for factor in [size, -size] {
                factors[at] = factor;
                if each_sum(factors, at + 1, parts - 1, largest, taken) {
                    return true;
                }
            }
        }
        factors[at] = 0;
    }
    false
}

/// The sum of the variables with their factors.
fn sum(terms: &mut Terms, factors: &[i64], vars: &[Term]) -> Term {
    let sort = terms.sort(vars[0]);
    let mut sum = terms.constant(sort, 0);
    for (&factor, &var) in factors.iter().zip(vars) {
        if factor != 0 {
            let factor = terms.constant(sort, factor as u64 & sort.mask());
            let product = terms.binary(Op::Mul, factor, var);
            sum = terms.add(sum, product);
        }
    }
    sum
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What two steps do to `x` and `y`, as a guard and two sums.
    fn rank(steps: &[(u64, [i64; 2])]) -> Option<String> {
        let mut terms = Terms::new();
        let vars = [(VarId(0), Sort::Bv(32)), (VarId(1), Sort::Bv(32))];
        let both = vars.map(|(var, sort)| terms.var(var, sort));
        let changes: Vec<Change> = steps
            .iter()
            .map(|&(least, by)| {
                let least = terms.bv(32, least);
                let large = both.map(|it| terms.binary(Op::Sle, least, it));
                let after = both.iter().zip(by).map(|(&var, by)| {
                    let by = terms.bv(32, by as u64 & 0xffff_ffff);
                    terms.add(var, by)
                });
                Change {
                    after: after.collect(),
                    guard: terms.and(large[0], large[1]),
                }
            })
            .collect();
        let rank = linear(&mut terms, &vars, &changes)?;
        let at = |terms: &mut Terms, values: [u64; 2]| {
            let with = vars.iter().zip(values);
            let with = with.map(|(&(var, sort), value)| (var, terms.constant(sort, value)));
            let with = with.collect();
            let term = terms.substitute(rank.term, &with);
            let bits = terms.as_const(term).expect("no variable is left");
            expr::sign_extend(bits, terms.width(term))
        };
        let factors = [[1, 0], [0, 1]].map(|values| at(&mut terms, values));
        Some(format!("{} x + {} y", factors[0], factors[1]))
    }

    #[test]
    fn sums_with_factors_are_found() {
        // The one takes three of x and gives one to y, the other two of y and gives three to x.
        let found = rank(&[(3, [-3, 1]), (3, [3, -2])]).expect("x + 2 y becomes smaller");
        let parts: Vec<i64> = found
            .split(' ')
            .filter_map(|part| part.parse().ok())
            .collect();
        let [x, y] = parts[..] else { panic!("{found}") };
        assert!(3 * x > y && 2 * y > 3 * x, "{found}");
    }

    #[test]
    fn a_circle_has_none() {
        assert_eq!(rank(&[(3, [-1, 1]), (3, [1, -1])]), None);
    }

    #[test]
    fn numbers_that_wrap_have_none() {
        let mut terms = Terms::new();
        let x = terms.var(VarId(0), Sort::Bv(32));
        let one = terms.bv(32, 1);
        let change = Change {
            guard: terms.bool(true),
            after: vec![terms.binary(Op::Sub, x, one)],
        };
        let found = linear(&mut terms, &[(VarId(0), Sort::Bv(32))], &[change]);
        assert!(found.is_none(), "it goes round for ever: {found:?}");
    }
}
