//! Bounded model checking.

pub mod blast;
mod memory;
pub mod order;
pub mod sat;
