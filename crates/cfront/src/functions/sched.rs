//! `<sched.h>`.

use super::Effect::{Bytes, Fills, Object};
use super::{CALLS, Row, in_c, number, refused, status, succeeds};

pub(super) const ROWS: &[Row] = &[
    refused(CALLS, "clone"),
    status(&[], "unshare setns"),
    number(
        &[],
        "sched_getcpu sched_getscheduler sched_get_priority_max sched_get_priority_min",
    ),
    status(&[Fills(0), Fills(1)], "getcpu"),
    number(&[Bytes(1, 0)], "__sched_cpucount"),
    in_c("lib/cpu_sets.c", "__sched_cpualloc __sched_cpufree"),
    status(&[Object(1)], "sched_setparam"),
    status(&[Fills(1)], "sched_getparam sched_rr_get_interval"),
    number(&[Object(2)], "sched_setscheduler"),
    succeeds("sched_yield"),
    status(&[Bytes(2, 1)], "sched_setaffinity"),
    number(&[Fills(2)], "sched_getaffinity"),
];
