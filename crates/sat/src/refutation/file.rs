//! Refutations as text: a line for every step.
//!
//! `i` an input, `t` a lemma of the theory, `d` a derived clause with the numbers that it follows
//! from, `r` a clause that comes back, `a` one that is put aside, `x` one that is not needed any
//! more, `c` the end: a clause that contradicts what was assumed.

use super::checker::Id;
use std::fs::File;
use std::io::{self, BufRead, BufReader, BufWriter, Write};
use std::path::Path;

/// One line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Line {
    Input(Id, Vec<i32>),
    Lemma(Id, Vec<i32>),
    Derived(Id, Vec<i32>, Vec<Id>),
    Restored(Id, Vec<i32>),
    Aside(Id),
    Deleted(Id),
    Concluded(Id),
}

/// Writes lines; the first error is kept, and nothing is written after it.
#[derive(Debug)]
pub struct Writer {
    out: BufWriter<File>,
    failed: Option<io::Error>,
}

impl Writer {
    pub fn create(path: &Path) -> io::Result<Writer> {
        Ok(Writer {
            out: BufWriter::new(File::create(path)?),
            failed: None,
        })
    }

    pub fn write(&mut self, line: &Line) {
        if self.failed.is_none() {
            self.failed = self.line(line).err();
        }
    }

    fn line(&mut self, line: &Line) -> io::Result<()> {
        let (kind, id, lits, hints): (_, _, &[i32], &[Id]) = match line {
            Line::Input(id, lits) => ("i", id, lits, &[]),
            Line::Lemma(id, lits) => ("t", id, lits, &[]),
            Line::Derived(id, lits, hints) => ("d", id, lits, hints),
            Line::Restored(id, lits) => ("r", id, lits, &[]),
            Line::Aside(id) => ("a", id, &[], &[]),
            Line::Deleted(id) => ("x", id, &[], &[]),
            Line::Concluded(id) => ("c", id, &[], &[]),
        };
        write!(self.out, "{kind} {id}")?;
        for lit in lits {
            write!(self.out, " {lit}")?;
        }
        if kind == "d" {
            write!(self.out, " 0")?;
            for hint in hints {
                write!(self.out, " {hint}")?;
            }
        }
        writeln!(self.out)
    }

    /// Everything is on the disk, or why not.
    pub fn finish(&mut self) -> io::Result<()> {
        match self.failed.take() {
            Some(error) => Err(error),
            None => self.out.flush(),
        }
    }
}

/// Reads a file line by line.
pub fn read(path: &Path) -> io::Result<impl Iterator<Item = Result<Line, String>>> {
    let lines = BufReader::new(File::open(path)?).lines();
    Ok(lines.enumerate().map(|(at, line)| {
        let line = line.map_err(|error| error.to_string())?;
        parse(&line).ok_or_else(|| format!("line {} makes no sense", at + 1))
    }))
}

fn parse(line: &str) -> Option<Line> {
    let mut words = line.split(' ');
    let kind = words.next()?;
    let id: Id = words.next()?.parse().ok()?;
    let mut lits = Vec::new();
    let mut hints = None::<Vec<Id>>;
    for word in words {
        match &mut hints {
            Some(hints) => hints.push(word.parse().ok()?),
            None => match word.parse::<i32>().ok()? {
                0 if kind == "d" => hints = Some(Vec::new()),
                0 | i32::MIN => return None,
                lit => lits.push(lit),
            },
        }
    }
    let bare = lits.is_empty();
    Some(match (kind, hints) {
        ("i", None) => Line::Input(id, lits),
        ("t", None) => Line::Lemma(id, lits),
        ("r", None) => Line::Restored(id, lits),
        ("d", Some(hints)) => Line::Derived(id, lits, hints),
        ("a", None) if bare => Line::Aside(id),
        ("x", None) if bare => Line::Deleted(id),
        ("c", None) if bare => Line::Concluded(id),
        _ => return None,
    })
}
