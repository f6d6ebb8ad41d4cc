//! What a system of Horn clauses is made of.

use super::chc;
use expr::{Node, ObjId, Op, Sort, Term, Terms};
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;

/// A predicate, by number into its [`HornSystem`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct PredId(u32);

impl PredId {
    pub(super) fn new(index: usize) -> PredId {
        PredId(u32::try_from(index).expect("fewer than 2^32 predicates"))
    }

    /// The number, for tables indexed by predicate.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// An unknown relation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Predicate {
    /// Its name for messages; need not be unique.
    pub name: String,
    /// Formal parameters: distinct variables. A solution is a formula over them.
    pub params: Vec<Term>,
}

/// A predicate applied to terms.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Application {
    /// Which predicate.
    pub pred: PredId,
    /// One term per parameter, of the same sort.
    pub args: Vec<Term>,
}

impl Application {
    /// A predicate of these terms.
    pub fn new(pred: PredId, args: Vec<Term>) -> Application {
        Application { pred, args }
    }
}

/// For all values of all variables: if the body and the constraint hold, so does the head.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rule {
    /// Predicates that have to hold.
    pub body: Vec<Application>,
    /// What else has to hold, a truth value.
    pub constraint: Term,
    /// What follows; `None` is falsity.
    pub head: Option<Application>,
}

/// Predicates and the rules that they have to obey.
#[derive(Clone, Debug, Default)]
pub struct HornSystem {
    predicates: Vec<Predicate>,
    rules: Vec<Rule>,
    bases: BTreeMap<ObjId, u64>,
}

impl HornSystem {
    /// A system without rules.
    pub fn new() -> HornSystem {
        HornSystem::default()
    }

    /// Adds a predicate with the given distinct variables as formal parameters.
    pub fn predicate(&mut self, name: &str, params: Vec<Term>) -> PredId {
        let id = PredId::new(self.predicates.len());
        let name = name.to_string();
        self.predicates.push(Predicate { name, params });
        id
    }

    /// Adds a rule and says its number.
    pub fn rule(&mut self, rule: Rule) -> usize {
        self.rules.push(rule);
        self.rules.len() - 1
    }

    /// Fixes the address of an object.
    pub fn bind_base(&mut self, obj: ObjId, value: u64) {
        self.bases.insert(obj, value);
    }

    /// All predicates, in the order of their numbers.
    pub fn predicates(&self) -> &[Predicate] {
        &self.predicates
    }

    /// All rules, in the order of their numbers.
    pub fn rules(&self) -> &[Rule] {
        &self.rules
    }

    /// The addresses that are fixed.
    pub fn bases(&self) -> &BTreeMap<ObjId, u64> {
        &self.bases
    }

    /// A formula over the parameters of a predicate, for these arguments.
    pub fn instance(&self, terms: &mut Terms, application: &Application, formula: Term) -> Term {
        let params = &self.predicates[application.pred.index()].params;
        let both = params.iter().zip(&application.args);
        let with: FxHashMap<_, _> = both
            .filter_map(|(&param, &arg)| Some((terms.as_var(param)?, arg)))
            .collect();
        terms.substitute(formula, &with)
    }

    /// The system as a text in the format of the CHC competition.
    ///
    /// Fails for the systems that cannot be solved either, with the reason.
    pub fn to_smtlib(&self, terms: &Terms) -> Result<String, String> {
        self.validate(terms)?;
        Ok(chc::text(terms, self))
    }

    /// Says what is wrong with the system, if anything is.
    pub fn validate(&self, terms: &Terms) -> Result<(), String> {
        for predicate in &self.predicates {
            let mut vars: Vec<_> = predicate.params.iter().map(|&p| terms.as_var(p)).collect();
            vars.sort_unstable();
            vars.dedup();
            if vars.len() != predicate.params.len() || vars.contains(&None) {
                return Err(format!(
                    "the parameters of {} are not distinct variables",
                    predicate.name
                ));
            }
        }
        for (number, rule) in self.rules.iter().enumerate() {
            self.validate_rule(terms, rule)
                .map_err(|reason| format!("rule {number}: {reason}"))?;
        }
        Ok(())
    }

    fn validate_rule(&self, terms: &Terms, rule: &Rule) -> Result<(), String> {
        if terms.sort(rule.constraint) != Sort::Bool {
            return Err("the constraint is not a truth value".into());
        }
        for application in rule.applications() {
            let Some(predicate) = self.predicates.get(application.pred.index()) else {
                return Err("a predicate of another system".into());
            };
            let sorts = |list: &[Term]| list.iter().map(|&t| terms.sort(t)).collect::<Vec<_>>();
            if sorts(&predicate.params) != sorts(&application.args) {
                return Err(format!("{} has other parameters", predicate.name));
            }
        }
        let mut result = Ok(());
        let mut sorts = BTreeMap::new();
        for term in rule.terms() {
            terms.for_each_subterm(term, &mut |_, node| {
                if let Err(reason) = self.validate_node(node) {
                    result = Err(reason);
                }
                if let Node::Var(var, sort) = node
                    && *sorts.entry(var).or_insert(sort) != sort
                {
                    result = Err("a variable with two sorts".into());
                }
            });
        }
        result
    }

    fn validate_node(&self, node: Node) -> Result<(), String> {
        match node {
            Node::Base(obj, _) if !self.bases.contains_key(&obj) => {
                Err(format!("the address of object {} is not fixed", obj.0))
            }
            Node::Unary(op, _) | Node::Binary(op, ..) if is_float_operator(op) => {
                Err("Spacer does not know floats".into())
            }
            _ => Ok(()),
        }
    }
}

fn is_float_operator(op: Op) -> bool {
    use Op::*;
    matches!(
        op,
        FloatAdd
            | FloatSub
            | FloatMul
            | FloatDiv
            | FloatEq
            | FloatLt
            | FloatLe
            | FloatToFloat(_)
            | FloatToSigned(_)
            | FloatToUnsigned(_)
            | SignedToFloat(_)
            | UnsignedToFloat(_)
    )
}

impl Rule {
    /// From these applications, under this condition, that one; none for falsity.
    pub fn new(body: Vec<Application>, constraint: Term, head: Option<Application>) -> Rule {
        Rule {
            body,
            constraint,
            head,
        }
    }

    /// Body first, then the head.
    pub fn applications(&self) -> impl Iterator<Item = &Application> {
        self.body.iter().chain(&self.head)
    }

    /// All terms of the rule: the constraint and every argument.
    pub fn terms(&self) -> Vec<Term> {
        let args = self.applications().flat_map(|app| app.args.iter().copied());
        std::iter::once(self.constraint).chain(args).collect()
    }
}
