//! Whatever the text is, the front end answers: no panic, no hang.
//!
//! Texts are mutated programs: random ones of our own, and public verification tasks (see
//! [`corpus_dir`]). `PROPTEST_CASES` sets how many are tried.

use cfront::{LowerOptions, Text, compile};
use generator::{Profile, generate};
use proptest::prelude::*;
use std::sync::OnceLock;
use std::time::{Duration, Instant};
use testkit::corpus_dir;
use xcfa::{DataModel, SourceFile};

/// Longer texts are left out, so that a case takes milliseconds.
const LONGEST: usize = 150_000;
const PATIENCE: Duration = Duration::from_secs(10);

/// Words that a mutation puts in: whatever starts, ends or turns a construct.
const WORDS: &[&str] = &[
    "{",
    "}",
    "(",
    ")",
    "[",
    "]",
    ";",
    ",",
    "*",
    "&",
    "=",
    "==",
    "->",
    ".",
    "...",
    "?",
    ":",
    "::",
    "#",
    "\"",
    "'",
    "\\",
    "/*",
    "*/",
    "//",
    "0x",
    "1e",
    "08",
    "-",
    "++",
    "sizeof",
    "typeof(",
    "struct",
    "union",
    "enum",
    "typedef",
    "static",
    "_Thread_local",
    "_Atomic",
    "_Generic(",
    "_Static_assert(",
    "goto",
    "case",
    "default:",
    "while(",
    "for(;;)",
    "switch(",
    "return",
    "if(",
    "else",
    "asm(",
    "__attribute__((",
    "int",
    "unsigned",
    "long long",
    "double",
    "void",
    "char*",
    "x",
    "main",
    "pthread_create(",
    "__builtin_offsetof(",
    "\u{e9}",
    "\0",
    "$",
];

fn originals() -> &'static [String] {
    static TEXTS: OnceLock<Vec<String>> = OnceLock::new();
    TEXTS.get_or_init(|| {
        let mut texts: Vec<String> = (0..20)
            .map(|seed| generate(seed, &Profile::standard()).to_string())
            .collect();
        let families = corpus_dir().and_then(|dir| std::fs::read_dir(dir).ok());
        for family in families.into_iter().flatten().flatten() {
            let files = std::fs::read_dir(family.path()).into_iter().flatten();
            let mut paths: Vec<_> = files.flatten().map(|file| file.path()).collect();
            paths.sort();
            let is_program = |path: &std::path::PathBuf| path.extension() == Some("i".as_ref());
            for path in paths.into_iter().filter(is_program).take(6) {
                let text = std::fs::read_to_string(path);
                texts.extend(text.ok().filter(|text| text.len() <= LONGEST));
            }
        }
        texts
    })
}

/// One change of a text; places are in thousandths of its last third, where headers have ended.
#[derive(Clone, Debug)]
enum Mutation {
    Delete(usize, usize),
    Repeat(usize, usize),
    Insert(usize, usize),
    Replace(usize, usize),
    Nest(usize, usize, usize),
    Cut(usize),
}

fn mutation() -> impl Strategy<Value = Mutation> {
    let place = 0..1000usize;
    let word = 0..WORDS.len();
    prop_oneof![
        (place.clone(), 1..80usize).prop_map(|(at, len)| Mutation::Delete(at, len)),
        (place.clone(), 1..400usize).prop_map(|(at, len)| Mutation::Repeat(at, len)),
        (place.clone(), word.clone()).prop_map(|(at, word)| Mutation::Insert(at, word)),
        (place.clone(), word.clone()).prop_map(|(at, word)| Mutation::Replace(at, word)),
        (place.clone(), word, 1..3000usize)
            .prop_map(|(at, word, times)| Mutation::Nest(at, word, times)),
        place.prop_map(Mutation::Cut),
    ]
}

fn mutate(text: &mut String, mutation: &Mutation) {
    let floor = |text: &str, at: usize| {
        let mut at = at.min(text.len());
        while !text.is_char_boundary(at) {
            at -= 1;
        }
        at
    };
    let place = |text: &str, thousandths: usize| {
        let third = text.len() / 3;
        floor(text, text.len() - third + third * thousandths / 1000)
    };
    match *mutation {
        Mutation::Delete(at, len) => {
            let at = place(text, at);
            let end = floor(text, at + len);
            text.replace_range(at..end, "");
        }
        Mutation::Repeat(at, len) => {
            let at = place(text, at);
            let part = text[at..floor(text, at + len)].to_owned();
            text.insert_str(at, &part);
        }
        Mutation::Insert(at, word) => text.insert_str(place(text, at), WORDS[word]),
        Mutation::Replace(at, word) => {
            let at = place(text, at);
            let end = floor(text, at + WORDS[word].len());
            text.replace_range(at..end, WORDS[word]);
        }
        Mutation::Nest(at, word, times) => {
            text.insert_str(place(text, at), &WORDS[word].repeat(times))
        }
        Mutation::Cut(at) => text.truncate(place(text, at)),
    }
}

/// Compiles on a thread with the stack that the command line has.
fn answers(text: String) -> Duration {
    let start = Instant::now();
    let worker = std::thread::Builder::new().stack_size(8 << 20);
    let worker = worker.spawn(move || {
        let file = SourceFile::new("fuzz.i", text);
        if let Err(failure) = compile(
            &Text::new(vec![file], DataModel::Lp64),
            &LowerOptions::default(),
        ) {
            // The message can be shown, with its place.
            let place = failure.sources.place(failure.error.span);
            let _ = format!("{place}: {}", failure.error);
        }
    });
    let outcome = worker.expect("a thread").join();
    assert!(outcome.is_ok(), "the front end panicked");
    start.elapsed()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, ..ProptestConfig::default() })]

    #[test]
    fn mutated_programs_are_answered(
        number in 0..10_000usize,
        mutations in prop::collection::vec(mutation(), 1..6),
    ) {
        let texts = originals();
        let mut text = texts[number % texts.len()].clone();
        for mutation in &mutations {
            mutate(&mut text, mutation);
        }
        let time = answers(text);
        prop_assert!(time < PATIENCE, "it took {time:?}");
    }

    #[test]
    fn noise_is_answered(text in "\\PC{0,400}") {
        let time = answers(text);
        prop_assert!(time < PATIENCE, "it took {time:?}");
    }

    #[test]
    fn words_in_any_order_are_answered(words in prop::collection::vec(0..WORDS.len(), 0..200)) {
        let words: Vec<&str> = words.into_iter().map(|word| WORDS[word]).collect();
        let time = answers(words.join(" "));
        prop_assert!(time < PATIENCE, "it took {time:?}");
    }
}
