//! Instructions that this verifier knows, by their text: the one table of them, and how a template is read.
//!
//! Known are instructions that wait or order accesses, and those that change one place in memory at once:
//! `xchg` and what has the prefix `lock` on x86, the atomic operations of ARM64 and RISC-V. All else is left
//! to the caller.

use crate::hir::AtomicOp;

/// Instructions that wait or do nothing.
const QUIET: &[&str] = &["nop", "pause", "rep nop", "sev", "wfe", "yield"];

/// Instructions that order everything before them with everything behind.
const FENCES: &[&str] = &[
    "dmb ish",
    "dmb sy",
    "dsb ish",
    "dsb sy",
    "fence",
    "fence iorw,iorw",
    "fence rw,rw",
    "lock addl $0,(%%esp)",
    "lock addl $0,(%%rsp)",
    "lock addl $0,0(%%esp)",
    "lock addl $0,0(%%rsp)",
    "lock orl $0,(%%rsp)",
    "lock orl $0,0(%%rsp)",
    "mfence",
];

/// Instructions that order some accesses, or the instructions themselves.
const WEAK_FENCES: &[&str] = &[
    "dmb ishld",
    "dmb ishst",
    "fence r,r",
    "fence r,rw",
    "fence rw,w",
    "fence w,w",
    "isb",
    "lfence",
    "sfence",
];

/// What an instruction does at once to a place in memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Action {
    /// Puts a value there; the old one is the result.
    Exchange,
    /// Combines what is there with a value; the old one is the result.
    Fetch(AtomicOp),
    /// Combines what is there with a value; there is no result.
    Update(AtomicOp),
    /// The same with 1.
    Step(AtomicOp),
    /// Puts a value there if it is as expected; the old one is the result.
    CompareExchange,
}

impl Action {
    /// Does it compare the place with what it expects?
    pub fn compares(self) -> bool {
        self == CompareExchange
    }
}

use Action::{CompareExchange, Exchange, Fetch, Step, Update};
use AtomicOp::{Add, And, Or, Sub, Xor};

/// Instructions of x86, with the prefix `lock` where they need it; a letter behind says how wide they are.
const X86: &[(&str, Action)] = &[
    ("xchg", Exchange),
    ("lock xchg", Exchange),
    ("lock xadd", Fetch(Add)),
    ("lock cmpxchg", CompareExchange),
    ("lock add", Update(Add)),
    ("lock sub", Update(Sub)),
    ("lock and", Update(And)),
    ("lock or", Update(Or)),
    ("lock xor", Update(Xor)),
    ("lock inc", Step(Add)),
    ("lock dec", Step(Sub)),
];

/// Instructions of RISC-V: `amoadd.w.aqrl result, value, place`.
const RISC_V: &[(&str, Action)] = &[
    ("amoswap", Exchange),
    ("amoadd", Fetch(Add)),
    ("amoand", Fetch(And)),
    ("amoor", Fetch(Or)),
    ("amoxor", Fetch(Xor)),
];

/// Instructions of ARM64: `ldaddal value, result, place`.
const ARM64: &[(&str, Action)] = &[
    ("swp", Exchange),
    ("ldadd", Fetch(Add)),
    ("ldset", Fetch(Or)),
    ("ldeor", Fetch(Xor)),
];

/// An operand of an instruction.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Operand {
    /// `%0` or `%[name]`: an operand of the `asm`.
    Given(String),
    /// The same in parentheses: the place that it points to.
    Pointed(String),
    /// `$5`.
    Constant(i64),
}

/// What instructions order that change nothing.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Order {
    /// Nothing.
    None,
    /// Some accesses, in a way that is not followed.
    Some,
    /// All accesses.
    All,
}

/// A template that is known.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Known {
    /// It changes nothing that a program sees, and orders accesses to memory.
    Quiet(Order),
    /// It changes a place at once.
    Atomic(Atomic),
}

/// One atomic instruction.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Atomic {
    /// What it does.
    pub action: Action,
    /// The size of the place in bytes, if the instruction says it.
    pub size: Option<u64>,
    /// The place.
    pub place: Operand,
    /// What it is combined with; nothing for a step.
    pub value: Option<Operand>,
    /// Where the old value goes, if that is not where the value came from.
    pub result: Option<Operand>,
    /// What is set to whether the values were equal, or the result is zero; and whether to the opposite.
    pub flag: Option<(Operand, bool)>,
}

/// Reads a template, if it is known. `is_place` says which operands of the `asm` are in memory.
pub(super) fn known(template: &str, is_place: &dyn Fn(&str) -> bool) -> Option<Known> {
    let lines = lines(template);
    let orders: Option<Vec<Order>> = lines.iter().map(|line| order(line)).collect();
    if let Some(orders) = orders {
        let strongest = orders.into_iter().max();
        return Some(Known::Quiet(strongest.unwrap_or(Order::None)));
    }
    let (first, rest) = lines.split_first()?;
    let flag = match rest {
        [] => None,
        [set] => Some(flag(set)?),
        _ => return None,
    };
    let mut atomic = x86(first, is_place)
        .or_else(|| risc_v(first))
        .or_else(|| arm64(first))?;
    let has_flag = !matches!(atomic.action, Exchange | Fetch(_));
    if flag.is_some() && !has_flag {
        return None;
    }
    atomic.flag = flag;
    Some(Known::Atomic(atomic))
}

/// What an instruction orders that changes nothing.
fn order(line: &str) -> Option<Order> {
    let tables = [
        (QUIET, Order::None),
        (WEAK_FENCES, Order::Some),
        (FENCES, Order::All),
    ];
    let mut tables = tables.into_iter();
    tables.find_map(|(table, order)| table.contains(&line).then_some(order))
}

/// The instructions of a template in one form: one blank, none round commas, prefixes in front of what they are
/// for.
fn lines(template: &str) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for line in template.split([';', '\n']) {
        let words: Vec<&str> = line.split_whitespace().collect();
        let line = words.join(" ").replace(" ,", ",").replace(", ", ",");
        if line.is_empty() {
            continue;
        }
        match lines.last_mut() {
            Some(last) if last == "lock" || last == "rep" => *last = format!("{last} {line}"),
            _ => lines.push(line),
        }
    }
    lines
}

fn x86(line: &str, is_place: &dyn Fn(&str) -> bool) -> Option<Atomic> {
    let (text, list) = line.rsplit_once(' ')?;
    let widths = [("b", 1), ("w", 2), ("l", 4), ("q", 8)];
    let (action, size) = X86.iter().find_map(|&(name, action)| {
        let suffix = text.strip_prefix(name)?;
        let width = widths.iter().find(|(letter, _)| *letter == suffix);
        (suffix.is_empty() || width.is_some()).then_some((action, width.map(|(_, size)| *size)))
    })?;
    let list: Option<Vec<Operand>> = list.split(',').map(operand).collect();
    let is_place = |operand: &Operand| match operand {
        Operand::Given(name) => is_place(name),
        Operand::Pointed(_) => true,
        Operand::Constant(_) => false,
    };
    let (place, value) = match (action, list?.as_slice()) {
        (Step(_), [place]) => (place.clone(), None),
        (Exchange, [place, value]) if is_place(place) => (place.clone(), Some(value.clone())),
        (Step(_), _) => return None,
        (_, [value, place]) => (place.clone(), Some(value.clone())),
        _ => return None,
    };
    let value_is_place = value.as_ref().is_some_and(is_place);
    (is_place(&place) && !value_is_place).then_some(Atomic {
        action,
        size,
        place,
        value,
        result: None,
        flag: None,
    })
}

fn risc_v(line: &str) -> Option<Atomic> {
    let (text, list) = line.split_once(' ')?;
    let mut parts = text.split('.');
    let name = parts.next()?;
    let (_, action) = RISC_V.iter().find(|(known, _)| *known == name)?;
    let size = match parts.next()? {
        "w" => 4,
        "d" => 8,
        _ => return None,
    };
    // Only those that order everything are as strong as the operations that they become.
    if parts.next() != Some("aqrl") || parts.next().is_some() {
        return None;
    }
    let list: Option<Vec<Operand>> = list.split(',').map(operand).collect();
    let [result, value, place] = <[Operand; 3]>::try_from(list?).ok()?;
    Some(ordered(*action, size, [place, value, result]))
}

fn arm64(line: &str) -> Option<Atomic> {
    let (text, list) = line.split_once(' ')?;
    let (_, action) = ARM64
        .iter()
        .find(|(name, _)| text.strip_prefix(name) == Some("al"))?;
    // `%w0` is the low half of a register.
    let size = if list.contains("%w") { 4 } else { 8 };
    let list: Option<Vec<Operand>> = list.split(',').map(|it| operand(&narrow(it))).collect();
    let [value, result, place] = <[Operand; 3]>::try_from(list?).ok()?;
    Some(ordered(*action, size, [place, value, result]))
}

fn narrow(text: &str) -> String {
    text.replace("%w", "%").replace("%x", "%")
}

fn ordered(action: Action, size: u64, [place, value, result]: [Operand; 3]) -> Atomic {
    Atomic {
        action,
        size: Some(size),
        place,
        value: Some(value),
        result: Some(result),
        flag: None,
    }
}

/// `sete %0` and the like.
fn flag(line: &str) -> Option<(Operand, bool)> {
    let (name, place) = line.split_once(' ')?;
    let opposite = match name {
        "sete" | "setz" => false,
        "setne" | "setnz" => true,
        _ => return None,
    };
    match operand(place)? {
        given @ Operand::Given(_) => Some((given, opposite)),
        _ => None,
    }
}

fn operand(text: &str) -> Option<Operand> {
    if let Some(number) = text.strip_prefix('$') {
        return number.parse().ok().map(Operand::Constant);
    }
    let between = |open, close| text.strip_prefix(open)?.strip_suffix(close);
    let inner: Option<&str> = between('(', ')').or_else(|| match between('[', ']') {
        Some(inner) if inner.starts_with('%') => Some(inner),
        _ => None,
    });
    let name = inner.unwrap_or(text).strip_prefix('%')?;
    // `%q0` and so on are the same operand.
    let name = match name.strip_prefix(['q', 'k', 'w', 'b']) {
        Some(rest) if rest.starts_with(|c: char| c.is_ascii_digit() || c == '[') => rest,
        _ => name,
    };
    let name = name
        .strip_prefix('[')
        .and_then(|name| name.strip_suffix(']'))
        .unwrap_or(name);
    if name.is_empty() || !name.chars().all(|c| c.is_alphanumeric() || c == '_') {
        return None;
    }
    let is_register = name.starts_with(|c: char| !c.is_ascii_digit()) && !text.contains('[');
    if is_register {
        return None;
    }
    Some(match inner {
        Some(_) => Operand::Pointed(name.to_owned()),
        None => Operand::Given(name.to_owned()),
    })
}

#[cfg(test)]
mod tests {
    use super::{Action, Known, Operand, Order, known};
    use crate::hir::AtomicOp;

    /// The action, the place and the value, where operand 1 is in memory.
    fn read(template: &str) -> Option<(Action, Operand, Option<Operand>)> {
        match known(template, &|name| name == "1")? {
            Known::Quiet(_) => panic!("`{template}` does something"),
            Known::Atomic(atomic) => Some((atomic.action, atomic.place, atomic.value)),
        }
    }

    fn given(name: &str) -> Operand {
        Operand::Given(name.to_owned())
    }

    #[test]
    fn instructions_that_change_nothing() {
        for (quiet, order) in [
            ("", Order::None),
            ("pause", Order::None),
            ("rep; nop", Order::None),
            ("\tmfence\n", Order::All),
            ("pause; mfence; sfence", Order::All),
            ("lock; addl $0, 0(%%rsp)", Order::All),
            ("dmb ish", Order::All),
            ("fence rw, rw", Order::All),
            ("fence rw, w", Order::Some),
            ("sfence", Order::Some),
        ] {
            let expected = Some(Known::Quiet(order));
            assert_eq!(known(quiet, &|_| false), expected, "{quiet}");
        }
    }

    #[test]
    fn atomic_instructions() {
        let swap = Some((Action::Exchange, given("1"), Some(given("0"))));
        for text in [
            "xchgl %0, %1",
            "xchg %1,%0",
            "lock; xchgq %0, %1",
            "lock xchgw\t%0, %1\n",
        ] {
            assert_eq!(read(text), swap, "{text}");
        }
        let add = Action::Fetch(AtomicOp::Add);
        assert_eq!(
            read("lock; xaddl %0, %1"),
            Some((add, given("1"), Some(given("0"))))
        );
        let pointed = Operand::Pointed("2".to_owned());
        let some = Some((Action::CompareExchange, pointed, Some(given("3"))));
        assert_eq!(read("lock\n\tcmpxchgl %3, (%2)"), some);
        let step = Action::Step(AtomicOp::Sub);
        assert_eq!(
            read("lock; decl %1; sete %0"),
            Some((step, given("1"), None))
        );
        let five = Some(Operand::Constant(5));
        assert_eq!(
            read("lock addl $5, %1"),
            Some((Action::Update(AtomicOp::Add), given("1"), five))
        );
        let pointed = Operand::Pointed("1".to_owned());
        assert_eq!(
            read("ldaddal %w2, %w0, [%1]"),
            Some((add, pointed, Some(given("2"))))
        );
        assert_eq!(
            read("amoadd.w.aqrl %0, %2, %1"),
            Some((add, given("1"), Some(given("2"))))
        );
    }

    #[test]
    fn others_are_not_known() {
        for text in [
            "addl %0, %1",
            "xchgl %0, %2",
            "cmpxchgl %0, %1",
            "lock; xaddl %0, %1; sete %2",
            "rdtsc",
            "lock; incl %1; jmp 1f",
            "xchgl %%eax, %1",
            "lock addl %0, 4(%1)",
            "xchgl %0",
        ] {
            assert_eq!(known(text, &|name| name == "1"), None, "{text}");
        }
    }
}
