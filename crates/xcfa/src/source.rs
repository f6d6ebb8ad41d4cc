//! Source text, and places in it.

use std::fmt;

/// A source file, by number.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct FileId(pub u32);

/// A range of bytes of one file.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Span {
    /// The file that was read (for preprocessed text, not the header it came from).
    pub file: FileId,
    /// First byte.
    pub lo: u32,
    /// One past the last byte.
    pub hi: u32,
}

impl Span {
    /// From the start of `self` to the end of `other`, which is in the same file.
    pub fn to(self, other: Span) -> Span {
        Span {
            file: self.file,
            lo: self.lo,
            hi: other.hi.max(self.hi),
        }
    }
}

/// A place as a person names it.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Place {
    /// The file, after line markers.
    pub file: String,
    /// Line, from 1, after line markers.
    pub line: u32,
    /// Column in bytes, from 1.
    pub column: u32,
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}:{}", self.file, self.line, self.column)
    }
}

/// A line marker (`# 12 "f.c"`) of preprocessed text.
#[derive(Clone, Debug)]
struct Marker {
    /// Index of the line that follows the marker, from 0.
    after: u32,
    file: String,
    line: u32,
}

/// One file that was read.
#[derive(Clone, Debug)]
pub struct SourceFile {
    /// Its name as given by the user.
    pub name: String,
    /// Its whole text.
    pub text: String,
    line_starts: Vec<u32>,
    markers: Vec<Marker>,
    /// Is this part of our model of the C library rather than the user's program?
    pub is_library: bool,
}

impl SourceFile {
    /// Takes the text and finds its lines and line markers.
    pub fn new(name: impl Into<String>, text: impl Into<String>) -> SourceFile {
        let text = text.into();
        let mut line_starts = vec![0];
        line_starts.extend(text.match_indices('\n').map(|(at, _)| at as u32 + 1));
        let markers = text
            .lines()
            .enumerate()
            .filter_map(|(at, line)| parse_marker(line, at as u32 + 1))
            .collect();
        SourceFile {
            name: name.into(),
            text,
            line_starts,
            markers,
            is_library: false,
        }
    }

    /// Index of the line that holds a byte, from 0.
    pub fn line_index(&self, byte: u32) -> usize {
        self.line_starts.partition_point(|&start| start <= byte) - 1
    }

    /// The text of a line, without its end.
    pub fn line_text(&self, index: usize) -> &str {
        let start = self.line_starts[index] as usize;
        let end = self
            .line_starts
            .get(index + 1)
            .map_or(self.text.len(), |&next| next as usize);
        self.text[start..end].trim_end_matches(['\n', '\r'])
    }

    /// The place of a byte.
    pub fn place(&self, byte: u32) -> Place {
        let index = self.line_index(byte);
        let column = byte - self.line_starts[index] + 1;
        let last = self
            .markers
            .partition_point(|marker| marker.after <= index as u32);
        match last.checked_sub(1).map(|at| &self.markers[at]) {
            Some(marker) => Place {
                file: marker.file.clone(),
                line: marker.line + index as u32 - marker.after,
                column,
            },
            None => Place {
                file: self.name.clone(),
                line: index as u32 + 1,
                column,
            },
        }
    }
}

/// Reads `# 12 "f.c" 1 3` or `#line 12 "f.c"`; `after` is the index of the next line.
fn parse_marker(line: &str, after: u32) -> Option<Marker> {
    let rest = line.trim_start().strip_prefix('#')?.trim_start();
    let rest = rest.strip_prefix("line").unwrap_or(rest).trim_start();
    let digits = rest
        .find(|c: char| !c.is_ascii_digit())
        .unwrap_or(rest.len());
    let number = rest[..digits].parse().ok()?;
    let quoted = rest[digits..].trim_start().strip_prefix('"')?;
    let file = &quoted[..quoted.rfind('"')?];
    Some(Marker {
        after,
        file: file.replace("\\\\", "\\"),
        line: number,
    })
}

/// All files of a program.
#[derive(Clone, Debug, Default)]
pub struct Sources {
    files: Vec<SourceFile>,
}

impl Sources {
    /// Adds a file.
    pub fn add(&mut self, file: SourceFile) -> FileId {
        self.files.push(file);
        FileId(self.files.len() as u32 - 1)
    }

    /// The file of that number.
    pub fn file(&self, file: FileId) -> &SourceFile {
        &self.files[file.0 as usize]
    }

    /// Every file in the order it was added.
    pub fn files(&self) -> &[SourceFile] {
        &self.files
    }

    /// Where a span starts.
    pub fn place(&self, span: Span) -> Place {
        self.file(span.file).place(span.lo)
    }

    /// The source line in which a span starts.
    pub fn line_text(&self, span: Span) -> &str {
        let file = self.file(span.file);
        file.line_text(file.line_index(span.lo))
    }
}
