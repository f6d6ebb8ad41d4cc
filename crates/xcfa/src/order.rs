//! Memory orders of C.

use serde::{Deserialize, Serialize};

/// The order of an atomic access or a fence, as C calls it; `consume` is `Acquire`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum MemoryOrder {
    /// `memory_order_relaxed`.
    Relaxed,
    /// `memory_order_acquire`.
    Acquire,
    /// `memory_order_release`.
    Release,
    /// `memory_order_acq_rel`.
    AcqRel,
    /// `memory_order_seq_cst`.
    SeqCst,
}

impl MemoryOrder {
    /// The order with the number that compilers give it (`__ATOMIC_RELAXED` is 0).
    pub fn from_number(number: u64) -> Option<MemoryOrder> {
        Some(match number {
            0 => MemoryOrder::Relaxed,
            1 | 2 => MemoryOrder::Acquire,
            3 => MemoryOrder::Release,
            4 => MemoryOrder::AcqRel,
            5 => MemoryOrder::SeqCst,
            _ => return None,
        })
    }

    /// Its name without `memory_order_`.
    pub fn name(self) -> &'static str {
        match self {
            MemoryOrder::Relaxed => "relaxed",
            MemoryOrder::Acquire => "acquire",
            MemoryOrder::Release => "release",
            MemoryOrder::AcqRel => "acq_rel",
            MemoryOrder::SeqCst => "seq_cst",
        }
    }

    /// What is left of it for the read of a read-modify-write.
    pub fn of_read(self) -> MemoryOrder {
        match self {
            MemoryOrder::AcqRel => MemoryOrder::Acquire,
            MemoryOrder::Release => MemoryOrder::Relaxed,
            other => other,
        }
    }

    /// What is left of it for the write of a read-modify-write.
    pub fn of_write(self) -> MemoryOrder {
        match self {
            MemoryOrder::AcqRel => MemoryOrder::Release,
            MemoryOrder::Acquire => MemoryOrder::Relaxed,
            other => other,
        }
    }
}
