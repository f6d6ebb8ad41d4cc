//! What is needed to find a proof again: the precision, and how the program was unrolled.
//!
//! A graph is large and its precision is small. So the evidence is the precision: the graph is
//! built again with it, without any refinement, and has to pass the checker again. Nothing
//! in a certificate is trusted; a wrong one gives a graph that is not closed, shows an error, or
//! cannot be built.

use crate::abstractor::{Abstractor, Built};
use crate::proof::{Checker, Flaw};
use crate::run::Run;
use crate::view::{Snapshot, Viewer};
use crate::{Config, Domain};
use abstraction::por::{Base, Dependence};
use abstraction::{Precision, Program};
use dataflow::Analysed;
use expr::{Portable, Terms, VarId};
use passes::Unsupported;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use smt::on_worker;
use verdict::{Budget, Objection, Reason, Task};
use xcfa::{ErrorKind, LocId};

/// How loops that start threads are treated.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Unrolled {
    /// This many rounds of them.
    Rounds(u32),
    /// Their threads are counted.
    Counted,
}

impl Unrolled {
    /// The program; nothing if there is nothing to count.
    pub fn program(self, xcfa: &Analysed) -> Option<Result<(Program, Terms), Unsupported>> {
        match self {
            Unrolled::Rounds(rounds) => Some(Program::of(xcfa, rounds)),
            Unrolled::Counted => Program::counted(xcfa, 1),
        }
    }
}

/// What the graph of a proof depends on.
#[derive(Debug, Serialize, Deserialize)]
pub struct Certificate {
    unrolled: Unrolled,
    domain: Domain,
    reduction: Base,
    dependence: Dependence,
    /// Does the abstraction track combinations of predicates?
    split: bool,
    /// How far threads that are alike are counted, by location.
    thresholds: Vec<(u32, u32)>,
    variables: Vec<VarId>,
    predicates: Portable,
}

impl Certificate {
    /// Of the graph that has just been closed.
    pub fn of(run: &Run<'_, '_>, abstractor: &Abstractor<'_>, terms: &Terms) -> Certificate {
        let predicates = run.precision.predicates().iter();
        let predicates: Vec<_> = predicates.map(|predicate| predicate.term).collect();
        let thresholds = abstractor.thresholds.known().into_iter();
        Certificate {
            unrolled: run.unrolled,
            domain: run.config.domain,
            reduction: run.config.por,
            dependence: run.config.dependence,
            split: abstractor.post.is_split(),
            thresholds: thresholds.map(|(loc, most)| (loc.0, most)).collect(),
            variables: run.precision.vars().to_vec(),
            predicates: Portable::of(terms, &predicates),
        }
    }

    /// As engines hand it over.
    pub fn to_json(&self) -> Value {
        // Numbers, names and lists: nothing of this can fail to become a value.
        serde_json::to_value(self).unwrap_or_default()
    }

    fn precision(&self, program: &Program, terms: &mut Terms) -> Option<Precision> {
        let about = |var: VarId| program.vars.get(var.0 as usize);
        let mut precision = Precision::control(program);
        for &var in &self.variables {
            about(var).filter(|about| !about.input)?;
            precision.track(var);
        }
        let sort_of = |var: VarId| about(var).map(|about| about.sort);
        for term in self.predicates.build(terms, sort_of)? {
            if terms.sort(term) != expr::Sort::Bool {
                return None;
            }
            precision.track_predicate(terms, term);
        }
        Some(precision)
    }
}

/// Builds the graph of a certificate again and checks it; why not, if it proves nothing.
pub fn recheck(task: &Task, certificate: &Value, budget: &Budget) -> Result<(), Objection> {
    with_stack(budget, || recheck_here(task, certificate, budget, false)).map(|_| ())
}

/// The same, and shows the graph.
pub fn recheck_with_invariants(
    task: &Task,
    certificate: &Value,
    budget: &Budget,
) -> Result<Snapshot, Objection> {
    let graph = with_stack(budget, || recheck_here(task, certificate, budget, true))?;
    graph.ok_or_else(|| "there is no graph".into())
}

fn with_stack<T: Send>(
    budget: &Budget,
    work: impl FnOnce() -> Result<T, Objection> + Send,
) -> Result<T, Objection> {
    let checked = on_worker(|| budget.exceeded(0).is_some(), work);
    checked.unwrap_or_else(|| Err(Reason::NotProved("the check failed".into()).into()))
}

fn recheck_here(
    task: &Task,
    certificate: &Value,
    budget: &Budget,
    shown: bool,
) -> Result<Option<Snapshot>, Objection> {
    let certificate = Certificate::deserialize(certificate).map_err(|error| error.to_string())?;
    let target = task.property.target();
    let target = target.ok_or_else(|| format!("a graph says nothing about {}", task.property))?;
    let program = certificate.unrolled.program(&task.xcfa);
    let program = program.ok_or("there are no threads to count")?;
    let (program, mut terms) = program.map_err(|refused| Reason::unsupported(refused.what))?;
    let precision = certificate.precision(&program, &mut terms);
    let precision = precision.ok_or("the precision does not fit the program")?;
    let config = Config {
        domain: certificate.domain,
        por: certificate.reduction,
        dependence: certificate.dependence,
        ..Config::default()
    };
    let mut abstractor = Abstractor::new(&program, &mut terms, &config, target, budget);
    if certificate.split {
        abstractor.post.split();
    }
    for &(loc, most) in &certificate.thresholds {
        if loc as usize >= program.locations() || most > 64 {
            return Err("the counts do not fit the program".into());
        }
        for _ in 0..most {
            abstractor.thresholds.raise(LocId(loc));
        }
    }
    abstractor.restart(&terms, &precision);
    abstractor.add_target(ErrorKind::Unwound);
    match abstractor.run(&mut terms, &precision, budget) {
        Built::Closed => {}
        Built::Error(_) => return Err("the graph reaches an error".into()),
        Built::Stopped(reason) => return Err(reason.into()),
    }
    let mut checker = Checker {
        program: &program,
        terms: &mut terms,
        precision: &precision,
        arg: &abstractor.arg,
        config: &config,
        total: &abstractor.total,
        target,
    };
    checker.check(budget).map_err(|flaw| match flaw {
        Flaw::Wrong(what) => Objection::Wrong(what),
        Flaw::Stopped(reason) => Objection::Open(reason),
    })?;
    let viewer = Viewer {
        task,
        program: &program,
        terms: &terms,
        precision: &precision,
    };
    Ok(shown.then(|| viewer.snapshot(&mut abstractor, 1, None)))
}
