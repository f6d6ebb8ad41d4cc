//! `<time.h>` and `<sys/time.h>`.

use super::Effect::{Fills, Object, Text};
use super::{CALLS, POINTS, Row, WRITES, arbitrary, code, in_c, number, outside, refused, status};

const CLOCK: &str = "lib/clock.c";
const SLEEP: &str = "lib/sleep.c";

pub(super) const ROWS: &[Row] = &[
    number(&[Fills(1)], "clock_adjtime"),
    number(&[], "clock timer_getoverrun"),
    in_c(CLOCK, "time clock_gettime timespec_get gettimeofday"),
    in_c(
        "lib/dates.c",
        "gmtime_r localtime_r gmtime localtime mktime timegm timelocal difftime",
    ),
    in_c(
        "lib/date_text.c",
        "strftime asctime asctime_r ctime ctime_r",
    ),
    arbitrary(&[], "dysize"),
    refused(WRITES, "strptime strftime_l strptime_l getdate_r"),
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
