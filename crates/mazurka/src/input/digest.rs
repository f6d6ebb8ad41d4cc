//! A short fingerprint of a program, to notice that it has changed since a trace was written.
//!
//! It guards against mistakes, not against malice: FNV-1a, 64 bits.

use xcfa::SourceFile;

/// The fingerprint of the text of all files. Line markers do not count, nor does the name of the
/// file where `assert` has put it into a string: a program that was moved is still the same.
pub fn digest(files: &[SourceFile]) -> String {
    let mut hash: u64 = 0xcbf2_9ce4_8422_2325;
    for file in files {
        let text = file.text.replace(&format!("\"{}\"", file.name), "\"\"");
        let lines = text.lines().filter(|line| !line.starts_with("# "));
        for byte in lines
            .flat_map(|line| line.bytes().chain([b'\n']))
            .chain([0])
        {
            hash = (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3);
        }
    }
    format!("{hash:016x}")
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
