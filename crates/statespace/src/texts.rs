//! Texts that an argument of `main` is tried with: small numbers, and options that the program looks for.

use xcfa::{ObjectKind, Xcfa};

/// Numbers that programs are often given: of threads, of rounds.
const NUMBERS: [&str; 4] = ["2", "1", "3", "0"];

/// At most this many options, and at most this many texts that the program mentions.
const MOST_OPTIONS: usize = 4;

/// The texts, each as a number whose lowest byte is the first character.
pub fn texts(xcfa: &Xcfa, constants: &[(u32, u64)]) -> Vec<u64> {
    let options = constants.iter().filter_map(option).take(MOST_OPTIONS);
    let mentioned = mentioned(xcfa).take(MOST_OPTIONS);
    let mut texts = Vec::new();
    for text in NUMBERS
        .into_iter()
        .map(number)
        .chain(options)
        .chain(mentioned)
    {
        if !texts.contains(&text) {
            texts.push(text);
        }
    }
    texts
}

fn number(text: &str) -> u64 {
    let bytes = text.bytes().enumerate();
    bytes.fold(0, |word, (at, byte)| word | u64::from(byte) << (8 * at))
}

/// The option whose letter the program compares something with.
fn option(&(width, letter): &(u32, u64)) -> Option<u64> {
    let is_letter = width >= 8 && u8::try_from(letter).is_ok_and(|byte| byte.is_ascii_alphabetic());
    is_letter.then_some(letter << 8 | u64::from(b'-'))
}

/// Literals that look like what a user types: options, and short words.
fn mentioned(xcfa: &Xcfa) -> impl Iterator<Item = u64> {
    xcfa.obj_ids().filter_map(|object| {
        let object = &xcfa[object];
        let ObjectKind::Static { init } = &object.kind else {
            return None;
        };
        let size = object
            .size
            .filter(|size| object.literal && (3..=8).contains(size))?;
        let mut text = 0;
        for &(at, byte) in init {
            let byte = u8::try_from(xcfa.terms.as_const(byte)?).ok()?;
            let is_plain =
                byte.is_ascii_lowercase() || byte == b'-' || (byte == 0 && at == size - 1);
            if !is_plain {
                return None;
            }
            text |= u64::from(byte) << (8 * at);
        }
        Some(text)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_is_the_number_that_its_characters_make() {
        assert_eq!(number("2"), 0x32);
        assert_eq!(number("-n"), 0x6e2d);
    }

    #[test]
    fn letters_that_a_program_compares_with_may_be_options() {
        assert_eq!(option(&(32, u64::from(b'n'))), Some(number("-n")));
        assert_eq!(option(&(8, u64::from(b'?'))), None);
        assert_eq!(option(&(32, 0x16e)), None);
    }
}
