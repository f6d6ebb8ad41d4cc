//! What calls of the C library mean: rows of the functions that the system's headers declare.
//!
//! A function is *modelled* (a program cannot observe a difference),
//! *harmless* (it reads what it is given and returns anything) or *refused*. The lowering acts on
//! these rows, `mazurka functions` prints them and the manual shows them: nothing else says which
//! functions are known. A function of the system without a row is refused, whoever declares it; a
//! function of the program that is not defined is assumed to change nothing, and the verdict says so.

mod cancellation;
mod compiler;
mod ctype;
mod fcntl;
mod inet;
mod inttypes;
mod math;
mod process;
mod pthread;
mod sched;
mod search;
mod semaphore;
mod signal;
mod stdatomic;
mod stdio;
mod stdlib;
mod string;
mod sys;
mod threads;
mod time;
mod unistd;
mod verifier;
mod wchar;

pub(crate) use cancellation::{Cancellation, cancellation};

use rustc_hash::{FxHashMap, FxHashSet};
use std::fmt;
use std::sync::LazyLock;
use xcfa::Inexact;

/// Functions of the library that mean the same.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Row {
    names: &'static str,
    meaning: Meaning,
}

/// A function of the library.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Function {
    /// Its name.
    pub name: &'static str,
    /// What a call means.
    pub meaning: Meaning,
}

/// What a call means.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Meaning {
    /// Written in C, in this file.
    InC(&'static str),
    /// Made of steps of the machine, with the help of this file for what is not constant.
    Steps(Option<&'static str>),
    /// Nothing happens that a program could see, and the result is 0.
    Succeeds,
    /// Prints by the format at this argument; all after it are what is printed.
    Prints(usize),
    /// Prints by the format at this argument and ends the process.
    PrintsAndEnds(usize),
    /// Does this to its arguments; the result comes from outside.
    Outside(Gives, &'static [Effect]),
    /// Does this to its arguments; the result is determined but not worked out: no violation that
    /// needs it is reported.
    Arbitrary(&'static [Effect]),
    /// There is no model, for this reason.
    Refused(&'static str),
}

/// What may come from outside.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Gives {
    /// Any value of the type.
    Anything,
    /// 0 or -1.
    Status,
    /// -1 or more.
    Number,
    /// 0 or the number of an error.
    Code,
    /// The address of a string of the library; its place is unknown.
    Text,
    /// The same, or a null pointer.
    TextOrNull,
    /// This argument as an `unsigned char`, or -1.
    Character(usize),
    /// At most this argument; -1 if the result has a sign.
    UpTo(usize),
    /// 0 or 1.
    Truth,
}

impl fmt::Display for Gives {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Gives::Anything => "returns anything",
            Gives::Status => "returns 0 or -1",
            Gives::Number => "returns -1 or more",
            Gives::Code => "returns 0 or an error",
            Gives::Text => "returns a string, at an unknown address",
            Gives::TextOrNull => "returns a string, at an unknown address, or a null pointer",
            Gives::Character(_) => "returns the character or -1",
            Gives::UpTo(_) => "returns at most what it was given, or -1",
            Gives::Truth => "returns 0 or 1",
        })
    }
}

/// What a function does to memory behind an argument; arguments count from 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Effect {
    /// Reads a string to its end.
    Text(usize),
    /// The same, unless the pointer is null.
    TextOrNull(usize),
    /// Reads as many bytes as the second argument says.
    Bytes(usize, usize),
    /// Reads as many bytes as the product of two arguments.
    Items(usize, usize, usize),
    /// Reads the object, unless the pointer is null.
    Object(usize),
    /// Fills the object with any value, unless the pointer is null.
    Fills(usize),
    /// Writes memory of the library that nothing protects.
    Writes(Unprotected),
    /// Looks at the environment, which nothing protects.
    ReadsEnvironment,
    /// Changes the environment, as one step.
    ChangesEnvironment,
}

/// Memory of the library that its functions write although nothing protects it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unprotected {
    /// The sign of a gamma function.
    Sign,
    /// The name of a user or of a terminal.
    Name,
}

impl Effect {
    /// Does it change memory?
    pub fn writes(self) -> bool {
        matches!(self, Effect::Fills(_))
    }
}

/// How much is known about a function.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Status {
    /// A call behaves as in the library.
    Modelled,
    /// A call reads what it is given, and returns anything.
    Harmless,
    /// A program that calls it is refused.
    Refused,
}

impl fmt::Display for Status {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Status::Modelled => "modelled",
            Status::Harmless => "harmless",
            Status::Refused => "refused",
        })
    }
}

impl Meaning {
    /// How much is known.
    pub fn status(self) -> Status {
        match self {
            Meaning::InC(_)
            | Meaning::Steps(_)
            | Meaning::Succeeds
            | Meaning::Prints(_)
            | Meaning::PrintsAndEnds(_) => Status::Modelled,
            Meaning::Outside(_, effects) | Meaning::Arbitrary(effects) => {
                match effects.iter().any(|effect| effect.writes()) {
                    true => Status::Modelled,
                    false => Status::Harmless,
                }
            }
            Meaning::Refused(_) => Status::Refused,
        }
    }

    /// The file in C that a program needs which calls it.
    pub(crate) fn unit(self) -> Option<&'static str> {
        match self {
            Meaning::InC(unit) => Some(unit),
            Meaning::Steps(unit) => unit,
            Meaning::Prints(_) | Meaning::PrintsAndEnds(_) => Some(READING),
            Meaning::Outside(_, effects) | Meaning::Arbitrary(effects) => {
                let in_c =
                    |effect: &Effect| !matches!(effect, Effect::Object(_) | Effect::Fills(_));
                effects.iter().any(in_c).then_some(READING)
            }
            Meaning::Succeeds | Meaning::Refused(_) => None,
        }
    }
}

impl fmt::Display for Meaning {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Meaning::InC(unit) => f.write_str(unit),
            Meaning::Steps(_) => f.write_str("steps of the machine"),
            Meaning::Succeeds => f.write_str("changes nothing and returns 0"),
            Meaning::Prints(_) => f.write_str("reads what it prints; its result is not worked out"),
            Meaning::PrintsAndEnds(_) => f.write_str("reads what it prints; ends the process"),
            Meaning::Outside(gives, effects) => {
                effects
                    .iter()
                    .try_for_each(|effect| write!(f, "{effect}; "))?;
                write!(f, "{gives}")
            }
            Meaning::Arbitrary(effects) => {
                effects
                    .iter()
                    .try_for_each(|effect| write!(f, "{effect}; "))?;
                f.write_str("its result is not worked out")
            }
            Meaning::Refused(why) => f.write_str(why),
        }
    }
}

impl fmt::Display for Effect {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Effect::Text(at) | Effect::TextOrNull(at) => write!(f, "reads the string {}", at + 1),
            Effect::Bytes(at, _) | Effect::Items(at, ..) => write!(f, "reads the bytes {}", at + 1),
            Effect::Object(at) => write!(f, "reads the object {}", at + 1),
            Effect::Fills(at) => write!(f, "fills the object {} with any value", at + 1),
            Effect::Writes(_) => f.write_str("writes memory of the library, unprotected"),
            Effect::ReadsEnvironment => f.write_str("reads the environment"),
            Effect::ChangesEnvironment => f.write_str("changes the environment"),
        }
    }
}

/// The functions of one header.
#[derive(Clone, Copy, Debug)]
pub struct Header {
    /// Its name; for what is in no header, where it comes from.
    pub name: &'static str,
    rows: &'static [Row],
}

impl Header {
    /// Its functions.
    pub fn functions(&self) -> impl Iterator<Item = Function> + use<> {
        self.rows.iter().flat_map(|row| {
            let meaning = row.meaning;
            let names = row.names.split_ascii_whitespace();
            names.map(move |name| Function { name, meaning })
        })
    }
}

/// Every function that is known, by header.
pub const HEADERS: &[Header] = &[
    header("pthread.h", pthread::ROWS),
    header("threads.h", threads::ROWS),
    header("semaphore.h", semaphore::ROWS),
    header("stdatomic.h", stdatomic::ROWS),
    header("sched.h", sched::ROWS),
    header("string.h", string::ROWS),
    header("stdlib.h", stdlib::ROWS),
    header("stdio.h", stdio::ROWS),
    header("unistd.h", unistd::ROWS),
    header("time.h", time::ROWS),
    header("signal.h", signal::ROWS),
    header("ctype.h", ctype::ROWS),
    header("wchar.h", wchar::ROWS),
    header("inttypes.h", inttypes::ROWS),
    header("math.h", math::ROWS),
    header("fcntl.h", fcntl::ROWS),
    header("arpa/inet.h, netdb.h", inet::ROWS),
    header("search.h", search::ROWS),
    header("sys/*.h", sys::ROWS),
    header(
        "err.h, error.h, assert.h, errno.h, setjmp.h, link.h, execinfo.h",
        process::ROWS,
    ),
    header("gcc", compiler::ROWS),
    header("verifiers", verifier::ROWS),
];

const fn header(name: &'static str, rows: &'static [Row]) -> Header {
    Header { name, rows }
}

/// What is known about a function.
pub fn function(name: &str) -> Option<Function> {
    // Headers declare hundreds of functions, and the table of them all is long.
    static BY_NAME: LazyLock<FxHashMap<&str, Function>> = LazyLock::new(|| {
        let all = HEADERS.iter().flat_map(Header::functions);
        all.map(|function| (function.name, function)).collect()
    });
    let find = |name: &str| BY_NAME.get(name).copied();
    find(name).or_else(|| find(math::of_double(name)?))
}

/// The one header that declares a function.
pub fn header_of(name: &str) -> Option<&'static str> {
    let alone = |header: &&Header| header.name.ends_with(".h") && !header.name.contains([',', '*']);
    let mut headers = HEADERS.iter().filter(alone);
    let header = headers.find(|header| header.functions().any(|it| it.name == name))?;
    Some(header.name)
}

/// Functions of one process that always return the same, or that are passed what they returned before.
const STEADY: &str = "__libc_current_sigrtmax __libc_current_sigrtmin __getpgid clock fpathconf \
     ftell ftello ftello64 getegid geteuid getgid gethostid getpgid getpgrp getppid getsid getuid \
     group_member isatty pathconf sched_getscheduler siggetmask times";

/// Functions whose results are determined by what the program did, by constants of the system, or by
/// limits that are not worked out.
const DETERMINED: &str = "__ctype_get_mb_cur_max clock_getres close feof feof_unlocked ferror \
     ferror_unlocked fileno fileno_unlocked gettid inet_addr is_written old_mask pthread_attr_getguardsize pthread_attr_getstacksize \
     printed pthread_getname_np put_unknown rand_r sched_get_priority_max sched_get_priority_min sched_getaffinity \
     rights_of_mapping timespec_getres umask ungetc unknown_character unknown_date unknown_failure unknown_length \
     unknown_limit unknown_mask unknown_number unknown_small_number unknown_time may_be_out_of_range woken written written_length";

/// Functions of the models through which a program may receive what it has sent itself; then the results are
/// determined, and whoever waits for them is behind whoever sent them.
const CONNECTED: &str = "accept any_count any_file any_size answers character fails fgetc fgets fill fread getc getchar \
     happened put_address pwrite pwrite64 read ready_bits received recv send sendto sigwait write";

/// Functions that connect a program with itself.
pub(crate) const CONNECTS: &[&str] = &["pipe", "pipe2", "socketpair", "eventfd"];

/// Functions that send to a socket which the program may have bound itself.
pub(crate) const SENDS: &[&str] = &["connect", "sendto"];

/// Is it a function through which a program may receive what it has sent itself?
pub(crate) fn is_connected(name: &str) -> bool {
    CONNECTED.split_ascii_whitespace().any(|it| it == name)
}

/// Functions that change what `getenv` gives.
pub(crate) const SETS_ENVIRONMENT: &[&str] = &["setenv", "unsetenv", "clearenv"];

/// Which results of a function from outside may be impossible?
pub(crate) fn inexact(
    name: &str,
    gives: Gives,
    environment_changes: bool,
    connects_files: bool,
) -> Option<Inexact> {
    let of_environment = matches!(name, "getenv" | "secure_getenv");
    if of_environment && environment_changes {
        return Some(Inexact::Every);
    }
    if is_determined(name) || (connects_files && is_connected(name)) {
        return Some(Inexact::Every);
    }
    let is_text = matches!(gives, Gives::Text | Gives::TextOrNull);
    let is_steady = is_text || STEADY.split_ascii_whitespace().any(|steady| steady == name);
    is_steady.then_some(Inexact::FromSecond)
}

/// Are the results of a function determined, but not worked out?
pub(crate) fn is_determined(name: &str) -> bool {
    DETERMINED.split_ascii_whitespace().any(|it| it == name)
}

/// Every name that the headers of the system declare as a function; `scripts/system-names.sh` makes the
/// list.
const SYSTEM_NAMES: &str = include_str!("system_names.txt");

/// Is it the name of a function of the system, whoever declares it?
pub(crate) fn is_system(name: &str) -> bool {
    static NAMES: LazyLock<FxHashSet<&str>> = LazyLock::new(|| SYSTEM_NAMES.lines().collect());
    NAMES.contains(name)
}

/// Variables of the system that its functions write.
pub(crate) fn is_written_by_library(variable: &str) -> bool {
    const VARIABLES: &str = "__daylight __environ __timezone __tzname _environ daylight environ \
         error_message_count error_one_per_line error_print_progname getdate_err h_errno optarg \
         opterr optind optopt signgam timezone tzname loc1 loc2 locs obstack_alloc_failed_handler \
         program_invocation_name program_invocation_short_name";
    VARIABLES.split_ascii_whitespace().any(|it| it == variable)
}

/// What is known about a call of a name, whichever prefix the compiler or a standard gives it.
pub(crate) fn meaning(name: &str) -> Option<Meaning> {
    const PREFIXES: &[&str] = &["__builtin_", "__isoc99_", "__isoc23_"];
    let plain = || PREFIXES.iter().find_map(|prefix| name.strip_prefix(prefix));
    let found = function(name).or_else(|| function(plain()?));
    found.map(|function| function.meaning)
}

// What the files of rows are written with.

pub(crate) const READING: &str = "lib/reading.c";

const fn is(meaning: Meaning, names: &'static str) -> Row {
    Row { names, meaning }
}

const fn in_c(unit: &'static str, names: &'static str) -> Row {
    is(Meaning::InC(unit), names)
}

const fn steps(names: &'static str) -> Row {
    is(Meaning::Steps(None), names)
}

const fn succeeds(names: &'static str) -> Row {
    is(Meaning::Succeeds, names)
}

const fn outside(effects: &'static [Effect], names: &'static str) -> Row {
    is(Meaning::Outside(Gives::Anything, effects), names)
}

const fn status(effects: &'static [Effect], names: &'static str) -> Row {
    is(Meaning::Outside(Gives::Status, effects), names)
}

const fn number(effects: &'static [Effect], names: &'static str) -> Row {
    is(Meaning::Outside(Gives::Number, effects), names)
}

const fn code(effects: &'static [Effect], names: &'static str) -> Row {
    is(Meaning::Outside(Gives::Code, effects), names)
}

const fn text(effects: &'static [Effect], names: &'static str) -> Row {
    is(Meaning::Outside(Gives::Text, effects), names)
}

const fn text_or_null(effects: &'static [Effect], names: &'static str) -> Row {
    is(Meaning::Outside(Gives::TextOrNull, effects), names)
}

const fn character(at: usize, names: &'static str) -> Row {
    is(Meaning::Outside(Gives::Character(at), &[]), names)
}

const fn up_to(at: usize, effects: &'static [Effect], names: &'static str) -> Row {
    is(Meaning::Outside(Gives::UpTo(at), effects), names)
}

const fn arbitrary(effects: &'static [Effect], names: &'static str) -> Row {
    is(Meaning::Arbitrary(effects), names)
}

const fn refused(why: &'static str, names: &'static str) -> Row {
    is(Meaning::Refused(why), names)
}

const WRITES: &str = "writes to memory, which is not modelled";
const CALLS: &str = "calls functions of the program, which is not modelled";
const SIGNALS: &str = "changes what signals do, which is not modelled";
const POINTS: &str = "returns the address of memory of the library, which is not modelled";
const PROCESS: &str = "starts or replaces a process, which is not modelled";
const VARIABLE: &str = "takes a list of variable arguments";
const NO_MODEL: &str = "there is no model of this function";

#[cfg(test)]
mod tests;
