//! `<search.h>`.

use super::{CALLS, Row, WRITES, refused};

pub(super) const ROWS: &[Row] = &[
    refused(
        CALLS,
        "tsearch tfind tdelete twalk twalk_r tdestroy lfind lsearch",
    ),
    refused(WRITES, "insque remque"),
];
