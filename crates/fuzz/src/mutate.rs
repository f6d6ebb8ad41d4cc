//! Small changes of programs that mean something: a lock dropped, an operator exchanged.
//!
//! A change works on the outline of the text. Whether the result is a program is for the front end
//! to say.

use crate::outline::Outline;
use crate::tokens::Kind;
use generator::Rng;
use std::ops::Range;

/// Text to be replaced, by bytes.
type Edit = (Range<usize>, String);

/// A change at a random place, if there is one for it.
type Change = fn(&Outline<'_>, &mut Rng) -> Option<Vec<Edit>>;

const CHANGES: [(&str, Change); 14] = [
    ("lock and unlock dropped", drop_pair),
    ("join dropped", drop_join),
    ("statement dropped", drop_statement),
    ("statement doubled", double_statement),
    ("neighbours swapped", swap_neighbours),
    ("atomic section split", split_section),
    ("constant changed", change_constant),
    ("comparison changed", change_comparison),
    ("arithmetic changed", change_arithmetic),
    ("name changed", change_name),
    ("condition negated", negate_condition),
    ("loop made conditional", weaken_loop),
    ("signal and broadcast exchanged", exchange_signals),
    ("lock exchanged", exchange_locks),
];

/// What opens something that something else closes, by parts of names.
const PAIRS: [(&str, &str); 6] = [
    ("mutex_lock", "mutex_unlock"),
    ("rdlock", "rwlock_unlock"),
    ("wrlock", "rwlock_unlock"),
    ("spin_lock", "spin_unlock"),
    ("sem_wait", "sem_post"),
    ("atomic_begin", "atomic_end"),
];

/// The text after one to three changes, and their names.
pub fn mutant(text: &str, rng: &mut Rng) -> (String, Vec<&'static str>) {
    let (mut text, mut names) = (text.to_owned(), Vec::new());
    let wanted = rng.pick(&[1, 1, 1, 2, 2, 3]);
    // Some changes have no place in this text: then another one is tried.
    for _ in 0..20 {
        if names.len() == wanted {
            break;
        }
        let (name, change) = rng.pick(&CHANGES);
        let edits = change(&Outline::of(&text), rng);
        if let Some(edits) = edits {
            text = edited(&text, edits);
            names.push(name);
        }
    }
    (text, names)
}

/// The text with all edits made, which do not overlap.
fn edited(text: &str, mut edits: Vec<Edit>) -> String {
    let mut text = text.to_owned();
    edits.sort_by_key(|(range, _)| std::cmp::Reverse(range.start));
    for (range, new) in edits {
        text.replace_range(range, &new);
    }
    text
}

fn any<T: Clone>(rng: &mut Rng, items: &[T]) -> Option<T> {
    (!items.is_empty()).then(|| items[rng.below(items.len())].clone())
}

/// A simple statement that contains one of the words.
fn calls<'o>(outline: &'o Outline<'_>, part: &'o str) -> impl Iterator<Item = &'o Range<usize>> {
    let mentions = move |range: &&Range<usize>| {
        let mut words = (*range).clone();
        words.any(|at| outline.tokens[at].kind == Kind::Word && outline.word(at).contains(part))
    };
    outline.simple.iter().filter(mentions)
}

fn drop_pair(outline: &Outline<'_>, rng: &mut Rng) -> Option<Vec<Edit>> {
    let (open, close) = rng.pick(&PAIRS);
    let first = any(rng, &calls(outline, open).collect::<Vec<_>>())?;
    let second = calls(outline, close).find(|range| range.start >= first.end);
    let gone = |range: &Range<usize>| (outline.bytes(range), ";".to_owned());
    let mut edits = vec![gone(first)];
    // Now and then only one of them goes.
    if let Some(second) = second.filter(|_| rng.chance(80)) {
        edits.push(gone(second));
    }
    Some(edits)
}

fn drop_join(outline: &Outline<'_>, rng: &mut Rng) -> Option<Vec<Edit>> {
    let join = any(rng, &calls(outline, "join").collect::<Vec<_>>())?;
    Some(vec![(outline.bytes(join), ";".into())])
}

fn drop_statement(outline: &Outline<'_>, rng: &mut Rng) -> Option<Vec<Edit>> {
    let statement = any(rng, &outline.simple)?;
    Some(vec![(outline.bytes(&statement), ";".into())])
}

fn double_statement(outline: &Outline<'_>, rng: &mut Rng) -> Option<Vec<Edit>> {
    let statement = any(rng, &outline.simple)?;
    let text = outline.part(&statement);
    Some(vec![(outline.bytes(&statement), format!("{text} {text}"))])
}

fn swap_neighbours(outline: &Outline<'_>, rng: &mut Rng) -> Option<Vec<Edit>> {
    let pairs = outline.simple.windows(2);
    let pairs: Vec<_> = pairs.filter(|pair| pair[0].end == pair[1].start).collect();
    let pair = any(rng, &pairs)?;
    let (first, second) = (&pair[0], &pair[1]);
    Some(vec![
        (outline.bytes(first), outline.part(second).to_owned()),
        (outline.bytes(second), outline.part(first).to_owned()),
    ])
}

fn split_section(outline: &Outline<'_>, rng: &mut Rng) -> Option<Vec<Edit>> {
    let begin = any(
        rng,
        &calls(outline, "__VERIFIER_atomic_begin").collect::<Vec<_>>(),
    )?;
    let end = calls(outline, "__VERIFIER_atomic_end").find(|range| range.start >= begin.end)?;
    let inside = outline.simple.iter();
    let inside: Vec<_> = inside
        .filter(|range| range.start >= begin.end && range.end < end.start)
        .collect();
    let behind = outline.bytes(any(rng, &inside)?).end;
    let split = "\n__VERIFIER_atomic_end(); __VERIFIER_atomic_begin();";
    Some(vec![(behind..behind, split.into())])
}

fn change_constant(outline: &Outline<'_>, rng: &mut Rng) -> Option<Vec<Edit>> {
    let numbers = outline.inside();
    let numbers: Vec<usize> = numbers
        .filter(|&at| outline.word(at).parse::<u32>().is_ok())
        .collect();
    let at = any(rng, &numbers)?;
    let number: u32 = outline.word(at).parse().ok()?;
    let new = match rng.below(5) {
        0 => 0,
        1 => 1,
        2 => 2,
        3 => number.saturating_add(1),
        _ => number.saturating_sub(1),
    };
    Some(vec![(outline.tokens[at].at.clone(), new.to_string())])
}

fn change_operator(outline: &Outline<'_>, rng: &mut Rng, all: &[&str]) -> Option<Vec<Edit>> {
    let places = outline.inside();
    let places: Vec<usize> = places
        .filter(|&at| at > 0 && all.contains(&outline.word(at)))
        .filter(|&at| is_operand(outline, at - 1))
        .collect();
    let at = any(rng, &places)?;
    let new = rng.pick(all);
    Some(vec![(outline.tokens[at].at.clone(), new.to_owned())])
}

/// Can a value end with this token? Then what follows has two arguments.
fn is_operand(outline: &Outline<'_>, at: usize) -> bool {
    let kind = outline.tokens[at].kind;
    matches!(kind, Kind::Word | Kind::Number) || matches!(outline.word(at), ")" | "]")
}

fn change_comparison(outline: &Outline<'_>, rng: &mut Rng) -> Option<Vec<Edit>> {
    change_operator(outline, rng, &["<", "<=", ">", ">=", "==", "!="])
}

fn change_arithmetic(outline: &Outline<'_>, rng: &mut Rng) -> Option<Vec<Edit>> {
    match rng.below(3) {
        0 => change_operator(outline, rng, &["+=", "-=", "="]),
        1 => change_operator(outline, rng, &["&&", "||"]),
        _ => change_operator(outline, rng, &["+", "-", "*", "&", "|", "^"]),
    }
}

/// A name becomes another one of the same function.
fn change_name(outline: &Outline<'_>, rng: &mut Rng) -> Option<Vec<Edit>> {
    let body = any(rng, &outline.bodies)?;
    let is_name = |at: &usize| {
        outline.tokens[*at].kind == Kind::Word
            && outline.word(at + 1) != "("
            && !KEYWORDS.contains(&outline.word(*at))
    };
    let names: Vec<usize> = body.filter(is_name).collect();
    let (at, other) = (any(rng, &names)?, any(rng, &names)?);
    let new = outline.word(other).to_owned();
    (new != outline.word(at)).then(|| vec![(outline.tokens[at].at.clone(), new)])
}

const KEYWORDS: [&str; 24] = [
    "if", "else", "while", "for", "do", "return", "int", "char", "long", "short", "unsigned",
    "signed", "void", "struct", "union", "enum", "static", "const", "sizeof", "break", "continue",
    "goto", "case", "default",
];

fn negate_condition(outline: &Outline<'_>, rng: &mut Rng) -> Option<Vec<Edit>> {
    let conditions = outline.compound.iter();
    let conditions: Vec<usize> = conditions
        .filter(|range| outline.word(range.start) == "if")
        .map(|range| range.start + 1)
        .collect();
    let open = any(rng, &conditions)?;
    let range = outline.bytes(&(open..outline.behind(open)));
    let text = &outline.text[range.clone()];
    Some(vec![(range, format!("(!{text})"))])
}

fn weaken_loop(outline: &Outline<'_>, rng: &mut Rng) -> Option<Vec<Edit>> {
    let loops = outline.compound.iter();
    let loops: Vec<usize> = loops
        .map(|range| range.start)
        .filter(|&at| outline.word(at) == "while")
        .collect();
    let at = any(rng, &loops)?;
    Some(vec![(outline.tokens[at].at.clone(), "if".into())])
}

fn exchange_signals(outline: &Outline<'_>, rng: &mut Rng) -> Option<Vec<Edit>> {
    let (signal, broadcast) = ("pthread_cond_signal", "pthread_cond_broadcast");
    let places: Vec<usize> = outline
        .inside()
        .filter(|&at| [signal, broadcast].contains(&outline.word(at)))
        .collect();
    let at = any(rng, &places)?;
    let new = if outline.word(at) == signal {
        broadcast
    } else {
        signal
    };
    Some(vec![(outline.tokens[at].at.clone(), new.into())])
}

/// A lock or unlock gets the argument of another one.
fn exchange_locks(outline: &Outline<'_>, rng: &mut Rng) -> Option<Vec<Edit>> {
    let places: Vec<usize> = outline
        .inside()
        .filter(|&at| {
            let word = outline.word(at);
            word.contains("mutex_lock") || word.contains("mutex_unlock")
        })
        .collect();
    let (one, other) = (any(rng, &places)? + 1, any(rng, &places)? + 1);
    let argument = |open: usize| outline.bytes(&(open..outline.behind(open)));
    let new = outline.text[argument(other)].to_owned();
    (new != outline.text[argument(one)]).then(|| vec![(argument(one), new)])
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "int x, y; pthread_mutex_t m, n; pthread_cond_t c;
        void *f(void *a) {
            pthread_mutex_lock(&m); x = x + 1; y = 2; pthread_mutex_unlock(&m);
            pthread_mutex_lock(&n); while (x < 3) pthread_cond_wait(&c, &n); pthread_mutex_unlock(&n);
            __VERIFIER_atomic_begin(); x = 0; y = 0; __VERIFIER_atomic_end();
            if (x == y) { pthread_cond_signal(&c); }
            return 0; }
        int main(void) { pthread_t t; pthread_create(&t, 0, f, 0); pthread_join(t, 0); return 0; }";

    #[test]
    fn every_change_finds_a_place_and_changes_something() {
        for (name, change) in CHANGES {
            let mut rng = Rng::new(5);
            let outline = Outline::of(TEXT);
            let tries = (0..40).filter_map(|_| change(&outline, &mut rng));
            let changed = tries
                .map(|edits| edited(TEXT, edits))
                .any(|text| text != TEXT);
            assert!(changed, "{name} changes nothing");
        }
    }

    #[test]
    fn a_seed_determines_the_mutant() {
        let of = |seed| mutant(TEXT, &mut Rng::new(seed));
        assert_eq!(of(3), of(3));
        assert!((0..20).any(|seed| of(seed).0 != of(3).0));
    }

    #[test]
    fn a_pair_goes_together() {
        let outline = Outline::of(
            "void f(void) { pthread_mutex_lock(&m); x = 1; pthread_mutex_unlock(&m); }",
        );
        let mut rng = Rng::new(1);
        let edits = (0..99).find_map(|_| drop_pair(&outline, &mut rng).filter(|e| e.len() == 2));
        let text = edited(outline.text, edits.expect("a pair"));
        assert_eq!(text, "void f(void) { ; x = 1; ; }");
    }
}
