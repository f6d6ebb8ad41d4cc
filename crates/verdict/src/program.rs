//! A program as it was read, and how it is made ready for engines.

use crate::{MemoryModel, Refused};
use cfront::Environment;
use semantics::Property;
use std::sync::Arc;
use xcfa::{DataModel, SourceFile, Span, Xcfa};

/// A program, before a property is chosen.
#[derive(Clone, Debug)]
pub struct Program {
    text: Text,
    preparation: Preparation,
    memory_model: Arc<MemoryModel>,
}

/// The form of a program.
#[derive(Clone, Debug)]
enum Text {
    /// Preprocessed C.
    C {
        text: Arc<cfront::Text>,
        entry: String,
        arguments: Option<Vec<String>>,
        environment: Environment,
        strict: Vec<Span>,
        assumptions: Vec<String>,
    },
    /// An automaton that needs no translation.
    Automaton(Box<Xcfa>),
}

/// What is done to a program before engines see it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Preparation {
    /// Only what is necessary: function pointers are resolved and calls inlined.
    Plain,
    /// The same, and every access of the text is kept, for witnesses.
    Written,
    /// The same as `Plain`, and every fence is a step, and what C's macros for atomics make on the stack is in variables:
    /// what memory models need that are weaker than sequential consistency.
    Ordered,
    /// All passes but large-block encoding.
    Passes,
    /// Large-block encoding alone.
    LargeBlocks,
    /// Everything; the default.
    Full,
}

impl Program {
    /// Preprocessed C files; it starts in `main`, with 64-bit pointers.
    pub fn new(files: Vec<SourceFile>) -> Program {
        Program {
            text: Text::C {
                text: Arc::new(cfront::Text::new(files, DataModel::Lp64)),
                entry: "main".to_owned(),
                arguments: None,
                environment: Environment::Typical,
                strict: Vec::new(),
                assumptions: Vec::new(),
            },
            preparation: Preparation::Full,
            memory_model: Arc::new(MemoryModel::sc()),
        }
    }

    /// An automaton that was built by other means and needs no preparation.
    pub fn from_automaton(xcfa: Xcfa) -> Program {
        Program {
            text: Text::Automaton(Box::new(xcfa)),
            preparation: Preparation::Plain,
            memory_model: Arc::new(MemoryModel::sc()),
        }
    }

    /// With other sizes of C's types.
    pub fn with_model(mut self, chosen: DataModel) -> Program {
        if let Text::C { text, .. } = &mut self.text {
            *text = Arc::new(cfront::Text::new(text.files().to_vec(), chosen));
        }
        self
    }

    /// Starting in another function.
    pub fn with_entry(mut self, function: impl Into<String>) -> Program {
        if let Text::C { entry, .. } = &mut self.text {
            *entry = function.into();
        }
        self
    }

    /// Under another memory model than sequential consistency. Where it is weaker, fences and the accesses of
    /// the text are kept.
    pub fn with_memory_model(mut self, model: MemoryModel) -> Program {
        if !model.is_sc() {
            self.preparation = Preparation::Ordered;
        }
        self.memory_model = Arc::new(model);
        self
    }

    /// Its memory model.
    pub fn memory_model(&self) -> Arc<MemoryModel> {
        Arc::clone(&self.memory_model)
    }

    /// Is it prepared with every fence as a step?
    pub(crate) fn is_ordered(&self) -> bool {
        self.preparation == Preparation::Ordered
    }

    /// Run with these arguments, of which the first is the name of the program.
    pub fn with_arguments(mut self, given: Vec<String>) -> Program {
        if let Text::C { arguments, .. } = &mut self.text {
            *arguments = Some(given);
        }
        self
    }

    /// Run on a system that does this.
    pub fn with_environment(mut self, given: Environment) -> Program {
        if let Text::C { environment, .. } = &mut self.text {
            *environment = given;
        }
        self
    }

    /// With what was assumed when it was read.
    pub fn with_assumptions(mut self, given: Vec<String>) -> Program {
        if let Text::C { assumptions, .. } = &mut self.text {
            *assumptions = given;
        }
        self
    }

    /// Prepared in another way.
    pub fn with_preparation(mut self, preparation: Preparation) -> Program {
        self.preparation = preparation;
        self
    }

    /// With other files instead of its own, in which these texts must be expressions without
    /// effects and without undefined behaviour.
    pub fn with_files(mut self, given: Vec<SourceFile>, texts: Vec<Span>) -> Program {
        if let Text::C { text, strict, .. } = &mut self.text {
            *text = Arc::new(cfront::Text::new(given, text.model()));
            *strict = texts;
        }
        self
    }

    /// Its files.
    pub fn files(&self) -> &[SourceFile] {
        match &self.text {
            Text::C { text, .. } => text.files(),
            Text::Automaton(_) => &[],
        }
    }

    /// The sizes of its types.
    pub fn model(&self) -> DataModel {
        match &self.text {
            Text::C { text, .. } => text.model(),
            Text::Automaton(xcfa) => xcfa.data_model,
        }
    }

    /// Translates it for a property, before any pass.
    pub fn translate(&self, property: Property) -> Result<Xcfa, Refused> {
        let text = match &self.text {
            Text::C { text, .. } => text,
            Text::Automaton(xcfa) => return Ok((**xcfa).clone()),
        };
        let compiled = cfront::compile(text, &self.options(property));
        compiled.map_err(|failure| Refused::by_front_end(&failure))
    }

    /// A C file with a stub for each function that is in the way, or whose effects are not known; `None` if
    /// there is none.
    pub fn stubs(&self, property: Property) -> Result<Option<String>, Refused> {
        let Text::C { text, .. } = &self.text else {
            return Ok(None);
        };
        let stubs = cfront::stubs(text, &self.options(property));
        stubs.map_err(|failure| Refused::by_front_end(&failure))
    }

    /// A C file whose threads call functions of the program, which has no `main` of its own.
    pub fn harness(&self, wanted: &cfront::Harness) -> Result<String, Refused> {
        let Text::C { text, .. } = &self.text else {
            return Err(Refused::new("an automaton has no functions to call"));
        };
        let made = cfront::harness(text, wanted);
        made.map_err(|error| match error {
            cfront::HarnessError::Parse(failure) => Refused::by_front_end(&failure),
            cfront::HarnessError::Refused(why) => Refused::new(why),
        })
    }

    fn options(&self, property: Property) -> cfront::LowerOptions {
        let mut options = cfront::LowerOptions {
            error_calls: property == Property::Reach,
            overflow_checks: property == Property::Overflow,
            usage_checks: property == Property::Usage,
            call_checks: property.is_memsafety(),
            bounds_checks: property.is_memsafety(),
            reads: looks_at_accesses(property),
            waits: waits(property),
            fences: self.is_ordered(),
            ..cfront::LowerOptions::default()
        };
        if let Text::C {
            entry,
            arguments,
            environment,
            strict,
            assumptions,
            ..
        } = &self.text
        {
            options.assumptions = assumptions.clone();
            options.entry = entry.clone();
            options.arguments = arguments.clone();
            options.environment = *environment;
            options.strict = strict.clone();
        }
        options
    }

    /// Translates and transforms it as engines need it; and says where the text has something to execute.
    pub(crate) fn prepare(&self, property: Property) -> Result<(Xcfa, Vec<Span>), Refused> {
        let xcfa = self.translate(property)?;
        let statements = statements(&xcfa);
        if let Text::Automaton(_) = &self.text {
            return Ok((xcfa, statements));
        }
        let sources = xcfa.sources.clone();
        let prepared = passes::prepare(xcfa, &self.preparation.options(property));
        let prepared = prepared.map_err(|error| Refused::at(sources, error.span, error.what))?;
        Ok((prepared, statements))
    }
}

/// Where edges come from, each place once.
fn statements(xcfa: &Xcfa) -> Vec<Span> {
    let mut spans: Vec<Span> = xcfa.edges.iter().map(|edge| edge.span).collect();
    spans.sort_unstable();
    spans.dedup();
    spans
}

impl Preparation {
    /// Those that keep the verdict and are compared with each other in tests.
    pub const ALL: [Preparation; 4] = [
        Preparation::Plain,
        Preparation::Passes,
        Preparation::LargeBlocks,
        Preparation::Full,
    ];

    /// What the passes may do without changing the verdict on a property.
    fn options(self, property: Property) -> passes::Options {
        let written = self == Preparation::Written;
        passes::Options {
            optimise: matches!(self, Preparation::Passes | Preparation::Full),
            promote: self == Preparation::Ordered,
            large_blocks: matches!(self, Preparation::LargeBlocks | Preparation::Full),
            keep_loads: written || looks_at_accesses(property),
            memory_safety: !written && property.is_memsafety(),
            waits: waits(property),
            checked: property.error(),
        }
    }
}

/// Where waiting for ever is an error.
fn waits(property: Property) -> bool {
    matches!(property, Property::Deadlock | Property::Termination)
}

/// Where accesses themselves can be errors, or a part of one, none may be dropped for being of no use.
fn looks_at_accesses(property: Property) -> bool {
    matches!(
        property,
        Property::Race | Property::MemSafety(_) | Property::Robust
    )
}
