//! Solutions that another solver has printed, as `define-fun` in SMT-LIB.
//!
//! Z3's parser reads them, so that everything it knows may occur in them: names for parts,
//! definitions that use others. Nothing of it is trusted before it has been checked.

use super::spacer::predicate_name;
use super::{HornSystem, back};
use crate::smtlib::sort_text;
use expr::{Term, Terms};
use std::fmt::Write;
use z3::{Config, with_z3_config};

fn definitions(output: &str) -> Vec<&str> {
    let mut found = Vec::new();
    let mut rest = output;
    while let Some(start) = rest.find("(define-fun") {
        rest = &rest[start..];
        let Some(end) = end_of_list(rest) else { break };
        found.push(&rest[..end]);
        rest = &rest[end..];
    }
    found
}

/// Where the list ends that the text begins with. Names between bars may contain parentheses.
fn end_of_list(text: &str) -> Option<usize> {
    let (mut depth, mut quoted, mut comment) = (0, false, false);
    for (at, c) in text.char_indices() {
        match c {
            '\n' => comment = false,
            _ if comment => {}
            '|' => quoted = !quoted,
            _ if quoted => {}
            ';' => comment = true,
            '(' => depth += 1,
            ')' => {
                depth -= 1;
                if depth == 0 {
                    return Some(at + 1);
                }
            }
            _ => {}
        }
    }
    None
}

/// Reads a solution of a system from the output of a solver that was given
/// [`HornSystem::to_smtlib`]. A predicate without a definition may be anything; true is tried.
pub fn read_solution(
    terms: &mut Terms,
    system: &HornSystem,
    output: &str,
) -> Result<Vec<Term>, String> {
    let definitions = definitions(output);
    if definitions.is_empty() {
        return Err("there is no definition in it".into());
    }
    let mut script = String::new();
    for definition in &definitions {
        let _ = writeln!(script, "{definition}");
    }
    let mut defined = Vec::new();
    for (index, predicate) in system.predicates().iter().enumerate() {
        let name = predicate_name(system, index);
        let is_it = |text: &&str| text.split_whitespace().nth(1) == Some(&name);
        if !definitions.iter().any(is_it) {
            continue;
        }
        let args: Vec<String> = (0..predicate.params.len())
            .map(|at| parameter(index, at))
            .collect();
        for (arg, &param) in args.iter().zip(&predicate.params) {
            let sort = sort_text(terms.sort(param));
            let _ = writeln!(script, "(declare-fun {arg} () {sort})");
        }
        // The name keeps Z3 from taking two equal formulas for one.
        let _ = writeln!(script, "(declare-fun here!{index} () Bool)");
        let applied = match args.is_empty() {
            true => name,
            false => format!("({name} {})", args.join(" ")),
        };
        let _ = writeln!(script, "(assert (=> here!{index} {applied}))");
        defined.push(index);
    }
    with_z3_config(&Config::new(), || {
        let solver = z3::Solver::new();
        solver.from_string(script);
        let assertions = solver.get_assertions();
        if assertions.len() != defined.len() {
            return Err("Z3 cannot read its definitions".into());
        }
        let mut solution = vec![terms.bool(true); system.predicates().len()];
        for (&index, assertion) in defined.iter().zip(&assertions) {
            let params = &system.predicates()[index].params;
            let name = |at| parameter(index, at);
            solution[index] = back::implied(terms, params, name, assertion)?;
        }
        Ok(solution)
    })
}

fn parameter(index: usize, at: usize) -> String {
    format!("arg!{index}!{at}")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::horn::{Application, Rule, is_solution};
    use expr::{Op, Sort, VarId};

    /// `x` starts at 0 and goes up to 10; it is never 11.
    fn counter(terms: &mut Terms) -> HornSystem {
        let x = terms.var(VarId(0), Sort::Bv(32));
        let mut system = HornSystem::new();
        let pred = system.predicate("inv", vec![x]);
        let at = |arg: Term| Application::new(pred, vec![arg]);
        let (zero, one) = (terms.bv(32, 0), terms.bv(32, 1));
        let (ten, eleven) = (terms.bv(32, 10), terms.bv(32, 11));
        let next = terms.add(x, one);
        let (start, below) = (terms.bool(true), terms.binary(Op::Ult, x, ten));
        let wrong = terms.eq(x, eleven);
        for (body, constraint, head) in [
            (vec![], start, Some(at(zero))),
            (vec![at(x)], below, Some(at(next))),
            (vec![at(x)], wrong, None),
        ] {
            system.rule(Rule::new(body, constraint, head));
        }
        system
    }

    #[test]
    fn definitions_are_read_and_checked() {
        let mut terms = Terms::new();
        let system = counter(&mut terms);
        for (output, good) in [
            (
                "sat\n(model (define-fun p0_inv ((A (_ BitVec 32))) Bool (bvule A #x0000000a)))",
                true,
            ),
            (
                "sat\n(\n(define-fun |odd ) name| ((b (_ BitVec 32))) Bool (not (bvugt b #x0000000a)))\n\
                 (define-fun p0_inv ((x (_ BitVec 32))) Bool (let ((y x)) (|odd ) name| y)))\n)",
                true,
            ),
            ("(define-fun p0_inv ((A (_ BitVec 32))) Bool true)", false),
            (
                "(define-fun p0_inv ((A (_ BitVec 32))) Bool (= A #x00000000))",
                false,
            ),
        ] {
            let solution = read_solution(&mut terms, &system, output).expect(output);
            assert_eq!(is_solution(&mut terms, &system, &solution, None), good);
        }
        for nonsense in [
            "sat",
            "sat\n(define-fun p0_inv",
            "(define-fun p0_inv () Bool (frob 1))",
        ] {
            assert!(read_solution(&mut terms, &system, nonsense).is_err());
        }
    }
}
