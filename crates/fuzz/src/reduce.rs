//! Makes a text small while it still shows what is wrong: whole declarations go first, then
//! statements, then single tokens.
//!
//! Delta debugging: pieces are left out in runs that become shorter. What is left need not make
//! sense; the caller that decides whether it still fails asks the front end.

use crate::outline::Outline;
use crate::tokens::without_comments;
use std::ops::Range;

/// What may be left out of a text, as ranges of tokens.
type Pieces = fn(&Outline<'_>) -> Vec<Range<usize>>;

/// The smallest text reached from `text`, itself failing, that still fails.
pub fn reduce(text: &str, still_fails: &dyn Fn(&str) -> bool) -> String {
    let bare = without_comments(text);
    let mut best = match still_fails(&bare) {
        true => bare,
        false => text.to_owned(),
    };
    let ways: [Pieces; 4] = [
        |outline| outline.items.clone(),
        |outline| outline.compound.clone(),
        |outline| outline.simple.clone(),
        |outline| (0..outline.tokens.len()).map(|at| at..at + 1).collect(),
    ];
    loop {
        let before = best.len();
        for pieces in ways {
            best = without_pieces(best, pieces, still_fails);
        }
        if best.len() == before {
            return tidy(&best, still_fails);
        }
    }
}

fn without_pieces(text: String, pieces: Pieces, still_fails: &dyn Fn(&str) -> bool) -> String {
    let mut best = text;
    let mut run = pieces(&Outline::of(&best)).len().div_ceil(2);
    while run > 0 {
        let mut at = 0;
        loop {
            let outline = Outline::of(&best);
            let found = pieces(&outline);
            let Some(first) = found.get(at) else { break };
            let last = &found[(at + run).min(found.len()) - 1];
            let gone = outline.bytes(&(first.start..last.end.max(first.end)));
            let mut smaller = best.clone();
            smaller.replace_range(gone, "");
            if still_fails(&smaller) {
                best = smaller;
            } else {
                at += run;
            }
        }
        run /= 2;
    }
    best
}

/// Without empty lines and spaces at the ends of lines, if that changes nothing.
fn tidy(text: &str, still_fails: &dyn Fn(&str) -> bool) -> String {
    let lines = text.lines().map(str::trim_end);
    let lines: Vec<&str> = lines.filter(|line| !line.is_empty()).collect();
    let tidied = lines.join("\n") + "\n";
    match still_fails(&tidied) {
        true => tidied,
        false => text.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_matters_stays() {
        let text = "int a; int b;\nvoid f(void) { a = 1; if (a) { b = 2; } }\n/* x */\nint main(void) { f(); g(7); return 0; }\n";
        let small = reduce(text, &|text| text.contains("g(7)") && text.contains("main"));
        assert_eq!(small.split_whitespace().collect::<String>(), "maing(7)");
    }
}
