//! Questions about the executions of a [`Formula`], and the execution that an answer shows.

use super::Formula;
use expr::{Env, ObjId, VarId};
use rustc_hash::FxHashMap;
use sat::{Lit, Satisfiability};
use verdict::Budget;
use xcfa::ErrorKind;

/// A step of an execution: which action, and the state before it.
pub struct Taken {
    /// The action.
    pub action: usize,
    /// Values of the variables and inputs.
    pub values: Values,
}

/// Numbers for variables.
pub struct Values(FxHashMap<VarId, u64>);

impl Env for Values {
    fn var(&self, var: VarId) -> u64 {
        self.0.get(&var).copied().unwrap_or(0)
    }

    fn base(&self, _: ObjId) -> u64 {
        0
    }
}

impl Formula {
    /// Is there an execution of at most this many steps to an error of this kind?
    pub fn reaches(&mut self, kind: ErrorKind, budget: &Budget) -> Satisfiability {
        let lit = self.error(kind);
        self.ask(lit, budget)
    }

    /// An error of this kind is reached.
    pub fn error(&mut self, kind: ErrorKind) -> Lit {
        // No thread moves on from an error, so it is still there in the last state.
        let last = self.frames.last().expect("there is always a state");
        let at = last.at.clone();
        self.somewhere(&at, |system, loc| system.error(loc) == Some(kind))
    }

    /// Is there an execution with all of these steps and one more?
    pub fn goes_on(&mut self, budget: &Budget) -> Satisfiability {
        let lit = self.further();
        self.ask(lit, budget)
    }

    /// All of these steps are taken, and one more is possible.
    pub fn further(&mut self) -> Lit {
        let last = self.frames.last().expect("there is always a state");
        let mut lit = self.blaster.gates.or_all(last.enabled.iter().copied());
        if let Some(idle) = self.frames.iter().rev().nth(1).and_then(|frame| frame.idle) {
            lit = self.blaster.gates.and(lit, !idle);
        }
        lit
    }

    fn ask(&mut self, lit: Lit, budget: &Budget) -> Satisfiability {
        match lit {
            Lit::FALSE => Satisfiability::Unsatisfiable,
            lit => self.blaster.gates.sat.solve(&[lit], budget),
        }
    }

    /// The execution that was found.
    pub fn execution(&mut self) -> Vec<Taken> {
        let sat = &mut self.blaster.gates.sat;
        let mut taken = Vec::new();
        for frame in &self.frames {
            let fired = frame.fired.iter().position(|&lit| sat.is_true(lit));
            let Some(action) = fired else { break };
            let mut values = FxHashMap::default();
            for (&var, word) in frame.vars.iter().chain(&frame.inputs) {
                let bits = word.iter().enumerate();
                let value = bits.map(|(at, &lit)| u64::from(sat.is_true(lit)) << at);
                values.insert(var, value.sum());
            }
            taken.push(Taken {
                action,
                values: Values(values),
            });
        }
        taken
    }

    /// All executions that end within the steps so far, as the transitions that they take. Those
    /// that differ in nothing but inputs count once.
    pub fn executions(&mut self, budget: &Budget) -> Option<Vec<Vec<usize>>> {
        let mut ends = Lit::TRUE;
        for frame in &self.frames {
            let gates = &mut self.blaster.gates;
            let moves = gates.or_all(frame.enabled.iter().copied());
            let idle = frame.idle.unwrap_or(Lit::TRUE);
            let stuck = gates.or(!idle, !moves);
            ends = gates.and(ends, stuck);
        }
        let mut found = Vec::new();
        loop {
            match self.ask(ends, budget) {
                Satisfiability::Unsatisfiable => return Some(found),
                Satisfiability::Stopped(_) => return None,
                Satisfiability::Satisfiable => {}
            }
            let path: Vec<usize> = self.execution().iter().map(|taken| taken.action).collect();
            let mut clause = Vec::new();
            for (at, frame) in self.frames.iter().enumerate().take(self.frames.len() - 1) {
                clause.push(match path.get(at) {
                    Some(&action) => !frame.fired[action],
                    None => frame.idle.map_or(Lit::FALSE, |idle| !idle),
                });
            }
            self.blaster.gates.sat.clause(&clause);
            found.push(path);
        }
    }
}
