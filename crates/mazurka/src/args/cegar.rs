//! Options of `--engine cegar`.

use super::{OrderArgs, Por, Prune, Search};
use analysis::por;
use clap::{Args, ValueEnum};
use std::path::PathBuf;

/// How abstractions are built and refined.
#[derive(Args, Clone, Debug)]
#[command(next_help_heading = "Options of --engine cegar")]
pub struct CegarArgs {
    /// What abstract states know
    #[arg(long, value_name = "DOMAIN", default_value = "product")]
    pub domain: Domain,
    /// When two actions of different threads depend on each other
    #[arg(long, value_name = "RELATION", default_value = "ours")]
    pub dependence: Dependence,
    /// Where predicates come from
    #[arg(long, value_name = "HOW", default_value = "wp")]
    pub refine: Refine,
    /// Track this variable from the start
    #[arg(long, value_name = "NAME")]
    pub track: Vec<String>,
    /// Draw the graph of every iteration: a page if the name ends in .html, or a .dot file
    #[arg(long, value_name = "OUT")]
    pub arg: Option<PathBuf>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Domain {
    /// Values of variables
    Expl,
    /// Predicates, each for itself
    PredCart,
    /// Predicates in all combinations
    PredBool,
    /// Values first, predicates where they are not enough
    Product,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Dependence {
    /// A common object, or one element of the precision with objects of both
    Paper,
    /// A common object that one of them writes and the precision contains
    Ours,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Refine {
    /// Weakest preconditions along the unsatisfiable core
    Wp,
    /// Strongest postconditions along it
    Sp,
    /// Sequence interpolants of it, from Spacer
    Spacer,
}

impl CegarArgs {
    /// As the engine wants it.
    pub fn config(&self, prune: Option<Prune>, order: &OrderArgs) -> cegar::Config {
        cegar::Config {
            domain: match self.domain {
                Domain::Expl => cegar::Domain::Explicit,
                Domain::PredCart => cegar::Domain::Cartesian,
                Domain::PredBool => cegar::Domain::Boolean,
                Domain::Product => cegar::Domain::Product,
            },
            por: match order.por {
                Some(Por::None) => por::Base::None,
                Some(Por::Basic) => por::Base::Basic,
                Some(Por::Source) => por::Base::Source,
                _ => por::Base::Aware,
            },
            dependence: match self.dependence {
                Dependence::Paper => por::Dependence::Paper,
                Dependence::Ours => por::Dependence::Ours,
            },
            prune: match prune {
                Some(Prune::Full) => cegar::Prune::Full,
                _ => cegar::Prune::Lazy,
            },
            search: match order.search {
                Some(Search::Bfs) => cegar::Search::Bfs,
                Some(Search::Error) => cegar::Search::Error,
                Some(Search::Dfs) | None => cegar::Search::Dfs,
            },
            refine: match self.refine {
                Refine::Wp => cegar::Refine::Wp,
                Refine::Sp => cegar::Refine::Sp,
                Refine::Spacer => cegar::Refine::Spacer,
            },
            track: self.track.clone(),
            ..cegar::Config::default()
        }
    }
}
