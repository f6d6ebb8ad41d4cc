//! Limits of a run.

use clap::Args;
use std::time::Duration;

/// Limits of a run.
#[derive(Args, Clone, Debug)]
pub struct LimitArgs {
    /// Give up after this time, in seconds or with a unit (90, 5m, 1.5h) [default: never]
    #[arg(long, value_name = "TIME", value_parser = seconds)]
    pub timeout: Option<Duration>,
    /// Give up when the states take more memory than this, in MiB or with a unit (512M, 2G)
    #[arg(long, value_name = "SIZE", default_value = "4G", value_parser = bytes)]
    pub memory: u64,
}

/// A time: seconds, or with a unit.
pub(super) fn seconds(text: &str) -> Result<Duration, String> {
    let units = [("ms", 0.001), ("s", 1.0), ("m", 60.0), ("h", 3600.0)];
    let number = with_unit(text, &units, 1.0)
        .ok_or_else(|| "not a time: write seconds, or 500ms, 90s, 5m, 2h".to_owned())?;
    let duration = Duration::try_from_secs_f64(number).map_err(|error| error.to_string())?;
    if duration.is_zero() {
        return Err("a time limit of 0 leaves no time".into());
    }
    Ok(duration)
}

/// A size in bytes: MiB, or with a unit.
pub(super) fn bytes(text: &str) -> Result<u64, String> {
    let [k, m, g] = [1024.0, 1_048_576.0, 1_073_741_824.0];
    let units = [
        ("KiB", k),
        ("MiB", m),
        ("GiB", g),
        ("K", k),
        ("M", m),
        ("G", g),
    ];
    let number = with_unit(text, &units, m)
        .ok_or_else(|| "not a size: write MiB, or 512M, 2G".to_owned())?;
    // Larger numbers are no sizes of memory, and might not fit.
    match number {
        size if (m..1e18).contains(&size) => Ok(size as u64),
        _ => Err("a memory limit is at least 1 MiB, and less than what there is".into()),
    }
}

/// A number that may be followed by one of these units; without one it is in `plain`.
fn with_unit(text: &str, units: &[(&str, f64)], plain: f64) -> Option<f64> {
    let found = units
        .iter()
        .find_map(|(unit, factor)| Some((text.strip_suffix(unit)?, *factor)));
    let (number, factor) = found.unwrap_or((text, plain));
    let number: f64 = number.trim().parse().ok()?;
    Some(number * factor)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_and_sizes() {
        assert_eq!(seconds("1.5"), Ok(Duration::from_millis(1500)));
        for bad in ["", "x", "-1", "0", "nan", "1e99", "5d", "s"] {
            assert!(seconds(bad).is_err(), "{bad}");
        }
        assert_eq!(seconds("90s"), Ok(Duration::from_secs(90)));
        assert_eq!(seconds("5m"), Ok(Duration::from_secs(300)));
        assert_eq!(seconds("250ms"), Ok(Duration::from_millis(250)));
        assert_eq!(bytes("512"), Ok(512 << 20));
        assert_eq!(bytes("512M"), Ok(512 << 20));
        assert_eq!(bytes("2G"), Ok(2 << 30));
        assert_eq!(bytes("1.5GiB"), Ok(3 << 29));
        for bad in ["", "0", "-1", "G", "2T", "nan", "1e300", "1K"] {
            assert!(bytes(bad).is_err(), "{bad}");
        }
    }
}
