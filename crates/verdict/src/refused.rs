//! Input that is not accepted.

use crate::obstacles;
use std::fmt;
use xcfa::{Sources, Span};

/// Why a program is not accepted, for its author.
#[derive(Clone, Debug)]
pub struct Refused {
    /// What is wrong, in one sentence.
    pub what: String,
    /// Where, if it is about a place in the text.
    pub place: Option<(Sources, Span)>,
    /// What else is in the way, in the same sources.
    pub others: Vec<(Span, String)>,
    /// Lines to print below the sentence: what the compiler says, what can be done.
    pub details: String,
}

impl Refused {
    /// Something is wrong, at no particular place.
    pub fn new(what: impl Into<String>) -> Refused {
        Refused {
            what: what.into(),
            place: None,
            others: Vec::new(),
            details: String::new(),
        }
    }

    /// Something is wrong at this place.
    pub fn at(sources: Sources, span: Span, what: impl Into<String>) -> Refused {
        Refused {
            place: Some((sources, span)),
            ..Refused::new(what)
        }
    }

    /// The front end does not accept it: its first reason at its place, and below it all of them.
    pub fn by_front_end(failure: &cfront::ParseFailure) -> Refused {
        let error = &failure.error;
        let others = failure.others.iter();
        Refused {
            others: others.map(|it| (it.span, it.what.clone())).collect(),
            ..Refused::at(failure.sources.clone(), error.span, &error.what)
        }
        .with_details(&obstacles::details(failure))
    }

    /// With additional lines.
    pub fn with_details(mut self, more: &str) -> Refused {
        self.details += more;
        self
    }
}

impl fmt::Display for Refused {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.place {
            Some((sources, span)) => write!(f, "{}: {}", sources.place(*span), self.what),
            None => write!(f, "{}", self.what),
        }
    }
}

impl std::error::Error for Refused {}
