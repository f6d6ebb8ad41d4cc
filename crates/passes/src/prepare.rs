//! All passes in order.

use crate::{
    PointsTo, Unsupported, contract_idle_edges, foreign_access, inline, large_blocks,
    narrow_inputs, propagate_constants, remove_dead_code, remove_unused, resolve,
};
use xcfa::{ErrorKind, Xcfa};

/// What the passes may do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Options {
    /// Simplify: constants, dead code, idle steps, inputs that are only tested.
    pub optimise: bool,
    /// Fold local steps into the shared operation before them.
    pub large_blocks: bool,
    /// Keep every access, even if its value is not used: for races and memory safety.
    pub keep_loads: bool,
    /// The kind of error that the property is about. Reaching another kind just ends the process.
    pub checked: Option<ErrorKind>,
}

impl Default for Options {
    /// Everything on, for reachability of errors.
    fn default() -> Options {
        Options {
            optimise: true,
            large_blocks: true,
            keep_loads: false,
            checked: Some(ErrorKind::Reached),
        }
    }
}

/// Constants decide branches, branches make code dead, dead code makes constants; more rounds
/// than this hardly ever find anything.
const ROUNDS: usize = 3;

/// From what the front end made to what engines work on: no calls but recursive ones, no calls
/// through pointers, and as few variables, objects and steps as the options allow.
///
/// Law: the same verdict for the property that the options are meant for.
pub fn prepare(mut xcfa: Xcfa, options: &Options) -> Result<Xcfa, Unsupported> {
    let points_to = PointsTo::of(&xcfa);
    let foreign = foreign_access(&xcfa, &points_to);
    resolve(&mut xcfa, &points_to);
    let mut xcfa = inline(xcfa)?;
    xcfa.foreign = foreign;
    remove_unused(&mut xcfa);
    if options.optimise {
        for _ in 0..ROUNDS {
            let before = xcfa.edges.len();
            propagate_constants(&mut xcfa);
            remove_dead_code(&mut xcfa, options.keep_loads);
            contract_idle_edges(&mut xcfa);
            if xcfa.edges.len() == before {
                break;
            }
        }
        if narrow_inputs(&mut xcfa) {
            propagate_constants(&mut xcfa);
            remove_dead_code(&mut xcfa, options.keep_loads);
        }
        contract_idle_edges(&mut xcfa);
        remove_unused(&mut xcfa);
    }
    if options.large_blocks {
        large_blocks(&mut xcfa, options);
    }
    Ok(xcfa)
}
