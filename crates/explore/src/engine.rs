//! Exploration as an [`Engine`].

use crate::{Config, Search};
use engine::{About, BadOption, Checker, Engine, Options, choices};
use verdict::Property;

/// `--engine explore`.
pub struct Explore;

choices! {
    SEARCH: Search = "search" "ORDER" "Which state comes next" {
        "bfs" => Search::Breadth, "The oldest";
        "dfs" => Search::Depth, "The newest";
    }
}

impl Engine for Explore {
    fn about(&self) -> About {
        About {
            name: "explore",
            summary: "Visit every reachable state of the program",
            page: "engines/explore.md",
            properties: Property::all_where(|it| !it.is_about_weak_memory()),
            options: vec![SEARCH.spec()],
        }
    }

    fn configure(&self, _: Property, options: &Options) -> Result<Checker, BadOption> {
        let search = SEARCH.chosen(options)?;
        Ok(Box::new(move |task, budget| {
            crate::check(task, &Config { search }, budget)
        }))
    }
}
