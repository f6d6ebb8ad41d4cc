//! `<time.h>` and `<sys/time.h>`.

use super::Effect::{Fills, Object, Text, Writes};
use super::Unprotected::{Date, DateText};
use super::{
    CALLS, POINTS, Row, WRITES, arbitrary, code, in_c, number, outside, refused, status,
    text_or_null,
};

const CLOCK: &str = "lib/clock.c";
const SLEEP: &str = "lib/sleep.c";
const NORMALISES: &str = "normalises its argument, which is not modelled";

pub(super) const ROWS: &[Row] = &[
    number(&[Fills(1)], "clock_adjtime"),
    number(&[], "clock timer_getoverrun"),
    in_c(
        CLOCK,
        "time gmtime_r localtime_r clock_gettime timespec_get gettimeofday",
    ),
    arbitrary(&[], "difftime dysize"),
    refused(NORMALISES, "mktime timegm timelocal"),
    refused(
        WRITES,
        "strftime strptime strftime_l strptime_l asctime_r ctime_r getdate_r",
    ),
    outside(&[Object(0), Writes(Date)], "gmtime localtime"),
    text_or_null(&[Object(0), Writes(DateText)], "asctime"),
    text_or_null(&[Object(0), Writes(Date), Writes(DateText)], "ctime"),
    outside(&[], "tzset"),
    in_c(SLEEP, "nanosleep clock_nanosleep"),
    status(&[Fills(1)], "clock_getres timer_gettime"),
    status(&[Object(1)], "clock_settime"),
    code(&[Fills(1)], "clock_getcpuclockid"),
    refused(CALLS, "timer_create"),
    status(&[], "timer_delete"),
    status(&[Object(2), Fills(3)], "timer_settime"),
    outside(&[Fills(0)], "timespec_getres"),
    refused(POINTS, "getdate"),
    status(&[Object(0), Object(1)], "settimeofday"),
    status(&[Object(0), Fills(1)], "adjtime"),
    status(&[Text(0)], "utimes"),
    number(&[Fills(0)], "times"),
];
