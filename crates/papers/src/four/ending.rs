//! Table 2.1: does refinement by weakest preconditions end, and with how many states?

use super::published;
use crate::summary::{count, count_text, seconds_text};
use crate::table::Table;
use crate::{Cell, Id, Part, Program, Results, Seen, Settings};
use matching::{Config, Strategy};
use verdict::grouped;

const TABLE: &str = "Table 2.1";

/// The models, of a few hundred or thousand states as in the paper. Counters that no condition looks
/// at are left out: they would be a gain of every abstraction.
const MODELS: [(&str, &str, &[&str]); 10] = [
    ("Barbershop", "barbershop.c", &["CUTS=1", "AWAY=1"]),
    ("Branches", "branches.c", &["LIMIT=2"]),
    ("CustWorkers", "customers_workers.c", &["COUNT=1"]),
    ("DiningPhil", "philosophers.c", &["MEALS=1"]),
    ("Fibonacci", "fibonacci.c", &[]),
    ("Factorial", "factorial.c", &[]),
    ("Handshake", "handshake.c", &[]),
    ("Hyman", "hyman.c", &["COUNT=1"]),
    ("Stack", "stack.c", &[]),
    ("SumToN", "sum_to_n.c", &["N=3"]),
];

/// What is run: refinement, and a search that visits every state.
const COLUMNS: [(&str, Strategy); 2] = [("AMCS", Strategy::Amcs), ("all", Strategy::RandomDfs)];

/// The refinement is given more time than a hunt: whether it ends is the question.
const LONGER: u32 = 10;

/// What is to be measured.
pub fn cells(settings: &Settings) -> Vec<Cell> {
    let mut cells = Vec::new();
    for (model, file, define) in MODELS {
        let define: Vec<String> = define.iter().map(|&define| define.to_owned()).collect();
        for (column, strategy) in COLUMNS {
            let config = Config {
                strategy,
                por: false,
                symmetry: false,
                ..Config::default()
            };
            cells.push(Cell {
                id: Id::new(TABLE, model, column),
                program: Program::new(&settings.folder, file, &define),
                limit: settings.timeout * LONGER,
                repeat: 1,
                work: Box::new(move |task, budget, _| {
                    Seen::answer(
                        matching::check(task, &config, budget)
                            .confirm(task)
                            .into_answer(),
                        true,
                    )
                }),
            });
        }
    }
    cells
}

/// The table.
pub fn part(results: &Results) -> Part {
    let mut part = Part::new("table-2-1", "Table 2.1: AMCS on models without an error");
    let theirs = published("2.1");
    let head = [
        "model",
        "states of the model",
        "abstract states in the end",
        "predicates",
    ];
    let more = ["solver calls", "s", "our outcome", "paper"];
    let mut table = Table::new(head.into_iter().chain(more));
    for (model, ..) in MODELS {
        let amcs = results.runs(TABLE, model, "AMCS");
        let all = results.runs(TABLE, model, "all");
        if amcs.is_empty() {
            continue;
        }
        let states = count(&all, "concrete states").map(|spread| spread.median as u64);
        let ended = count(&amcs, "abstract states").map(|spread| spread.median as u64);
        let outcome = match (ended, states) {
            (Some(ended), Some(states)) if ended < states => {
                format!("{}/{} bisimulation", grouped(ended), grouped(states))
            }
            (Some(_), Some(_)) => "no gain".to_owned(),
            (None, _) => "did not end in time".to_owned(),
            (Some(_), None) => "-".to_owned(),
        };
        let mut line = vec![model.to_owned(), count_text(&all, "concrete states")];
        let figures = ["abstract states", "predicates", "solver calls"];
        line.extend(figures.map(|figure| count_text(&amcs, figure)));
        line.push(seconds_text(&amcs));
        line.push(outcome);
        line.push(theirs.text(model, "states").to_owned());
        table.row(line);
    }
    if !table.is_empty() {
        part.add(table);
    }
    part
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_model_of_the_paper_has_a_program() {
        let theirs: Vec<&str> = published("2.1").names().collect();
        assert_eq!(theirs, MODELS.map(|(model, ..)| model));
    }
}
