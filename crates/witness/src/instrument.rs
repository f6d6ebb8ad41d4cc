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

mod lexical;
mod screen;
mod text;

use self::lexical::{joined, last_significant, words};
use self::screen::{is_integer_type, is_name, is_number, is_plain, may_read_memory};
use self::text::Text;
use crate::automaton::{Trouble, beyond, wrong};
use crate::outline::{FunctionText, StatementText};
use crate::yaml::{Content, Entry, GhostUpdates, Ghosts, Invariant, Item, Location};
use crate::{Outline, Places};
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

#[cfg(test)]
mod tests {
    use super::*;
    use xcfa::DataModel;

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
