//! The five papers, and what an experiment is.

use crate::{Cell, Part, Results};
use std::path::PathBuf;
use std::time::Duration;

/// A paper, with the limits under which its experiment takes a few minutes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Paper {
    /// Its number here.
    pub number: u8,
    /// Its title.
    pub title: &'static str,
    /// Where it can be found.
    pub source: &'static str,
    /// The folders of its programs in the repository; only paper 1 has several.
    pub folders: &'static [&'static str],
    /// Seconds for one run.
    pub timeout: u64,
    /// Runs of each cell.
    pub repeat: u32,
}

/// All of them.
pub const PAPERS: [Paper; 5] = [
    Paper {
        number: 1,
        title: "Partial Order Reduction for Abstraction-Based Verification of Concurrent Software",
        source: "Telbisz, Budapest University of Technology and Economics, 2022",
        folders: &["examples", "litmus"],
        timeout: 1,
        repeat: 1,
    },
    Paper {
        number: 2,
        title: "Reduction for Compositional Verification of Multi-Threaded Programs",
        source: "Popeea, Rybalchenko and Wilhelm, FMCAD 2014",
        folders: &["bench/horn"],
        timeout: 60,
        repeat: 3,
    },
    Paper {
        number: 3,
        title: "Peephole Partial Order Reduction",
        source: "Wang, Yang, Kahlon and Gupta, TACAS 2008",
        folders: &["bench/peephole"],
        timeout: 20,
        repeat: 3,
    },
    Paper {
        number: 4,
        title: "Finding Termination and Time Improvement in Predicate Abstraction with \
                Under-Approximation and Abstract Matching",
        source: "Kudra, Brigham Young University, 2007",
        folders: &["bench/matching"],
        timeout: 3,
        repeat: 3,
    },
    Paper {
        number: 5,
        title: "Symbolic Pruning of Concurrent Program Executions",
        source: "Wang, Chaudhuri, Gupta and Yang, ESEC/FSE 2009",
        folders: &["bench/fusion"],
        timeout: 30,
        repeat: 3,
    },
];

/// What the user can choose for every paper.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Settings {
    /// Where the programs are.
    pub folder: PathBuf,
    /// For one run, on the clock.
    pub timeout: Duration,
    /// How often each cell is run.
    pub repeat: u32,
}

/// The tables and figures of a paper: what is measured, and how it is shown.
///
/// Law: `parts` reads nothing but the results, and shows a row if anything of it has been
/// measured. So an interrupted run, a part of the rows and a run that goes on need nothing special.
pub trait Experiment {
    /// Everything that is to be measured.
    fn cells(&self, settings: &Settings) -> Result<Vec<Cell>, String>;
    /// The tables and figures of what has been measured.
    fn parts(&self, results: &Results) -> Vec<Part>;
}
