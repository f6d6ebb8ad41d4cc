//! The engines by name.

use crate::Checkers;
use engine::{BadOption, Engine, Options};
use verdict::Property;

/// The known engines.
#[derive(Clone)]
pub struct Registry {
    engines: Vec<&'static dyn Engine>,
}

impl Registry {
    /// Our own engines.
    pub fn standard() -> Registry {
        Registry {
            engines: vec![
                &explore::Explore,
                &bmc::Bmc,
                &cegar::Cegar,
                &fusion::Fusion,
                &graphs::Graphs,
                &horn::Horn,
                &lockset::Lockset,
                &checks::Checks,
                &matching::Matching,
                &reduce::Reduce,
                &simulate::Simulate,
            ],
        }
    }

    /// With one more engine.
    pub fn with(mut self, engine: &'static dyn Engine) -> Registry {
        self.engines.push(engine);
        self
    }

    /// All of them, in the order in which they are listed for users.
    pub fn engines(&self) -> impl Iterator<Item = &'static dyn Engine> + '_ {
        self.engines.iter().copied()
    }

    /// Their names.
    pub fn names(&self) -> Vec<&'static str> {
        self.engines().map(|engine| engine.about().name).collect()
    }

    /// The engine of that name.
    pub fn find(&self, name: &str) -> Option<&'static dyn Engine> {
        self.engines().find(|engine| engine.about().name == name)
    }

    /// The engines with the options that they know, ready for tasks of a property: those that check
    /// it, or only the one that is named.
    pub fn configure(
        &self,
        only: Option<&str>,
        property: Property,
        options: &Options,
    ) -> Result<Checkers, BadOption> {
        let is_wanted = |name: &str| only.is_none_or(|only| only == name);
        let mut checkers = Checkers::default();
        for engine in self.engines() {
            let about = engine.about();
            if is_wanted(about.name) && about.checks(property) {
                checkers.add(engine, engine.configure(property, options)?);
            }
        }
        Ok(checkers)
    }
}
