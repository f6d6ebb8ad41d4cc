//! Ways to turn an address into a number and back.

use crate::Rng;
use std::fmt::Write;

/// A way: what is declared, how the number `v` is put away, and how `r` is made from that again.
pub struct Way {
    pub globals: String,
    pub put: String,
    pub get: String,
}

/// A random way. All variables but `v` and `r` are the way's own.
pub fn way(rng: &mut Rng) -> Way {
    match rng.below(10) {
        0..4 => digits(rng),
        4 => undone(rng),
        5 => apart(rng),
        6 => keyed(rng),
        7 => bytes(rng),
        8 => branches(rng),
        _ => searched(rng),
    }
}

/// A way through one number `w`.
fn through(put: &str, get: &str) -> Way {
    Way {
        globals: "uintptr_t w;".to_owned(),
        put: format!("w = {put};"),
        get: format!("r = {get};"),
    }
}

/// An operation and the one that undoes it.
fn undone(rng: &mut Rng) -> Way {
    let pairs = [
        ("v | 1", "w & ~(uintptr_t)1"),
        ("v + 3", "w & ~(uintptr_t)3"),
        ("v | 3", "w - 3"),
        ("v << 1 | 1", "w >> 1"),
        ("~v", "~w"),
        ("-v", "-w"),
        ("v * 3", "w / 3"),
        ("v * 5", "w * 0xcccccccccccccccdul"),
        ("v ^ 0x5555", "w ^ 0x5555"),
        ("v + 1000", "w - 1000"),
        ("v << 16 | v >> 48", "w >> 16 | w << 48"),
        ("v >> 2", "w * 4"),
    ];
    let (put, get) = rng.pick(&pairs);
    through(put, get)
}

/// Against another address, or an input.
fn keyed(rng: &mut Rng) -> Way {
    let key = rng.pick(&["(uintptr_t)&y", "(uintptr_t)&xs[1]", "key"]);
    let (op, undo) = rng.pick(&[("^", "^"), ("-", "+"), ("+", "-")]);
    let mut way = through(&format!("v {op} {key}"), &format!("w {undo} {key}"));
    if key == "key" {
        way.globals += " unsigned long key;";
        way.put = format!("key = __VERIFIER_nondet_ulong(); {}", way.put);
    }
    way
}

/// In two halves, or more.
fn apart(rng: &mut Rng) -> Way {
    let at = rng.pick(&[8, 16, 32, 12]);
    let mask = (1u64 << at) - 1;
    let joined = rng.pick(&["hi << AT | lo", "(hi << AT) + lo", "(hi << AT) ^ lo"]);
    Way {
        globals: "unsigned long hi, lo;".to_owned(),
        put: format!("hi = v >> {at}; lo = v & 0x{mask:x};"),
        get: format!("r = {};", joined.replace("AT", &at.to_string())),
    }
}

/// Byte after byte in memory.
fn bytes(rng: &mut Rng) -> Way {
    let copies = [
        ("memcpy(d, &v, sizeof v);", "memcpy(&r, d, sizeof r);"),
        (
            "for (int i = 0; i < 8; i++) d[i] = ((unsigned char *)&v)[i];",
            "for (int i = 7; i >= 0; i--) ((unsigned char *)&r)[i] = d[i];",
        ),
        (
            "for (int i = 0; i < 8; i++) d[7 - i] = ~((unsigned char *)&v)[i];",
            "for (int i = 0; i < 8; i++) ((unsigned char *)&r)[i] = ~d[7 - i];",
        ),
    ];
    let (put, get) = rng.pick(&copies);
    Way {
        globals: "unsigned char d[8];".to_owned(),
        put: put.to_owned(),
        get: get.to_owned(),
    }
}

/// Only conditions depend on the address.
fn branches(rng: &mut Rng) -> Way {
    let put = rng.pick(&[
        "for (int i = 0; i < 64; i++) if (v >> i & 1) d[i] = 1;",
        "for (int i = 0; i < 64; i++) d[i] = (v & (uintptr_t)1 << i) != 0;",
        "for (int i = 0; i < 64; i++) d[i] = (v >> i) % 2 ? 1 : 0;",
        "for (int i = 0; i < 64; i++) switch (v >> i & 1) { case 0: d[i] = 0; break; default: d[i] = 1; }",
    ]);
    let get = rng.pick(&[
        "for (int i = 0; i < 64; i++) if (d[i]) r |= (uintptr_t)1 << i;",
        "for (int i = 0; i < 64; i++) r += d[i] ? (uintptr_t)1 << i : 0;",
        "for (int i = 63; i >= 0; i--) { r = r * 2; if (d[i] == 1) r++; }",
        "for (int i = 63; i >= 0; i--) r = d[i] ? r + r + 1 : r + r;",
    ]);
    Way {
        globals: "unsigned char d[64];".to_owned(),
        put: put.to_owned(),
        get: get.to_owned(),
    }
}

/// Found among candidates, or by counting.
fn searched(rng: &mut Rng) -> Way {
    let get = rng.pick(&[
        "for (int i = 0; i < 3; i++) if ((uintptr_t)some[i] == w) r = (uintptr_t)some[i];",
        "for (int i = 0; i < 3; i++) if (!((uintptr_t)some[i] ^ w)) r = w;",
        "{ int i = 0; while (i < 2 && (uintptr_t)some[i] != w) i++; r = (uintptr_t)some[i]; }",
        "for (int i = 0; i < 3; i++) if ((uintptr_t)some[i] <= w && (uintptr_t)some[i] >= w) r = (uintptr_t)some[i];",
        "for (r = w - 8; r != w; ) r++;",
    ]);
    Way {
        globals: "uintptr_t w;".to_owned(),
        put: "w = v;".to_owned(),
        get: get.to_owned(),
    }
}

/// In digits, each through a map and back.
fn digits(rng: &mut Rng) -> Way {
    let width = rng.pick(&[1, 2, 4, 4, 8]);
    let (count, base) = (64 / width, 1usize << width);
    let (mut globals, map, unmap) = mapped(rng, width);
    let _ = write!(globals, " unsigned char d[{count}];");
    let digit = match rng.chance(50) {
        true => format!("(v >> {width} * i & {})", base - 1),
        false => format!("(v >> {width} * i) % {base}"),
    };
    let put = format!(
        "for (int i = 0; i < {count}; i++) d[i] = {};",
        map.replace('D', &digit)
    );
    let back = unmap.replace('D', "d[i]");
    let get = match rng.below(3) {
        0 => format!("for (int i = {count} - 1; i >= 0; i--) r = r * {base} + {back};"),
        1 => format!("for (int i = {count} - 1; i >= 0; i--) r = r << {width} | {back};"),
        _ => format!("for (int i = 0; i < {count}; i++) r |= (uintptr_t)({back}) << {width} * i;"),
    };
    Way { globals, put, get }
}

/// A map of digits of this many bits and the one that undoes it, as expressions about `D`, and what
/// they need.
fn mapped(rng: &mut Rng, width: usize) -> (String, String, String) {
    let base = 1usize << width;
    let plain = |map: &str, unmap: &str| (String::new(), map.to_owned(), unmap.to_owned());
    match rng.below(6) {
        0 => plain("D", "D"),
        1 => plain("D ^ 1", "(D ^ 1)"),
        2 if width < 8 => plain("D + 7", "(D - 7)"),
        3 if width < 8 => choices(rng, base),
        4 if width == 4 => (
            "const char hex[17] = \"0123456789abcdef\";".to_owned(),
            "hex[D]".to_owned(),
            rng.pick(&[
                "(D >= '0' && D <= '9' ? D - '0' : D - 'a' + 10)",
                "(D < 'a' ? D - 48 : D - 87)",
            ])
            .to_owned(),
        ),
        _ => table(rng, base),
    }
}

fn table(rng: &mut Rng, base: usize) -> (String, String, String) {
    let mut there: Vec<usize> = (0..base).collect();
    for at in (1..base).rev() {
        there.swap(at, rng.below(at + 1));
    }
    let mut back = vec![0; base];
    for (from, to) in there.iter().enumerate() {
        back[*to] = from;
    }
    let list = |numbers: &[usize]| {
        let numbers: Vec<String> = numbers.iter().map(usize::to_string).collect();
        numbers.join(", ")
    };
    let globals = format!(
        "const unsigned char there[{base}] = {{{}}}, back[{base}] = {{{}}};",
        list(&there),
        list(&back)
    );
    (globals, "there[D]".to_owned(), "back[D]".to_owned())
}

/// A function that compares with one digit after the other.
fn choices(rng: &mut Rng, base: usize) -> (String, String, String) {
    let mut body = String::new();
    let switch = rng.chance(50);
    for digit in 0..base - 1 {
        let _ = match switch {
            true => write!(body, " case {digit}: return {digit};"),
            false => write!(body, " if (digit == {digit}) return {digit};"),
        };
    }
    let body = match switch {
        true => format!("switch (digit) {{{body} }}"),
        false => body,
    };
    let globals = format!(
        "unsigned char same(unsigned digit) {{ {body} return {}; }}",
        base - 1
    );
    match rng.chance(50) {
        true => (globals, "same(D)".to_owned(), "D".to_owned()),
        false => (globals, "D".to_owned(), "same(D)".to_owned()),
    }
}
