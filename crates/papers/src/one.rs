//! Figures 5.3 to 5.6 of "Partial Order Reduction for Abstraction-Based Verification of Concurrent
//! Software": tasks solved, time and explored actions by domain, pruning, blocks and reduction.

mod whole;

use crate::subjects::{Subject, subjects};
use crate::{Cell, Experiment, Id, Part, Program, Published, Results, Seen, Settings};
use abstraction::por::Base;
use cegar::{Config, Domain, Prune};
use std::path::PathBuf;
use verdict::Property;
use whole::{ACTIONS, TIME, Whole};

const DOMAINS: [(&str, Domain); 2] = [("EXPL", Domain::Explicit), ("PRED", Domain::Cartesian)];
const PRUNES: [(&str, Prune); 2] = [("FULL", Prune::Full), ("LAZY", Prune::Lazy)];
const BLOCKS: [(&str, bool); 2] = [("NO_LBE", false), ("LBE", true)];
const REDUCTIONS: [(&str, Base); 3] = [
    ("NO_POR", Base::None),
    ("BASIC", Base::Basic),
    ("AAPOR", Base::Aware),
];

const TABLE: &str = "Figure 5.3";

/// The experiment, over the programs of these folders.
pub struct One {
    /// The folders.
    pub folders: Vec<PathBuf>,
}

impl Experiment for One {
    fn cells(&self, settings: &Settings) -> Result<Vec<Cell>, String> {
        let mut cells = Vec::new();
        for folder in &self.folders {
            for subject in subjects(folder)? {
                // One after the other, so that each program is read only twice.
                for blocks in BLOCKS {
                    cells.extend(of_subject(&subject, blocks, settings));
                }
            }
        }
        Ok(cells)
    }

    fn parts(&self, results: &Results) -> Vec<Part> {
        let whole = Whole::of(results);
        vec![
            whole.solved(),
            whole.evolution(),
            whole.costs("figure-5-5", "Figure 5.5: processor time", &TIME),
            whole.costs("figure-5-6", "Figure 5.6: explored actions", &ACTIONS),
        ]
    }
}

/// A program with or without large blocks, in the twelve ways that there are then.
fn of_subject(
    subject: &Subject,
    (blocks, large_blocks): (&str, bool),
    settings: &Settings,
) -> Vec<Cell> {
    let mut cells = Vec::new();
    for (domain, prune, por) in ways() {
        let config = Config {
            domain: domain.1,
            prune: prune.1,
            por: por.1,
            ..Config::default()
        };
        let safe = subject.safe;
        let column = format!("{} {} {blocks} {}", domain.0, prune.0, por.0);
        cells.push(Cell {
            id: Id::new(TABLE, &subject.name, &column),
            program: Program {
                files: subject.files.clone(),
                define: Vec::new(),
                data_model: subject.data_model,
                large_blocks,
                property: Property::Reach,
            },
            limit: settings.timeout,
            repeat: settings.repeat,
            work: Box::new(move |task, budget, _| {
                Seen::answer(
                    cegar::check(task, &config, budget)
                        .confirm(task)
                        .into_answer(),
                    safe,
                )
            }),
        });
    }
    cells
}

type Named<T> = (&'static str, T);

fn ways() -> impl Iterator<Item = (Named<Domain>, Named<Prune>, Named<Base>)> {
    DOMAINS.into_iter().flat_map(|domain| {
        let pairs = PRUNES.into_iter().map(move |prune| (domain, prune));
        pairs.flat_map(|(domain, prune)| REDUCTIONS.map(|por| (domain, prune, por)))
    })
}

/// The figure as the paper prints it.
pub fn published() -> Published {
    Published::read(include_str!("../data/1-figure-5-3.csv"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_configuration_of_the_paper_is_there() {
        let theirs = published();
        assert_eq!(theirs.names().count(), 8);
        for (domain, _) in DOMAINS {
            for (prune, _) in PRUNES {
                for (blocks, _) in BLOCKS {
                    let name = format!("{domain} {prune} {blocks}");
                    for (por, _) in REDUCTIONS {
                        assert!(theirs.number(&name, por).is_some(), "{name} {por}");
                    }
                }
            }
        }
    }
}
