//! Simulation as an [`Engine`].

use crate::{Config, check};
use engine::{About, BadOption, Checker, Engine, OptionSpec, Options, Values};
use verdict::Property;

/// `--engine simulate`.
pub struct Simulate;

impl Engine for Simulate {
    fn about(&self) -> About {
        let numbers = |samples| Values::Number {
            least: 0,
            most: u64::MAX,
            samples,
        };
        let runs = "End after so many random runs; 0 for none";
        let preemptions = "End after all schedules with so many preemptions";
        let seed = "Where random numbers start";
        About {
            name: "simulate",
            summary: "Run the program under random schedules, and under all with few preemptions; finds errors only",
            page: "engines/simulate.md",
            properties: Property::all_where(|it| {
                !it.is_about_weak_memory() && it != Property::Termination
            }),
            options: vec![
                OptionSpec::new("runs", "N", runs, numbers(&[20])),
                OptionSpec::new("preemptions", "N", preemptions, numbers(&[1])),
                OptionSpec::new("seed", "N", seed, numbers(&[])).or("1"),
            ],
        }
    }

    fn configure(&self, _: Property, options: &Options) -> Result<Checker, BadOption> {
        let config = Config {
            seed: options.number("seed")?.unwrap_or(1),
            runs: options.number("runs")?,
            preemptions: options.number("preemptions")?,
        };
        Ok(Box::new(move |task, budget| check(task, &config, budget)))
    }
}
