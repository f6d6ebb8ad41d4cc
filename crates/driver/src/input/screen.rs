//! Screens the text of a program before the preprocessor runs, so that no file of this machine can
//! be read through it.
//!
//! A preprocessor reads files for `#include` and similar directives, reveals whether a file exists, and line
//! markers, in which it expands macros, make places name any file. Where a comment or a string ends
//! is hard to decide (raw strings, spliced lines), so it is not decided: a `#` with nothing but
//! blanks or the end of a comment before it on its line may begin a directive, and what follows
//! must be one of the few that are known to be harmless. Words that name files are refused wherever
//! they are, and so is whatever could put such a word together from pieces: `##`, and macros of the
//! system's headers that use it. That refuses some programs and comments, and misses nothing.

/// Why a text is not accepted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Screened {
    /// The line, from 1.
    pub line: usize,
    /// What is wrong.
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

/// The directives that are accepted, besides `#include` and an empty one.
const HARMLESS: [&str; 12] = [
    "define", "undef", "if", "ifdef", "ifndef", "elif", "elifdef", "elifndef", "else", "endif",
    "error", "warning",
];

/// Directives that read files, rename lines or speak to the compiler: refused even where they are
/// in the middle of a line.
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

/// Words that do the same inside expressions, what makes words of others, and trigraphs, which hide
/// what is meant. `.incbin` makes an assembler read a file; nothing is ever assembled here, but no
/// program needs it.
const WORDS: [&str; 13] = [
    "##",
    "%:%:",
    "__CONCAT",
    "__glibc_",
    "__has_include",
    "__has_embed",
    "_Pragma",
    "__pragma",
    "__INCLUDE_LEVEL__",
    "__BASE_FILE__",
    ".incbin",
    "??/",
    "??=",
];

/// Checks a program.
pub fn screen(text: &str) -> Result<(), Screened> {
    let text = Text::spliced(text)?;
    for word in WORDS {
        if let Some(at) = text.find(word) {
            return Err(text.refused(at, format!("`{word}` is not accepted here")));
        }
    }
    for at in 0..text.bytes.len() {
        let rest = &text.bytes[at..];
        let hash = [&b"#"[..], b"%:"];
        if let Some(hash) = hash.iter().find(|hash| rest.starts_with(hash)) {
            text.directive(text.begins_a_line(at), at + hash.len())?;
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
    fn spliced(text: &str) -> Result<Text, Screened> {
        let text = text.replace("\r\n", "\n");
        let (mut bytes, mut lines) = (Vec::new(), Vec::new());
        for (number, line) in text.split('\n').enumerate() {
            // The preprocessor skips a byte order mark at the beginning.
            let odd = |c: char| c.is_control() && c != '\t' || c == '\u{feff}';
            if line.contains(odd) {
                let what = "a control character".to_owned();
                return Err(Screened {
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

    fn refused(&self, at: usize, what: String) -> Screened {
        let last = self.lines.last().copied().unwrap_or(1);
        let line = self.lines.get(at).copied().unwrap_or(last);
        Screened { line, what }
    }

    /// May a `#` be the first token of its line, after comments?
    fn begins_a_line(&self, at: usize) -> bool {
        let before = &self.bytes[..at];
        let line = before.rsplit(|&byte| byte == b'\n').next();
        let line = line.unwrap_or_default().trim_ascii_end();
        line.is_empty() || line.ends_with(b"*/")
    }

    /// Checks what follows a `#`.
    fn directive(&self, begins_a_line: bool, at: usize) -> Result<(), Screened> {
        let at = self.skip(at);
        let name = self.word(at);
        let after = self.skip(at + name.len());
        if DIRECTIVES.contains(&name.as_str()) {
            return Err(self.refused(at, format!("`#{name}` is not accepted here")));
        }
        if name == "include" {
            return self.header(after);
        }
        let ends = self.bytes.get(at).is_none_or(|&byte| byte == b'\n');
        match () {
            () if !begins_a_line || HARMLESS.contains(&name.as_str()) => Ok(()),
            () if name.is_empty() && ends => Ok(()),
            () if name.starts_with(|c: char| c.is_ascii_digit()) => {
                Err(self.refused(at, "line markers are not accepted here".into()))
            }
            () => Err(self.refused(at, format!("`#{name}` is not accepted here"))),
        }
    }

    fn header(&self, at: usize) -> Result<(), Screened> {
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
        "#define F \"FILE\"\n# 2 F\nint x[0.5];",
        "#define F \"FILE\"\n#2 F\nint x[0.5];",
        "#define F \"FILE\"\n# /* */ 2 /* */ F\nint x[0.5];",
        "#define F \"FILE\"\n/* */ # 2 F\nint x[0.5];",
        "#define F \"FILE\"\n/*\n*/ # 2 F\nint x[0.5];",
        "#define F \"FILE\"\n#\\\n 2 F\nint x[0.5];",
        "#define F \"FILE\"\n%: 2 F\nint x[0.5];",
        "#define F \"FILE\"\n#line 2 F\nint x[0.5];",
        "#define F \"FILE\"\n#define N 2\n#line N F\nint x[0.5];",
        "#define L line 2 \"FILE\"\n# L\nint x[0.5];",
        "const char *s = R\"x(\n)x\";\n#define F \"FILE\"\n# 2 F\n",
        "const char *s = R\"x(\\\n)x\";\n# 2 \"FILE\"\n",
        "#if 0\n'\n#endif\n# 2 \"FILE\"\n",
        "#include __FILE__",
        "#include __BASE_FILE__",
        "#include <stdio.h> // fine\n#include \"../../../../../../../../FILE\"",
        "%:include_next \"FILE\"",
        "??=define F \"FILE\"\n??= 2 F",
        "int x; ??/\n# 2 \"FILE\"",
        "#pragma push_macro(\"FILE\")",
        "#pragma GCC system_header\n#include \"FILE\"",
        "__asm__(\".incbin \\\"FILE\\\"\");",
        "#if __has_include_next(\"FILE\")\nint x;\n#endif",
        "#if __has_embed(\"FILE\")\nint x;\n#endif",
        "#ident \"FILE\"",
        "#dependency \"FILE\"",
        "\x0c#include \"FILE\"",
        "\u{feff}#include \"FILE\"",
        "\u{feff}# 2 \"FILE\"\nint x[0.5];",
        "#define P(a,b) a##b\nP(_Pra,gma)(\"GCC dependency \\\"FILE\\\"\")",
        "#define P(a,b) a##b\n#if P(__has_,include)(\"FILE\")\nint the_secret;\n#endif",
        "#define P(a,b) a%:%:b\n#if P(__has_,include)(\"FILE\")\nint the_secret;\n#endif",
        "#define P(a,b) a#\\\n#b\n#if P(__has_,include)(\"FILE\")\nint the_secret;\n#endif",
        "#include <assert.h>\n#if __CONCAT(__has_,include)(\"FILE\")\nint the_secret;\n#endif",
        "#include <assert.h>\n__glibc_macro_warning1(GCC dependency \"FILE\")",
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
            // The list tests something only if the preprocessor follows it.
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
        assert!(reached >= 28, "{reached} of {} do something", WAYS.len());
    }

    /// Macros of headers that put words together or reach files are among the words.
    #[test]
    fn headers_bring_no_other_way() {
        let folder = tempfile::tempdir().unwrap();
        let program = folder.path().join("a.c");
        let headers = HEADERS.map(|header| format!("#include <{header}>\n"));
        std::fs::write(&program, headers.concat()).unwrap();
        let mut cc = Command::new("cc");
        let output = cc
            .args(["-E", "-dM", "-std=gnu11", "-D_GNU_SOURCE"])
            .arg(&program)
            .output()
            .unwrap();
        let macros = String::from_utf8_lossy(&output.stdout).into_owned();
        let mut seen = 0;
        for line in macros.lines() {
            let Some((head, body)) = line.split_once(") ") else {
                continue;
            };
            let (name, parameters) = head.split_once('(').unwrap_or((head, ""));
            let is_parameter = |word: &str| parameters.split(',').any(|it| it == word);
            let pieces: Vec<&str> = body.split("##").map(str::trim).collect();
            let last = |text: &str| text.rsplit(' ').next().map(str::to_owned);
            let joins = pieces.windows(2).any(|pair| {
                let (a, b) = (last(pair[0]), pair[1].split(' ').next());
                a.is_some_and(|a| is_parameter(&a)) && b.is_some_and(is_parameter)
            });
            let reaches = ["_Pragma", "__has_include", "__has_embed"];
            if joins || reaches.iter().any(|word| body.contains(word)) {
                seen += 1;
                assert!(
                    screen(name.trim_start_matches("#define ")).is_err(),
                    "{line}"
                );
            }
        }
        assert!(seen > 0);
    }

    #[test]
    fn the_line_is_named() {
        let refused = screen("int x;\nint \\\n y;\n#include \"y.h\"\n").unwrap_err();
        assert_eq!(refused.line, 4);
        let what = "#include \"y.h\": only headers of the C library can be included here";
        assert_eq!(refused.what, what);
    }
}
