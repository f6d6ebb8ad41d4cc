//! The variables that can matter for whether an error is reached.

use crate::leaves::leaves;
use abstraction::Program;
use dataflow::BitSet;
use expr::{Term, Terms};

/// Variables of the conditions of errors, those that they are computed from, and those that these are
/// compared with. What depends on other variables is not worth a candidate.
pub fn relevant(program: &Program, terms: &Terms, errors: &[Term]) -> BitSet {
    let mut relevant = BitSet::new();
    for &error in errors {
        add(terms, error, &mut relevant);
    }
    // Who can be where depends on locks, and on who has been started and has ended.
    for (var, about) in program.vars.iter().enumerate() {
        if about.control {
            relevant.insert(var);
        }
    }
    let mut compared: Vec<(BitSet, bool)> = Vec::new();
    for action in &program.actions {
        for leaf in leaves(terms, action.guard) {
            let mut vars = BitSet::new();
            add(terms, leaf, &mut vars);
            compared.push((vars, false));
        }
    }
    loop {
        let before = relevant.len();
        for action in &program.actions {
            for &(var, value) in &action.updates {
                if relevant.contains(var.0 as usize) {
                    add(terms, value, &mut relevant);
                }
            }
        }
        for (vars, done) in &mut compared {
            if !*done && vars.intersects(&relevant) {
                relevant.union_with(vars);
                *done = true;
            }
        }
        if relevant.len() == before {
            return relevant;
        }
    }
}

fn add(terms: &Terms, term: Term, vars: &mut BitSet) {
    for var in terms.vars(term) {
        vars.insert(var.0 as usize);
    }
}
