//! Example programs to begin with.

use serde::Serialize;

/// A program that teaches.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct Example {
    /// What it shows.
    pub title: &'static str,
    /// What to check of it.
    pub property: &'static str,
    /// The program.
    pub source: &'static str,
}

macro_rules! example {
    ($title:literal, $property:literal, $file:literal) => {
        Example {
            title: $title,
            property: $property,
            source: include_str!(concat!("../../../examples/", $file)),
        }
    };
}

/// All of them, bugs before their fixes.
pub const EXAMPLES: &[Example] = &[
    example!("Lost update: a race", "race", "lost_update.c"),
    example!("Lost update: the assertion", "reach", "lost_update.c"),
    example!("Lost update, fixed", "reach", "lost_update_fixed.c"),
    example!("Two locks: a deadlock", "deadlock", "two_locks.c"),
    example!("Two locks, fixed", "deadlock", "two_locks_fixed.c"),
    example!("Dining philosophers", "deadlock", "dining_philosophers.c"),
    example!(
        "Dining philosophers, fixed",
        "deadlock",
        "dining_philosophers_fixed.c"
    ),
    example!("Producer and consumer", "reach", "producer_consumer.c"),
    example!(
        "Producer and consumer, fixed",
        "reach",
        "producer_consumer_fixed.c"
    ),
    example!("Double-checked locking", "race", "double_checked_locking.c"),
    example!(
        "Double-checked locking, fixed",
        "race",
        "double_checked_locking_fixed.c"
    ),
    example!("Peterson's lock", "reach", "peterson.c"),
    example!(
        "Peterson's lock without turns",
        "reach",
        "peterson_without_turn.c"
    ),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn programs_are_accepted() {
        for example in EXAMPLES {
            assert_eq!(driver::screen(example.source), Ok(()), "{}", example.title);
        }
        let fine = "#include <stdio.h>\n# include <pthread.h> // locks, see #12\n\
                    /* and #13\n * #14 */ int x;\n\
                    #define SHOW(x) #x\n#undef SHOW\n#if 1\n#endif\n#\n";
        assert_eq!(driver::screen(fine), Ok(()));
    }
}
