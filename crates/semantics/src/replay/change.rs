//! Values that a step changed.

use super::Run;
use expr::VarId;
use std::fmt;

/// A value that a step changed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Change {
    /// The variable or cell.
    pub name: String,
    /// Its value before; nothing if it was not set.
    pub old: Option<String>,
    /// Its value after.
    pub new: String,
    /// Can other threads see it?
    pub shared: bool,
    /// A local: the start of its frame, and the variable.
    pub(super) local: Option<(u32, VarId)>,
}

impl Change {
    /// A change of what other threads can see.
    pub fn shared(name: &str, old: Option<&str>, new: &str) -> Change {
        Change {
            name: name.to_owned(),
            old: old.map(str::to_owned),
            new: new.to_owned(),
            shared: true,
            local: None,
        }
    }

    /// Is the value what it was?
    fn is_idle(&self) -> bool {
        self.old.as_ref() == Some(&self.new)
    }
}

/// `x: 0 → 1`, or `x = 1` if it was not set before.
impl fmt::Display for Change {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.old {
            Some(old) => write!(f, "{}: {old} → {}", self.name, self.new),
            None => write!(f, "{} = {}", self.name, self.new),
        }
    }
}

impl Run<'_, '_> {
    /// A local that is set for the first time had no value before; one that keeps its value tells nothing.
    pub(super) fn note_first(&mut self, thread: u32, changes: &mut Vec<Change>) {
        changes.retain_mut(|change| {
            let Some((base, var)) = change.local else {
                return true;
            };
            if self.set.insert((thread, base, var)) {
                change.old = None;
                return true;
            }
            !change.is_idle()
        });
    }

    /// Leaves out writes that change nothing, unless another thread writes there, too: then they may be the
    /// point of the story.
    pub(super) fn drop_idle_writes(&mut self) {
        let written: Vec<(u32, String)> = self
            .steps
            .iter()
            .flat_map(|step| step.changes().map(|change| (step.thread, change)))
            .filter(|(_, change)| change.shared && !change.is_idle())
            .map(|(thread, change)| (thread, change.name.clone()))
            .collect();
        for step in &mut self.steps {
            let thread = step.thread;
            let elsewhere = |name: &str| {
                let mut writes = written.iter();
                writes.any(|(other, written)| *other != thread && written == name)
            };
            for statement in &mut step.statements {
                let changes = &mut statement.changes;
                changes.retain(|change| !change.is_idle() || elsewhere(&change.name));
            }
        }
    }
}
