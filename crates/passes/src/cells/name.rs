//! Names for the cells of an object: `s.x`, `table[3]`, or the offset if the layout is unknown.

use xcfa::{Object, Shape};

/// A name for `bytes` bytes at `offset`, and whether the scalar there is signed.
pub(super) fn name(object: &Object, offset: u64, bytes: u64) -> (String, bool) {
    let mut path = object.name.clone();
    if let Some(signed) = find(&object.shape, offset, bytes, &mut path) {
        return (path, signed);
    }
    if offset == 0 && object.size == Some(bytes) {
        return (object.name.clone(), true);
    }
    (format!("{}+{offset}:{bytes}", object.name), true)
}

/// Extends `path` to the scalar that lies exactly there.
fn find(shape: &Shape, offset: u64, bytes: u64, path: &mut String) -> Option<bool> {
    match shape {
        Shape::Scalar { sort, signed } => {
            let whole = offset == 0 && sort.bytes() == bytes;
            whole.then_some(*signed)
        }
        Shape::Array {
            element,
            count,
            stride,
        } => {
            let index = offset.checked_div(*stride).filter(|index| index < count)?;
            path.push_str(&format!("[{index}]"));
            find(element, offset % stride, bytes, path)
        }
        Shape::Record(members) => {
            let before = path.len();
            members.iter().find_map(|(name, at, shape)| {
                path.truncate(before);
                path.push('.');
                path.push_str(name);
                find(shape, offset.checked_sub(*at)?, bytes, path)
            })
        }
        Shape::Bytes => None,
    }
}
