//! How the hunts of one run compare: points for the best, as the paper gives them.

use super::METHODS;
use matching::{Hit, Strategy, Targets};
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// How one state was found.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Met {
    /// After how many microseconds on the clock.
    pub micros: u64,
    /// States stored then.
    pub states: u64,
    /// The most stored before.
    pub peak: u64,
    /// Steps from the start.
    pub depth: u64,
    /// Predicates.
    pub predicates: u64,
}

/// What the methods found in one run.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Found {
    /// By state: how many states a plain search has stored when it finds it.
    plain: Vec<u64>,
    /// By method and state.
    hits: Vec<Vec<Option<Met>>>,
}

impl Found {
    /// From the engine.
    pub fn new(targets: &Targets, hits: &[Vec<Option<Hit>>]) -> Found {
        let met = |hit: &Hit| Met {
            micros: hit.time.as_micros() as u64,
            states: hit.states,
            peak: hit.peak,
            depth: hit.depth,
            predicates: hit.predicates,
        };
        let method =
            |hits: &Vec<Option<Hit>>| hits.iter().map(|hit| hit.as_ref().map(met)).collect();
        Found {
            plain: targets.plain.clone(),
            hits: hits.iter().map(method).collect(),
        }
    }

    /// For a record.
    pub fn to_json(&self) -> Value {
        serde_json::to_value(self).unwrap_or_default()
    }

    /// From a record.
    pub fn from_json(value: &Value) -> Option<Found> {
        let found: Found = serde_json::from_value(value.clone()).ok()?;
        (found.hits.len() == METHODS.len()).then_some(found)
    }

    /// By method: which share of the states it finds.
    pub fn shares(&self) -> Vec<f64> {
        let share =
            |hits: &Vec<Option<Met>>| hits.iter().flatten().count() as f64 / hits.len() as f64;
        self.hits.iter().map(share).collect()
    }
}

/// A measure of which less is better; nothing if the method has none.
pub type Measure = fn(Strategy, &Met) -> Option<u64>;

/// By method: a point for every state that it finds with the least measure, by the most points.
pub fn normalised(found: &Found, measure: Measure) -> Vec<f64> {
    let mut points = vec![0.0; found.hits.len()];
    for state in 0..found.plain.len() {
        let measured: Vec<Option<u64>> = found
            .hits
            .iter()
            .zip(METHODS)
            .map(|(hits, (_, _, strategy))| measure(strategy, hits[state].as_ref()?))
            .collect();
        let best = measured.iter().flatten().min().copied();
        for (points, value) in points.iter_mut().zip(measured) {
            if value.is_some() && value == best {
                *points += 1.0;
            }
        }
    }
    let most = points.iter().copied().fold(1.0, f64::max);
    points.iter().map(|points| points / most).collect()
}

/// By method: the median, over the states that it finds, of what it stores by what a plain search
/// does; not a number if it finds none.
pub fn stored(found: &Found, peak: bool) -> Vec<f64> {
    let method = |hits: &Vec<Option<Met>>| {
        let pairs = hits.iter().zip(&found.plain);
        let mut shares: Vec<f64> = pairs
            .filter_map(|(hit, &plain)| {
                let hit = hit.as_ref()?;
                let states = if peak { hit.peak } else { hit.states };
                Some(states as f64 / plain as f64)
            })
            .collect();
        shares.sort_by(f64::total_cmp);
        shares.get(shares.len() / 2).copied().unwrap_or(f64::NAN)
    };
    found.hits.iter().map(method).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn met(micros: u64) -> Option<Met> {
        Some(Met {
            micros,
            states: micros * 2,
            peak: micros * 4,
            depth: 1,
            predicates: 0,
        })
    }

    /// The example of section 5.5.1, smaller: the first two methods are MinOnly and MaxOverlap.
    #[test]
    fn points_are_by_the_most_points() {
        let mut hits = vec![vec![None; 4]; METHODS.len()];
        hits[0] = vec![met(1), met(1), met(9), None];
        hits[1] = vec![met(2), None, met(3), None];
        let found = Found {
            plain: vec![2, 2, 2, 2],
            hits,
        };
        let points = normalised(&found, |_, hit| Some(hit.micros));
        assert_eq!(&points[..3], &[1.0, 0.5, 0.0]);
        assert_eq!(&found.shares()[..3], &[0.75, 0.5, 0.0]);
        assert_eq!(stored(&found, false)[0], 1.0);
        assert_eq!(stored(&found, true)[1], 6.0);
        assert!(stored(&found, false)[2].is_nan());
        assert_eq!(Found::from_json(&found.to_json()), Some(found));
    }
}
