//! Which threads write to which memory.

use crate::memory::overlap;
use crate::program::Program;
use dataflow::pointsto::Target;
use dataflow::{Storage, touches};
use xcfa::{EdgeId, Label};

/// Bytes that some label writes.
#[derive(Clone, Copy, Debug)]
pub struct Write {
    pub edge: EdgeId,
    pub label: usize,
    pub target: Target,
    pub size: u64,
}

/// All writes of a program.
pub struct Stores {
    writes: Vec<Write>,
}

impl Stores {
    pub fn of(program: &Program<'_>) -> Stores {
        Stores {
            writes: writes(program),
        }
    }

    /// The writes that may change what a load reads, each label once, and the size of the load.
    pub fn seen_by(
        &self,
        program: &Program<'_>,
        edge: EdgeId,
        label: usize,
    ) -> Option<(Vec<Write>, u64)> {
        let xcfa = program.xcfa;
        let Label::Load { var, addr } = &xcfa[edge].labels[label] else {
            return None;
        };
        let size = xcfa[*var].sort.bytes();
        let targets = program.points_to.targets(xcfa, *addr);
        let hits = self.writes.iter().filter(|write| {
            let meets = |&target: &Target| overlap((target, size), (write.target, write.size));
            targets.iter().any(meets)
        });
        let mut found: Vec<Write> = hits.copied().collect();
        found.dedup_by_key(|write| (write.edge, write.label));
        Some((found, size))
    }
}

fn writes(program: &Program<'_>) -> Vec<Write> {
    let mut found = Vec::new();
    for edge in program.xcfa.edge_ids() {
        for (label, it) in program.xcfa[edge].labels.iter().enumerate() {
            // What is freed cannot be read any more.
            if matches!(it, Label::Free(_) | Label::Dealloc(_)) {
                continue;
            }
            for touch in touches(program.xcfa, program.points_to, it) {
                if let Storage::Memory(target, size) = touch.place
                    && touch.write
                {
                    found.push(Write {
                        edge,
                        label,
                        target,
                        size,
                    });
                }
            }
        }
    }
    found
}
