//! Engines with their options.

use engine::{Checker, Engine};
use verdict::{Answer, Budget, Reason, Task};

/// Configured engines for tasks of one property.
#[derive(Default)]
pub struct Checkers {
    ready: Vec<(&'static str, &'static dyn Engine, Checker)>,
}

impl Checkers {
    pub(crate) fn add(&mut self, engine: &'static dyn Engine, checker: Checker) {
        self.ready.push((engine.about().name, engine, checker));
    }

    /// What an engine says about a task; *unknown* if it does not support it.
    pub fn ask(&self, name: &str, task: &Task, budget: &Budget) -> Answer {
        let found = self.ready.iter().find(|(known, ..)| *known == name);
        let supported = match found {
            Some((_, engine, checker)) => engine.supports(task).map(|()| checker),
            None => Err(format!("{name} does not check {}", task.property)),
        };
        match supported {
            Ok(_) if found.is_some_and(|(_, engine, _)| !engine.knows(&task.memory_model)) => {
                let model = task.memory_model.name().to_owned();
                Answer::unknown(Reason::MemoryModel(model))
            }
            Ok(checker) => checker(task, budget),
            Err(why) => Answer::unknown(Reason::unsupported(why)),
        }
    }
}
