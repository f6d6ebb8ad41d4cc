//! `#pragma pack`: limits on the alignment of members.

/// Which limit on alignments holds where in the file.
#[derive(Clone, Debug, Default)]
pub struct Packing {
    /// From which byte on, which limit; in order.
    changes: Vec<(u32, Option<u64>)>,
    stack: Vec<Option<u64>>,
    current: Option<u64>,
}

impl Packing {
    /// The limit at a byte of the file.
    pub fn at(&self, byte: u32) -> Option<u64> {
        let after = self.changes.partition_point(|&(from, _)| from <= byte);
        after.checked_sub(1).and_then(|at| self.changes[at].1)
    }

    /// Reads what follows `#pragma pack` at byte `at`; false if that makes no sense.
    pub(super) fn read(&mut self, rest: &str, at: u32) -> bool {
        let Some(inside) = rest
            .trim()
            .strip_prefix('(')
            .and_then(|rest| rest.split_once(')'))
            .map(|(inside, _)| inside)
        else {
            return false;
        };
        let mut pushed = false;
        let mut popped = false;
        let mut value = None;
        for word in inside.split(',').map(str::trim) {
            match word {
                "" => {}
                "push" => pushed = true,
                "pop" => popped = true,
                _ => match word.parse::<u64>() {
                    Ok(0) => value = Some(None),
                    Ok(bytes @ (1 | 2 | 4 | 8 | 16)) => value = Some(Some(bytes)),
                    _ => return false,
                },
            }
        }
        if pushed {
            self.stack.push(self.current);
        }
        self.current = match (popped, value) {
            (true, _) => self.stack.pop().unwrap_or(None),
            (false, Some(value)) => value,
            (false, None) if pushed => self.current,
            (false, None) => None,
        };
        self.changes.push((at, self.current));
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn limits_hold_from_their_line_on() {
        let mut packing = Packing::default();
        assert!(packing.read("(push, 1)", 10));
        assert!(packing.read("(2)", 20));
        assert!(packing.read("(pop)", 30));
        assert!(!packing.read(" 4", 40));
        assert!(!packing.read("(push, 3)", 50));
        let limits = [5, 10, 25, 30].map(|byte| packing.at(byte));
        assert_eq!(limits, [None, Some(1), Some(2), None]);
    }
}
