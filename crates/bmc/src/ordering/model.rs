//! An execution that a solver has found.

use super::events::Events;
use expr::{Node, Op, Term, VarId, apply};
use rustc_hash::FxHashMap;
use sat::blast::Blaster;

/// An execution.
pub struct Model<'a> {
    /// The events that it orders.
    pub events: &'a Events,
    unknowns: Unknowns<'a>,
    /// By node: its place in the order.
    pub ranks: Vec<u32>,
    values: FxHashMap<Term, u64>,
}

/// Where the values of unknowns come from.
enum Unknowns<'a> {
    Bits(&'a mut Blaster),
    Numbers(FxHashMap<VarId, u64>),
}

impl<'a> Model<'a> {
    /// A model whose unknowns are words of literals.
    pub fn of_bits(events: &'a Events, ranks: Vec<u32>, blaster: &'a mut Blaster) -> Model<'a> {
        Model {
            events,
            unknowns: Unknowns::Bits(blaster),
            ranks,
            values: FxHashMap::default(),
        }
    }

    /// A model whose unknowns are numbers.
    pub fn of_numbers(
        events: &'a Events,
        ranks: Vec<u32>,
        numbers: FxHashMap<VarId, u64>,
    ) -> Model<'a> {
        Model {
            events,
            unknowns: Unknowns::Numbers(numbers),
            ranks,
            values: FxHashMap::default(),
        }
    }

    /// The value of a term.
    pub fn value(&mut self, term: Term) -> u64 {
        if let Some(&known) = self.values.get(&term) {
            return known;
        }
        let terms = &self.events.terms;
        let value = match terms.node(term) {
            Node::Const(_, bits) => bits,
            Node::Var(var, _) => self.unknown(var),
            Node::Base(..) => 0,
            Node::Unary(op, a) => {
                let sort = terms.sort(a);
                apply(op, sort, self.value(a), 0)
            }
            Node::Binary(Op::Concat, a, b) => {
                let width = terms.width(b);
                self.value(a) << width | self.value(b)
            }
            Node::Binary(op, a, b) => {
                let sort = terms.sort(a);
                apply(op, sort, self.value(a), self.value(b))
            }
            Node::Ite(c, a, b) => match self.value(c) {
                0 => self.value(b),
                _ => self.value(a),
            },
        };
        self.values.insert(term, value);
        value
    }

    fn unknown(&mut self, var: VarId) -> u64 {
        let blaster = match &mut self.unknowns {
            Unknowns::Numbers(numbers) => return numbers.get(&var).copied().unwrap_or(0),
            Unknowns::Bits(blaster) => blaster,
        };
        let Some(word) = blaster.known_var(var).cloned() else {
            return 0;
        };
        let sat = &mut blaster.gates.sat;
        let bits = word.iter().enumerate();
        bits.map(|(at, &lit)| u64::from(sat.is_true(lit)) << at)
            .sum()
    }
}
