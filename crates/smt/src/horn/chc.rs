//! The text format of the CHC competition: predicates are applied to distinct variables, what is
//! more than that is in the constraint, and one clause is the query.

use super::spacer::{predicate_name, variables};
use super::{Application, HornSystem, Rule};
use crate::smtlib::{Printer, sort_text};
use crate::translate::var_name;
use expr::{Term, Terms};
use std::collections::BTreeSet;

/// A head for rules without one, where there are several of those.
const FAILURE: &str = "failure";

/// The whole system.
pub(super) fn text(terms: &Terms, system: &HornSystem) -> String {
    let queries = system.rules().iter().filter(|rule| rule.head.is_none());
    let single = queries.count() == 1;
    let mut lines = vec!["(set-logic HORN)".to_string()];
    for (index, predicate) in system.predicates().iter().enumerate() {
        let sorts = predicate.params.iter().map(|&p| sort_text(terms.sort(p)));
        let sorts: Vec<String> = sorts.collect();
        let name = predicate_name(system, index);
        lines.push(format!("(declare-fun {name} ({}) Bool)", sorts.join(" ")));
    }
    if !single {
        lines.push(format!("(declare-fun {FAILURE} () Bool)"));
    }
    let falsity = if single { "false" } else { FAILURE };
    for rule in system.rules() {
        lines.push(clause(terms, system, rule, falsity));
    }
    if !single {
        lines.push(format!("(assert (=> {FAILURE} false))"));
    }
    lines.push("(check-sat)\n".into());
    lines.join("\n")
}

/// What a clause needs besides the variables of its rule.
#[derive(Default)]
struct Clause {
    /// Variables that were made up, with their sorts.
    extra: Vec<(String, String)>,
    /// What those variables are.
    equations: Vec<(String, Term)>,
    /// Names that are already an argument.
    taken: BTreeSet<String>,
}

fn clause(terms: &Terms, system: &HornSystem, rule: &Rule, falsity: &str) -> String {
    let mut clause = Clause::default();
    let mut atoms: Vec<String> = rule
        .body
        .iter()
        .map(|application| clause.atom(terms, system, application))
        .collect();
    let head = match &rule.head {
        Some(application) => clause.atom(terms, system, application),
        None => falsity.to_string(),
    };
    let mut printer = Printer::new(terms, system.bases());
    let constraint = printer.closed_with(&[rule.constraint], &clause.equations);
    atoms.push(constraint);
    let body = match atoms.as_slice() {
        [single] => single.clone(),
        _ => format!("(and {})", atoms.join(" ")),
    };
    let vars = variables(terms, &rule.terms());
    let vars = vars
        .into_iter()
        .map(|(var, sort)| (var_name(var), sort_text(sort)));
    let bound: Vec<String> = vars
        .chain(clause.extra)
        .map(|(name, sort)| format!("({name} {sort})"))
        .collect();
    match bound.is_empty() {
        true => format!("(assert (=> {body} {head}))"),
        false => format!("(assert (forall ({}) (=> {body} {head})))", bound.join(" ")),
    }
}

impl Clause {
    fn atom(&mut self, terms: &Terms, system: &HornSystem, application: &Application) -> String {
        let name = predicate_name(system, application.pred.index());
        let args = application.args.iter();
        let args: Vec<String> = args.map(|&arg| self.argument(terms, arg)).collect();
        match args.is_empty() {
            true => name,
            false => format!("({name} {})", args.join(" ")),
        }
    }

    /// A variable that is not an argument yet: the term itself, or a new one that equals it.
    fn argument(&mut self, terms: &Terms, arg: Term) -> String {
        if let Some(var) = terms.as_var(arg)
            && self.taken.insert(var_name(var))
        {
            return var_name(var);
        }
        let name = format!("a{}", self.extra.len());
        self.extra.push((name.clone(), sort_text(terms.sort(arg))));
        self.equations.push((name.clone(), arg));
        name
    }
}
