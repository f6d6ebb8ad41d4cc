//! Abstraction refinement as an [`Engine`].

use crate::{Config, Domain, Prune, Refine, Search, graph};
use abstraction::por::{Base, Dependence};
use engine::{About, BadOption, Checker, Engine, Evidence, OptionSpec, Options, Values, choices};
use std::path::{Path, PathBuf};
use verdict::{Answer, Budget, Check, Proof, Property, Reason, Task};

/// `--engine cegar`.
pub struct Cegar;

choices! {
    DOMAIN: Domain = "domain" "DOMAIN" "What abstract states know" {
        "product" => Domain::Product, "Values first, predicates where they are not enough";
        "expl" => Domain::Explicit, "Values of variables";
        "pred-cart" => Domain::Cartesian, "Predicates, each by itself";
        "pred-bool" => Domain::Boolean, "Predicates in all combinations";
    }
}

choices! {
    POR: Base = "por" "REDUCTION" "Which interleavings are left out" {
        "aware" => Base::Aware, "Those that persistent sets allow under the precision";
        "none" => Base::None, "None";
        "basic" => Base::Basic, "Those that persistent sets allow";
        "source" => Base::Source, "Those that source sets allow under the precision";
    }
}

choices! {
    DEPENDENCE: Dependence = "dependence" "RELATION"
        "When two actions of different threads depend on each other" {
        "ours" => Dependence::Ours, "A common object that one of them writes and the precision contains";
        "paper" => Dependence::Paper, "A common object, or one element of the precision with objects of both";
    }
}

choices! {
    PRUNE: Prune = "prune" "HOW" "How much of the graph is rebuilt after a refinement" {
        "lazy" => Prune::Lazy, "What was wrong";
        "full" => Prune::Full, "Everything";
    }
}

choices! {
    SEARCH: Search = "search" "ORDER" "Which state comes next" {
        "dfs" => Search::Dfs, "The newest";
        "bfs" => Search::Bfs, "The oldest";
        "error" => Search::Error, "The one closest to an error";
    }
}

choices! {
    REFINE: Refine = "refine" "HOW" "Where predicates come from" {
        "wp" => Refine::Wp, "Weakest preconditions along the unsatisfiable core";
        "sp" => Refine::Sp, "Strongest postconditions along it";
        "spacer" => Refine::Spacer, "Sequence interpolants of it, from Spacer";
    }
}

impl Engine for Cegar {
    fn about(&self) -> About {
        let track = "Track this variable from the start (may be repeated)";
        let arg =
            "Draw the graph of every iteration: a page if the name ends in .html, or a .dot file";
        About {
            name: "cegar",
            summary: "Abstract the program to few variables and predicates, and refine where that is not enough",
            page: "engines/cegar.md",
            properties: Property::all_where(|it| it.target().is_some()),
            options: vec![
                DOMAIN.spec(),
                POR.spec(),
                DEPENDENCE.spec(),
                PRUNE.spec(),
                SEARCH.spec(),
                REFINE.spec(),
                OptionSpec::new("track", "NAME", track, Values::Texts),
                OptionSpec::new("arg", "OUT", arg, Values::File),
            ],
        }
    }

    fn configure(&self, _: Property, options: &Options) -> Result<Checker, BadOption> {
        let config = Config {
            domain: DOMAIN.chosen(options)?,
            por: POR.chosen(options)?,
            dependence: DEPENDENCE.chosen(options)?,
            prune: PRUNE.chosen(options)?,
            search: SEARCH.chosen(options)?,
            refine: REFINE.chosen(options)?,
            track: options.all("track").to_vec(),
            ..Config::default()
        };
        let Some(path) = options.get("arg").map(PathBuf::from) else {
            return Ok(Box::new(move |task, budget| {
                crate::check(task, &config, budget)
            }));
        };
        if !graph::can_draw(&path) {
            let why = format!(
                "{}: the name of a graph ends in .html or .dot",
                path.display()
            );
            return Err(BadOption::new("arg", why));
        }
        Ok(Box::new(move |task, budget| {
            drawn(&path, task, &config, budget)
        }))
    }

    fn recheck(&self, task: &Task, evidence: &Evidence<'_>, budget: &Budget) -> Option<Check> {
        match evidence.proof {
            Proof::AbstractGraph { certificate, .. } if !certificate.is_null() => {
                Some(crate::recheck(task, certificate, budget).into())
            }
            _ => None,
        }
    }
}

/// Checks a program and draws every abstraction of it.
fn drawn(path: &Path, task: &Task, config: &Config, budget: &Budget) -> Answer {
    let mut snapshots = Vec::new();
    let mut watch = |snapshot| snapshots.push(snapshot);
    let answer = crate::check_watched(task, config, budget, Some(&mut watch));
    match graph::write(path, &snapshots) {
        Ok(()) => answer,
        Err(error) => Answer::unknown(Reason::cannot_write(path, &error)),
    }
}
