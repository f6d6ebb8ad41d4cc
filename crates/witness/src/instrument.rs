//! Invariants put into the text of a program, as checks that call an error function.
//!
//! A check is atomic, so that it reads one state. Ghost variables become globals. Their
//! updates are before the statement that they belong to, or behind it if it takes a lock: they are
//! not atomic with it, because a thread that waits inside an atomic section would stop all
//! others. So the text has all executions of the format's meaning and more: what holds in it holds.
//!
//! An expression that has no value in some state does not hold there. So the caller learns where the
//! expressions are, and makes the front end report what is undefined in them and refuse effects
//! ([`Instrumented::strict`]). Ghost variables are new names, and nothing else is ever assigned.

use crate::automaton::{Trouble, beyond, wrong};
use crate::outline::{FunctionText, StatementText};
use crate::yaml::{Content, Entry, GhostUpdates, Ghosts, Invariant, Item, Location};
use crate::{Outline, Places};
use std::ops::Range;
use xcfa::{FileId, SourceFile, Sources, Span};

/// What checks need; programs that declare these functions declare them like this. A local variable
/// of the program may have the same name, so checks call functions of their own.
const DECLARATIONS: &str = "extern void __VERIFIER_error(void); \
    extern void __VERIFIER_atomic_begin(void); extern void __VERIFIER_atomic_end(void); \
    static void __mazurka_fail(void) { __VERIFIER_error(); } \
    static void __mazurka_begin(void) { __VERIFIER_atomic_begin(); } \
    static void __mazurka_end(void) { __VERIFIER_atomic_end(); } ";

/// What is in no program and no witness, so that the names of those functions mean nothing else.
const RESERVED: &str = "__mazurka_";

/// Functions that are not what checks need if the program defines them.
const NEEDED: [&str; 3] = [
    "__VERIFIER_error",
    "__VERIFIER_atomic_begin",
    "__VERIFIER_atomic_end",
];

/// Statements after which a thread has a lock.
const LOCKS: [&str; 4] = [
    "pthread_mutex_lock",
    "pthread_spin_lock",
    "pthread_rwlock_wrlock",
    "mtx_lock",
];

/// A program with the invariants of a witness as checks.
#[derive(Debug)]
pub struct Instrumented {
    /// The files.
    pub files: Vec<SourceFile>,
    /// How many checks there are.
    pub checks: usize,
    /// Where the expressions of the witness are. They must have a value and no effects.
    pub strict: Vec<Span>,
    /// May one of them read through a pointer or an index? Whether there is anything to be read is
    /// then a question of memory safety.
    pub reads_memory: bool,
}

/// Statements with expressions of a witness among them.
#[derive(Clone, Default)]
struct Text {
    text: String,
    /// Where the expressions are.
    strict: Vec<Range<usize>>,
}

impl Text {
    fn add(mut self, text: &str) -> Text {
        self.text += text;
        self
    }

    /// The parentheses are part of what the front end takes for the expression.
    fn add_strict(mut self, expression: &str) -> Text {
        let start = self.text.len();
        self.text += &format!("({expression})");
        self.strict.push(start..self.text.len());
        self
    }

    fn add_all(mut self, other: &Text) -> Text {
        let start = self.text.len();
        self.text += &other.text;
        let moved = other.strict.iter();
        self.strict
            .extend(moved.map(|range| start + range.start..start + range.end));
        self
    }
}

/// A text to be put somewhere.
struct Insertion {
    file: usize,
    at: usize,
    /// Is it about ghost variables? These change behind the checks at the same place.
    ghost: bool,
    text: Text,
}

/// The files of a program with the invariants of a correctness witness as checks.
pub fn instrument(
    entries: &[Entry],
    files: &[SourceFile],
    places: &Places,
    outline: &Outline,
) -> Result<Instrumented, Trouble> {
    if files.iter().any(|file| joined(file).contains(RESERVED)) {
        return beyond(format!("names of the program that begin with `{RESERVED}`"));
    }
    let defined = |function: &&FunctionText| NEEDED.contains(&function.name.as_str());
    if let Some(function) = outline.functions.iter().find(defined) {
        return beyond(format!("a program that defines `{}`", function.name));
    }
    let mut sources = Sources::default();
    for file in files {
        sources.add(file.clone());
    }
    let mut insert = Instrument {
        sources: &sources,
        places,
        outline,
        insertions: Vec::new(),
        heads: vec![DECLARATIONS.to_owned(); files.len()],
        ghost: false,
        ghosts: Vec::new(),
        checks: 0,
        reads_memory: false,
    };
    let is_ghosts = |entry: &&Entry| matches!(entry.content, Content::Ghosts(_));
    // Invariants may come before the variables that they speak about.
    let (ghosts, others): (Vec<&Entry>, Vec<&Entry>) = entries.iter().partition(is_ghosts);
    for entry in ghosts.into_iter().chain(others) {
        match &entry.content {
            Content::Ghosts(ghosts) => insert.ghosts(ghosts, files)?,
            Content::Items(items) => {
                for item in items {
                    let Item::Invariant(invariant) = item else {
                        return wrong("a segment among the invariants");
                    };
                    insert.invariant(invariant)?;
                }
            }
        }
    }
    Ok(insert.apply(files))
}

struct Instrument<'a> {
    sources: &'a Sources,
    places: &'a Places,
    outline: &'a Outline,
    insertions: Vec<Insertion>,
    /// By file: declarations, which get a line of their own.
    heads: Vec<String>,
    /// Are there ghost variables?
    ghost: bool,
    /// Their names.
    ghosts: Vec<String>,
    checks: usize,
    reads_memory: bool,
}

impl Instrument<'_> {
    fn put(&mut self, span: Span, at: u32, text: Text) {
        let (file, at) = (span.file.0 as usize, at as usize);
        let ghost = self.ghost;
        let insertion = Insertion {
            file,
            at,
            ghost,
            text,
        };
        self.insertions.push(insertion);
    }

    fn invariant(&mut self, invariant: &Invariant) -> Result<(), Trouble> {
        if invariant.format != "c_expression" {
            return beyond(format!("invariants in the format `{}`", invariant.format));
        }
        let value = &invariant.value;
        self.expression(value)?;
        self.checks += 1;
        let check = Text::default()
            .add("__mazurka_begin(); if (!")
            .add_strict(value)
            .add(") __mazurka_fail(); __mazurka_end();");
        match invariant.kind.as_str() {
            "loop_invariant" => self.at_loop(&invariant.location, &check),
            "location_invariant" => self.before(&invariant.location, &check, false),
            other => beyond(format!("invariants of type `{other}`")),
        }
    }

    /// Screens an expression of the witness by its text.
    fn expression(&mut self, value: &str) -> Result<(), Trouble> {
        if !is_plain(value) || value.contains(RESERVED) {
            return beyond(format!("`{value}` is not a plain expression"));
        }
        self.reads_memory |= may_read_memory(value);
        Ok(())
    }

    /// Before every evaluation of a loop's condition.
    fn at_loop(&mut self, location: &Location, check: &Text) -> Result<(), Trouble> {
        let loops = self.outline.branches.iter().filter(|branch| branch.repeats);
        let found = loops.filter(|branch| self.is_at(location, branch.keyword));
        let Some(branch) = found.min_by_key(|branch| branch.keyword.lo).copied() else {
            return self.absent("loop", location);
        };
        let check = Text::default().add("({ ").add_all(check).add(" 0; }), (");
        self.put(branch.cond, branch.cond.lo, check);
        self.put(branch.cond, branch.cond.hi, Text::default().add(")"));
        Ok(())
    }

    /// Before the statement at a location, or behind it.
    fn before(&mut self, location: &Location, text: &Text, behind: bool) -> Result<(), Trouble> {
        let plain = self.outline.statements.iter().copied();
        let whole = self.outline.branches.iter().filter_map(|branch| {
            let span = branch.whole?;
            let declaration = false;
            Some(StatementText { span, declaration })
        });
        let here = plain.chain(whole).filter(|s| self.is_at(location, s.span));
        // The leftmost one, and of those that begin there the longest: a condition is no statement.
        let found = here.min_by_key(|s| (s.span.lo, std::cmp::Reverse(s.span.hi)));
        let Some(statement) = found else {
            return self.absent("statement", location);
        };
        let span = statement.span;
        let source = &self.sources.file(span.file).text;
        if statement.declaration {
            // Only the declarator is known; the declaration begins its line if no other text is there and
            // a statement or the beginning of a block is before the line.
            let line = source[..span.lo as usize]
                .rfind('\n')
                .map_or(0, |at| at + 1);
            let begins = matches!(last_significant(&source[..line]), Some(';' | '{'));
            let plain = |c: char| c.is_alphanumeric() || "_$* \t".contains(c);
            if behind || !begins || !source[line..span.lo as usize].chars().all(plain) {
                return beyond(format!("a declaration inside line {}", location.line));
            }
            self.put(span, line as u32, text.clone().add(" "));
            return Ok(());
        }
        let rest = &source[span.hi as usize..];
        let end = match source[..span.hi as usize].ends_with([';', '}']) {
            true => span.hi,
            false if rest.trim_start().starts_with(';') => {
                span.hi + (rest.find(';').unwrap_or(0) as u32) + 1
            }
            false => return self.absent("statement", location),
        };
        let (open, close) = (Text::default().add("{ "), Text::default().add(" "));
        let (open, close) = match behind {
            false => (open.add_all(text).add(" "), close),
            true => (open, close.add_all(text).add(" ")),
        };
        self.put(span, span.lo, open);
        self.put(span, end, close.add("}"));
        Ok(())
    }

    /// Nothing can be put at a location. That is wrong only where it is certain that nothing is there.
    fn absent(&self, what: &str, location: &Location) -> Result<(), Trouble> {
        let line = location.line;
        let here = |span: &Span| {
            let place = self.places.start(self.sources, *span);
            place.is_some_and(|place| place.line == line)
        };
        match self.outline.endless.iter().any(here) {
            true => beyond(format!("the loop without a condition at line {line}")),
            false if what == "loop" => wrong(format!("there is no loop at line {line}")),
            false => beyond(format!("no statement is known at line {line}")),
        }
    }

    fn is_at(&self, location: &Location, span: Span) -> bool {
        let Some(place) = self.places.start(self.sources, span) else {
            return false;
        };
        let column = match (location.column, place.column) {
            (Some(wanted), Some(column)) => wanted == column,
            _ => true,
        };
        Some(place.file) == self.places.file(&location.file_name)
            && place.line == location.line
            && column
    }

    fn ghosts(&mut self, ghosts: &Ghosts, files: &[SourceFile]) -> Result<(), Trouble> {
        for variable in &ghosts.ghost_variables {
            let (name, ty, initial) = (&variable.name, &variable.ty, &variable.initial.value);
            if !is_integer_type(ty) || !is_number(initial) || variable.scope != "global" {
                return beyond(format!("the ghost variable `{name}`"));
            }
            // A name of the program would be a variable of the program.
            let taken = |file: &SourceFile| words(&joined(file)).any(|word| word == name);
            if !is_name(name) || self.ghosts.contains(name) || files.iter().any(taken) {
                return wrong(format!("the ghost variable `{name}` is no new name"));
            }
            self.ghosts.push(name.clone());
            for (file, head) in self.heads.iter_mut().enumerate() {
                *head += &match file {
                    0 => format!("{ty} {name} = {initial}; "),
                    _ => format!("extern {ty} {name}; "),
                };
            }
        }
        ghosts
            .ghost_updates
            .iter()
            .try_for_each(|update| self.update(update))
    }

    fn update(&mut self, update: &GhostUpdates) -> Result<(), Trouble> {
        let mut text = Text::default().add("__mazurka_begin(); ");
        for change in &update.updates {
            let variable = &change.variable;
            if !self.ghosts.contains(variable) {
                return wrong(format!("`{variable}` is updated, but is no ghost variable"));
            }
            self.expression(&change.value)?;
            text = text
                .add(&format!("{variable} = "))
                .add_strict(&change.value);
            text = text.add("; ");
        }
        let text = text.add("__mazurka_end();");
        let calls = self.outline.calls.iter();
        let mut here = calls.filter(|call| self.is_at(&update.location, call.span));
        let locks = here.any(|call| {
            call.name
                .as_deref()
                .is_some_and(|name| LOCKS.contains(&name))
        });
        self.ghost = true;
        let done = self.before(&update.location, &text, locks);
        self.ghost = false;
        done
    }

    fn apply(mut self, files: &[SourceFile]) -> Instrumented {
        self.insertions
            .sort_by_key(|insertion| (insertion.at, insertion.ghost));
        let mut done = Instrumented {
            files: Vec::new(),
            checks: self.checks,
            strict: Vec::new(),
            reads_memory: self.reads_memory,
        };
        for (number, (file, head)) in files.iter().zip(&self.heads).enumerate() {
            let mut text = format!("{head}\n");
            let mut copied = 0;
            let here = self.insertions.iter().filter(|it| it.file == number);
            for insertion in here {
                text += &file.text[copied..insertion.at];
                copied = insertion.at;
                let start = text.len();
                text += &insertion.text.text;
                let strict = insertion.text.strict.iter();
                done.strict.extend(strict.map(|range| {
                    Span::new(
                        FileId(number as u32),
                        (start + range.start) as u32,
                        (start + range.end) as u32,
                    )
                }));
            }
            text += &file.text[copied..];
            done.files.push(SourceFile::new(file.name.clone(), text));
        }
        done
    }
}

/// The last character of a text that is neither white space nor in a comment or a line marker; nothing
/// where that is hard to tell.
fn last_significant(text: &str) -> Option<char> {
    let mut last = None;
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let skipped = if let Some(comment) = rest.strip_prefix("/*") {
            2 + comment.find("*/")? + 2
        } else if rest.starts_with("//") || first == '#' {
            let line = rest.lines().next().unwrap_or_default();
            (!line.ends_with('\\')).then_some(line.len())?
        } else if first == '"' || first == '\'' {
            // The end of a raw string is not looked for.
            (last != Some('R')).then_some(())?;
            last = Some(first);
            quoted(rest, first)?
        } else {
            last = Some(first).filter(|it| !it.is_whitespace()).or(last);
            first.len_utf8()
        };
        rest = &rest[skipped..];
    }
    last
}

/// How long the string or character is that a text begins with.
fn quoted(text: &str, quote: char) -> Option<usize> {
    let mut escaped = false;
    let end = text.char_indices().skip(1).find(|&(_, c)| {
        let ends = c == quote && !escaped;
        escaped = c == '\\' && !escaped;
        ends
    });
    end.map(|(at, _)| at + 1)
}

/// Nothing that could end the expression, hide what follows, or be read in two ways. Whether it has
/// effects is for the front end to say.
fn is_plain(value: &str) -> bool {
    let hidden = ["//", "/*", "<%", "%>", "<:", ":>", "%:", "??"];
    let odd = |c: char| c.is_control() || ";{}#\\\"'`".contains(c);
    if value.trim().is_empty() || value.contains(odd) || hidden.iter().any(|it| value.contains(it))
    {
        return false;
    }
    let mut open = Vec::new();
    for c in value.chars() {
        match c {
            '(' | '[' => open.push(c),
            ')' if open.pop() != Some('(') => return false,
            ']' if open.pop() != Some('[') => return false,
            _ => {}
        }
    }
    open.is_empty()
}

/// Is there an element, a member behind a pointer, or a star that may be more than a product?
fn may_read_memory(value: &str) -> bool {
    let is_product = |(at, _): (usize, &str)| {
        let before = value[..at].trim_end();
        before.ends_with(|c: char| c.is_ascii_alphanumeric() || c == '_')
    };
    value.contains('[') || value.contains("->") || !value.match_indices('*').all(is_product)
}

/// The text of a file with lines that end in a backslash joined: a name may be on two of them.
fn joined(file: &SourceFile) -> String {
    file.text.replace("\\\r\n", "").replace("\\\n", "")
}

fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| !(c.is_alphanumeric() || c == '_' || c == '$'))
}

/// A name that neither the language nor the library has.
fn is_name(text: &str) -> bool {
    let letters = |c: char| c.is_ascii_alphanumeric() || c == '_';
    let first = text.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_');
    first && text.chars().all(letters) && !text.starts_with("__")
}

fn is_integer_type(text: &str) -> bool {
    const WORDS: [&str; 7] = [
        "signed", "unsigned", "char", "short", "int", "long", "_Bool",
    ];
    let mut words = text.split(' ').peekable();
    words.peek().is_some() && words.all(|word| WORDS.contains(&word))
}

/// A number, perhaps a negative one.
fn is_number(text: &str) -> bool {
    let digits = text.trim().trim_start_matches('-');
    !digits.is_empty() && digits.chars().all(|c| c.is_ascii_digit())
}

#[cfg(test)]
mod tests {
    use super::*;
    use xcfa::DataModel;

    #[test]
    fn only_what_is_one_expression() {
        let plain = [
            "x == 1",
            "a <= b && !(c != d)",
            "(x + 1) >> 2",
            "1",
            "s.a[2] < -1",
            "f(x)",
        ];
        for plain in plain {
            assert!(is_plain(plain), "{plain}");
        }
        for other in [
            "x; y",
            "",
            " ",
            "\"a\"",
            "(",
            "0) || (1",
            "1 //",
            "1 /*",
            "(<%%>)",
            "x\n",
            "x\r",
            "(]",
            "[)(]",
            "a <: 1 :>",
            "1 ??/",
            "#x",
            "({ 1 })",
            "'a'",
        ] {
            assert!(!is_plain(other), "{other}");
        }
    }

    #[test]
    fn what_may_read_memory() {
        for value in [
            "a[1]",
            "p->x",
            "*p == 1",
            "2 * *p",
            "(int)*p",
            "x == 1 && *p",
        ] {
            assert!(may_read_memory(value), "{value}");
        }
        for value in ["x * 2", "2*x == y * z", "s.a == 1", "1"] {
            assert!(!may_read_memory(value), "{value}");
        }
    }

    #[test]
    fn ghosts_are_new_integers() {
        assert!(is_name("held_m") && !is_name("1x") && !is_name("__x") && !is_name("a b"));
        assert!(is_integer_type("unsigned int") && is_integer_type("_Bool"));
        for ty in [
            "typedef int",
            "static int",
            "int *",
            "struct s",
            "",
            "int  x",
        ] {
            assert!(!is_integer_type(ty), "{ty}");
        }
        assert!(is_number("-3") && is_number("0") && !is_number("1/0") && !is_number("f()"));
    }

    fn instrumented(text: &str, kind: &str, line: u32, column: Option<u32>) -> String {
        let file = SourceFile::new("a.i", text);
        let outline = Outline::new(vec![file.clone()], DataModel::Lp64).unwrap();
        let places = Places::new([("a.i".to_owned(), None)]);
        let mut sources = Sources::default();
        sources.add(file.clone());
        let mut insert = Instrument {
            sources: &sources,
            places: &places,
            outline: &outline,
            insertions: Vec::new(),
            heads: vec![String::new()],
            ghost: false,
            ghosts: Vec::new(),
            checks: 0,
            reads_memory: false,
        };
        let (check, update) = (Text::default().add("CHECK;"), Text::default().add("DO;"));
        let location = Location {
            file_name: "a.i".into(),
            line,
            column,
            function: None,
        };
        match kind {
            "loop" => insert.at_loop(&location, &check).unwrap(),
            "behind" => insert.before(&location, &update, true).unwrap(),
            _ => insert.before(&location, &check, false).unwrap(),
        }
        let text = insert.apply(&[file]).files.remove(0).text;
        text.strip_prefix('\n').unwrap().to_owned()
    }

    #[test]
    fn what_comes_before() {
        let last = last_significant;
        assert_eq!(last("int x;\n  "), Some(';'));
        assert_eq!(last("int a, // ;\n"), Some(','));
        assert_eq!(last("int a, /* ; */\n# 3 \"x.c\" 2 ;\n"), Some(','));
        assert_eq!(last("s = \"// \\\";\" , '\\'', \n"), Some(','));
        assert_eq!(last("int a, // \\\n;\n"), None);
        assert_eq!(last("s = R\"x(\")x\";"), None);
        assert_eq!(last("\u{13b}\n"), Some('\u{13b}'));
        assert_eq!(last(""), None);
    }

    #[test]
    fn checks_stand_where_they_belong() {
        let text =
            "int x; int main(void) {\n int y = 1;\n if (x)\n  x = y;\n while (x < 3) x++;\n}";
        let at = |kind, line| {
            let whole = instrumented(text, kind, line, None);
            whole.lines().nth(line as usize - 1).unwrap().to_owned()
        };
        assert_eq!(at("before", 2), "CHECK;  int y = 1;");
        assert_eq!(at("before", 4), "  { CHECK; x = y; }");
        assert_eq!(at("behind", 4), "  { x = y; DO; }");
        assert_eq!(at("loop", 5), " while (({ CHECK; 0; }), (x < 3)) x++;");
        assert_eq!(at("before", 5), " { CHECK; while (x < 3) x++; }");
        let whole = instrumented(text, "before", 3, None);
        assert!(whole.contains(" { CHECK; if (x)\n  x = y; }"), "{whole}");
    }
}
