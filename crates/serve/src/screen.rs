//! Looks at the text of a program before the preprocessor does, so that no file of this machine can
//! be read through it.
//!
//! A preprocessor reads files for `#include` and its kin, tells whether a file exists, and line
//! markers make reports quote the file that they name. Where a comment or a string ends is a
//! delicate question (raw strings, spliced lines), so it is not asked: every `#` counts, wherever it
//! stands, and what follows it must be harmless. That refuses some comments, and misses nothing.

/// Text that is not accepted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refused {
    /// The line, from 1.
    pub line: usize,
    /// Why.
    pub what: String,
}

/// The headers that programs may include: those whose functions are modelled, and their like.
const HEADERS: [&str; 33] = [
    "assert.h",
    "ctype.h",
    "errno.h",
    "float.h",
    "inttypes.h",
    "iso646.h",
    "limits.h",
    "malloc.h",
    "math.h",
    "memory.h",
    "pthread.h",
    "sched.h",
    "semaphore.h",
    "signal.h",
    "stdalign.h",
    "stdarg.h",
    "stdatomic.h",
    "stdbool.h",
    "stddef.h",
    "stdint.h",
    "stdio.h",
    "stdlib.h",
    "stdnoreturn.h",
    "string.h",
    "strings.h",
    "sys/time.h",
    "sys/types.h",
    "threads.h",
    "time.h",
    "unistd.h",
    "wchar.h",
    "wctype.h",
    "alloca.h",
];

/// Directives that read files or rename lines; `#pragma` can ask for the age of a file.
const DIRECTIVES: [&str; 9] = [
    "include_next",
    "import",
    "embed",
    "line",
    "pragma",
    "ident",
    "sccs",
    "assert",
    "unassert",
];

/// Words that do the same inside expressions.
const WORDS: [&str; 4] = [
    "__has_include",
    "__has_embed",
    "_Pragma",
    "__include_level__",
];

/// Checks a program.
pub fn screen(text: &str) -> Result<(), Refused> {
    let text = Text::spliced(text)?;
    for word in WORDS {
        if let Some(at) = text.find(word) {
            return Err(text.refused(at, format!("`{word}` is not accepted here")));
        }
    }
    for at in 0..text.bytes.len() {
        let rest = &text.bytes[at..];
        let hash = [&b"#"[..], b"%:", b"??="];
        if let Some(hash) = hash.iter().find(|hash| rest.starts_with(hash)) {
            text.directive(at + hash.len())?;
        }
    }
    Ok(())
}

/// A program as the preprocessor sees it, with lines that end in a backslash joined.
struct Text {
    bytes: Vec<u8>,
    /// For each byte the line that it is on.
    lines: Vec<usize>,
}

impl Text {
    fn spliced(text: &str) -> Result<Text, Refused> {
        let text = text.replace("\r\n", "\n");
        let (mut bytes, mut lines) = (Vec::new(), Vec::new());
        for (number, line) in text.split('\n').enumerate() {
            let odd = |byte: u8| byte < b' ' && byte != b'\t' || byte == 0x7f;
            if line.bytes().any(odd) {
                let what = "a control character".to_owned();
                return Err(Refused {
                    line: number + 1,
                    what,
                });
            }
            // Blanks between the backslash and the end of the line do not count.
            let joined = line.trim_end_matches([' ', '\t']).strip_suffix('\\');
            bytes.extend(joined.unwrap_or(line).bytes());
            bytes.extend(joined.is_none().then_some(b'\n'));
            lines.resize(bytes.len(), number + 1);
        }
        Ok(Text { bytes, lines })
    }

    fn find(&self, word: &str) -> Option<usize> {
        let mut windows = self.bytes.windows(word.len());
        windows.position(|window| window == word.as_bytes())
    }

    fn refused(&self, at: usize, what: String) -> Refused {
        let last = self.lines.last().copied().unwrap_or(1);
        let line = self.lines.get(at).copied().unwrap_or(last);
        Refused { line, what }
    }

    /// Checks what follows a `#`.
    fn directive(&self, at: usize) -> Result<(), Refused> {
        let at = self.skip(at);
        let name = self.word(at);
        let after = self.skip(at + name.len());
        if DIRECTIVES.contains(&name.as_str()) {
            return Err(self.refused(at, format!("`#{name}` is not accepted here")));
        }
        let next = self.bytes.get(after).copied();
        if name.starts_with(|c: char| c.is_ascii_digit()) && next == Some(b'"') {
            return Err(self.refused(at, "line markers are not accepted here".into()));
        }
        if name == "include" {
            return self.header(after);
        }
        Ok(())
    }

    fn header(&self, at: usize) -> Result<(), Refused> {
        let rest = self.bytes.get(at..).unwrap_or_default();
        let line = rest.split(|&byte| byte == b'\n').next().unwrap_or_default();
        let line = String::from_utf8_lossy(line);
        let name = line
            .strip_prefix('<')
            .and_then(|rest| Some(rest.split_once('>')?.0));
        match name {
            Some(name) if HEADERS.contains(&name) => Ok(()),
            _ => {
                let what = "only headers of the C library can be included here";
                Err(self.refused(at, format!("#include {}: {what}", line.trim())))
            }
        }
    }

    /// The next place that is neither blank nor in a comment; a line's end is a place.
    fn skip(&self, mut at: usize) -> usize {
        loop {
            let rest = self.bytes.get(at..).unwrap_or_default();
            if rest.starts_with(b" ") || rest.starts_with(b"\t") {
                at += 1;
            } else if rest.starts_with(b"/*") {
                let inside = &rest[2..];
                let end = inside.windows(2).position(|pair| pair == b"*/");
                at += end.map_or(rest.len(), |end| end + 4);
            } else {
                return at;
            }
        }
    }

    fn word(&self, at: usize) -> String {
        let rest = self.bytes.get(at..).unwrap_or_default();
        let letters = rest
            .iter()
            .take_while(|byte| byte.is_ascii_alphanumeric() || **byte == b'_');
        letters.map(|&byte| char::from(byte)).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::process::Command;

    const SECRET: &str = "int the_secret_of_this_file;\n";

    /// Ways to name the file; `FILE` stands for its path.
    const WAYS: &[&str] = &[
        "#include \"FILE\"",
        "#include <FILE>",
        "  #  include \"FILE\"",
        "#/**/include/**/\"FILE\"",
        "/* */ #include \"FILE\"",
        "/* \n */ #include \"FILE\"",
        "# /* \n */ include \"FILE\"",
        "#incl\\\nude \"FILE\"",
        "#incl\\ \t\nude \"FILE\"",
        "#incl\\\r\nude \"FILE\"",
        "#include \\\n\"FILE\"",
        "%:include \"FILE\"",
        "%:incl\\\nude \"FILE\"",
        "??=include \"FILE\"",
        "#define X \"FILE\"\n#include X",
        "#define X <FILE>\n#include X",
        "#include_next \"FILE\"",
        "#import \"FILE\"",
        "#if 1\n#include \"FILE\"\n#endif",
        "const char *s = R\"x( \" /* )x\";\n#include \"FILE\"\n// */",
        "const char *s = R\"x(\n)x\";\n#include \"FILE\"\n",
        "char c = '\"';\n#include \"FILE\"\n// \"",
        "char c = '\\\n\n#include \"FILE\"\n",
        "#include <../../../../../../../../../../FILE>",
        "#include <stdio.h/../../../../../../../FILE>",
        "#line 1 \"FILE\"\nint x[0.5];",
        "# 1 \"FILE\"\nint x[0.5];",
        "#line 1 X\nint x;",
        "_Pragma(\"GCC dependency \\\"FILE\\\"\")",
        "#pragma GCC dependency \"FILE\"",
        "#if __has_include(\"FILE\")\nint x;\n#endif",
        "#if __has_inc\\\nlude(\"FILE\")\nint x;\n#endif",
        "#embed \"FILE\"",
        "\x0c#include \"FILE\"",
        "\x0b#include \"FILE\"",
        "int x;\r#include \"FILE\"",
    ];

    #[test]
    fn no_way_leads_to_a_file() {
        let folder = tempfile::tempdir().unwrap();
        let secret = folder.path().join("secret.h");
        std::fs::write(&secret, SECRET).unwrap();
        let mut reached = 0;
        for way in WAYS {
            let text = way.replace("FILE", secret.to_str().unwrap());
            assert!(screen(&text).is_err(), "accepted: {text}");
            // The list is worth something only if the preprocessor would have followed it.
            let program = folder.path().join("a.c");
            std::fs::write(&program, &text).unwrap();
            let mut cc = Command::new("cc");
            let output = cc
                .args(["-E", "-std=gnu11"])
                .arg(&program)
                .output()
                .unwrap();
            let output = String::from_utf8_lossy(&output.stdout).into_owned();
            reached += usize::from(output.contains("the_secret") || output.contains("secret.h\""));
        }
        assert!(reached >= 15, "{reached} of {} do something", WAYS.len());
    }

    #[test]
    fn programs_are_accepted() {
        for example in crate::examples::EXAMPLES {
            assert_eq!(screen(example.source), Ok(()), "{}", example.title);
        }
        let fine = "#include <stdio.h>\n# include <pthread.h> // locks, see #12\n\
                    #define SHOW(x) #x\n#define GLUE(a, b) a ## b\n#undef SHOW\n#if 1\n#endif\n#\n";
        assert_eq!(screen(fine), Ok(()));
    }

    #[test]
    fn the_line_is_named() {
        let refused = screen("int x;\nint \\\n y;\n#include \"y.h\"\n").unwrap_err();
        assert_eq!(refused.line, 4);
        let what = "#include \"y.h\": only headers of the C library can be included here";
        assert_eq!(refused.what, what);
    }
}
