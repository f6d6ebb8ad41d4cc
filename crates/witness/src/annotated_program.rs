//! A program with its text, and what connects the two.

use crate::condition::Value;
use crate::outline::{BranchText, contains};
use crate::yaml::Location;
use crate::{Outline, Places, SourcePosition};
use dataflow::BitSet;
use expr::{Sort, sign_extend};
use semantics::Machine;
use xcfa::{EdgeId, Label, LocId, Span, Xcfa};

/// What is known about the text of an edge.
#[derive(Clone, Debug)]
struct About {
    place: Option<SourcePosition>,
    function: Option<usize>,
    statement: Option<usize>,
    call: Option<usize>,
}

/// A program with its text.
pub struct AnnotatedProgram<'a> {
    /// The program, as [`verdict::Preparation::Written`] leaves it.
    pub machine: &'a Machine<'a>,
    /// The user's files.
    pub places: &'a Places,
    /// What is in them.
    pub outline: &'a Outline,
    about: Vec<About>,
}

impl<'a> AnnotatedProgram<'a> {
    /// Connects a program with its text.
    pub fn new(
        machine: &'a Machine<'a>,
        places: &'a Places,
        outline: &'a Outline,
    ) -> AnnotatedProgram<'a> {
        let xcfa = machine.xcfa;
        let about = |edge: &xcfa::Edge| About {
            place: places.start(&xcfa.sources, edge.span),
            function: innermost(outline.functions.iter().map(|f| f.body), edge.span),
            statement: innermost(outline.statements.iter().map(|s| s.span), edge.span),
            call: call(outline, edge.span),
        };
        AnnotatedProgram {
            machine,
            places,
            outline,
            about: xcfa.edges.iter().map(about).collect(),
        }
    }

    fn about(&self, edge: EdgeId) -> &About {
        &self.about[edge.0 as usize]
    }

    /// Where the text of an edge starts.
    pub fn place(&self, edge: EdgeId) -> Option<SourcePosition> {
        self.about(edge).place
    }

    /// The line of an edge, in whichever file.
    pub fn line(&self, edge: EdgeId) -> Option<u32> {
        self.place(edge).map(|place| place.line)
    }

    pub(crate) fn line_of(&self, span: Span) -> Option<u32> {
        let place = self.places.start(&self.machine.xcfa.sources, span);
        place.map(|place| place.line)
    }

    pub(crate) fn is_call(&self, span: Span) -> bool {
        self.outline.calls.iter().any(|call| call.span == span)
    }

    /// The function that the text of an edge is in.
    pub fn function(&self, edge: EdgeId) -> Option<&str> {
        let at = self.about(edge).function?;
        Some(&self.outline.functions[at].name)
    }

    /// The statement that the text of an edge is in, by number.
    pub fn statement(&self, edge: EdgeId) -> Option<usize> {
        self.about(edge).statement
    }

    /// The call that the text of an edge is, or is in, by number.
    pub(crate) fn call(&self, edge: EdgeId) -> Option<usize> {
        self.about(edge).call
    }

    /// The function that is called there.
    pub fn call_name(&self, edge: EdgeId) -> Option<&str> {
        let call = &self.outline.calls[self.about(edge).call?];
        call.name.as_deref()
    }

    pub(crate) fn ends_thread(&self, edge: EdgeId) -> bool {
        let mut labels = self.machine.xcfa[edge].labels.iter();
        labels.any(|label| matches!(label, Label::ThreadExit(_)))
    }

    /// The function that the program starts in.
    pub fn main_function(&self) -> &str {
        self.machine.xcfa[self.machine.xcfa.main].function()
    }

    pub(crate) fn statement_location(&self, edge: EdgeId) -> Option<Location> {
        let mut place = self.place(edge)?;
        match self.statement(edge).map(|at| self.outline.statements[at]) {
            Some(statement) => {
                let start = self
                    .places
                    .start(&self.machine.xcfa.sources, statement.span);
                place = start.unwrap_or(place);
                if statement.declaration {
                    place.column = None;
                }
            }
            None => place.column = None,
        }
        Some(self.location(place, edge))
    }

    /// Where the call of an edge ends: at its closing parenthesis.
    pub(crate) fn call_location(&self, edge: EdgeId) -> Option<Location> {
        let call = &self.outline.calls[self.about(edge).call?];
        self.end_of_call(call.span)
    }

    pub(crate) fn end_of_call(&self, span: Span) -> Option<Location> {
        let place = self.places.end(&self.machine.xcfa.sources, span)?;
        Some(Location {
            file_name: self.places.name(place.file).to_owned(),
            line: place.line,
            column: place.column,
            function: self.outline.function_at(span).map(str::to_owned),
        })
    }

    fn location(&self, place: SourcePosition, edge: EdgeId) -> Location {
        Location {
            file_name: self.places.name(place.file).to_owned(),
            line: place.line,
            column: place.column,
            function: self.function(edge).map(str::to_owned),
        }
    }

    /// A value that a function from outside has returned, as C writes it.
    pub(crate) fn input_value(&self, function: &str, sort: Sort, bits: u64) -> Option<String> {
        let known = self.outline.inputs.iter().find(|f| f.name == function);
        let signed = known.map_or(Some(true), |f| f.signed)?;
        match sort {
            Sort::Bool => Some(bits.to_string()),
            Sort::Bv(width) if signed => Some(sign_extend(bits, width).to_string()),
            Sort::Bv(_) => Some(bits.to_string()),
            Sort::Float(_) => None,
        }
    }

    /// The same, for conditions.
    pub(crate) fn returned_value(&self, function: &str, sort: Sort, bits: u64) -> Value {
        let known = self.outline.inputs.iter().find(|f| f.name == function);
        let signed = known.and_then(|f| f.signed).unwrap_or(true);
        match sort {
            Sort::Bool => Value::int(bits, 8, false),
            sort => Value::int(bits, sort.width(), signed),
        }
    }

    pub(crate) fn edges(&self, wanted: impl Fn(EdgeId) -> bool) -> BitSet {
        let mut set = BitSet::new();
        for edge in self.machine.xcfa.edge_ids().filter(|&edge| wanted(edge)) {
            set.insert(edge.0 as usize);
        }
        set
    }

    /// Which way a condition goes along an edge of it; `None` if the edge does not decide it.
    pub(crate) fn decides(&self, branch: &BranchText, edge: EdgeId) -> Option<bool> {
        let xcfa = self.machine.xcfa;
        let guard = |label: &Label| matches!(label, Label::Assume(_));
        if !contains(branch.cond, xcfa[edge].span) || !xcfa[edge].labels.iter().any(guard) {
            return None;
        }
        let mut sides = [false, false];
        let mut seen = BitSet::new();
        let mut todo = vec![xcfa[edge].target];
        while let Some(loc) = todo.pop() {
            if !seen.insert(loc.0 as usize) {
                continue;
            }
            for &next in &xcfa[loc].out {
                let span = xcfa[next].span;
                if contains(branch.cond, span) {
                    // Only a loop with an empty body comes straight back to its condition.
                    let empty = branch.repeats && branch.body.hi <= branch.body.lo + 2;
                    return empty.then_some(true);
                }
                sides[usize::from(contains(branch.body, span))] = true;
            }
        }
        match sides {
            [false, true] => Some(true),
            [true, false] => Some(false),
            _ => None,
        }
    }
}

fn innermost(spans: impl Iterator<Item = Span>, inner: Span) -> Option<usize> {
    let around = spans.enumerate().filter(|(_, span)| contains(*span, inner));
    let smallest = around.min_by_key(|(_, span)| span.hi - span.lo);
    smallest.map(|(at, _)| at)
}

/// The innermost call around a span, or else the first one in it.
fn call(outline: &Outline, span: Span) -> Option<usize> {
    let around = innermost(outline.calls.iter().map(|call| call.span), span);
    let inside = || {
        outline
            .calls
            .iter()
            .position(|call| contains(span, call.span))
    };
    around.or_else(inside)
}

pub(crate) fn leaving(xcfa: &Xcfa, loc: LocId) -> &[EdgeId] {
    &xcfa[loc].out
}
