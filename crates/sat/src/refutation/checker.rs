//! Checks clauses one after the other.

use rustc_hash::FxHashMap;

/// The number of a clause.
pub type Id = i64;

/// Clauses that hold, and a scratch assignment.
#[derive(Debug, Default)]
pub struct Checker {
    clauses: FxHashMap<Id, Box<[i32]>>,
    /// Clauses that the solver does not look at for a while.
    aside: FxHashMap<Id, Box<[i32]>>,
    /// By variable: 1, -1, or 0 for none.
    value: Vec<i8>,
    trail: Vec<i32>,
    /// How many clauses were derived.
    pub derived: u64,
}

impl Checker {
    /// A clause that holds for a reason of its own.
    pub fn add(&mut self, id: Id, clause: &[i32]) {
        self.clauses.insert(id, clause.into());
    }

    /// A clause that was put aside comes back.
    pub fn restore(&mut self, id: Id, clause: &[i32]) -> Result<(), String> {
        let known = self.aside.get(&id).or_else(|| self.clauses.get(&id));
        let same = known.is_some_and(|known| sorted(known) == sorted(clause));
        if !same {
            return Err(format!("clause {id} was never there"));
        }
        self.add(id, clause);
        Ok(())
    }

    /// A clause that follows from others by unit propagation; these, in this order.
    pub fn derive(&mut self, id: Id, clause: &[i32], hints: &[Id]) -> Result<(), String> {
        let follows = self.follows(clause, hints);
        for lit in self.trail.drain(..) {
            self.value[lit.unsigned_abs() as usize] = 0;
        }
        if !follows {
            return Err(format!("clause {id} does not follow"));
        }
        self.derived += 1;
        self.add(id, clause);
        Ok(())
    }

    fn follows(&mut self, clause: &[i32], hints: &[Id]) -> bool {
        for &lit in clause {
            match self.of(lit) {
                // Both a literal and its negation: the clause always holds.
                1 => return true,
                -1 => {}
                _ => self.assign(-lit),
            }
        }
        for hint in hints {
            // Taken out for a moment, because the assignment changes.
            let Some(clause) = self.clauses.remove(hint) else {
                return false;
            };
            let mut open = clause.iter().filter(|&&lit| self.of(lit) != -1);
            let unit = (open.next().copied(), open.next().is_some());
            self.clauses.insert(*hint, clause);
            match unit {
                (None, _) => return true,
                (Some(lit), false) if self.of(lit) == 0 => self.assign(lit),
                // A clause that says nothing now is of no use, and does no harm.
                _ => {}
            }
        }
        false
    }

    /// The solver does not need this clause any more.
    pub fn delete(&mut self, id: Id) {
        self.clauses.remove(&id);
    }

    /// The solver leaves this clause out, but may come back to it.
    pub fn put_aside(&mut self, id: Id) {
        if let Some(clause) = self.clauses.get(&id) {
            self.aside.insert(id, clause.clone());
        }
    }

    /// The clause of that number.
    pub fn clause(&self, id: Id) -> Option<&[i32]> {
        self.clauses.get(&id).map(|clause| &**clause)
    }

    /// All clauses that hold now, by number.
    pub fn clauses(&self) -> impl Iterator<Item = (Id, &[i32])> {
        self.clauses.iter().map(|(&id, clause)| (id, &**clause))
    }

    fn of(&self, lit: i32) -> i8 {
        let value = self.value.get(lit.unsigned_abs() as usize);
        value.copied().unwrap_or(0) * lit.signum() as i8
    }

    fn assign(&mut self, lit: i32) {
        let var = lit.unsigned_abs() as usize;
        if self.value.len() <= var {
            self.value.resize(var + 1, 0);
        }
        self.value[var] = lit.signum() as i8;
        self.trail.push(lit);
    }
}

/// The literals in a fixed order, each once.
pub fn sorted(clause: &[i32]) -> Vec<i32> {
    let mut lits = clause.to_vec();
    lits.sort_unstable();
    lits.dedup();
    lits
}
