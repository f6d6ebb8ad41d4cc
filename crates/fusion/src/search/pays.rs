//! Whether questions about pruning pay.
//!
//! A question costs as much as hundreds of executions. Most programs have points that can be given
//! up after every execution, or hardly any at all; so an answer that gives up nothing makes the
//! pause before the next question twice as long, and one that does ends all pauses.

/// After this many questions in vain the pause grows no longer.
const MOST_DOUBLINGS: u32 = 10;

/// How questions about pruning have gone lately.
#[derive(Clone, Copy, Debug, Default)]
pub struct Pays {
    in_vain: u32,
    gave_up: bool,
    /// The execution after which to ask again.
    next: u64,
}

impl Pays {
    /// Is it time for a question after this many executions?
    pub fn is_due(self, executions: u64) -> bool {
        executions >= self.next
    }

    /// Did the last question give something up?
    pub fn did_last(self) -> bool {
        self.gave_up
    }

    /// A question was asked after this many executions; was anything given up?
    pub fn note(&mut self, executions: u64, gave_up: bool) {
        self.gave_up = gave_up;
        self.in_vain = match gave_up {
            true => 0,
            false => MOST_DOUBLINGS.min(self.in_vain + 1),
        };
        self.next = executions + (1 << self.in_vain) - 1;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn questions_in_vain_get_rare_and_one_that_pays_ends_that() {
        let (mut pays, mut asked) = (Pays::default(), Vec::new());
        for executions in 1..=32 {
            if pays.is_due(executions) {
                asked.push(executions);
                pays.note(executions, executions == 16);
            }
        }
        assert_eq!(asked, [1, 2, 5, 12, 27]);
        assert!(!pays.did_last());
        pays.note(32, true);
        assert!(pays.did_last() && pays.is_due(32));
    }
}
