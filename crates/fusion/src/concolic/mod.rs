//! Inputs: values that the environment chooses.
//!
//! One value is chosen for each input, and all schedules are run with these values. Along every
//! execution the inputs are kept as variables beside the values: the conditions under which it goes
//! the way it went are collected. Inputs that satisfy the conditions of all executions would make
//! every execution go the same way, so they need not be tried. A solver is asked for values
//! that are in none of the regions found so far; if there are none, all inputs are covered.

mod label;
mod memory;
mod shadow;
mod space;

pub use shadow::follow;
pub use space::{InputName, InputSpace, Next};
