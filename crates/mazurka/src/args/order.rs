//! `--por` and `--search`, which two engines have a use for.

use super::{Engine, MatchingArgs};
use clap::{Args, ValueEnum};

/// Which steps are taken, and in which order.
#[derive(Args, Clone, Copy, Debug)]
pub struct OrderArgs {
    /// Which interleavings are left out
    #[arg(long, value_name = "REDUCTION")]
    pub por: Option<Por>,
    /// Which state comes next
    #[arg(long, value_name = "ORDER")]
    pub search: Option<Search>,
}

/// Partial order reduction.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Por {
    /// cegar: none
    None,
    /// cegar: those that persistent sets allow
    Basic,
    /// cegar: those that persistent sets allow under the precision (the default)
    Aware,
    /// cegar: those that source sets allow under the precision
    Source,
    /// matching: those that persistent sets allow (the default)
    On,
    /// matching: none
    Off,
}

/// Orders of search.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Search {
    /// The oldest (the default of matching)
    Bfs,
    /// The newest (the default of cegar)
    Dfs,
    /// The one closest to an error
    Error,
}

impl Search {
    /// As `matching` wants it.
    pub fn of_matching(self) -> matching::Search {
        match self {
            Search::Bfs => matching::Search::Bfs,
            Search::Dfs => matching::Search::Dfs,
            Search::Error => matching::Search::Error,
        }
    }
}

impl OrderArgs {
    /// What is wrong with the choice for an engine, if something is.
    pub fn refused(&self, engine: Engine, matching: &MatchingArgs) -> Option<&'static str> {
        let por = match self.por {
            None => true,
            Some(Por::On | Por::Off) => engine == Engine::Matching,
            Some(_) => engine == Engine::Cegar,
        };
        if !por {
            return Some(
                "--por none, basic, aware and source go with --engine cegar, on and off with \
                 --engine matching",
            );
        }
        let ordered = match engine {
            Engine::Cegar => true,
            Engine::Matching => matching.has_order(),
            _ => false,
        };
        (self.search.is_some() && !ordered).then_some(
            "--search goes with --engine cegar and --engine matching; --strategy random-dfs has an \
             order of its own",
        )
    }
}
