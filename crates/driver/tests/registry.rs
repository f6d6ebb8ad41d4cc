//! What the rest of the house relies on about engines.

use driver::{Property, Registry};
use engine::{Options, Values};
use std::collections::BTreeSet;

#[test]
fn names_are_words_and_differ() {
    let names = Registry::standard().names();
    let different: BTreeSet<_> = names.iter().collect();
    assert_eq!(names.len(), different.len(), "{names:?}");
    let is_word = |name: &&str| name.chars().all(|letter| letter.is_ascii_lowercase());
    assert!(names.iter().all(is_word), "{names:?}");
}

#[test]
fn every_engine_has_a_page_and_works_with_its_defaults() {
    for engine in Registry::standard().engines() {
        let about = engine.about();
        let page = testkit::workspace_dir().join("docs").join(about.page);
        assert!(page.is_file(), "{} has no page", about.name);
        let source = format!("crates/{}/src/lib.rs", about.name);
        let source = testkit::workspace_dir().join(source);
        let source = std::fs::read_to_string(source).expect("the engine's crate");
        let link = format!("](../../../docs/{})", about.page);
        assert!(
            source.contains(&link),
            "{} does not link {}",
            about.name,
            about.page
        );
        for property in about.properties {
            let ready = engine.configure(property, &Options::default());
            assert!(ready.is_ok(), "{}: {:?}", about.name, ready.err());
        }
    }
}

#[test]
fn defaults_are_values() {
    for engine in Registry::standard().engines() {
        for option in engine.about().options {
            if let (Values::OneOf(words), false) = (&option.values, option.default.is_empty()) {
                let known = words.iter().any(|word| word.name == option.default);
                assert!(known, "--{} {}", option.name, option.default);
            }
        }
    }
}

#[test]
fn the_portfolio_asks_engines_that_check_the_property() {
    let registry = Registry::standard();
    for (property, bounded) in Property::ALL
        .into_iter()
        .flat_map(|it| [(it, true), (it, false)])
    {
        for step in portfolio::steps(property, bounded) {
            let engine = registry.find(step.engine);
            let engine = engine.unwrap_or_else(|| panic!("there is no {}", step.engine));
            assert!(
                engine.about().checks(property),
                "{} {property}",
                step.engine
            );
        }
    }
}
