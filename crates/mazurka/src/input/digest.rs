//! A short fingerprint of a program, to notice that it has changed since a trace was written.
//!
//! It guards against mistakes, not against malice: FNV-1a, 64 bits.

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

/// The fingerprint of the text of all files. Line markers do not count, nor does the name of the
/// file where `assert` has put it into a string: a program that was moved is still the same.
pub fn digest(files: &[SourceFile]) -> String {
    let mut fingerprint = Fingerprint::default();
    for file in files {
        let text = file.text.replace(&format!("\"{}\"", file.name), "\"\"");
        for line in text.lines().filter(|line| !line.starts_with("# ")) {
            fingerprint.add(line.as_bytes());
            fingerprint.add(b"\n");
        }
        fingerprint.add(&[0]);
    }
    fingerprint.to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_text_counts() {
        let of = |text| digest(&[SourceFile::new("a.i", text)]);
        assert_eq!(of("# 1 \"a.c\"\nint x;\n"), of("# 1 \"dir/a.c\"\nint x;\n"));
        assert_ne!(of("int x;\n"), of("int y;\n"));
        let failing = |name: &str| digest(&[SourceFile::new(name, format!("f(\"{name}\");\n"))]);
        assert_eq!(failing("a.c"), failing("dir/a.c"));
        let two = digest(&[SourceFile::new("a", "x\n"), SourceFile::new("b", "")]);
        assert_ne!(two, of("x\n"));
    }
}
