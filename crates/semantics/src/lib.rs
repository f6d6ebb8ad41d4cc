//! The executable meaning of automata: states, steps, replay.
