//! The atomic accesses and fences of a program's text.

use crate::{Kind, Level};
use expr::{Term, VarId};
use std::collections::{BTreeMap, BTreeSet};
use verdict::{Program, Property, Refused, Task};
use xcfa::{Edge, EdgeId, Label, Place, Scope, Span, Xcfa};

/// An atomic access or a fence with a constant order, by its place in the text. A function that is inlined or a
/// loop that is unrolled makes many steps of it: they all have the same order.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Site {
    /// Where it is.
    pub place: Place,
    /// What is done there.
    pub kind: Kind,
    /// What the text says.
    pub written: Level,
    /// The line of the text.
    pub line: String,
}

/// All sites of a program, and a task for each property.
#[derive(Clone, Debug)]
pub struct Sites {
    /// In the order of the text.
    pub all: Vec<Site>,
    /// By property: the task, and which site each of its edges belongs to.
    tasks: Vec<(Task, BTreeMap<EdgeId, usize>)>,
}

impl Sites {
    /// The sites of a program, which is prepared for these properties. What models of library functions do is
    /// none of them.
    pub fn of(program: &Program, properties: &[Property]) -> Result<Sites, Refused> {
        let mut found: Vec<(Task, Vec<(EdgeId, Site)>)> = Vec::new();
        for &property in properties {
            let own = own_spans(&program.translate(property)?);
            let task = Task::prepare(program, property)?;
            let edges = sites_of(&task.xcfa, &own);
            found.push((task, edges));
        }
        let sites = found.iter().flat_map(|(_, edges)| edges);
        let all: BTreeSet<Site> = sites.map(|(_, site)| site.clone()).collect();
        let all: Vec<Site> = all.into_iter().collect();
        let number = |site: &Site| all.binary_search(site).expect("it was collected");
        let numbered = found.into_iter().map(|(task, edges)| {
            let edges = edges.iter().map(|(edge, site)| (*edge, number(site)));
            (task, edges.collect())
        });
        let tasks = numbered.collect();
        Ok(Sites { all, tasks })
    }

    /// What the text says, by site.
    pub fn written(&self) -> Vec<Level> {
        self.all.iter().map(|site| site.written).collect()
    }

    /// What is assumed about the program.
    pub fn assumptions(&self) -> BTreeSet<String> {
        let all = self
            .tasks
            .iter()
            .flat_map(|(task, _)| &task.xcfa.assumptions);
        all.cloned().collect()
    }

    /// The tasks with other levels, one for each property.
    pub fn tasks(&self, levels: &[Level]) -> impl Iterator<Item = Task> {
        self.tasks.iter().map(move |(task, edges)| {
            let orders = edges.iter().map(|(&edge, &site)| (edge, levels[site].0));
            task.with_orders(&orders.collect())
        })
    }
}

/// The texts of atomic steps before any call is inlined: later, a step of a library function has the text of
/// the user's call.
fn own_spans(xcfa: &Xcfa) -> BTreeSet<Span> {
    let own = |edge: &&Edge| {
        let file = xcfa.sources.files().get(edge.span.file.0 as usize);
        edge.atomic && file.is_some_and(|file| !file.is_library)
    };
    xcfa.edges
        .iter()
        .filter(own)
        .map(|edge| edge.span)
        .collect()
}

fn sites_of(xcfa: &Xcfa, own: &BTreeSet<Span>) -> Vec<(EdgeId, Site)> {
    let edges = xcfa.edges.iter().zip(0..);
    let kinds = edges.filter_map(|(edge, number)| {
        let kind = kind_of(xcfa, edge).filter(|_| own.contains(&edge.span))?;
        Some((EdgeId(number), edge, kind))
    });
    let kinds: Vec<_> = kinds.collect();
    let exchanges = kinds.iter().filter(|(.., kind)| *kind == Kind::Exchange);
    let exchanges: BTreeSet<Span> = exchanges.map(|(_, edge, _)| edge.span).collect();
    let site = |(number, edge, kind): (EdgeId, &Edge, Kind)| {
        // A compare-exchange that fails only reads.
        let kind = match kind == Kind::Load && exchanges.contains(&edge.span) {
            true => Kind::Failure,
            false => kind,
        };
        let written = Level(Some(edge.order?));
        let place = xcfa.sources.place(edge.span);
        let line = line_of(xcfa, edge.span, &place);
        let site = Site {
            place,
            kind,
            written,
            line,
        };
        Some((number, site))
    };
    kinds.into_iter().filter_map(site).collect()
}

/// What an atomic step does, if it accesses memory or is a fence. A global whose address is not taken is a variable.
fn kind_of(xcfa: &Xcfa, edge: &Edge) -> Option<Kind> {
    if !edge.atomic {
        return None;
    }
    let is_shared = |var: VarId| xcfa[var].scope == Scope::Global;
    let names_shared = |term: Term| xcfa.terms.vars(term).into_iter().any(is_shared);
    let mut labels = edge.labels.iter();
    let reads = labels
        .clone()
        .any(|label| matches!(label, Label::Load { .. }) || label.terms().any(names_shared));
    let writes = labels.any(|label| {
        matches!(label, Label::Store { .. }) || label.defines().is_some_and(is_shared)
    });
    match (reads, writes) {
        (true, true) => Some(Kind::Exchange),
        (true, false) => Some(Kind::Load),
        (false, true) => Some(Kind::Store),
        (false, false) => edge.labels.is_empty().then_some(Kind::Fence),
    }
}

/// The line as the user wrote it, if that is known.
fn line_of(xcfa: &Xcfa, span: Span, place: &Place) -> String {
    let original = xcfa.sources.file(span.file).original(&place.file);
    let written = original.and_then(|text| text.lines().nth(place.line as usize - 1));
    let line = written.unwrap_or_else(|| xcfa.sources.line_text(span));
    line.trim().to_owned()
}
