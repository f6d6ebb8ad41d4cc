//! The types that values have.

use generator::Rng;

/// Integer types, with their names in C.
pub const INTEGERS: [&str; 12] = [
    "_Bool",
    "char",
    "signed char",
    "unsigned char",
    "short",
    "unsigned short",
    "int",
    "unsigned",
    "long",
    "unsigned long",
    "long long",
    "unsigned long long",
];

/// Any integer type.
pub fn integer(rng: &mut Rng) -> &'static str {
    INTEGERS[rng.below(INTEGERS.len())]
}

/// A constant: small ones, those at the borders of types, and any other, in any notation.
pub fn constant(rng: &mut Rng) -> String {
    const BORDERS: [u64; 14] = [
        0x7f,
        0x80,
        0xff,
        0x7fff,
        0x8000,
        0xffff,
        0x7fff_ffff,
        0x8000_0000,
        0xffff_ffff,
        0x1_0000_0000,
        0x7fff_ffff_ffff_ffff,
        0x8000_0000_0000_0000,
        0xffff_ffff_ffff_ffff,
        1 << 62,
    ];
    let value = match rng.below(10) {
        0..=4 => rng.below(10) as u64,
        5 => rng.below(300) as u64,
        6..=7 => BORDERS[rng.below(BORDERS.len())],
        8 => rng.next_u64() >> 32,
        _ => rng.next_u64(),
    };
    if rng.chance(8) {
        const CHARACTERS: [&str; 8] = [
            "'a'", "'\\0'", "'\\n'", "'\\377'", "'\\x7f'", "L'x'", "u'z'", "'\\''",
        ];
        return CHARACTERS[rng.below(CHARACTERS.len())].to_owned();
    }
    // Decimal constants without a suffix that fit no signed type draw warnings, not meaning.
    let suffixes: &[&str] = match value >> 63 {
        0 => &["", "", "", "u", "l", "ul", "ll", "ull", "U", "LL"],
        _ => &["u", "ul", "ull", "ULL"],
    };
    let suffix = suffixes[rng.below(suffixes.len())];
    match rng.below(4) {
        0 => format!("0x{value:x}{suffix}"),
        1 => format!("0{value:o}{suffix}"),
        _ => format!("{value}{suffix}"),
    }
}
