//! Rows on a page: side by side where the threads fit, one below the other where they do not.

use super::rows::FEW_ROWS;
use super::{Mark, Row};
use crate::args::Steps;
use crate::output::{BAD, FAINT, HEADING, VALUE, paint};
use anstyle::Style;
use verdict::grouped;

/// Narrower columns than this cut too much of a source line.
const NARROWEST_COLUMN: usize = 26;
/// Wider columns than this are hard to follow with the eye.
const WIDEST_COLUMN: usize = 60;
const GAP: &str = "  ";
/// A statement takes no more lines than these.
const MOST_LINES: usize = 3;
/// More rows than these are cut in the middle: the start says how it began, the end is what matters.
const MOST_ROWS: usize = 240;
const FIRST_ROWS: usize = 60;
/// This many rows or fewer are not worth leaving out.
const FEWEST_LEFT_OUT: usize = 2;

/// What to draw, and how wide.
pub struct Page<'a> {
    /// The rows, in the order of time.
    pub rows: &'a [Row],
    /// By thread number.
    pub thread_names: &'a [String],
    /// What goes wrong, repeated below the line that causes it.
    pub blame: &'a str,
    /// The same with its place, repeated below a long schedule.
    pub summary: &'a str,
    /// Columns of the terminal.
    pub width: usize,
    /// Which rows to show.
    pub steps: Steps,
}

/// Where everything goes.
struct Layout {
    /// Threads that have a column, by number.
    threads: Vec<usize>,
    /// Width of `file.c:12`.
    gutter: usize,
    /// Width of a thread's column; of the only column if threads are one below the other.
    column: usize,
    side_by_side: bool,
}

impl Page<'_> {
    /// The page as styled text.
    pub fn draw(&self) -> String {
        let layout = self.layout();
        let mut out = String::new();
        if layout.side_by_side {
            out += &self.headings(&layout);
        }
        let shown = self.shown();
        let mut before = None;
        let mut at = 0;
        while let Some(row) = self.rows.get(at) {
            let left_out = shown[at..].iter().take_while(|shown| !**shown).count();
            if left_out > FEWEST_LEFT_OUT {
                let lines = grouped(left_out as u64);
                let text = format!(" ... {lines} lines left out (--schedule all shows them)\n");
                out += &paint(FAINT, &text);
                (before, at) = (None, at + left_out);
                continue;
            }
            if !layout.side_by_side && before != Some(row.thread) {
                out += &paint(HEADING, &format!("{}\n", self.name(row.thread)));
            }
            before = Some(row.thread);
            let last = at + 1 == self.rows.len();
            out += &layout.row(row, if last { self.blame } else { "" });
            at += 1;
        }
        if self.rows.len() > FEW_ROWS {
            out += &format!("\n{}\n", paint(BAD, self.summary));
        }
        out
    }

    /// Which rows are shown, whatever their neighbours are.
    fn shown(&self) -> Vec<bool> {
        let shows = |row: &Row| match self.steps {
            Steps::All => true,
            Steps::Switches => row.switches || row.mark != Mark::None || row.repeats,
            Steps::Relevant => self.rows.len() <= FEW_ROWS || row.matters,
        };
        let mut shown: Vec<bool> = self.rows.iter().map(shows).collect();
        let all = shown.iter().filter(|shown| **shown).count();
        if self.steps == Steps::Relevant && all > MOST_ROWS {
            let middle = FIRST_ROWS..all - (MOST_ROWS - FIRST_ROWS);
            let wanted = shown.iter_mut().filter(|shown| **shown).enumerate();
            wanted.for_each(|(at, shown)| *shown = !middle.contains(&at));
        }
        shown
    }

    fn layout(&self) -> Layout {
        let mut threads: Vec<usize> = self.rows.iter().map(|row| row.thread).collect();
        threads.sort_unstable();
        threads.dedup();
        let places = self.rows.iter().map(|row| row.line.place.chars().count());
        // A deep path must not push the program off the page.
        let gutter = places.max().unwrap_or(0).min(self.width / 3);
        let room = self.width.saturating_sub(gutter + 2);
        let column = room / threads.len().max(1);
        let side_by_side = column >= NARROWEST_COLUMN + GAP.len();
        let column = if side_by_side {
            column - GAP.len()
        } else {
            room.saturating_sub(GAP.len())
        };
        let column = if side_by_side {
            column.min(WIDEST_COLUMN)
        } else {
            column
        };
        Layout {
            threads,
            gutter,
            column,
            side_by_side,
        }
    }

    fn headings(&self, layout: &Layout) -> String {
        let mut out = " ".repeat(layout.gutter + 2);
        for &thread in &layout.threads {
            out += GAP;
            out += &fit(&self.name(thread), layout.column);
        }
        paint(HEADING, out.trim_end()) + "\n"
    }

    /// `main`, `thread 1 (worker)`.
    fn name(&self, thread: usize) -> String {
        match self.thread_names.get(thread) {
            Some(name) if thread == 0 => name.clone(),
            Some(name) => format!("thread {thread} ({name})"),
            None => format!("thread {thread}"),
        }
    }
}

impl Layout {
    /// A row; the blame is put below it if it is marked.
    fn row(&self, row: &Row, blame: &str) -> String {
        let mut out = String::new();
        let position = self
            .threads
            .iter()
            .position(|&thread| thread == row.thread)
            .unwrap_or(0);
        let indent = if self.side_by_side {
            position * (self.column + GAP.len())
        } else {
            0
        };
        let indent = " ".repeat(indent) + GAP;
        if row.repeats {
            let text = format!(
                "{}{indent}from here on, for ever:\n",
                " ".repeat(self.gutter + 2)
            );
            out += &paint(BAD, &text);
        }
        let (arrow, style) = match row.mark {
            Mark::None => (' ', Style::new()),
            Mark::Failing | Mark::Racing => ('>', BAD),
        };
        let place = fit_end(&row.line.place, self.gutter);
        out += &format!(
            "{} {}{indent}",
            paint(style, &arrow.to_string()),
            paint(FAINT, &place)
        );
        for (at, text) in statement(&row.line.text, self.column).iter().enumerate() {
            if at > 0 {
                out += &(" ".repeat(self.gutter + 2) + &indent);
            }
            out += &(paint(style, text) + "\n");
        }
        for line in wrap(&row.notes, self.column.saturating_sub(2)) {
            out += &" ".repeat(self.gutter + 2);
            out += &format!("{indent}  {}\n", paint(VALUE, &line));
        }
        if row.mark != Mark::None && !blame.is_empty() {
            for line in wrapped(&format!("^ {blame}"), self.column) {
                out += &" ".repeat(self.gutter + 2);
                out += &format!("{indent}{}\n", paint(BAD, &line));
            }
        }
        out
    }
}

/// A source line on a few lines of a column, further to the right than notes; what is longer is cut.
fn statement(text: &str, width: usize) -> Vec<String> {
    let text = tidy(text);
    if text.chars().count() <= width {
        return vec![text];
    }
    let mut lines = wrapped(&text, width.saturating_sub(2));
    let others = lines.iter_mut().skip(1);
    others.for_each(|line| line.insert_str(0, "  "));
    if lines.len() > MOST_LINES {
        lines.truncate(MOST_LINES);
        if let Some(last) = lines.last_mut() {
            *last = last.chars().take(width.saturating_sub(1)).collect();
            last.push('…');
        }
    }
    lines
}

/// Source lines keep no indentation here, and a tab has no place in a column.
fn tidy(text: &str) -> String {
    let words: Vec<_> = text.trim().split('\t').collect();
    words
        .join(" ")
        .chars()
        .filter(|c| !c.is_control())
        .collect()
}

/// At most `width` characters.
fn cut(text: &str, width: usize) -> String {
    if text.chars().count() <= width {
        return text.to_owned();
    }
    text.chars()
        .take(width.saturating_sub(1))
        .collect::<String>()
        + "…"
}

/// Exactly `width` characters.
fn fit(text: &str, width: usize) -> String {
    format!("{:<width$}", cut(text, width))
}

/// Exactly `width` characters; of a long text the end, where a place has its line number.
fn fit_end(text: &str, width: usize) -> String {
    let length = text.chars().count();
    if length <= width {
        return format!("{text:<width$}");
    }
    "…".to_owned()
        + &text
            .chars()
            .skip(length + 1 - width.max(1))
            .collect::<String>()
}

/// Words on as few lines as they fit on; lines after the first one are indented. A word that fits on no
/// line is broken.
fn wrapped(text: &str, width: usize) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for word in text.split(' ') {
        match lines.last_mut() {
            Some(last) if last.chars().count() + 1 + word.chars().count() <= width => {
                *last += " ";
                *last += word;
            }
            _ => broken(word, width, &mut lines),
        }
    }
    lines
}

/// Puts a word on lines of its own.
fn broken(word: &str, width: usize, lines: &mut Vec<String>) {
    let mut rest: Vec<char> = word.chars().collect();
    loop {
        let indent = if lines.is_empty() { "" } else { "  " };
        let room = width.saturating_sub(indent.len()).max(1).min(rest.len());
        let after = rest.split_off(room);
        lines.push(indent.to_owned() + &rest.iter().collect::<String>());
        rest = after;
        if rest.is_empty() {
            return;
        }
    }
}

/// Notes joined by commas, on as few lines as they fit on.
fn wrap(notes: &[String], width: usize) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for note in notes {
        match lines.last_mut() {
            Some(last) if last.chars().count() + 2 + note.chars().count() <= width => {
                *last += ", ";
                *last += note;
            }
            _ => lines.extend(wrapped(note, width)),
        }
    }
    lines
}

#[cfg(test)]
mod tests;
