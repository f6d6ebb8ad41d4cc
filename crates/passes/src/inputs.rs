//! Inputs that only matter as a truth value become truth values.
//!
//! Law: every run has a counterpart with the same branches, and two values are the whole type of
//! such an input. A local qualifies if every use of it is a test against zero, or sets another
//! local that qualifies; what it is set to besides inputs does not matter.

use dataflow::is_local;
use expr::{Node, Op, Sort, Term, Terms, VarId};
use rustc_hash::{FxHashMap, FxHashSet};
use xcfa::{Label, Var, Xcfa};

/// Replaces inputs that are only tested; were there any?
pub fn narrow_inputs(xcfa: &mut Xcfa) -> bool {
    let truths = truth_variables(xcfa);
    let mut flags: FxHashMap<VarId, VarId> = FxHashMap::default();
    for at in 0..xcfa.edges.len() {
        let mut labels = Vec::new();
        for label in std::mem::take(&mut xcfa.edges[at].labels) {
            match label {
                Label::Havoc { var, origin } if truths.contains(&var) => {
                    let flag = *flags.entry(var).or_insert_with(|| add_flag(xcfa, var));
                    labels.push(Label::Havoc { var: flag, origin });
                    let read = xcfa.read(flag);
                    let value = xcfa.terms.bool_to_bv(read, xcfa[var].sort.width());
                    labels.push(Label::Assign { var, value });
                }
                label => labels.push(label),
            }
        }
        xcfa.edges[at].labels = labels;
    }
    !flags.is_empty()
}

fn add_flag(xcfa: &mut Xcfa, var: VarId) -> VarId {
    let Var { name, scope, .. } = xcfa[var].clone();
    let name = format!("{name}?");
    xcfa.add_var(Var::temp(name, Sort::Bool, scope))
}

/// The bit vector locals of which only the truth value matters.
fn truth_variables(xcfa: &Xcfa) -> FxHashSet<VarId> {
    let mut truths: FxHashSet<VarId> = xcfa
        .var_ids()
        .filter(|&var| is_local(xcfa, var) && matches!(xcfa[var].sort, Sort::Bv(_)))
        .collect();
    for proc in &xcfa.procs {
        // The result of a procedure is used elsewhere.
        truths.retain(|var| Some(*var) != proc.result);
    }
    // From copies: if the copy matters as a number, so does the original.
    let mut copied_to: Vec<(VarId, VarId)> = Vec::new();
    let mut seen = FxHashSet::default();
    for label in xcfa.edges.iter().flat_map(|edge| &edge.labels) {
        if let Label::Assign { var, value } = label
            && let Some(from) = extended_variable(&xcfa.terms, *value)
        {
            copied_to.push((from, *var));
            continue;
        }
        for term in label.terms() {
            remove_numbers(&xcfa.terms, term, &mut truths, &mut seen);
        }
    }
    let mut changed = true;
    while changed {
        changed = false;
        for (from, to) in &copied_to {
            changed |= !truths.contains(to) && truths.remove(from);
        }
    }
    truths
}

/// The variable that a term extends, if it does nothing else: it is zero if the variable is.
fn extended_variable(terms: &Terms, term: Term) -> Option<VarId> {
    match terms.node(term) {
        Node::Var(var, _) => Some(var),
        Node::Unary(Op::ZeroExt(_) | Op::SignExt(_), inner) => extended_variable(terms, inner),
        _ => None,
    }
}

/// Strikes out every variable that is used as more than a truth value in `term`.
fn remove_numbers(
    terms: &Terms,
    term: Term,
    truths: &mut FxHashSet<VarId>,
    seen: &mut FxHashSet<Term>,
) {
    if !seen.insert(term) {
        return;
    }
    match terms.node(term) {
        Node::Var(var, _) => {
            truths.remove(&var);
        }
        Node::Binary(Op::Eq, a, b)
            if terms.as_const(b) == Some(0) && extended_variable(terms, a).is_some() => {}
        _ => {
            for arg in terms.args(term) {
                remove_numbers(terms, arg, truths, seen);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use automata::parse;
    use expect_test::{Expect, expect};

    fn check(text: &str, expected: Expect) {
        let mut xcfa = parse(text);
        super::narrow_inputs(&mut xcfa);
        expected.assert_eq(&xcfa.dump());
    }

    #[test]
    fn an_input_that_is_only_tested_has_two_values() {
        check(
            "global x
             proc main()
               in -> 1: a := input
               1 -> 2: p := sext64(a)
               2 -> 3: assume p == 0
               2 -> 3: assume a != 0
               3 -> out: skip",
            expect![[r#"
                thread_local self: bv64
                global x: bv32 = 0

                proc main() init L0 exit L1
                  L0 -> L2: a? := input input(); a := (a? ? 1 : 0)
                  L2 -> L3: p := sext64(a)
                  L3 -> L4: assume (p == 0)
                  L3 -> L4: assume (a != 0)
                  L4 -> L1: skip
            "#]],
        );
    }

    #[test]
    fn an_input_that_counts_keeps_its_values() {
        check(
            "global x
             proc main()
               in -> 1: a := input; c := input
               1 -> 2: p := sext64(a)
               2 -> 3: assume a == 0
               3 -> 4: x := low32(p)
               4 -> out: assume c == 1",
            expect![[r#"
                thread_local self: bv64
                global x: bv32 = 0

                proc main() init L0 exit L1
                  L0 -> L2: a := input input(); c := input input()
                  L2 -> L3: p := sext64(a)
                  L3 -> L4: assume (a == 0)
                  L4 -> L5: x := bits31_0(p)
                  L5 -> L1: assume (c == 1)
            "#]],
        );
    }
}
