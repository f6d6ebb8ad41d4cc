//! One solver facade over terms.
