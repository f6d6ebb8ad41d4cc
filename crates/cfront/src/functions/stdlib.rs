//! `<stdlib.h>`.

use super::Effect::{ChangesEnvironment, ReadsEnvironment, Text, TextOrNull, Writes};
use super::Unprotected::Name;
use super::{
    CALLS, NO_MODEL, POINTS, Row, WRITES, in_c, number, outside, refused, status, steps, succeeds,
    text_or_null,
};

const DIVISION: &str = "lib/division.c";
const MULTIBYTE: &str = "lib/multibyte.c";
const NUMBERS: &str = "lib/numbers.c";
const RANDOM: &str = "lib/random.c";
const FLOATING: &str = "reads a floating number, which is not modelled";
const ENVIRONMENT: &str = "returns the address of the environment, which is not modelled";

pub(super) const ROWS: &[Row] = &[
    number(&[], "__ctype_get_mb_cur_max posix_openpt getpt"),
    refused(
        FLOATING,
        "strtold strtof32 strtof64 strtof128 strtof32x strtof64x",
    ),
    in_c("lib/real_numbers.c", "atof strtod strtof"),
    in_c(
        NUMBERS,
        "atoi atol atoll strtol strtoul strtoq strtouq strtoll strtoull",
    ),
    refused(
        WRITES,
        "strfromd strfromf strfroml strfromf32 strfromf64 strfromf128 strfromf32x strfromf64x \
         initstate setstate random_r srandom_r initstate_r setstate_r \
         seed48 drand48_r erand48_r lrand48_r nrand48_r mrand48_r jrand48_r srand48_r seed48_r \
         lcong48_r mktemp mkstemp64 mkstemps64 mkostemp64 \
         mkostemps mkostemps64 ecvt fcvt gcvt qecvt qfcvt qgcvt ecvt_r fcvt_r qecvt_r \
         qfcvt_r mbstowcs wcstombs getsubopt ptsname_r getloadavg",
    ),
    refused(
        NO_MODEL,
        "strtol_l strtoul_l strtoll_l strtoull_l strtod_l strtof_l strtold_l strtof32_l \
         strtof64_l strtof128_l strtof32x_l strtof64x_l a64l",
    ),
    refused(POINTS, "l64a canonicalize_file_name"),
    steps(
        "random rand malloc calloc free cfree alloca valloc pvalloc \
         memalign posix_memalign aligned_alloc abort exit quick_exit _Exit abs labs llabs",
    ),
    succeeds("srandom srand"),
    in_c(
        RANDOM,
        "rand_r srand48 lcong48 drand48 erand48 lrand48 nrand48 mrand48 jrand48 arc4random_buf arc4random_uniform",
    ),
    outside(&[], "arc4random"),
    refused(CALLS, "at_quick_exit on_exit __cxa_atexit"),
    in_c("lib/exits.c", "atexit"),
    in_c("lib/places.c", "mkstemp mkstemps mkdtemp mkostemp realpath"),
    in_c("lib/sorting.c", "bsearch qsort qsort_r"),
    in_c("lib/realloc.c", "realloc reallocarray"),
    text_or_null(&[Text(0), ReadsEnvironment], "getenv secure_getenv"),
    refused(ENVIRONMENT, "putenv"),
    status(&[Text(0), Text(1), ChangesEnvironment], "setenv"),
    status(&[Text(0), ChangesEnvironment], "unsetenv"),
    status(&[ChangesEnvironment], "clearenv"),
    status(&[], "grantpt unlockpt"),
    outside(&[TextOrNull(0)], "system"),
    in_c(DIVISION, "div ldiv lldiv"),
    in_c(MULTIBYTE, "mblen mbtowc wctomb"),
    number(&[Text(0)], "rpmatch"),
    text_or_null(&[Writes(Name)], "ptsname"),
];
