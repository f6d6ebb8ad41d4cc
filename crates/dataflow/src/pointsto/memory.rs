//! The cells of objects, as nodes of the constraint graph.
//!
//! A cell is a place and a size that some access names: one offset, or the offsets of one member in
//! all elements of an array. It has a node for what is stored there and one for what may be loaded
//! there. Two more nodes per object stand for accesses at unknown offsets. What is stored in a cell
//! may be loaded there, from other cells that may be the same, and at unknown offsets; also from
//! cells that overlap it without being equal, with the offset forgotten, since part of a pointer may
//! come back as a whole one. What is stored at an unknown offset may be loaded from every cell.
//!
//! Ranges that hold numbers from the start, or what was there before, are given from outside.

use super::flow::Shift;
use super::ranges::Ranges;
use super::spot::Spot;
use expr::ObjId;
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BTreeMap;

/// A node of the constraint graph, by number.
pub(super) type NodeIx = u32;

/// An inclusion to be added: what is in the first is in the second, after the shift.
pub(super) type Inclusion = (NodeIx, NodeIx, Shift);

/// The nodes of one cell.
#[derive(Clone, Copy)]
struct Cell {
    stored: NodeIx,
    loaded: NodeIx,
}

/// The nodes of one object.
struct Cells {
    anywhere: Cell,
    cells: BTreeMap<(Spot, u32), Cell>,
}

/// The nodes of all objects that are accessed.
pub(super) struct Memory {
    /// The node that is any number.
    number: NodeIx,
    /// By object: the ranges that hold numbers from the start.
    numbers: FxHashMap<ObjId, Ranges>,
    /// By object: the ranges that may be read before they are written.
    pub(super) unset: FxHashMap<ObjId, Ranges>,
    /// By object: where something is stored, whatever it is.
    written: FxHashMap<ObjId, FxHashSet<(Spot, u32)>>,
    objects: FxHashMap<ObjId, Cells>,
    /// Inclusions between cells that the solver has still to take over.
    pub(super) fresh: Vec<Inclusion>,
}

impl Memory {
    /// No object is known yet but for the numbers in it.
    pub(super) fn new(
        number: NodeIx,
        numbers: FxHashMap<ObjId, Ranges>,
        unset: FxHashMap<ObjId, Ranges>,
    ) -> Memory {
        Memory {
            number,
            numbers,
            unset,
            written: FxHashMap::default(),
            objects: FxHashMap::default(),
            fresh: Vec::new(),
        }
    }

    pub(super) fn load(&mut self, at: Spot, size: u32, nodes: &mut NodeIx) -> NodeIx {
        self.cell(at, size, nodes).loaded
    }

    pub(super) fn store(&mut self, at: Spot, size: u32, nodes: &mut NodeIx) -> NodeIx {
        self.written
            .entry(at.object)
            .or_default()
            .insert((at, size));
        self.cell(at, size, nodes).stored
    }

    /// What is loaded from cells that may be read before they are written, and where nothing is ever stored.
    pub(super) fn never_written(&self) -> Vec<NodeIx> {
        let mut found = Vec::new();
        for object in self.unset.keys() {
            let Some(cells) = self.objects.get(object) else {
                continue;
            };
            let written = self.written.get(object);
            let meets = |at: Spot, size| {
                written.into_iter().flatten().any(|&(other, other_size)| {
                    let meeting = at.meets(size, other, other_size);
                    other.is_anywhere() || meeting.is_equal || meeting.overlaps
                })
            };
            if written.is_none() {
                found.push(cells.anywhere.loaded);
            }
            let open = cells
                .cells
                .iter()
                .filter(|&(&(at, size), _)| touches(&self.unset, at, size) && !meets(at, size));
            found.extend(open.map(|(_, cell)| cell.loaded));
        }
        found.sort_unstable();
        found
    }

    /// The node that holds all that is stored in an object, if it is ever accessed.
    pub(super) fn contents(&self, object: ObjId) -> Option<NodeIx> {
        let cells = self.objects.get(&object)?;
        Some(cells.anywhere.loaded)
    }

    fn object(&mut self, object: ObjId, nodes: &mut NodeIx) -> &mut Cells {
        let fresh = &mut self.fresh;
        let (number, numbers) = (self.number, &self.numbers);
        self.objects.entry(object).or_insert_with(|| {
            let anywhere = new_cell(fresh, nodes);
            if numbers.contains_key(&object) {
                fresh.push((number, anywhere.loaded, Shift::NONE));
            }
            Cells {
                anywhere,
                cells: BTreeMap::new(),
            }
        })
    }

    fn cell(&mut self, at: Spot, size: u32, nodes: &mut NodeIx) -> Cell {
        let object = self.object(at.object, nodes);
        if at.is_anywhere() {
            return object.anywhere;
        }
        let anywhere = object.anywhere;
        if let Some(&cell) = object.cells.get(&(at, size)) {
            return cell;
        }
        let cell = new_cell(&mut self.fresh, nodes);
        self.fresh.push((anywhere.stored, cell.loaded, Shift::NONE));
        self.fresh.push((cell.stored, anywhere.loaded, Shift::NONE));
        let overlaps_itself = at.meets(size, at, size).overlaps;
        if overlaps_itself || touches(&self.numbers, at, size) {
            self.fresh.push((self.number, cell.loaded, Shift::NONE));
        }
        self.meet_others(at, size, cell);
        let object = self.objects.get_mut(&at.object).expect("was added above");
        object.cells.insert((at, size), cell);
        cell
    }

    /// What goes over between a new cell and the others of its object.
    fn meet_others(&mut self, at: Spot, size: u32, cell: Cell) {
        let fresh = &mut self.fresh;
        for (&(other_at, other_size), &other) in &self.objects[&at.object].cells {
            let meeting = at.meets(size, other_at, other_size);
            let shifts = [
                meeting.is_equal.then_some(Shift::NONE),
                meeting.overlaps.then_some(Shift::ANYWHERE),
            ];
            for shift in shifts.into_iter().flatten() {
                fresh.push((cell.stored, other.loaded, shift));
                fresh.push((other.stored, cell.loaded, shift));
            }
            if meeting.overlaps && size == other_size {
                // Each holds parts of two values.
                fresh.push((self.number, cell.loaded, Shift::NONE));
                fresh.push((self.number, other.loaded, Shift::NONE));
            }
        }
    }
}

/// May a cell hold a part of the ranges of its object?
fn touches(ranges: &FxHashMap<ObjId, Ranges>, at: Spot, size: u32) -> bool {
    let ranges = ranges.get(&at.object);
    ranges.is_some_and(|ranges| match at.offset() {
        Some(offset) => ranges.touch(offset, offset.saturating_add(size.into())),
        None => true,
    })
}

fn new_cell(fresh: &mut Vec<Inclusion>, nodes: &mut NodeIx) -> Cell {
    let cell = Cell {
        stored: *nodes,
        loaded: *nodes + 1,
    };
    *nodes += 2;
    fresh.push((cell.stored, cell.loaded, Shift::NONE));
    cell
}
