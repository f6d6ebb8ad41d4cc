//! Every program that an experiment names is in the repository.

use papers::{Experiment, Five, Four, One, PAPERS, Settings, Three, Two};
use std::collections::BTreeSet;
use std::time::Duration;

/// How many cells an experiment has, after a look at its programs.
fn cells(paper: usize, experiment: &dyn Experiment) -> usize {
    let settings = Settings {
        folder: testkit::workspace_dir().join(PAPERS[paper].folders[0]),
        timeout: Duration::from_secs(1),
        repeat: 1,
    };
    let cells = experiment.cells(&settings).unwrap();
    let mut names = BTreeSet::new();
    for cell in &cells {
        assert!(names.insert(cell.id.to_string()), "{} comes twice", cell.id);
        for file in &cell.program.files {
            assert!(file.is_file(), "{} is missing", file.display());
        }
    }
    cells.len()
}

#[test]
fn every_experiment_has_its_programs() {
    let folders = PAPERS[0].folders.iter();
    let one = One {
        folders: folders
            .map(|name| testkit::workspace_dir().join(name))
            .collect(),
    };
    assert!(cells(0, &one).is_multiple_of(24) && cells(0, &one) > 24 * 100);
    assert_eq!(cells(1, &Two), 2 * (13 + 5) + 2 * (3 + 6));
    assert_eq!(cells(2, &Three), 4 * (14 + 8));
    let four = Four {
        count: 40,
        seed: 1,
        search: matching::Search::Bfs,
        frugal: false,
    };
    assert_eq!(cells(3, &four), 2 * 10 + 7);
    assert_eq!(cells(4, &Five), 2 * (17 + 11));
}

#[test]
fn a_folder_without_tasks_is_an_error() {
    let empty = tempfile::tempdir().unwrap();
    let one = One {
        folders: vec![empty.path().to_owned()],
    };
    let settings = Settings {
        folder: empty.path().to_owned(),
        timeout: Duration::from_secs(1),
        repeat: 1,
    };
    assert!(one.cells(&settings).is_err());
}
