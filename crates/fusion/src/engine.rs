//! Stateless exploration as an [`Engine`].

use crate::{Config, Dpor};
use engine::{About, BadOption, Checker, Engine, OptionSpec, Options, Values, choices};
use verdict::Property;

/// `--engine fusion`.
pub struct Fusion;

choices! {
    DPOR: Dpor = "dpor" "REDUCTION"
        "Which schedules are left out because an equivalent one is run" {
        "optimal" => Dpor::Optimal, "Wake-up trees: one execution for each class of equivalent ones";
        "source" => Dpor::Source, "Source sets";
        "classic" => Dpor::Classic, "Persistent sets";
        "none" => Dpor::None, "None";
    }
}

choices! {
    CHECK: bool = "check" "ON"
        "Search other orders of an execution's events for errors, with a solver" {
        "on" => true, "Yes";
        "off" => false, "No";
    }
}

choices! {
    PRUNE: bool = "prune" "ON" "Drop a backtrack point once the solver proves it error-free" {
        "off" => false, "No";
        "on" => true, "Yes";
    }
}

impl Engine for Fusion {
    fn about(&self) -> About {
        let events = Values::Number {
            least: 1,
            most: u64::from(u32::MAX),
            samples: &[],
        };
        let threads = Values::Number {
            least: 1,
            most: 256,
            samples: &[1, 2],
        };
        let depth = "Longer executions are cut; the verdict is then never `safe`";
        let jobs = "Number of worker threads; the number of executions stays the same. `--prune on` uses one worker";
        About {
            name: "fusion",
            summary: "Run the program under one schedule after the other, each different from all before",
            page: "engines/fusion.md",
            properties: Property::all_where(|it| {
                it.target().is_some() || matches!(it, Property::Race | Property::Deadlock)
            }),
            options: vec![
                DPOR.spec(),
                OptionSpec::new("depth", "EVENTS", depth, events).or("20000"),
                CHECK.spec(),
                PRUNE.spec(),
                OptionSpec::new("jobs", "N", jobs, threads).or("1"),
            ],
        }
    }

    fn configure(&self, _: Property, options: &Options) -> Result<Checker, BadOption> {
        let default = Config::default();
        let config = Config {
            dpor: DPOR.chosen(options)?,
            depth: options.number("depth")?.unwrap_or(default.depth),
            check: CHECK.chosen(options)?,
            prune: PRUNE.chosen(options)?,
            jobs: options.number("jobs")?.unwrap_or(default.jobs),
        };
        Ok(Box::new(move |task, budget| {
            crate::check(task, &config, budget)
        }))
    }
}
