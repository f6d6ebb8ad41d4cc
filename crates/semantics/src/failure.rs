//! What went wrong: one description, from which every report is made.

use crate::{Reading, Violation, Wait};
use serde::Serialize;
use std::fmt;

/// What went wrong, where, and with which values.
///
/// Its first line ([`Failure::headline`]) says what failed; [`Failure::details`] says more, a line each.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Failure {
    /// The violation.
    pub violation: Violation,
    /// Where, if the program has a text.
    pub place: Option<SourcePlace>,
    /// What exactly.
    #[serde(flatten)]
    pub what: What,
    /// What the text there read, and the values of the locals that it names.
    pub values: Vec<Reading>,
}

/// A place in the program, for readers.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct SourcePlace {
    /// The file.
    pub file: String,
    /// The line, from 1.
    pub line: u32,
}

impl fmt::Display for SourcePlace {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.file, self.line)
    }
}

/// What exactly went wrong.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(tag = "kind", rename_all = "kebab-case")]
pub enum What {
    /// Nothing more is known than the violation: the program has no text.
    Plain,
    /// An assertion fails.
    Assertion {
        /// What does not hold.
        expression: String,
    },
    /// An error function is called.
    ErrorCall {
        /// The call.
        call: String,
    },
    /// A signed operation leaves the range of its type.
    Overflow {
        /// The operation as written.
        operation: String,
        /// The same with values, `2147483647 + 1`, and the type that it leaves.
        computed: Option<Computed>,
    },
    /// A call uses the threading library as it must not be used.
    Misuse {
        /// How, as a short name.
        misuse: &'static str,
        /// The same in words.
        words: String,
        /// The call.
        call: String,
        /// The lock or the like that it is about.
        object: Option<String>,
        /// The threads that hold it.
        holders: Vec<ThreadName>,
    },
    /// A check of the text finds that an access is invalid.
    Operation {
        /// The text.
        text: String,
    },
    /// An access outside every object that is alive.
    Access {
        /// Does it write?
        write: bool,
        /// How many bytes.
        bytes: u64,
        /// What is there.
        target: Target,
    },
    /// A `free` of what cannot be freed.
    Free {
        /// What is there.
        target: Target,
    },
    /// Heap memory that nothing points to any more.
    Lost {
        /// The objects.
        objects: Vec<String>,
    },
    /// Two accesses that nothing orders.
    Race {
        /// What is accessed.
        name: String,
        /// The object of the heap that it is part of, with the place that allocates it.
        object: Option<String>,
        /// The accesses.
        accesses: [RacingAccess; 2],
    },
    /// Threads that wait for ever.
    Stuck {
        /// All of them.
        threads: Vec<WaitingThread>,
        /// Those that wait for each other in a ring, if some do.
        cycle: Vec<u32>,
    },
    /// Steps that repeat for ever.
    Endless {
        /// The first of them, from 1.
        first: usize,
        /// The last of them.
        last: usize,
    },
    /// Events in an order that no interleaving has.
    Cycle {
        /// Where they are, each place once.
        places: Vec<SourcePlace>,
    },
}

/// An operation with the values of its operands.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Computed {
    /// `2147483647 + 1`.
    pub operation: String,
    /// The type that the result does not fit.
    #[serde(rename = "type")]
    pub ty: String,
}

/// What is at an address that must not be accessed or freed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(tag = "target", rename_all = "kebab-case")]
pub enum Target {
    /// An address where nothing ever is, such as the null pointer.
    Nowhere {
        /// The address.
        address: u64,
    },
    /// In or close behind an object.
    Object {
        /// Its name.
        name: String,
        /// Its size in bytes.
        size: u64,
        /// Where in it, or behind it.
        offset: u64,
    },
    /// In an object that is gone.
    Gone {
        /// Its name.
        name: String,
        /// Its size in bytes.
        size: u64,
        /// Where in it.
        offset: u64,
        /// Was it freed, rather than left behind by its block?
        freed: bool,
        /// The thread that did it.
        by: ThreadName,
        /// Where.
        at: Option<SourcePlace>,
    },
    /// No object that is known.
    Unknown {
        /// The address.
        address: u64,
    },
}

/// A thread as people call it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct ThreadName {
    /// Its number.
    pub thread: u32,
    /// The function that it runs.
    pub function: String,
}

impl fmt::Display for ThreadName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.thread {
            0 => write!(f, "{}", self.function),
            number => write!(f, "thread {number} ({})", self.function),
        }
    }
}

/// One of two accesses that race.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct RacingAccess {
    /// Who makes it.
    #[serde(flatten)]
    pub thread: ThreadName,
    /// Where.
    pub place: Option<SourcePlace>,
    /// Does it write?
    pub write: bool,
    /// Is it atomic?
    pub atomic: bool,
    /// The locks that the thread holds.
    pub held: Vec<String>,
}

/// A thread that waits for ever.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct WaitingThread {
    /// Which.
    #[serde(flatten)]
    pub thread: ThreadName,
    /// Where.
    pub place: Option<SourcePlace>,
    /// What it waits for.
    pub waits: Option<Wait>,
    /// The locks that it holds.
    pub held: Vec<String>,
}

impl Failure {
    /// What failed, where, and with which values, in a line.
    pub fn headline(&self) -> String {
        let values: Vec<String> = self.values.iter().map(Reading::to_string).collect();
        let values = match values.is_empty() {
            true => String::new(),
            false => format!(" ({})", values.join(", ")),
        };
        let violation = self.violation;
        let place = at(&self.place);
        match &self.what {
            What::Assertion { expression } => {
                format!("assertion `{expression}` fails{place}{values}")
            }
            What::ErrorCall { call } => format!("`{call}` is called{place}{values}"),
            What::Overflow {
                operation,
                computed,
            } => {
                let computed = computed
                    .as_ref()
                    .map_or(values, |computed| format!(" ({computed})"));
                format!("{violation}: `{operation}`{place}{computed}")
            }
            What::Misuse { words, call, .. } => format!("{violation}: `{call}`{place} {words}"),
            What::Operation { text } => format!("{violation}: `{text}`{place}{values}"),
            What::Access {
                write,
                bytes,
                target,
            } => {
                let verb = if *write { "writes" } else { "reads" };
                let bytes = count(*bytes);
                format!("{violation}{place}: {verb} {bytes} {}", target.accessed())
            }
            What::Free { target } => format!("{violation}{place}: {}", target.freed()),
            What::Lost { objects } if objects.is_empty() => format!("{violation}{place}"),
            What::Lost { objects } => format!("{violation}{place}: {}", objects.join(", ")),
            What::Race { name, accesses, .. } => {
                let [a, b] = accesses;
                format!(
                    "data race on `{name}`: {} and {}",
                    a.headline(),
                    b.headline()
                )
            }
            What::Stuck { threads, cycle } => stuck_headline(violation, threads, cycle),
            What::Endless { first, last } => {
                format!("{violation}: steps {first} to {last} repeat for ever")
            }
            What::Cycle { places } if places.is_empty() => violation.to_string(),
            What::Cycle { places } => {
                let places: Vec<String> = places.iter().map(SourcePlace::to_string).collect();
                let places = places.join(", ");
                format!("{violation}: no interleaving does what happens at {places}")
            }
            What::Plain => violation.to_string(),
        }
    }

    /// What failed, for a reader who sees where: the headline without places.
    pub fn blame(&self) -> String {
        match &self.what {
            What::Race { name, .. } => format!("data race on `{name}`"),
            What::Stuck { .. } => self.violation.to_string(),
            _ => {
                let here = Failure {
                    place: None,
                    ..self.clone()
                };
                here.headline()
            }
        }
    }

    /// What more there is to say, a line each.
    pub fn details(&self) -> Vec<String> {
        match &self.what {
            What::Race {
                object, accesses, ..
            } => {
                let mut lines: Vec<String> = accesses.iter().map(RacingAccess::line).collect();
                lines.push(unordered(accesses));
                lines.extend(
                    object
                        .iter()
                        .map(|object| format!("it is part of {object}")),
                );
                lines
            }
            What::Stuck { threads, .. } => threads.iter().map(WaitingThread::line).collect(),
            What::Misuse {
                object: Some(object),
                holders,
                ..
            } => holders
                .iter()
                .map(|thread| format!("{thread} holds {object}"))
                .collect(),
            _ => Vec::new(),
        }
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.headline())?;
        self.details()
            .iter()
            .try_for_each(|line| write!(f, "\n{line}"))
    }
}

impl fmt::Display for Computed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} does not fit `{}`", self.operation, self.ty)
    }
}

impl Target {
    fn accessed(&self) -> String {
        match self {
            Target::Nowhere { address } => {
                format!("at address {address:#x}, where nothing ever is")
            }
            Target::Object { name, size, offset } => {
                format!("at offset {offset} of {name}, which has {}", count(*size))
            }
            Target::Gone { offset, .. } => format!("at offset {offset} of {}", self.gone()),
            Target::Unknown { address } => {
                format!("at address {address:#x}, where no object is alive any more, or yet")
            }
        }
    }

    fn freed(&self) -> String {
        match self {
            Target::Nowhere { address } | Target::Unknown { address } => {
                format!("no heap object starts at address {address:#x}")
            }
            Target::Object {
                name, offset: 0, ..
            } => {
                format!("{name} is not from the heap")
            }
            Target::Object { name, offset, .. } => {
                format!("the pointer is at offset {offset} of {name}, not at its start")
            }
            Target::Gone { .. } => self.gone(),
        }
    }

    fn gone(&self) -> String {
        match self {
            Target::Gone {
                name,
                freed,
                by,
                at: place,
                ..
            } => {
                let place = at(place);
                match freed {
                    true => format!("{name}, which {by} has freed{place}"),
                    false => format!("{name}, whose block {by} has left{place}"),
                }
            }
            other => other.accessed(),
        }
    }
}

impl RacingAccess {
    fn headline(&self) -> String {
        let verb = if self.write { "writes" } else { "reads" };
        format!("{} {verb}{}", self.thread, at(&self.place))
    }

    fn line(&self) -> String {
        let verb = if self.write { "writes" } else { "reads" };
        let atomic = if self.atomic { " atomically" } else { "" };
        let held = match self.held.is_empty() {
            true => "no lock".to_owned(),
            false => self.held.join(", "),
        };
        format!(
            "{} {verb} it{atomic}{}, holding {held}",
            self.thread,
            at(&self.place)
        )
    }
}

/// Why nothing orders two accesses.
fn unordered([a, b]: &[RacingAccess; 2]) -> String {
    let rest = "and no start, join or signal of a thread orders the two";
    match (a.held.is_empty(), b.held.is_empty()) {
        (true, true) => format!("neither holds a lock, {rest}"),
        (false, false) => format!("they hold no lock in common, {rest}"),
        _ => format!("only one holds a lock, {rest}"),
    }
}

impl WaitingThread {
    fn line(&self) -> String {
        let waits = self.waits.as_ref();
        let waits = waits.map_or_else(String::new, |waits| format!(" {waits}"));
        let held = match self.held.is_empty() {
            true => String::new(),
            false => format!(", holding {}", self.held.join(", ")),
        };
        format!("{} waits{waits}{}{held}", self.thread, at(&self.place))
    }
}

/// The ring of threads that wait for each other: `thread 1 (f) waits for m, thread 2 (g) waits for n`.
fn stuck_headline(violation: Violation, threads: &[WaitingThread], cycle: &[u32]) -> String {
    let links = cycle.iter().filter_map(|&number| {
        let waiting = threads.iter().find(|it| it.thread.thread == number)?;
        let waits = waiting.waits.as_ref()?;
        Some(format!("{} waits {waits}", waiting.thread))
    });
    let links: Vec<String> = links.collect();
    let kind = match violation {
        Violation::Deadlock => "deadlock".to_owned(),
        other => other.to_string(),
    };
    match links.as_slice() {
        [] => violation.to_string(),
        [one] => format!("{kind}: {one}, which it holds itself"),
        several => format!("{kind}: {}, in a circle", several.join(", ")),
    }
}

fn at(place: &Option<SourcePlace>) -> String {
    place
        .as_ref()
        .map_or_else(String::new, |place| format!(" at {place}"))
}

fn count(bytes: u64) -> String {
    match bytes {
        1 => "1 byte".to_owned(),
        more => format!("{more} bytes"),
    }
}
