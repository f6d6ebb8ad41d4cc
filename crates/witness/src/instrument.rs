//! Invariants put into the text of a program, as checks that call an error function.
//!
//! A check is atomic, so that it is one look at one state. Ghost variables become globals. Their
//! updates stand before the statement that they belong to, or behind it if it takes a lock: they are
//! not atomic with it, because a thread that waits inside an atomic section would stop all
//! others. So the text has all executions of the format's meaning and more: what holds in it holds.

use crate::automaton::{Trouble, beyond, wrong};
use crate::outline::StatementText;
use crate::yaml::{Content, Entry, GhostUpdates, Ghosts, Invariant, Item, Location};
use crate::{Outline, Places};
use xcfa::{SourceFile, Sources, Span};

/// What checks need; programs that declare these functions declare them like this.
const DECLARATIONS: &str = "extern void __VERIFIER_error(void); \
    extern void __VERIFIER_atomic_begin(void); extern void __VERIFIER_atomic_end(void); ";

/// Statements after which a thread has a lock.
const LOCKS: [&str; 4] = [
    "pthread_mutex_lock",
    "pthread_spin_lock",
    "pthread_rwlock_wrlock",
    "mtx_lock",
];

/// A text to be put somewhere.
struct Insertion {
    file: usize,
    at: usize,
    /// Is it about ghost variables? These change behind the checks at the same place.
    ghost: bool,
    text: String,
}

/// The files of a program with the invariants of a correctness witness as checks, and how many
/// there are.
pub fn instrument(
    entries: &[Entry],
    files: &[SourceFile],
    places: &Places,
    outline: &Outline,
) -> Result<(Vec<SourceFile>, usize), Trouble> {
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
        checks: 0,
    };
    for entry in entries {
        match &entry.content {
            Content::Ghosts(ghosts) => insert.ghosts(ghosts, files.len())?,
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
    let checks = insert.checks;
    Ok((insert.apply(files), checks))
}

struct Instrument<'a> {
    sources: &'a Sources,
    places: &'a Places,
    outline: &'a Outline,
    insertions: Vec<Insertion>,
    /// By file: declarations, which get a line of their own.
    heads: Vec<String>,
    /// Are ghost variables at work?
    ghost: bool,
    checks: usize,
}

impl Instrument<'_> {
    fn put(&mut self, span: Span, at: u32, text: String) {
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
        if !is_plain(value) {
            return beyond(format!(
                "the invariant `{value}` is not an expression without effects"
            ));
        }
        self.checks += 1;
        let check = format!(
            "__VERIFIER_atomic_begin(); if (!({value})) __VERIFIER_error(); __VERIFIER_atomic_end();"
        );
        match invariant.kind.as_str() {
            "loop_invariant" => self.at_loop(&invariant.location, &check),
            "location_invariant" => self.before(&invariant.location, &check, false),
            other => beyond(format!("invariants of type `{other}`")),
        }
    }

    /// Before every evaluation of a loop's condition.
    fn at_loop(&mut self, location: &Location, check: &str) -> Result<(), Trouble> {
        let loops = self.outline.branches.iter().filter(|branch| branch.repeats);
        let found = loops.filter(|branch| self.is_at(location, branch.keyword));
        let Some(branch) = found.min_by_key(|branch| branch.keyword.lo).copied() else {
            return wrong(format!("there is no loop at line {}", location.line));
        };
        self.put(
            branch.cond,
            branch.cond.lo,
            format!("({{ {check} 0; }}), ("),
        );
        self.put(branch.cond, branch.cond.hi, ")".into());
        Ok(())
    }

    /// Before the statement at a location, or behind it.
    fn before(&mut self, location: &Location, text: &str, behind: bool) -> Result<(), Trouble> {
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
            return wrong(format!("there is no statement at line {}", location.line));
        };
        let span = statement.span;
        let source = &self.sources.file(span.file).text;
        if statement.declaration {
            // Only the declarator is known; the declaration begins its line, if it is alone there.
            let line = source[..span.lo as usize]
                .rfind('\n')
                .map_or(0, |at| at + 1);
            let before = &source[line..span.lo as usize];
            if behind || before.contains([';', '{', '}', ')', ',']) {
                return beyond(format!("a declaration inside line {}", location.line));
            }
            self.put(span, line as u32, format!("{text} "));
            return Ok(());
        }
        let rest = &source[span.hi as usize..];
        let end = match source[..span.hi as usize].ends_with([';', '}']) {
            true => span.hi,
            false if rest.trim_start().starts_with(';') => {
                span.hi + (rest.find(';').unwrap_or(0) as u32) + 1
            }
            false => return wrong(format!("there is no statement at line {}", location.line)),
        };
        match behind {
            false => self.put(span, span.lo, format!("{{ {text} ")),
            true => self.put(span, span.lo, "{ ".into()),
        }
        match behind {
            false => self.put(span, end, " }".into()),
            true => self.put(span, end, format!(" {text} }}")),
        }
        Ok(())
    }

    /// Does a span start where a location says?
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

    fn ghosts(&mut self, ghosts: &Ghosts, files: usize) -> Result<(), Trouble> {
        for variable in &ghosts.ghost_variables {
            let (name, ty, initial) = (&variable.name, &variable.ty, &variable.initial.value);
            let fine = [name, ty].iter().all(|text| is_words(text)) && is_plain(initial);
            if !fine || variable.scope != "global" {
                return beyond(format!("the ghost variable `{name}`"));
            }
            for file in 0..files {
                let text = match file {
                    0 => format!("{ty} {name} = {initial}; "),
                    _ => format!("extern {ty} {name}; "),
                };
                self.heads[file] += &text;
            }
        }
        ghosts
            .ghost_updates
            .iter()
            .try_for_each(|update| self.update(update))
    }

    fn update(&mut self, update: &GhostUpdates) -> Result<(), Trouble> {
        let mut text = String::from("__VERIFIER_atomic_begin(); ");
        for change in &update.updates {
            if !is_words(&change.variable) || !is_plain(&change.value) {
                return beyond(format!("the update of `{}`", change.variable));
            }
            text += &format!("{} = {}; ", change.variable, change.value);
        }
        text += "__VERIFIER_atomic_end();";
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

    fn apply(mut self, files: &[SourceFile]) -> Vec<SourceFile> {
        // From the end, so that places before stay where they are; what came first stands first.
        self.insertions
            .sort_by_key(|insertion| (insertion.at, insertion.ghost));
        let mut texts: Vec<String> = files.iter().map(|file| file.text.clone()).collect();
        for insertion in self.insertions.iter().rev() {
            texts[insertion.file].insert_str(insertion.at, &insertion.text);
        }
        let all = files.iter().zip(self.heads).zip(texts);
        all.map(|((file, head), text)| {
            SourceFile::new(file.name.clone(), format!("{head}\n{text}"))
        })
        .collect()
    }
}

/// No assignment, no call, nothing that could end the expression.
fn is_plain(value: &str) -> bool {
    let mut before = ' ';
    let mut depth = 0;
    for (at, c) in value.char_indices() {
        let next = value[at + c.len_utf8()..].chars().next().unwrap_or(' ');
        let compares = next == '=' || "=!<>".contains(before);
        let shifts = c == '=' && ["<<=", ">>="].iter().any(|op| value[..=at].ends_with(op));
        if ";{}#\\\"'`\n".contains(c) || c == '=' && !compares || shifts {
            return false;
        }
        if c == '(' && (before.is_alphanumeric() || before == '_') {
            return false;
        }
        if c == before && "+-".contains(c) {
            return false;
        }
        depth += i32::from(c == '(') - i32::from(c == ')');
        if depth < 0 {
            return false;
        }
        before = c;
    }
    !value.trim().is_empty() && depth == 0
}

/// Letters, digits, underscores, blanks and stars: a name or a type.
fn is_words(text: &str) -> bool {
    let fine = |c: char| c.is_ascii_alphanumeric() || "_ *".contains(c);
    !text.is_empty() && text.chars().all(fine)
}

#[cfg(test)]
mod tests {
    use super::*;
    use xcfa::DataModel;

    #[test]
    fn only_expressions_without_effects() {
        for plain in [
            "x == 1",
            "a <= b && !(c != d)",
            "(x + 1) >> 2",
            "1",
            "s.a[2] < -1",
        ] {
            assert!(is_plain(plain), "{plain}");
        }
        for other in [
            "x = 1",
            "f(x)",
            "x++",
            "--x",
            "x; y",
            "x += 1",
            "x <<= 1",
            "",
            "\"a\"",
            "(",
            "x == 1 = y",
            "0) || (1",
        ] {
            assert!(!is_plain(other), "{other}");
        }
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
            checks: 0,
        };
        let location = Location {
            file_name: "a.i".into(),
            line,
            column,
            function: None,
        };
        match kind {
            "loop" => insert.at_loop(&location, "CHECK;").unwrap(),
            "behind" => insert.before(&location, "DO;", true).unwrap(),
            _ => insert.before(&location, "CHECK;", false).unwrap(),
        }
        let text = insert.apply(&[file]).remove(0).text;
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
