//! The parts of memory safety.

/// Which parts of memory safety are checked: at least one of the three.
///
/// At a violation of a part that is not checked, an execution ends if the behaviour is undefined
/// (an access, a `free`), and goes on if it is not (memory that is lost).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct MemoryParts(u8);

/// Words about a set of parts.
struct Words {
    name: &'static str,
    holds: &'static str,
    formulas: &'static [&'static str],
}

/// By the bits of the set; there is no empty one.
const WORDS: [Words; 7] = [
    Words {
        name: "valid-deref",
        holds: "every access is valid",
        formulas: &["G valid-deref"],
    },
    Words {
        name: "valid-free",
        holds: "every free is valid",
        formulas: &["G valid-free"],
    },
    Words {
        name: "valid-deref+valid-free",
        holds: "every access and every free is valid",
        formulas: &["G valid-free", "G valid-deref"],
    },
    Words {
        name: "valid-memtrack",
        holds: "no memory is lost",
        formulas: &["G valid-memtrack"],
    },
    Words {
        name: "valid-deref+valid-memtrack",
        holds: "every access is valid, no memory is lost",
        formulas: &["G valid-deref", "G valid-memtrack"],
    },
    Words {
        name: "valid-free+valid-memtrack",
        holds: "every free is valid, no memory is lost",
        formulas: &["G valid-free", "G valid-memtrack"],
    },
    Words {
        name: "memsafety",
        holds: "every access and every free is valid, no memory is lost",
        formulas: &["G valid-free", "G valid-deref", "G valid-memtrack"],
    },
];

impl MemoryParts {
    /// Every access hits a live object.
    pub const DEREF: MemoryParts = MemoryParts(1);
    /// Every `free` is given the start of a live heap object.
    pub const FREE: MemoryParts = MemoryParts(2);
    /// No memory is lost.
    pub const MEMTRACK: MemoryParts = MemoryParts(4);
    /// All three.
    pub const ALL: MemoryParts = MemoryParts(7);

    /// Every set of parts.
    pub(crate) fn sets() -> impl Iterator<Item = MemoryParts> {
        (1..=WORDS.len() as u8).map(MemoryParts)
    }

    /// Those of one set and of another.
    pub fn and(self, other: MemoryParts) -> MemoryParts {
        MemoryParts(self.0 | other.0)
    }

    /// Are all parts of another set among these?
    pub fn include(self, other: MemoryParts) -> bool {
        self.0 & other.0 == other.0
    }

    /// The short name of the property: `memsafety`, or the names of its parts.
    pub(crate) const fn name(self) -> &'static str {
        self.words().name
    }

    /// What the verification competition calls all three.
    pub(crate) const fn competition(self) -> Option<&'static str> {
        match self {
            MemoryParts::ALL => Some("valid-memsafety"),
            _ => None,
        }
    }

    /// What *safe* means, in words.
    pub(crate) const fn holds(self) -> &'static str {
        self.words().holds
    }

    /// The formulas of a property file that ask for them.
    pub(crate) const fn formulas(self) -> &'static [&'static str] {
        self.words().formulas
    }

    const fn words(self) -> &'static Words {
        &WORDS[self.0 as usize - 1]
    }
}
