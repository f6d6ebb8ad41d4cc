//! `<inttypes.h>`.

use super::{Row, WRITES, in_c, refused, steps};

const NUMBERS: &str = "lib/numbers.c";

pub(super) const ROWS: &[Row] = &[
    steps("imaxabs"),
    in_c("lib/division.c", "imaxdiv"),
    in_c(NUMBERS, "strtoimax strtoumax"),
    refused(WRITES, "wcstoimax wcstoumax"),
];
