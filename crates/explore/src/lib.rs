//! Exhaustive exploration and random simulation of the concrete program.
