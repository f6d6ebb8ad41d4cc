//! The identity of a program (SHA-256), and a short fingerprint of files of our own, against
//! mistakes and damage (FNV-1a, 64 bits).

use std::fmt;
use std::io;
use xcfa::SourceFile;

/// A fingerprint under way.
#[derive(Clone, Copy, Debug)]
pub struct Fingerprint(u64);

impl Default for Fingerprint {
    fn default() -> Fingerprint {
        Fingerprint(0xcbf2_9ce4_8422_2325)
    }
}

impl Fingerprint {
    /// Goes on with more bytes.
    pub fn add(&mut self, bytes: &[u8]) {
        for &byte in bytes {
            self.0 = (self.0 ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3);
        }
    }
}

impl io::Write for Fingerprint {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.add(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl fmt::Display for Fingerprint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:016x}", self.0)
    }
}

/// The SHA-256 of what the front end reads of a file. Line markers do not count, nor does the name of
/// the file where `assert` has put it into a string: a program that was moved is still the same.
pub fn digest(file: &SourceFile) -> String {
    let text = file.text.replace(&format!("\"{}\"", file.name), "\"\"");
    let lines = text.lines().filter(|line| !is_marker(line));
    let text: String = lines.flat_map(|line| [line, "\n"]).collect();
    witness::sha256(text.as_bytes())
}

/// `# 12 "f.c"`, as the preprocessor writes it; anything else may mean something.
fn is_marker(line: &str) -> bool {
    let number = line.strip_prefix("# ");
    number.is_some_and(|rest| rest.starts_with(|c: char| c.is_ascii_digit()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_text_counts() {
        let of = |text| digest(&SourceFile::new("a.i", text));
        assert_eq!(of("# 1 \"a.c\"\nint x;\n"), of("# 1 \"dir/a.c\"\nint x;\n"));
        assert_ne!(of("int x;\n"), of("int y;\n"));
        assert_ne!(of("# pragma weak x\nint x;\n"), of("int x;\n"));
        let failing = |name: &str| digest(&SourceFile::new(name, format!("f(\"{name}\");\n")));
        assert_eq!(failing("a.c"), failing("dir/a.c"));
    }
}
