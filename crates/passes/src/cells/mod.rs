//! Memory objects become variables wherever that is exact.
//!
//! Law: the same reachable errors, deadlocks and endless runs as before, step by step: an edge of
//! the result does what the edge of the same number did. Each object that exists at most once is
//! cut into cells, the smallest pieces that accesses distinguish, and each cell is a variable. A
//! load that can hit several cells is `ite(addr == &c1, c1, ...)`, a store is one guarded
//! assignment for each; together they are still one access. An access that can hit no cell is
//! undefined: the run ends there, or an error location is reached ([`OnInvalid`]).
//!
//! A stack or heap object that becomes variables has a constant address from then on: it turns
//! into a static object that is only there to have an address. Locks and condition variables stay
//! in memory at that address, with the labels that use them, and so do loads and stores of their
//! words. What cannot be turned stays as it is, and [`Cells::in_memory`] says why.
//!
//! Where memory is checked ([`OnInvalid::Error`]), an object that stays in memory but exists once has a
//! constant address too, and variables say how large it is and whether it is alive: accesses to it
//! are checked, and their values are read from memory as before. Of a heap object of which there may
//! be many, nothing is known: every access to it, and the end of the process after it was made, may be
//! an error.
//!
//! The choice of uninitialised contents moves from the first load to the allocation, unless
//! nothing of it can be seen. Data races cannot be read off the result (an `ite` mentions cells
//! that it does not access), nor can lost memory.

mod access;
mod checks;
mod conversion;
mod fresh_contents;
mod lifetime;
mod name;
mod owner;
mod partition;
mod rewrite;
mod table;

use access::Accesses;
use conversion::{Conversion, Conversions, MOST_CELLS};
use dataflow::PointsTo;
use expr::{ObjId, VarId};
use fresh_contents::FreshContents;
use lifetime::Ends;
use owner::{Owners, allocation_sites, sizes};
use rewrite::Rewriter;
use table::Table;
use xcfa::{EdgeId, Xcfa};

/// What an invalid access does.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum OnInvalid {
    /// The run ends without counting.
    #[default]
    EndRun,
    /// An error location of its own is reached: [`xcfa::ErrorKind::InvalidDeref`],
    /// [`xcfa::ErrorKind::InvalidFree`] or [`xcfa::ErrorKind::InvalidMemtrack`]. There may be more
    /// errors than in the program, but not fewer.
    Error,
}

/// A piece of an object that has become a variable.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CellVar {
    /// The object.
    pub object: ObjId,
    /// Where the piece starts.
    pub offset: u64,
    /// How many bytes it has.
    pub bytes: u64,
    /// The variable.
    pub var: VarId,
}

/// An object that is still accessed in memory.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct InMemory {
    /// The object.
    pub object: ObjId,
    /// Is only the lock or condition variable in it left there?
    pub only_locks: bool,
    /// Why, as text.
    pub why: String,
}

/// A program with as little memory as possible.
#[derive(Clone, Debug)]
pub struct Cells {
    /// The program; its edges keep their numbers, edges to error locations come behind them.
    pub xcfa: Xcfa,
    /// By edge: the edge of the original program that it stands for.
    pub origin: Vec<EdgeId>,
    /// The variables that were memory.
    pub cells: Vec<CellVar>,
    /// What was not turned.
    pub in_memory: Vec<InMemory>,
}

/// Turns memory into variables.
pub fn cells(xcfa: &Xcfa, on_invalid: OnInvalid) -> Cells {
    cells_for(xcfa, on_invalid, MOST_CELLS)
}

/// The same, but an object stays in memory if one access may hit more than this many places of it.
pub fn cells_for(xcfa: &Xcfa, on_invalid: OnInvalid, most_places: usize) -> Cells {
    let most_places = most_places.min(MOST_CELLS);
    let points_to = PointsTo::of(xcfa);
    let sizes = sizes(xcfa);
    let sites = allocation_sites(xcfa);
    let accesses = Accesses::of(xcfa, &points_to, &sizes, most_places);
    let owners = Owners::new(xcfa, &points_to, &accesses, &sites);
    let fresh_contents = FreshContents::new(xcfa, &points_to, &accesses);
    let conversions = Conversions::of(xcfa, &accesses, &sizes, &sites, &owners, &fresh_contents);
    let mut new = xcfa.clone();
    let ends = Ends::of(xcfa);
    let mut table = Table::new(&mut new, &accesses, &conversions, &ends);
    if on_invalid == OnInvalid::Error {
        table.add_checks(&mut new, &accesses, &conversions, &ends);
    }
    let cells = list_cells(xcfa, &table);
    let mut rewriter = Rewriter {
        old: xcfa,
        new,
        accesses: &accesses,
        conversions: &conversions,
        fresh_contents: &fresh_contents,
        points_to: &points_to,
        sizes: &sizes,
        table,
        on_invalid,
        origin: xcfa.edge_ids().collect(),
        errors: Vec::new(),
    };
    rewriter.run();
    Cells {
        xcfa: rewriter.new,
        origin: rewriter.origin,
        cells,
        in_memory: list_memory(xcfa, &accesses, &conversions),
    }
}

fn list_cells(xcfa: &Xcfa, table: &Table) -> Vec<CellVar> {
    let of_object = |object: ObjId| {
        table.slots(object).iter().map(move |slot| CellVar {
            object,
            offset: slot.piece.start,
            bytes: slot.piece.bytes,
            var: slot.var,
        })
    };
    xcfa.obj_ids().flat_map(of_object).collect()
}

fn list_memory(xcfa: &Xcfa, accesses: &Accesses, conversions: &Conversions<'_>) -> Vec<InMemory> {
    let mut list = Vec::new();
    for object in xcfa.obj_ids() {
        let accessed = accesses.of_object(object).next().is_some();
        let (only_locks, why) = match conversions.conversion(object) {
            Conversion::Memory(why) if accessed => (false, why.clone()),
            Conversion::Cells(_) if conversions.has_locks(object) => (true, "it has locks".into()),
            _ => continue,
        };
        list.push(InMemory {
            object,
            only_locks,
            why,
        });
    }
    list
}

#[cfg(test)]
mod differential;
#[cfg(test)]
mod random;
#[cfg(test)]
mod tests;
