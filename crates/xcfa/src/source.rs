//! Source text, and places in it.

use std::collections::BTreeMap;
use std::fmt;
use std::sync::Arc;

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
    /// From one byte of a file up to another.
    pub const fn new(file: FileId, lo: u32, hi: u32) -> Span {
        Span { file, lo, hi }
    }

    /// From the start of `self` to the end of `other`, which is in the same file.
    pub fn to(self, other: Span) -> Span {
        Span {
            file: self.file,
            lo: self.lo,
            hi: other.hi.max(self.hi),
        }
    }
}

/// A place by file, line and column.
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
    /// Does a header of the system follow?
    system: bool,
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
    /// What was written before it was preprocessed, by name of the file.
    originals: Arc<BTreeMap<String, String>>,
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
            originals: Arc::default(),
        }
    }

    /// With the texts that it was preprocessed from. Only these are ever quoted: a line marker may
    /// name any file, and what it names is looked up here, not on the disk.
    pub fn with_originals(mut self, originals: BTreeMap<String, String>) -> SourceFile {
        self.originals = Arc::new(originals);
        self
    }

    /// The text of a file that this one was preprocessed from.
    pub fn original(&self, name: &str) -> Option<&str> {
        self.originals.get(name).map(String::as_str)
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

    /// Does a byte come from a header of the system?
    pub fn is_system(&self, byte: u32) -> bool {
        let marker = self.marker(self.line_index(byte));
        marker.is_some_and(|marker| marker.system)
    }

    /// The last marker before a line.
    fn marker(&self, index: usize) -> Option<&Marker> {
        let before = |marker: &Marker| marker.after <= index as u32;
        let last = self.markers.partition_point(before);
        last.checked_sub(1).map(|at| &self.markers[at])
    }

    /// The place of a byte.
    pub fn place(&self, byte: u32) -> Place {
        let index = self.line_index(byte);
        let column = byte - self.line_starts[index] + 1;
        match self.marker(index) {
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

/// Where systems keep their headers.
const SYSTEM_FOLDERS: [&str; 2] = ["/usr/include/", "/usr/lib/"];

/// Reads `# 12 "f.c" 1 3` or `#line 12 "f.c"`; `after` is the index of the next line.
fn parse_marker(line: &str, after: u32) -> Option<Marker> {
    let rest = line.trim_start().strip_prefix('#')?.trim_start();
    let rest = rest.strip_prefix("line").unwrap_or(rest).trim_start();
    let digits = rest
        .find(|c: char| !c.is_ascii_digit())
        .unwrap_or(rest.len());
    let number = rest[..digits].parse().ok()?;
    let quoted = rest[digits..].trim_start().strip_prefix('"')?;
    let end = quoted.rfind('"')?;
    let file = &quoted[..end];
    // Some tools drop the flag that tells headers of the system.
    let is_flagged = quoted[end + 1..].split_whitespace().any(|flag| flag == "3");
    let is_named = SYSTEM_FOLDERS.iter().any(|folder| file.starts_with(folder));
    Some(Marker {
        after,
        file: file.replace("\\\\", "\\"),
        line: number,
        system: is_flagged || is_named,
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

    /// The text of a span on one line, without line markers; nothing if there is none.
    pub fn text(&self, span: Span) -> Option<String> {
        let file = self.files.get(span.file.0 as usize)?;
        let text = file.text.get(span.lo as usize..span.hi as usize)?;
        let lines = text
            .lines()
            .filter(|line| !line.trim_start().starts_with('#'));
        let words: Vec<&str> = lines.flat_map(str::split_whitespace).collect();
        (!words.is_empty()).then(|| words.join(" "))
    }

    /// The source line in which a span starts.
    pub fn line_text(&self, span: Span) -> &str {
        let file = self.file(span.file);
        file.line_text(file.line_index(span.lo))
    }
}
