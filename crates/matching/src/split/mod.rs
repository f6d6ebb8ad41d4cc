//! Strategies: predicates that split the abstract states that hold several concrete ones.
//!
//! Law: if there is an eligible state, every strategy gives a new predicate that splits one.

mod few;
mod max_overlap;
mod min_only;
mod min_set;

pub use few::few;
pub use max_overlap::max_overlap;
pub use min_only::min_only;
pub use min_set::min_set;

#[cfg(test)]
mod tests;
