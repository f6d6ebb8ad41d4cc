//! The ends of axes and the numbers beside them.

use std::ops::Range;

/// Whole powers of ten round all values that are larger than zero; at least one decade.
pub fn decades(values: impl Iterator<Item = f64>) -> Range<f64> {
    let (mut low, mut high) = (f64::INFINITY, f64::NEG_INFINITY);
    for value in values.filter(|value| value.is_finite() && *value > 0.0) {
        low = low.min(value);
        high = high.max(value);
    }
    if low > high {
        return 1.0..10.0;
    }
    let (low, high) = (low.log10().floor(), high.log10().ceil());
    10f64.powf(low)..10f64.powf(high.max(low + 1.0))
}

/// From zero, or below it if a value is, to a little above the largest value.
pub fn linear(values: impl Iterator<Item = f64>) -> Range<f64> {
    let (mut low, mut high) = (0f64, 0f64);
    for value in values.filter(|value| value.is_finite()) {
        low = low.min(value);
        high = high.max(value);
    }
    if low == high {
        return 0.0..1.0;
    }
    low * 1.05..high * 1.05
}

/// A number as short as it can be read: `0.01`, `12.5`, `3000`, `1e6`.
pub fn short(value: f64) -> String {
    let size = value.abs();
    if size != 0.0 && !(1e-4..1e5).contains(&size) {
        return format!("{value:.0e}");
    }
    let digits = match size {
        0.0 => 0,
        size if size < 1.0 => (1.0 - size.log10().floor()) as usize,
        size if size < 100.0 => 1,
        _ => 0,
    };
    let text = format!("{value:.digits$}");
    match text.contains('.') {
        true => text.trim_end_matches('0').trim_end_matches('.').to_owned(),
        false => text,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn decades_hold_every_value() {
        let of = |values: &[f64]| decades(values.iter().copied());
        assert_eq!(of(&[0.05, 30.0]), 0.01..100.0);
        assert_eq!(of(&[0.0, f64::NAN, 5.0]), 1.0..10.0);
        assert_eq!(of(&[10.0]), 10.0..100.0);
        assert_eq!(of(&[]), 1.0..10.0);
    }

    #[test]
    fn linear_axes_begin_at_zero() {
        let of = |values: &[f64]| linear(values.iter().copied());
        assert_eq!(of(&[1.0, 2.0]), 0.0..2.1);
        assert_eq!(of(&[-2.0]), -2.1..0.0);
        assert_eq!(of(&[f64::INFINITY]), 0.0..1.0);
    }

    #[test]
    fn numbers_are_short() {
        let texts = [0.0, 0.01, 0.5, 1.0, 12.5, 10.0, 3000.0, 1e6, 0.000_01].map(short);
        let expected = ["0", "0.01", "0.5", "1", "12.5", "10", "3000", "1e6", "1e-5"];
        assert_eq!(texts, expected);
    }
}
