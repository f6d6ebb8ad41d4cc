//! What an engine says about itself.

use crate::OptionSpec;
use verdict::Property;

/// An engine as users see it.
#[derive(Clone, Debug)]
pub struct About {
    /// Its name on the command line: one word.
    pub name: &'static str,
    /// What it does, in one line.
    pub summary: &'static str,
    /// Its page in the manual.
    pub page: &'static str,
    /// The properties that it checks.
    pub properties: Vec<Property>,
    /// What can be chosen.
    pub options: Vec<OptionSpec>,
}

impl About {
    /// The option of that name.
    pub fn option(&self, name: &str) -> Option<&OptionSpec> {
        self.options.iter().find(|option| option.name == name)
    }

    /// Does it check this property?
    pub fn checks(&self, property: Property) -> bool {
        // An engine that checks memory safety checks each part of it.
        let whole = match property {
            Property::MemSafety(_) => Property::MEMSAFETY,
            other => other,
        };
        self.properties.contains(&whole)
    }
}
