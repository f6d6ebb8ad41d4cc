//! What the compiler knows by itself, and the checked forms of functions that headers choose.

use super::Meaning::{Prints, Steps};
use super::{Row, is, steps};

const MEMORY: &str = "lib/memory.c";

pub(super) const ROWS: &[Row] = &[
    steps("__builtin_trap __builtin_assume"),
    is(
        Steps(Some(MEMORY)),
        "__memcpy_chk __builtin___memcpy_chk __memmove_chk __builtin___memmove_chk __memset_chk \
         __builtin___memset_chk",
    ),
    is(
        Steps(Some("lib/format.c")),
        "__builtin___sprintf_chk __builtin___snprintf_chk",
    ),
    is(Prints(0), "printk"),
];
