//! Example programs to begin with.

use serde::Serialize;

/// A program that teaches; its first comment explains it.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct Example {
    /// What it shows.
    pub title: &'static str,
    /// The program.
    pub source: &'static str,
}

macro_rules! example {
    ($title:literal, $file:literal) => {
        Example {
            title: $title,
            source: include_str!(concat!("../../../examples/", $file)),
        }
    };
}

/// All of them, bugs before their fixes.
pub const EXAMPLES: &[Example] = &[
    example!("Lost update", "lost_update.c"),
    example!("Lost update, fixed", "lost_update_fixed.c"),
    example!("Two locks: a deadlock", "two_locks.c"),
    example!("Two locks, fixed", "two_locks_fixed.c"),
    example!("Dining philosophers", "dining_philosophers.c"),
    example!("Dining philosophers, fixed", "dining_philosophers_fixed.c"),
    example!("Producer and consumer", "producer_consumer.c"),
    example!("Producer and consumer, fixed", "producer_consumer_fixed.c"),
    example!("Double-checked locking", "double_checked_locking.c"),
    example!(
        "Double-checked locking, fixed",
        "double_checked_locking_fixed.c"
    ),
    example!("Peterson's lock", "peterson.c"),
    example!("Peterson's lock without turns", "peterson_without_turn.c"),
    example!("Semaphore: one slot too many", "free_slots.c"),
    example!("Semaphore, fixed", "free_slots_fixed.c"),
    example!("Phases without a barrier", "phases.c"),
    example!("Phases, fixed", "phases_fixed.c"),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn programs_are_accepted() {
        for example in EXAMPLES {
            assert_eq!(driver::screen(example.source), Ok(()), "{}", example.title);
            let explained = example.source.starts_with("/* ");
            assert!(explained, "{} has no explanation", example.title);
        }
        let fine = "#include <stdio.h>\n# include <pthread.h> // locks, see #12\n\
                    /* and #13\n * #14 */ int x;\n\
                    #define SHOW(x) #x\n#undef SHOW\n#if 1\n#endif\n#\n";
        assert_eq!(driver::screen(fine), Ok(()));
    }
}
