//! All passes in order.

use crate::arrays::fix_array_sizes;
use crate::joins::mark_doubtful;
use crate::{
    Unsupported, contract_idle_edges, follow_models, inline, large_blocks, narrow_inputs, promote,
    promote_for_models, propagate_constants, remove_dead_code, remove_relocks, remove_unused,
    resolve,
};
use dataflow::{
    PointsTo, address_use, constant_write, doubtful_joins, foreign_access, handle_use, mark_reuse,
    resized_in_place, stack_reuse, uninitialised_access,
};
use xcfa::{ErrorKind, Xcfa};

/// What the passes may do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Options {
    /// Simplify: constants, dead code, idle steps, inputs that are only tested.
    pub optimise: bool,
    /// Turn objects on the stack that no other thread can know into variables.
    pub promote: bool,
    /// Fold local steps into the shared operation before them.
    pub large_blocks: bool,
    /// Keep every access, even if its value is not used: for races and memory safety.
    pub keep_loads: bool,
    /// Is memory safety checked?
    pub memory_safety: bool,
    /// Does it matter whether threads wait for ever?
    pub waits: bool,
    /// The kind of error that the property is about. Reaching another kind just ends the process.
    pub checked: Option<ErrorKind>,
}

impl Default for Options {
    /// Everything on, for reachability of errors.
    fn default() -> Options {
        Options {
            optimise: true,
            promote: false,
            large_blocks: true,
            keep_loads: false,
            memory_safety: false,
            waits: false,
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
    if options.promote {
        promote(&mut xcfa);
    }
    remove_unused(&mut xcfa);
    let joins = doubtful_joins(&xcfa);
    let handles = handle_use(&xcfa).or_else(|| Some(joins.first()?.remark(&xcfa)));
    mark_doubtful(&mut xcfa, &joins, options.waits);
    let constants = constants_written(&xcfa, options);
    if options.optimise {
        remove_relocks(&mut xcfa);
        for round in 0..ROUNDS {
            let before = xcfa.edges.len();
            propagate_constants(&mut xcfa);
            remove_dead_code(&mut xcfa, options.keep_loads);
            contract_idle_edges(&mut xcfa);
            let mut followed = false;
            if round == 0 {
                promote_for_models(&mut xcfa);
                followed = follow_models(&mut xcfa);
            }
            if xcfa.edges.len() == before && !followed {
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
    if options.memory_safety {
        fix_array_sizes(&mut xcfa);
    }
    let points_to = PointsTo::of(&xcfa);
    let addresses = address_use(&xcfa, &points_to);
    xcfa.unspecified = handles
        .or(constants)
        .or(addresses.matters)
        .or_else(|| uninitialised_access(&xcfa, &points_to))
        .or_else(|| stack_reuse(&xcfa, &points_to));
    xcfa.ordered = addresses.ordered;
    xcfa.checks_memory = options.memory_safety;
    xcfa.numbers = addresses.numbers;
    mark_reuse(&mut xcfa, &points_to, options.memory_safety);
    xcfa.unspecified = xcfa.unspecified.take().or_else(|| resized_in_place(&xcfa));
    if options.large_blocks {
        large_blocks(&mut xcfa, options);
    }
    Ok(xcfa)
}

fn constants_written(xcfa: &Xcfa, options: &Options) -> Option<String> {
    let points_to = options.memory_safety.then(|| PointsTo::of(xcfa))?;
    constant_write(xcfa, &points_to)
}
