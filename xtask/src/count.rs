//! How many tests passed and failed, read from what a test runner prints.

use std::fmt;

/// Counted tests.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// Those that passed.
    pub passed: u64,
    /// Those that failed, or ran out of time.
    pub failed: u64,
}

impl Counts {
    /// Adds what a line reports, if it is a summary of one of the two runners:
    /// `test result: ok. 4 passed; 0 failed; ...` or `Summary [0.1s] 4 tests run: 4 passed, ...`.
    pub fn read(&mut self, line: &str) {
        let line = without_styles(line);
        let line = line.trim_start();
        let rest = match line.strip_prefix("test result: ") {
            Some(rest) => rest,
            None if line.starts_with("Summary [") => line,
            None => return,
        };
        self.passed += number_before(rest, "passed");
        self.failed += number_before(rest, "failed") + number_before(rest, "timed");
    }

    /// Adds other counts.
    pub fn add(&mut self, other: Counts) {
        self.passed += other.passed;
        self.failed += other.failed;
    }
}

impl fmt::Display for Counts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let all = self.passed + self.failed;
        write!(
            f,
            "{all} tests: {} passed, {} failed",
            self.passed, self.failed
        )
    }
}

/// The number in front of a word: 4 in `4 passed`.
fn number_before(line: &str, word: &str) -> u64 {
    let words: Vec<&str> = line.split(|c: char| !c.is_alphanumeric()).collect();
    let words: Vec<&str> = words.into_iter().filter(|word| !word.is_empty()).collect();
    let pair = words.windows(2).find(|pair| pair[1] == word);
    pair.and_then(|pair| pair[0].parse().ok()).unwrap_or(0)
}

/// The line without terminal escapes, which all have the form `ESC [ ... letter`.
fn without_styles(line: &str) -> String {
    let mut parts = line.split('\u{1b}');
    let mut out = parts.next().unwrap_or("").to_owned();
    for part in parts {
        out += part
            .split_once(|c: char| c.is_ascii_alphabetic())
            .map_or("", |(_, rest)| rest);
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    fn counted(lines: &str) -> Counts {
        let mut counts = Counts::default();
        lines.lines().for_each(|line| counts.read(line));
        counts
    }

    #[test]
    fn summaries_of_cargo_add_up() {
        let text = "running 3 tests\n\
                    test result: ok. 3 passed; 0 failed; 0 ignored; 0 measured; 0 filtered out\n\
                    test result: FAILED. 1 passed; 2 failed; 0 ignored; 0 measured\n";
        assert_eq!(
            counted(text),
            Counts {
                passed: 4,
                failed: 2
            }
        );
    }

    #[test]
    fn summary_of_nextest_with_styles() {
        let text = "\u{1b}[1m     Summary\u{1b}[0m [   0.004s] \u{1b}[1m5\u{1b}[0m tests run: \
                    \u{1b}[1m3\u{1b}[0m \u{1b}[32mpassed\u{1b}[0m, 1 failed, 1 timed out, 0 skipped";
        assert_eq!(
            counted(text),
            Counts {
                passed: 3,
                failed: 2
            }
        );
        assert_eq!(counted(text).to_string(), "5 tests: 3 passed, 2 failed");
    }
}
