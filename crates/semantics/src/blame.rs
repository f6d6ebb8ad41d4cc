//! What was wrong with an access: which object it missed, and by how much.

use crate::{Access, Cell, Machine, State};
use expr::ObjId;

/// Nothing is ever in the first bytes of memory.
use crate::layout::FIRST_ADDRESS;
/// An access this far behind an object was probably meant for it; further away another one may
/// have been that is not alive any more.
const NEAR: u64 = 16;

/// An invalid access in words: how many bytes, where, and what is there instead.
pub(crate) fn invalid_access(machine: &Machine<'_>, state: &State, access: &Access) -> String {
    let Cell::Bytes { start, len } = access.cell else {
        return String::new();
    };
    let verb = if access.write { "writes" } else { "reads" };
    let bytes = match len {
        1 => "1 byte".to_owned(),
        len => format!("{len} bytes"),
    };
    let place = match nearest(machine, state, start) {
        _ if start < FIRST_ADDRESS => format!("at address {start:#x}, where nothing ever is"),
        Some((obj, base, size)) if start - base < size + NEAR => {
            let name = &machine.xcfa[obj].name;
            let offset = start - base;
            format!("at offset {offset} of `{name}`, which has {size} bytes")
        }
        _ => format!("at address {start:#x}, where no object is alive any more, or yet"),
    };
    format!("{verb} {bytes} {place}")
}

/// The last live object that starts at or before an address, with its start and size.
fn nearest(machine: &Machine<'_>, state: &State, addr: u64) -> Option<(ObjId, u64, u64)> {
    let statics = machine.layout.statics.iter();
    let statics = statics.map(|range| (range.obj, range.base, range.size));
    let instances = state.memory.instances().iter();
    let instances = instances.map(|instance| (instance.obj, instance.base, instance.size));
    let before = statics
        .chain(instances)
        .filter(|&(_, base, _)| base <= addr);
    before.max_by_key(|&(_, base, _)| base)
}
