//! `<stdatomic.h>`: what its macros do not do is in C. The macros themselves are built-ins of the
//! compiler, which the type checker knows.

use super::{Row, in_c};

const ATOMIC: &str = "lib/atomic.c";

pub(super) const ROWS: &[Row] = &[in_c(
    ATOMIC,
    "atomic_thread_fence atomic_signal_fence atomic_flag_test_and_set \
         atomic_flag_test_and_set_explicit atomic_flag_clear atomic_flag_clear_explicit",
)];
