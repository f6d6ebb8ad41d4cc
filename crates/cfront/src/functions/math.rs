//! `<math.h>`. A row is about the function for `double`; those for the other types follow it.

use super::Effect::Writes;
use super::Unprotected::Sign;
use super::{Row, WRITES, arbitrary, in_c, refused};

const MATH: &str = "lib/math.c";

pub(super) const ROWS: &[Row] = &[
    in_c(
        MATH,
        "fabs fabsf copysign copysignf fmin fminf fmax fmaxf frexp frexpf modf modff",
    ),
    refused(WRITES, "remquo lgamma_r sincos"),
    refused("makes a number from text, which is not modelled", "nan"),
    arbitrary(&[Writes(Sign)], "lgamma gamma"),
    arbitrary(
        &[],
        "acos asin atan atan2 cos sin tan cosh sinh tanh acosh asinh atanh exp exp2 exp10 expm1 \
         log log10 log1p log2 logb ilogb ldexp scalbn scalbln pow sqrt cbrt hypot erf erfc \
         tgamma ceil floor nearbyint rint lrint llrint round lround llround trunc \
         fmod remainder drem nextafter nexttoward fdim fma finite isinf isnan __fpclassify \
         __signbit __isinf __finite __isnan j0 j1 jn y0 y1 yn",
    ),
];

/// The name of the function for `double` that goes with one for another type.
pub(super) fn of_double(name: &str) -> Option<&str> {
    const SUFFIXES: &[&str] = &["f32x", "f64x", "f128", "f32", "f64", "f", "l"];
    let mut plain = SUFFIXES
        .iter()
        .filter_map(|suffix| name.strip_suffix(suffix));
    // What is written in C is there for `double` and `float` only, under both names.
    let has_row = |plain: &&str| {
        let in_c = |row: &&Row| matches!(row.meaning, super::Meaning::InC(_));
        let mut rows = ROWS.iter().filter(|row| !in_c(row));
        rows.any(|row| row.names.split_ascii_whitespace().any(|it| it == *plain))
    };
    plain.find(has_row)
}
