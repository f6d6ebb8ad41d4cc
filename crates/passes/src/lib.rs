//! Analyses and transformations of automata.
