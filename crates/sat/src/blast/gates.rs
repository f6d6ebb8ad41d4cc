//! Boolean gates as clauses.
//!
//! Each distinct gate exists once, and gates with constant or equal inputs do not exist at all.

use crate::{Lit, Sat};
use rustc_hash::FxHashMap;

#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Gate {
    And(Lit, Lit),
    Xor(Lit, Lit),
    Ite(Lit, Lit, Lit),
    Majority(Lit, Lit, Lit),
}

/// A solver whose variables can be the outputs of gates.
#[derive(Default)]
pub struct Gates {
    /// Where the clauses go.
    pub sat: Sat,
    known: FxHashMap<Gate, Lit>,
}

impl Gates {
    /// No gates yet.
    pub fn new() -> Gates {
        Gates::default()
    }

    /// A free input.
    pub fn input(&mut self) -> Lit {
        self.sat.fresh()
    }

    /// Conjunction.
    pub fn and(&mut self, a: Lit, b: Lit) -> Lit {
        match (a, b) {
            (Lit::FALSE, _) | (_, Lit::FALSE) => return Lit::FALSE,
            (Lit::TRUE, other) | (other, Lit::TRUE) => return other,
            _ if a == b => return a,
            _ if a == !b => return Lit::FALSE,
            _ => {}
        }
        let (a, b) = (a.min(b), a.max(b));
        self.gate(Gate::And(a, b), |sat, out| {
            sat.clause(&[!out, a]);
            sat.clause(&[!out, b]);
            sat.clause(&[out, !a, !b]);
        })
    }

    /// Disjunction.
    pub fn or(&mut self, a: Lit, b: Lit) -> Lit {
        !self.and(!a, !b)
    }

    /// Conjunction of all.
    pub fn and_all(&mut self, lits: impl IntoIterator<Item = Lit>) -> Lit {
        lits.into_iter()
            .fold(Lit::TRUE, |all, lit| self.and(all, lit))
    }

    /// Disjunction of all.
    pub fn or_all(&mut self, lits: impl IntoIterator<Item = Lit>) -> Lit {
        lits.into_iter()
            .fold(Lit::FALSE, |any, lit| self.or(any, lit))
    }

    /// Is exactly one of them true?
    pub fn xor(&mut self, a: Lit, b: Lit) -> Lit {
        match (a.as_constant(), b.as_constant()) {
            (Some(a), _) => return if a { !b } else { b },
            (_, Some(b)) => return if b { !a } else { a },
            _ if a == b => return Lit::FALSE,
            _ if a == !b => return Lit::TRUE,
            _ => {}
        }
        // Negations move to the output, so that one gate serves four.
        let negated = (a.number() < 0) != (b.number() < 0);
        let [a, b] = [a, b].map(|lit| Lit::from_number(lit.var() as i32));
        let (a, b) = (a.min(b), a.max(b));
        let out = self.gate(Gate::Xor(a, b), |sat, out| {
            sat.clause(&[!out, a, b]);
            sat.clause(&[!out, !a, !b]);
            sat.clause(&[out, !a, b]);
            sat.clause(&[out, a, !b]);
        });
        if negated { !out } else { out }
    }

    /// Are they equal?
    pub fn iff(&mut self, a: Lit, b: Lit) -> Lit {
        !self.xor(a, b)
    }

    /// `if c then a else b`.
    pub fn ite(&mut self, c: Lit, a: Lit, b: Lit) -> Lit {
        match c.as_constant() {
            Some(true) => return a,
            Some(false) => return b,
            None if a == b => return a,
            None if a == !b => return self.iff(c, a),
            None => {}
        }
        if c.number() < 0 {
            return self.ite(!c, b, a);
        }
        match (a.as_constant(), b.as_constant()) {
            (Some(true), _) => return self.or(c, b),
            (Some(false), _) => return self.and(!c, b),
            (_, Some(true)) => return self.or(!c, a),
            (_, Some(false)) => return self.and(c, a),
            _ => {}
        }
        if c == a || c == !a || c == b || c == !b {
            let (a, b) = (
                if c == a { Lit::TRUE } else { a },
                if c == b { Lit::FALSE } else { b },
            );
            let a = if c == !a { Lit::FALSE } else { a };
            let b = if c == !b { Lit::TRUE } else { b };
            return self.ite(c, a, b);
        }
        self.gate(Gate::Ite(c, a, b), |sat, out| {
            sat.clause(&[!c, !a, out]);
            sat.clause(&[!c, a, !out]);
            sat.clause(&[c, !b, out]);
            sat.clause(&[c, b, !out]);
            // Implied, but it lets the output follow when both inputs agree.
            sat.clause(&[!a, !b, out]);
            sat.clause(&[a, b, !out]);
        })
    }

    /// Are at least two of the three true?
    pub fn majority(&mut self, a: Lit, b: Lit, c: Lit) -> Lit {
        let mut lits = [a, b, c];
        lits.sort_unstable();
        for (x, y, z) in [(0, 1, 2), (0, 2, 1), (1, 2, 0)] {
            let (x, y, z) = (lits[x], lits[y], lits[z]);
            if x == y {
                return x;
            }
            if x == !y {
                return z;
            }
        }
        if let Some(at) = lits.iter().position(|lit| lit.as_constant().is_some()) {
            let (x, y) = (lits[(at + 1) % 3], lits[(at + 2) % 3]);
            return if lits[at] == Lit::TRUE {
                self.or(x, y)
            } else {
                self.and(x, y)
            };
        }
        let [a, b, c] = lits;
        self.gate(Gate::Majority(a, b, c), |sat, out| {
            for (x, y) in [(a, b), (a, c), (b, c)] {
                sat.clause(&[!x, !y, out]);
                sat.clause(&[x, y, !out]);
            }
        })
    }

    fn gate(&mut self, gate: Gate, define: impl FnOnce(&mut Sat, Lit)) -> Lit {
        if let Some(&out) = self.known.get(&gate) {
            return out;
        }
        let out = self.sat.fresh();
        define(&mut self.sat, out);
        self.known.insert(gate, out);
        out
    }
}
