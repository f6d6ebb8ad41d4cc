//! Invariants as C expressions.

use crate::control::Situation;
use crate::variables::{Member, Variables};
use abstraction::Program;
use expr::{Names, ObjId, Term, Terms, VarId};
use smt::horn::PredId;

/// An invariant: where it holds, and what it says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Invariant {
    /// The threads, and where each of them is.
    pub place: String,
    /// The formula, in the syntax of C.
    pub formula: String,
}

struct Shown<'a> {
    program: &'a Program,
    variables: &'a Variables<'a>,
}

impl Names for Shown<'_> {
    fn var(&self, var: VarId) -> String {
        let (origin, copy) = self.variables.origin(var);
        let name = match self.program.vars.get(origin.0 as usize) {
            Some(var) => var.name.as_str(),
            None => return format!("v{}", var.0),
        };
        match copy {
            0 => name.to_owned(),
            _ => format!("{name}'{copy}"),
        }
    }

    fn base(&self, obj: ObjId) -> String {
        format!("object {}", obj.0)
    }
}

/// The solution of the clauses, one line per situation.
pub fn invariants(
    program: &Program,
    terms: &Terms,
    variables: &Variables<'_>,
    situations: &[(Situation, PredId)],
    sets: &[Vec<Member>],
    solution: &[Term],
) -> Vec<Invariant> {
    let names = Shown { program, variables };
    let xcfa = &program.unrolled.xcfa;
    let mut shown = Vec::new();
    for ((set, places), pred) in situations {
        let both = sets[*set].iter().zip(places);
        let parts = both.map(|(member, place)| {
            let name = &program.threads[member.thread].name;
            match place {
                None => format!("{name} not started"),
                Some(loc) => {
                    let edges = xcfa[*loc].out.iter().map(|&edge| xcfa[edge].span);
                    let lines = edges.map(|span| xcfa.sources.place(span).line);
                    match lines.min() {
                        Some(line) => format!("{name} at line {line}"),
                        None => format!("{name} at its end"),
                    }
                }
            }
        });
        let place = parts.collect::<Vec<_>>().join(", ");
        let formula = terms.show(solution[pred.index()], &names);
        shown.push(Invariant { place, formula });
    }
    shown
}
