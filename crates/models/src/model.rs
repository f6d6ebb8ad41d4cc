//! Memory models, and what they say about a graph.

use crate::cat::{
    CatError, Check, Evaluation, Expr, Op, Program, Statement, Step, TestKind, Value,
};
use crate::cat::{parse, resolve};
use crate::{EventId, Fact, Graph, Malformed};
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;
use std::fmt;

/// Definitions that all models share, before their own.
const PRELUDE: &str = include_str!("../cat/prelude.cat");

/// The models that we ship: name and text.
const SHIPPED: [(&str, &str); 5] = [
    ("sc", include_str!("../cat/sc.cat")),
    ("tso", include_str!("../cat/tso.cat")),
    ("pso", include_str!("../cat/pso.cat")),
    ("ra", include_str!("../cat/ra.cat")),
    ("rc11", include_str!("../cat/rc11.cat")),
];

/// A memory model: which execution graphs are possible.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Model {
    name: String,
    program: Program,
    shipped: bool,
}

/// A rule of a model that a graph breaks, with the steps that show it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Finding {
    /// The name of the axiom or flag.
    pub name: String,
    /// The steps: a cycle where one is forbidden, otherwise from one event to another that must not be
    /// related. Empty if the rule asks for something that is not there.
    pub steps: Vec<Step>,
}

/// What a model says about a graph.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Judgement {
    /// The first axiom that the graph breaks; without one, the execution is possible.
    pub forbidden: Option<Finding>,
    /// The flags that it raises, such as `race`; they mean nothing for an execution that is impossible.
    pub flags: Vec<Finding>,
}

impl Judgement {
    /// Is the execution possible?
    pub fn allowed(&self) -> bool {
        self.forbidden.is_none()
    }
}

impl Model {
    /// Reads a model from its text; `name` is used unless the text begins with a name.
    pub fn parse(name: &str, text: &str) -> Result<Model, CatError> {
        let (_, mut lines) = parse(PRELUDE).expect("the prelude is a model");
        let (title, own) = parse(text)?;
        lines.extend(own);
        let program = resolve(lines)?;
        let name = title.unwrap_or_else(|| name.to_owned());
        Ok(Model {
            name,
            program,
            shipped: false,
        })
    }

    /// A model that we ship, by its name.
    pub fn shipped(name: &str) -> Option<Model> {
        let (name, text) = SHIPPED.iter().find(|(known, _)| *known == name)?;
        let model = Model::parse(name, text).expect("the models that we ship can be read");
        Some(Model {
            shipped: true,
            ..model
        })
    }

    /// The names of the models that we ship.
    pub fn names() -> impl Iterator<Item = &'static str> {
        SHIPPED.iter().map(|(name, _)| *name)
    }

    /// Sequential consistency, as we ship it.
    pub fn sc() -> Model {
        Model::shipped("sc").expect("it is shipped")
    }

    /// Is it one of those that we ship, whatever its name is?
    pub fn is_shipped(&self) -> bool {
        self.shipped
    }

    /// Is it sequential consistency as we ship it?
    pub fn is_sc(&self) -> bool {
        self.shipped && self.name == "sc"
    }

    /// Can its executions be made event by event, every read after its write? That is so if the execution without
    /// its last events is possible as well (no axiom takes away what may grow), and if one of its axioms forbids
    /// cycles of `po | rf | spawn`.
    pub fn grows_from_prefixes(&self) -> bool {
        crate::cat::grows_from_prefixes(&self.program)
    }

    /// Does what it forbids stay forbidden while an execution grows? Then [`Model::reasons`] speaks of all graphs with
    /// the same facts.
    pub fn grows(&self) -> bool {
        crate::cat::grows(&self.program)
    }

    /// Why a valid graph is forbidden, in several ways; none if it is allowed. Any of the reasons is enough.
    pub fn reasons(&self, graph: &Graph) -> Vec<Vec<Fact>> {
        debug_assert!(graph.validate().is_ok(), "a graph: {graph}");
        let evaluation = Evaluation::new(&self.program, graph);
        let mut reasons = BTreeSet::new();
        for statement in &self.program.statements {
            if let Statement::Check(check) = statement
                && !check.flag
                && !holds(&evaluation, check)
            {
                match check.negated {
                    false => evaluation.reasons(check, &mut reasons),
                    true => drop(reasons.insert(vec![Fact::Everything])),
                }
            }
        }
        reasons.into_iter().collect()
    }

    /// Does what keeps a flag from being raised for two events keep it so while an execution grows? Then
    /// [`Model::why_unflagged`] speaks of all graphs with the same facts.
    pub fn explains(&self, flag: &str) -> bool {
        let flag = self.flag(flag);
        flag.is_some_and(|flag| crate::cat::absence_grows(&self.program, &flag.body))
    }

    /// Why a valid graph does not raise a flag for two events, the second after the first; nothing if it does.
    pub fn why_unflagged(
        &self,
        graph: &Graph,
        flag: &str,
        from: EventId,
        to: EventId,
    ) -> Option<Vec<Fact>> {
        debug_assert!(graph.validate().is_ok(), "a graph: {graph}");
        let flag = self.flag(flag)?;
        let evaluation = Evaluation::new(&self.program, graph);
        evaluation.why_absent(&flag.body, from.index(), to.index())
    }

    /// A flag that is raised where something is there.
    fn flag(&self, name: &str) -> Option<&Check<usize>> {
        let checks = self.program.statements.iter().filter_map(|it| match it {
            Statement::Check(check) if check.flag && check.negated => Some(check),
            _ => None,
        });
        let mut named = checks.filter(|check| check.kind == TestKind::Empty);
        named.find(|check| check.name == name)
    }

    /// Does it define a flag of this name?
    pub fn has_flag(&self, name: &str) -> bool {
        let mut statements = self.program.statements.iter();
        statements
            .any(|it| matches!(it, Statement::Check(check) if check.flag && check.name == name))
    }

    /// Its name.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Decides about a graph.
    pub fn judge(&self, graph: &Graph) -> Result<Judgement, Malformed> {
        graph.validate()?;
        let evaluation = Evaluation::new(&self.program, graph);
        let mut judgement = Judgement::default();
        for statement in &self.program.statements {
            let Statement::Check(check) = statement else {
                continue;
            };
            let broken = violation(&evaluation, check);
            match (check.flag, broken) {
                (true, None) => judgement.flags.push(Finding {
                    name: check.name.clone(),
                    steps: shown(&evaluation, check),
                }),
                (false, Some(steps)) if judgement.forbidden.is_none() => {
                    judgement.forbidden = Some(Finding {
                        name: check.name.clone(),
                        steps,
                    });
                }
                _ => {}
            }
        }
        Ok(judgement)
    }

    /// Is the execution possible? The same as [`Model::judge`], without the reasons and the flags.
    pub fn allows(&self, graph: &Graph) -> Result<bool, Malformed> {
        graph.validate()?;
        Ok(self.allows_valid(graph))
    }

    /// The same for a graph that is known to be one: [`Graph::validate`] accepts it.
    pub fn allows_valid(&self, graph: &Graph) -> bool {
        debug_assert!(graph.validate().is_ok(), "a graph: {graph}");
        let evaluation = Evaluation::new(&self.program, graph);
        let mut axioms = self.program.statements.iter().filter_map(|it| match it {
            Statement::Check(check) if !check.flag => Some(check),
            _ => None,
        });
        axioms.all(|check| holds(&evaluation, check))
    }
}

/// Does a test hold? The same as [`violation`], without the steps.
fn holds(evaluation: &Evaluation<'_>, check: &Check<usize>) -> bool {
    if let (TestKind::Irreflexive, Expr::Binary(Op::Then, a, b, _)) = (check.kind, &check.body) {
        return evaluation.comes_back(a, b) == check.negated;
    }
    let absent = match (evaluation.value(&check.body).as_ref(), check.kind) {
        (Value::Relation(relation), TestKind::Acyclic) => !relation.has_cycle(),
        (Value::Relation(relation), TestKind::Irreflexive) => !relation.has_loop(),
        (Value::Relation(relation), TestKind::Empty) => relation.is_empty(),
        (Value::Set(set), _) => set.is_empty(),
    };
    absent != check.negated
}

/// The steps that show why a test does not hold.
fn violation(evaluation: &Evaluation<'_>, check: &Check<usize>) -> Option<Vec<Step>> {
    let found = found(evaluation, check);
    match check.negated {
        false => found,
        true => found.is_none().then(Vec::new),
    }
}

/// The steps that show why a flag is raised, where there are any.
fn shown(evaluation: &Evaluation<'_>, check: &Check<usize>) -> Vec<Step> {
    found(evaluation, check).unwrap_or_default()
}

/// What an `acyclic`, `irreflexive` or `empty` forbids, if it is there.
fn found(evaluation: &Evaluation<'_>, check: &Check<usize>) -> Option<Vec<Step>> {
    let value = evaluation.value(&check.body);
    let relation = match value.as_ref() {
        Value::Relation(relation) => relation,
        // Only `empty` takes a set.
        Value::Set(set) => return set.iter().next().map(|_| Vec::new()),
    };
    let pairs = match check.kind {
        TestKind::Acyclic => {
            let cycle = relation.cycle()?;
            cycle.windows(2).map(|pair| (pair[0], pair[1])).collect()
        }
        TestKind::Irreflexive => vec![relation.pairs().find(|(from, to)| from == to)?],
        TestKind::Empty => vec![relation.pairs().next()?],
    };
    let steps = pairs
        .into_iter()
        .flat_map(|(from, to)| evaluation.witness(&check.body, from, to));
    Some(steps.collect())
}

impl Finding {
    /// The steps with their events, one line each.
    pub fn explain(&self, graph: &Graph) -> String {
        let line = |step: &Step| {
            let name = |id: EventId| graph.show(id);
            format!(
                "  {} --{}--> {}\n",
                name(step.from),
                step.relation,
                name(step.to)
            )
        };
        self.steps.iter().map(line).collect()
    }
}

impl fmt::Display for Finding {
    /// `coherence: e1 fr e3 po e1`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.name)?;
        if let Some(first) = self.steps.first() {
            write!(f, ": e{}", first.from.0)?;
        }
        for step in &self.steps {
            write!(f, " {} e{}", step.relation, step.to.0)?;
        }
        Ok(())
    }
}
