//! Names that every verifier knows. `__VERIFIER_nondet_*` returns any value of its type.

use super::{Row, refused, steps};

pub(super) const ROWS: &[Row] = &[
    steps(
        "reach_error __VERIFIER_error __VERIFIER_assert assert __VERIFIER_assume \
         __VERIFIER_atomic_begin __VERIFIER_atomic_end",
    ),
    refused(
        "arbitrary contents of memory given by a pointer",
        "__VERIFIER_nondet_memory",
    ),
];
