//! What C leaves open about addresses, and what the machine makes of it.
//!
//! The machine lays out memory in one way. Where an operator on two addresses would give another
//! result in another layout, the machine goes on with its own, which is a possible one, and tells
//! the [`Host`]. An index that wraps around has no meaning at all, so there the machine stops.

use crate::Host;
use crate::layout::FIRST_ADDRESS;
use crate::step::{Done, Exec, Halt};
use expr::{Node, Op, Term};
use rustc_hash::FxHashSet;
use std::fmt;
use xcfa::{EdgeId, Scaled};

/// An operation whose result depends on where objects are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Open {
    /// The step that it is part of.
    pub edge: EdgeId,
    /// What it depends on.
    pub what: Openness,
}

/// What the result of an operation on addresses depends on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Openness {
    /// Whether a number that is no address happens to be one.
    Chance,
    /// Which of two objects comes first, or how far apart they are.
    Order,
    /// Whether one object begins where another one ends.
    Touch,
    /// Whether two literals share their place.
    Sharing,
}

impl fmt::Display for Openness {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Openness::Chance => {
                "whether a number is the address of an object, which is open, may matter"
            }
            Openness::Order => "the order of objects in memory, which is open, may matter",
            Openness::Touch => "whether objects are next to each other, which is open, may matter",
            Openness::Sharing => "whether literals share their place, which is open, may matter",
        })
    }
}

impl<H: Host> Exec<'_, '_, H> {
    /// Tells the host of what is open in a label; stops at an index that wraps around.
    pub fn note_open(&mut self, label: usize) -> Done {
        let machine = self.machine;
        let terms = &machine.open[self.edge.0 as usize];
        for open in terms.iter().filter(|open| open.label == label) {
            self.note_open_in(open.term, &mut FxHashSet::default())?;
        }
        Ok(())
    }

    /// The same for the parts of a term that its value depends on.
    fn note_open_in(&mut self, term: Term, seen: &mut FxHashSet<Term>) -> Done {
        if !seen.insert(term) {
            return Ok(());
        }
        match self.machine.xcfa.terms.node(term) {
            Node::Const(..) | Node::Var(..) | Node::Base(..) => Ok(()),
            Node::Unary(_, a) => self.note_open_in(a, seen),
            Node::Ite(condition, a, b) => {
                self.note_open_in(condition, seen)?;
                let holds = self.eval(condition) != 0;
                self.note_open_in(if holds { a } else { b }, seen)
            }
            Node::Binary(op, a, b) => {
                self.note_open_in(a, seen)?;
                let decides = match op {
                    Op::And => self.eval(a) == 0,
                    Op::Or => self.eval(a) != 0,
                    _ => false,
                };
                if decides {
                    return Ok(());
                }
                self.note_open_in(b, seen)?;
                self.check_product(term)?;
                if let Some(what) = self.openness(term, op, [a, b]) {
                    let edge = self.edge;
                    self.host.open(Open { edge, what });
                }
                Ok(())
            }
        }
    }

    fn check_product(&self, term: Term) -> Done {
        if !self.machine.products.contains(&term) {
            return Ok(());
        }
        let terms = &self.machine.xcfa.terms;
        let scaled = Scaled::of(terms, term).expect("a product");
        match scaled.wraps(terms, self.eval(scaled.counter)) {
            true => Err(Halt::Beyond("an index is as large as the address space")),
            false => Ok(()),
        }
    }

    /// What the result of an operator on two addresses depends on, if it is not fixed.
    fn openness(&self, term: Term, op: Op, [a, b]: [Term; 2]) -> Option<Openness> {
        if !self.machine.xcfa.ordered.contains(&term) {
            return None;
        }
        let last = self.machine.xcfa.terms.sort(a).mask() - FIRST_ADDRESS;
        // No object is ever there: these are numbers.
        let is_null = |addr| !(FIRST_ADDRESS..=last).contains(&addr);
        let is_number = |term| self.machine.xcfa.numbers.contains(&term);
        let by_chance = |term| is_number(term) && !is_null(self.eval(term));
        if by_chance(a) || by_chance(b) {
            return Some(Openness::Chance);
        }
        let [a, b] = [self.eval(a), self.eval(b)];
        let layout = &self.machine.layout;
        // Nothing else is where a function starts, except for the end of an object.
        let function = |addr| layout.is_function(addr).then(|| (addr, addr + 1));
        let memory = &self.state.memory;
        let object = |addr| memory.object_up_to(layout, addr).or_else(|| function(addr));
        match (object(a), object(b)) {
            (Some(first), Some(second)) if first == second => None,
            (Some((start_a, _)), Some((start_b, _)))
                if op == Op::Eq && self.may_coincide([a, b], [start_a, start_b]) =>
            {
                Some(Openness::Sharing)
            }
            // The end of one object may be the start of another.
            (Some((start_a, end_a)), Some((start_b, end_b))) if op == Op::Eq => {
                let touch = a == end_a && b == start_b || b == end_b && a == start_a;
                touch.then_some(Openness::Touch)
            }
            _ if is_null(a) || is_null(b) => {
                let both = is_null(a) && is_null(b);
                let fixed = both || matches!(op, Op::Eq | Op::Ult | Op::Ule);
                (!fixed).then_some(Openness::Order)
            }
            _ => (a != b).then_some(Openness::Order),
        }
    }

    /// Could two addresses of different literals be the same place? The literals would overlap there,
    /// so they would have to agree.
    fn may_coincide(&self, addresses: [u64; 2], starts: [u64; 2]) -> bool {
        let literal = |start: u64| {
            let range = self.machine.layout.static_at(start)?;
            let text = range.at..range.at + range.size as usize;
            let is_literal = self.machine.xcfa[range.obj].literal;
            is_literal.then(|| &self.state.memory.statics[text])
        };
        let [Some(first), Some(second)] = starts.map(literal) else {
            return false;
        };
        let [a, b] = [0, 1].map(|at| (addresses[at] - starts[at]) as usize);
        let before = a.min(b);
        let both = first[a - before..].iter().zip(&second[b - before..]);
        both.into_iter().all(|(first, second)| first == second)
    }
}
