//! The cells of objects, as nodes of the constraint graph.
//!
//! A cell is an (offset, size) that some access names exactly. Two more nodes per object stand
//! for accesses at unknown offsets: what is stored there reaches every cell, and every cell
//! reaches what is loaded there. Cells that overlap without being equal exchange their targets
//! with the offset forgotten, since part of a pointer may come back as a whole one.

use super::flow::Shift;
use super::{Offset, Target};
use expr::ObjId;
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;

/// A node of the constraint graph, by number.
pub(super) type NodeIx = u32;

/// An inclusion to be added: what is in the first is in the second, after the shift.
pub(super) type Inclusion = (NodeIx, NodeIx, Shift);

/// The nodes of one object.
struct Cells {
    stored_anywhere: NodeIx,
    loaded_anywhere: NodeIx,
    exact: BTreeMap<(i64, u32), NodeIx>,
}

/// The nodes of all objects that are accessed.
#[derive(Default)]
pub(super) struct Memory {
    objects: FxHashMap<ObjId, Cells>,
    /// Inclusions between cells that the solver has still to take over.
    pub(super) fresh: Vec<Inclusion>,
}

/// No access is wider than this, in bytes.
const WIDEST: i64 = 8;

impl Memory {
    /// The node that a load of `size` bytes reads.
    pub(super) fn load(&mut self, at: Target, size: u32, nodes: &mut NodeIx) -> NodeIx {
        match at.offset {
            Offset::At(offset) => self.exact(at.object, offset, size, nodes),
            Offset::Any => self.object(at.object, nodes).loaded_anywhere,
        }
    }

    /// The node that a store of `size` bytes writes.
    pub(super) fn store(&mut self, at: Target, size: u32, nodes: &mut NodeIx) -> NodeIx {
        match at.offset {
            Offset::At(offset) => self.exact(at.object, offset, size, nodes),
            Offset::Any => self.object(at.object, nodes).stored_anywhere,
        }
    }

    /// The node that holds all that is stored in an object, if it is ever accessed.
    pub(super) fn contents(&self, object: ObjId) -> Option<NodeIx> {
        self.objects.get(&object).map(|cells| cells.loaded_anywhere)
    }

    fn object(&mut self, object: ObjId, nodes: &mut NodeIx) -> &mut Cells {
        let fresh = &mut self.fresh;
        self.objects.entry(object).or_insert_with(|| {
            let (stored_anywhere, loaded_anywhere) = (*nodes, *nodes + 1);
            *nodes += 2;
            fresh.push((stored_anywhere, loaded_anywhere, Shift::NONE));
            Cells {
                stored_anywhere,
                loaded_anywhere,
                exact: BTreeMap::new(),
            }
        })
    }

    fn exact(&mut self, object: ObjId, offset: i64, size: u32, nodes: &mut NodeIx) -> NodeIx {
        self.object(object, nodes);
        let cells = self.objects.get_mut(&object).expect("was added above");
        if let Some(&node) = cells.exact.get(&(offset, size)) {
            return node;
        }
        let node = *nodes;
        *nodes += 1;
        self.fresh.push((cells.stored_anywhere, node, Shift::NONE));
        self.fresh.push((node, cells.loaded_anywhere, Shift::NONE));
        let end = offset.saturating_add(size as i64);
        let near = (offset.saturating_sub(WIDEST), 0)..(end, 0);
        for (&(other, other_size), &other_node) in cells.exact.range(near) {
            if other.saturating_add(other_size as i64) > offset {
                self.fresh.push((node, other_node, Shift::Anywhere));
                self.fresh.push((other_node, node, Shift::Anywhere));
            }
        }
        cells.exact.insert((offset, size), node);
        node
    }
}
