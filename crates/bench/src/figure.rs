//! What can be compared of two runs.

use crate::{Record, Results};

/// Something that was measured or counted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Figure {
    /// Processor time.
    Cpu,
    /// Time on the clock.
    Wall,
    /// Memory.
    Memory,
    /// What an engine counted, under this name.
    Counted(String),
}

impl Figure {
    /// All that these results have.
    pub fn all(results: &Results) -> Vec<Figure> {
        let measured = [Figure::Cpu, Figure::Wall, Figure::Memory];
        let counted = results.counted().into_iter().map(Figure::Counted);
        measured.into_iter().chain(counted).collect()
    }

    /// The label of an axis.
    pub fn title(&self) -> &str {
        match self {
            Figure::Cpu => "CPU time (s)",
            Figure::Wall => "wall time (s)",
            Figure::Memory => "memory (MiB)",
            Figure::Counted(name) => name,
        }
    }

    /// Its value in a run.
    pub fn of(&self, record: &Record) -> Option<f64> {
        match self {
            Figure::Cpu => Some(record.cpu_s),
            Figure::Wall => Some(record.wall_s),
            Figure::Memory => Some(record.rss_kb as f64 / 1024.0),
            Figure::Counted(name) => {
                let mut known = record.stats.iter();
                let (_, value) = known.find(|(known, _)| known == name)?;
                Some(*value as f64)
            }
        }
    }
}
