//! What a step does to one variable.

use expr::{Node, Term, Terms, VarId};
use sat::Lit;
use sat::blast::{Blaster, Refused};

/// When a variable gets another value, and which, if a transition updates it: a write through a
/// pointer keeps all variables but one.
pub fn change(
    blaster: &mut Blaster,
    terms: &Terms,
    fired: Lit,
    (var, mut value): (VarId, Term),
) -> Result<(Lit, Term), Refused> {
    let keeps = |term: Term| matches!(terms.node(term), Node::Var(other, _) if other == var);
    let mut when = fired;
    while let Node::Ite(condition, a, b) = terms.node(value) {
        if !keeps(a) && !keeps(b) {
            break;
        }
        let holds = blaster.lit(terms, condition)?;
        let (changes, other) = if keeps(a) { (!holds, b) } else { (holds, a) };
        when = blaster.gates.and(when, changes);
        value = other;
    }
    Ok((when, value))
}
