//! Random threaded programs, and helpers for tests.
