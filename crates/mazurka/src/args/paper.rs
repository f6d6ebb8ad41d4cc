//! `mazurka paper`.

use super::{Switch, engines};
use clap::{Args, ValueEnum};
use std::path::PathBuf;
use std::time::Duration;

const KEPT: &str = "\
With --out DIR the results are kept in DIR/N.results.jsonl as they come: the same command goes on where
an interrupted one stopped. The page DIR/N.md gets the tables between comments `<!-- begin NAME -->` and
`<!-- end NAME -->`, whatever else it says stays; the figures are SVG files beside it.

Exit status: 0 all was measured, 1 a verdict is wrong, 2 stopped by Ctrl-C.";

/// `mazurka paper`.
#[derive(Args, Clone, Debug)]
#[command(after_help = KEPT, after_long_help = KEPT)]
pub struct PaperArgs {
    /// Which paper
    #[arg(value_name = "PAPER")]
    pub paper: WhichPaper,
    /// Time limit for one run [default: chosen so that everything takes a few minutes]
    #[arg(long, value_name = "TIME", value_parser = super::seconds)]
    pub timeout: Option<Duration>,
    /// How often to run each cell; median and spread are shown [default: 3, for paper 1: 1]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=100))]
    pub repeat: Option<u32>,
    /// Only cells with this text in TABLE/ROW/COLUMN
    #[arg(long, value_name = "TEXT")]
    pub filter: Option<String>,
    /// Abort a run that takes more memory than this
    #[arg(long, value_name = "SIZE", default_value = "4G", value_parser = super::bytes)]
    pub memory: u64,
    /// Where the programs are [default: a folder in bench/]; for paper 1 folders with an expect.toml
    /// or with tasks (*.yml) below them, may be repeated [default: examples and litmus]
    #[arg(long, value_name = "DIR")]
    pub folder: Vec<PathBuf>,
    /// Write the tables and figures to this folder, and keep all results there
    #[arg(long, value_name = "DIR")]
    pub out: Option<PathBuf>,
    #[command(flatten)]
    pub hunt: HuntArgs,
}

/// The papers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum WhichPaper {
    /// Figures 5.3 to 5.6 of "Partial Order Reduction for Abstraction-Based Verification of
    /// Concurrent Software": 24 configurations of --engine cegar
    #[value(name = "1")]
    One,
    /// Tables I and II of "Reduction for Compositional Verification of Multi-Threaded Programs":
    /// --engine horn with and without reduction
    #[value(name = "2")]
    Two,
    /// Table 1 and Figure 8 of "Peephole Partial Order Reduction": four reductions of --engine bmc
    /// --encoding scheduler
    #[value(name = "3")]
    Three,
    /// Tables 2.1 and 5.1 to 5.5 of "Finding Termination and Time Improvement in Predicate Abstraction
    /// with Under-Approximation and Abstract Matching": seven strategies of --engine matching
    #[value(name = "4")]
    Four,
    /// Table 1 and Figure 6 of "Symbolic Pruning of Concurrent Program Executions": --engine fusion
    /// with and without a solver
    #[value(name = "5")]
    Five,
}

/// How states are searched for.
#[derive(Args, Clone, Debug)]
#[command(next_help_heading = "Options of paper 4")]
pub struct HuntArgs {
    /// How many states of each model to search for [default: 40]
    #[arg(long, value_name = "N")]
    pub count: Option<usize>,
    /// Seed that selects these states in the first run [default: 1]
    #[arg(long, value_name = "N")]
    pub seed: Option<u64>,
    /// Which state comes next, except for random search [default: bfs]
    #[arg(long, value_name = "ORDER", value_parser = engines::words(&matching::SEARCH.spec()))]
    pub search: Option<String>,
    /// Let splitting strategies store few states and search more often instead [default: off]
    #[arg(long, value_name = "ON")]
    pub frugal: Option<Switch>,
}

impl PaperArgs {
    /// What is wrong with the choice, if something is.
    pub fn refused(&self) -> Option<&'static str> {
        let HuntArgs {
            count,
            seed,
            search,
            frugal,
        } = &self.hunt;
        let hunts = count.is_some() || seed.is_some() || search.is_some() || frugal.is_some();
        if hunts && self.paper != WhichPaper::Four {
            return Some("--count, --seed, --search and --frugal are for paper 4");
        }
        if self.folder.len() > 1 && self.paper != WhichPaper::One {
            return Some("only paper 1 takes several folders");
        }
        None
    }
}
