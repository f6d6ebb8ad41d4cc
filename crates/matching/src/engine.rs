//! Abstract matching as an [`Engine`].

use crate::{Config, Search, Strategy};
use engine::{About, BadOption, Checker, Engine, OptionSpec, Options, Values, choices};
use verdict::Property;

/// `--engine matching`.
pub struct Matching;

choices! {
    STRATEGY: Strategy = "strategy" "STRATEGY"
        "Which predicates are added where different states look the same" {
        "min-only" => Strategy::MinOnly, "For each of them one that splits off the least value of a variable";
        "amcs" => Strategy::Amcs, "Weakest preconditions, where a solver finds a step that is not precise";
        "add-all" => Strategy::AddAll, "All values of the states from which such steps start";
        "no-prover" => Strategy::NoProver, "Weakest preconditions of all steps, without a solver";
        "max-overlap" => Strategy::MaxOverlap, "The one that splits the most abstract states";
        "min-set" => Strategy::MinSet, "A small set that splits all of them";
        "random-dfs" => Strategy::RandomDfs, "None: depth first over concrete states, in random order";
    }
}

choices! {
    POR: bool = "por" "REDUCTION" "Which interleavings are left out" {
        "on" => true, "Those that persistent sets allow";
        "off" => false, "None";
    }
}

choices! {
    SYMMETRY: bool = "symmetry" "ON"
        "Match states that differ by a permutation of threads that run the same code [default: on, except for amcs, add-all and no-prover, which cannot]" {
        "on" => true, "Yes";
        "off" => false, "No";
    }
}

choices! {
    FRUGAL: bool = "frugal" "ON"
        "Store few states and search more often instead (max-overlap, min-set, min-only)" {
        "off" => false, "No";
        "on" => true, "Yes";
    }
}

choices! {
    /// The orders of search.
    pub SEARCH: Search = "search" "ORDER" "Which state comes next" {
        "bfs" => Search::Bfs, "The oldest";
        "dfs" => Search::Dfs, "The newest";
        "error" => Search::Error, "The one closest to an error";
    }
}

/// Options that only some strategies have a use for.
fn consistent(strategy: Strategy, options: &Options) -> Result<(), BadOption> {
    let asked_for = |name| options.get(name) == Some("on");
    let splitting = "max-overlap, min-set or min-only";
    if asked_for("frugal") && !strategy.splits() {
        let why = format!("on needs one of the strategies {splitting}");
        return Err(BadOption::new("frugal", why));
    }
    if asked_for("symmetry") && !strategy.compares_values() {
        let why = "on needs one of the strategies max-overlap, min-set, min-only or random-dfs";
        return Err(BadOption::new("symmetry", why));
    }
    if options.get("threshold").is_some() && strategy != Strategy::AddAll {
        return Err(BadOption::new("threshold", "needs --strategy add-all"));
    }
    if options.get("search").is_some() && strategy == Strategy::RandomDfs {
        let why = "cannot be combined with --strategy random-dfs, which has its own order";
        return Err(BadOption::new("search", why));
    }
    Ok(())
}

impl Engine for Matching {
    fn about(&self) -> About {
        let numbers = Values::Number {
            least: 0,
            most: u64::MAX,
            samples: &[1, 2, 3, 5, 8],
        };
        let seed = "Seed for choices between equally good options";
        let few = Values::Number {
            least: 1,
            most: 1000,
            samples: &[1, 2, 4],
        };
        let threshold = "With add-all: add all values once a step was not precise in so many searches in a row, and before that what amcs adds";
        About {
            name: "matching",
            summary: "Visit states that look new to a set of predicates, and add predicates until all are visited",
            page: "engines/matching.md",
            properties: Property::all_where(|it| {
                it != Property::Termination && !it.is_about_weak_memory()
            }),
            options: vec![
                STRATEGY.spec(),
                POR.spec(),
                SYMMETRY.spec().or(""),
                FRUGAL.spec(),
                SEARCH.spec(),
                OptionSpec::new("seed", "N", seed, numbers).or("1"),
                OptionSpec::new("threshold", "SEARCHES", threshold, few).or("1"),
            ],
        }
    }

    fn configure(&self, _: Property, options: &Options) -> Result<Checker, BadOption> {
        let strategy = STRATEGY.chosen(options)?;
        consistent(strategy, options)?;
        let config = Config {
            strategy,
            seed: options.number("seed")?.unwrap_or(Config::default().seed),
            por: POR.chosen(options)?,
            symmetry: SYMMETRY.chosen(options)?,
            frugal: FRUGAL.chosen(options)?,
            threshold: options
                .number("threshold")?
                .unwrap_or(Config::default().threshold),
            search: SEARCH.chosen(options)?,
        };
        Ok(Box::new(move |task, budget| {
            crate::check(task, &config, budget)
        }))
    }
}
