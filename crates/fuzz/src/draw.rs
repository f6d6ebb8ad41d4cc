//! Random settings for every engine, so that a campaign covers all of them.

use crate::contestant::{Contestant, How};
use driver::Registry;
use engine::{Engine, Options};
use generator::Rng;
use std::path::Path;
use verdict::{Preparation, Property};

/// How often, in percent, a setting keeps its default.
const DEFAULT: usize = 40;

/// The whole command, among the engines.
const AUTO: &str = "auto";

/// The names of the engines that can answer for the property.
fn fitting(property: Property) -> Vec<&'static str> {
    let registry = Registry::standard();
    let engines = registry.engines().map(|engine| engine.about());
    let engines = engines.filter(|about| about.checks(property));
    engines.map(|about| about.name).chain([AUTO]).collect()
}

/// Random engines for the property, with random settings. `command` is what `auto` runs.
pub fn contestants(
    rng: &mut Rng,
    property: Property,
    most: usize,
    command: Option<&Path>,
) -> Vec<Contestant> {
    let mut fitting = fitting(property);
    // The command costs as much as several engines, and exploration has been asked already.
    if !rng.chance(15) || command.is_none() {
        fitting.retain(|engine| *engine != AUTO);
    }
    if !rng.chance(25) {
        fitting.retain(|engine| *engine != "explore");
    }
    while fitting.len() > most {
        fitting.remove(rng.below(fitting.len()));
    }
    let registry = Registry::standard();
    let contestant = |name| match (registry.find(name), command) {
        (Some(engine), _) => Some(with_settings(rng, engine, property)),
        (None, Some(command)) => Some(whole_command(rng, command)),
        (None, None) => None,
    };
    fitting.into_iter().filter_map(contestant).collect()
}

fn whole_command(rng: &mut Rng, command: &Path) -> Contestant {
    let paranoid = rng.chance(30).then(|| "--paranoid".to_owned());
    Contestant {
        engine: AUTO,
        settings: paranoid.into_iter().collect(),
        preparation: Preparation::Full,
        how: How::Command(command.to_owned()),
    }
}

/// An engine with a value for each of its options that go together.
fn with_settings(rng: &mut Rng, engine: &dyn Engine, property: Property) -> Contestant {
    let about = engine.about();
    let mut drawn: Vec<(&'static str, String)> = Vec::new();
    for option in about.options {
        let samples = option.samples();
        if let Some(first) = samples.first() {
            let value = match rng.chance(DEFAULT) {
                true => first.clone(),
                false => samples[rng.below(samples.len())].clone(),
            };
            drawn.push((option.name, value));
        }
    }
    let options = loop {
        let mut options = Options::default();
        let given = drawn.iter();
        given.for_each(|(name, value)| options.add(*name, value.as_str()));
        match engine.configure(property, &options) {
            Ok(_) => break options,
            Err(bad) if drawn.iter().any(|(name, _)| *name == bad.option) => {
                drawn.retain(|(name, _)| *name != bad.option);
            }
            // The wrong setting is none of those drawn.
            Err(_) => drawn.clear(),
        }
    };
    let named = drawn
        .iter()
        .map(|(name, value)| format!("--{name} {value}"));
    let mut settings: Vec<String> = named.collect();
    let mut preparation = engine.preparation().unwrap_or(Preparation::Full);
    if about.name == "explore" {
        // As prepared for users it has been asked already.
        preparation = rng.pick(&[
            Preparation::Plain,
            Preparation::Passes,
            Preparation::LargeBlocks,
        ]);
        settings.push(format!("({preparation:?})"));
    }
    Contestant {
        engine: about.name,
        settings,
        preparation,
        how: How::Engine(options),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn every_engine_and_every_setting_is_drawn() {
        let (mut engines, mut settings) = (BTreeSet::new(), BTreeSet::new());
        for seed in 0..3000 {
            let mut rng = Rng::new(seed);
            let property = rng.pick(&Property::ALL);
            for drawn in contestants(&mut rng, property, 3, Some(Path::new("mazurka"))) {
                assert!(fitting(property).contains(&drawn.engine), "{}", drawn.who());
                engines.insert(drawn.engine);
                let named = drawn.settings.iter();
                settings.extend(named.map(|setting| format!("{} {setting}", drawn.engine)));
            }
        }
        let registry = Registry::standard();
        assert_eq!(engines.len(), registry.names().len() + 1, "{engines:?}");
        for engine in registry.engines() {
            let about = engine.about();
            for option in about.options {
                for value in option.samples() {
                    let setting = format!("{} --{} {value}", about.name, option.name);
                    assert!(settings.contains(&setting), "{setting}");
                }
            }
        }
    }
}
