//! Points-to analysis: which objects a term can be the address of.
//!
//! Andersen's analysis (inclusion constraints), flow-insensitive, field-sensitive by offset.
//!
//! A value is a copy of an address, moved within its object by C's arithmetic on pointers; or it
//! is a number: a constant, an input, what uninitialised memory holds, the outcome of arithmetic on
//! integers, or bytes that were put together. A number may happen to be an address, if the program
//! has used the address other than by copying it: compared it, computed with it, used it as an
//! index. Such an object (or function) is *exposed*.
//!
//! Law: if in some run a term holds an address of an object, then the object is among its targets,
//! at that offset or at [`Offset::Any`]; but for the address of an object that is not exposed, which
//! a number is only by chance, and which a pointer that has left its own object reaches only by
//! chance. (A pointer that may have left an exposed object may be in any exposed object.)
//!
//! It deliberately knows neither the order of steps nor the instances of an allocation site.

mod cells;
mod flow;
mod fresh;
mod memory;
mod neighbours;
mod ranges;
mod solver;
mod spot;

pub use cells::Cells;
use expr::{ObjId, Term, VarId};
use flow::{Flows, Shift, Source};
pub(crate) use neighbours::Neighbours;
use ranges::Ranges;
use rustc_hash::{FxHashMap, FxHashSet};
pub(crate) use spot::Spot;
use xcfa::{Callee, Label, ObjectKind, ProcId, Xcfa};

/// Where in an object an address points.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Offset {
    /// This many bytes from its start; perhaps outside it.
    At(i64),
    /// Anywhere.
    Any,
}

/// What an address can point to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Target {
    /// The object.
    pub object: ObjId,
    /// Where in it.
    pub offset: Offset,
}

impl Target {
    /// A place in an object.
    pub fn new(object: ObjId, offset: Offset) -> Target {
        Target { object, offset }
    }
}

/// The result of the analysis for one program; it goes stale when the program is changed.
#[derive(Clone, Debug)]
pub struct PointsTo {
    /// What each variable holds. Objects beyond those of the program stand for numbers: the first
    /// for any number, the next for those that come from each of the origins.
    values: Vec<Vec<Spot>>,
    vars: Vec<Vec<Target>>,
    contents: Vec<Vec<Target>>,
    exits: Vec<Target>,
    exposed: Vec<Target>,
    origins: Vec<String>,
    /// By object: the ranges that may be read before they are written.
    unset: FxHashMap<ObjId, Ranges>,
}

impl PointsTo {
    /// Analyses the whole program.
    pub fn of(xcfa: &Xcfa) -> PointsTo {
        solver::solve(xcfa)
    }

    /// What the value of a variable can point to, sorted.
    pub fn var(&self, var: VarId) -> &[Target] {
        &self.vars[var.0 as usize]
    }

    /// What any pointer stored in an object can point to, sorted.
    pub fn contents(&self, object: ObjId) -> &[Target] {
        &self.contents[object.0 as usize]
    }

    /// What the values that threads end with can point to, sorted.
    pub fn thread_results(&self) -> &[Target] {
        &self.exits
    }

    /// What a number that is used as an address can point to, sorted; nothing if none is.
    pub fn exposed(&self) -> &[Target] {
        &self.exposed
    }

    /// The targets of a term, sorted; an object has [`Offset::Any`] alone or some known offsets.
    pub fn targets(&self, xcfa: &Xcfa, term: Term) -> Vec<Target> {
        let is_wide = xcfa.terms.width(term) >= xcfa.pointer_bits();
        self.with_exposed(xcfa, self.held(xcfa, term), is_wide)
    }

    /// The objects of which the value of a term may be a copy of an address, moved perhaps, each
    /// once, sorted: without those that a number may happen to be the address of.
    pub fn copies(&self, xcfa: &Xcfa, term: Term) -> Vec<ObjId> {
        self.objects_in(xcfa, &self.held(xcfa, term))
    }

    /// The same with where in them, the members of all elements of an array kept apart.
    pub(crate) fn copied_spots(&self, xcfa: &Xcfa, term: Term) -> Vec<Spot> {
        let mut held = self.held(xcfa, term);
        held.retain(|spot| (spot.object.0 as usize) < xcfa.objects.len());
        held
    }

    /// The objects of which the value of a variable may be a copy of an address.
    pub fn copies_in(&self, xcfa: &Xcfa, var: VarId) -> Vec<ObjId> {
        self.objects_in(xcfa, &self.values[var.0 as usize])
    }

    fn objects_in(&self, xcfa: &Xcfa, held: &[Spot]) -> Vec<ObjId> {
        let mut objects: Vec<ObjId> = held.iter().map(|target| target.object).collect();
        objects.retain(|object| (object.0 as usize) < xcfa.objects.len());
        objects.dedup();
        objects
    }

    /// May the value of a term be a number that is no copy of an address: one from outside, of memory
    /// that was not written, computed from others or from an address? The numbers where nothing ever
    /// is do not count.
    pub fn may_be_number(&self, xcfa: &Xcfa, term: Term) -> bool {
        let held = self.held(xcfa, term);
        held.iter()
            .any(|spot| spot.object.0 as usize >= xcfa.objects.len())
    }

    /// May an address point to an exposed object, as a number or a pointer that left its object?
    pub fn is_number(&self, xcfa: &Xcfa, addr: Term) -> bool {
        !self.exposed.is_empty() && self.reaches_exposed(xcfa, &self.held(xcfa, addr))
    }

    /// Is one of these any number, or a pointer that may have left an exposed object?
    fn reaches_exposed(&self, xcfa: &Xcfa, held: &[Spot]) -> bool {
        let is_exposed = |object| {
            let found = self.exposed.binary_search_by_key(&object, |it| it.object);
            found.is_ok()
        };
        held.iter().any(|&spot| {
            let is_number = spot.object == number(xcfa).object;
            is_number || spot.strays(xcfa) && is_exposed(spot.object)
        })
    }

    /// The name of the function or variable outside of the program from which an address may come.
    pub fn origin(&self, xcfa: &Xcfa, addr: Term) -> Option<&str> {
        let held = self.held(xcfa, addr);
        let mut origins = held.iter().filter_map(|spot| self.origin_of(xcfa, *spot));
        origins.find(|&origin| origin != UNINITIALISED)
    }

    /// Is an address never anything but what an uninitialised variable held?
    pub fn is_uninitialised(&self, xcfa: &Xcfa, addr: Term) -> bool {
        let held = self.held(xcfa, addr);
        let mut origins = held.iter().filter_map(|spot| self.origin_of(xcfa, *spot));
        self.objects_in(xcfa, &held).is_empty() && origins.any(|origin| origin == UNINITIALISED)
    }

    fn origin_of(&self, xcfa: &Xcfa, spot: Spot) -> Option<&str> {
        let index = (spot.object.0 as usize).checked_sub(xcfa.objects.len() + 1)?;
        self.origins.get(index).map(String::as_str)
    }

    /// Where the value of a term may point, and the numbers that it may be.
    fn held(&self, xcfa: &Xcfa, term: Term) -> Vec<Spot> {
        let mut held = Vec::new();
        let mut add = |shift: Shift, spot: Spot| {
            let (moved, is_number) = shift.apply(xcfa, spot);
            held.extend(moved);
            if is_number {
                held.push(number(xcfa));
            }
        };
        for flow in Flows::default().of(xcfa, term).iter() {
            match flow.source {
                Source::Base(object) => add(flow.shift, Spot::at(object, 0)),
                Source::Var(var) => {
                    let values = &self.values[var.0 as usize];
                    values.iter().for_each(|&spot| add(flow.shift, spot));
                }
                Source::Number => add(flow.shift, number(xcfa)),
                Source::Constant(bits) => {
                    let name = constant_name(bits);
                    let known = self.origins.iter().position(|origin| *origin == name);
                    if let Some(known) = known {
                        add(flow.shift, origin(xcfa, known));
                    }
                }
            }
        }
        normalise(held)
    }

    /// Puts what can be meant in the place of numbers.
    fn with_exposed(&self, xcfa: &Xcfa, mut held: Vec<Spot>, is_wide: bool) -> Vec<Target> {
        let objects = xcfa.objects.len() as u32;
        let is_number = is_wide && self.reaches_exposed(xcfa, &held);
        held.retain(|spot| spot.object.0 < objects);
        if is_number {
            held.extend(self.exposed.iter().map(|it| Spot::anywhere(it.object)));
        }
        targets(&normalise(held))
    }

    /// Only where a number is used as an address does it matter what it can be the address of.
    fn finish(&mut self, xcfa: &Xcfa, found: Found) {
        let labels = xcfa.edges.iter().flat_map(|edge| &edge.labels);
        let mut accessed = labels.filter_map(accessed);
        self.exposed = targets(&found.exposed);
        if !self.exposed.is_empty() && !accessed.any(|addr| self.is_number(xcfa, addr)) {
            self.exposed.clear();
        }
        let is_wide = |var: VarId| xcfa[var].sort.width() >= xcfa.pointer_bits();
        self.vars = xcfa
            .var_ids()
            .map(|var| {
                let values = self.values[var.0 as usize].clone();
                self.with_exposed(xcfa, values, is_wide(var))
            })
            .collect();
        let contents = found.contents.into_iter();
        self.contents = contents
            .map(|held| self.with_exposed(xcfa, held, true))
            .collect();
        self.exits = self.with_exposed(xcfa, found.exits, true);
    }

    /// The objects that an address can point to, each once, sorted.
    pub fn objects(&self, xcfa: &Xcfa, addr: Term) -> Vec<ObjId> {
        let mut objects: Vec<_> = self
            .targets(xcfa, addr)
            .iter()
            .map(|target| target.object)
            .collect();
        objects.dedup();
        objects
    }

    /// The procedures that a function pointer can call, sorted.
    pub fn callees(&self, xcfa: &Xcfa, pointer: Term) -> Vec<(ObjId, ProcId)> {
        let function = |object: ObjId| match xcfa[object].kind {
            ObjectKind::Function(proc) => Some((object, proc)),
            _ => None,
        };
        self.objects(xcfa, pointer)
            .into_iter()
            .filter_map(function)
            .collect()
    }
}

/// What the solver finds besides the values of variables.
struct Found {
    contents: Vec<Vec<Spot>>,
    exits: Vec<Spot>,
    exposed: Vec<Spot>,
}

/// The address that a label accesses, calls or frees.
pub(crate) fn accessed(label: &Label) -> Option<Term> {
    match label {
        Label::Call {
            callee: Callee::Pointer(pointer),
            ..
        } => Some(*pointer),
        _ => label.address(),
    }
}

/// What stands for any number.
fn number(xcfa: &Xcfa) -> Spot {
    Spot::anywhere(ObjId(xcfa.objects.len() as u32))
}

/// What stands for the numbers of an origin.
fn origin(xcfa: &Xcfa, index: usize) -> Spot {
    Spot::anywhere(ObjId((xcfa.objects.len() + 1 + index) as u32))
}

/// The name of the origin of what uninitialised variables hold.
const UNINITIALISED: &str = "uninitialised memory";

/// The name of the origin of a constant that is used as an address.
fn constant_name(bits: u64) -> String {
    format!("{bits:#x}")
}

/// Sorts, and drops places of objects of which any place is possible.
fn normalise(mut spots: Vec<Spot>) -> Vec<Spot> {
    let anywhere = spots.iter().filter(|spot| spot.is_anywhere());
    let anywhere: FxHashSet<ObjId> = anywhere.map(|spot| spot.object).collect();
    spots.retain(|spot| spot.is_anywhere() || !anywhere.contains(&spot.object));
    spots.sort_unstable();
    spots.dedup();
    spots
}

/// The same in the words of the project, which knows one offset or any.
fn targets(spots: &[Spot]) -> Vec<Target> {
    let all: Vec<Target> = spots.iter().map(|spot| spot.target()).collect();
    let is_any = |target: &Target| target.offset == Offset::Any;
    let any: FxHashSet<ObjId> = all
        .iter()
        .filter(|it| is_any(it))
        .map(|it| it.object)
        .collect();
    let kept = all
        .into_iter()
        .filter(|it| is_any(it) || !any.contains(&it.object));
    let mut kept: Vec<Target> = kept.collect();
    kept.sort_unstable();
    kept.dedup();
    kept
}

#[cfg(test)]
mod tests;
