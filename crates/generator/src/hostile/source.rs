//! A program in pieces, some of which may be left out.

/// A part of a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Piece {
    /// Lines that the verdict depends on.
    Needed(String),
    /// Lines that may be left out without changing what is known about the program.
    Spare(String),
}

impl Piece {
    fn text(&self) -> &str {
        match self {
            Piece::Needed(text) | Piece::Spare(text) => text,
        }
    }
}

/// The files of a program.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Source {
    files: Vec<Vec<Piece>>,
}

impl Source {
    /// A program of one file, which starts with these lines.
    pub fn starting(lines: impl Into<String>) -> Source {
        let mut source = Source::default();
        source.next_file();
        source.line(lines);
        source
    }

    /// Lines go to another file from here on.
    pub fn next_file(&mut self) {
        self.files.push(Vec::new());
    }

    /// Adds lines.
    pub fn line(&mut self, text: impl Into<String>) {
        self.add(Piece::Needed(text.into()));
    }

    /// Adds lines that may be left out.
    pub fn spare(&mut self, text: impl Into<String>) {
        self.add(Piece::Spare(text.into()));
    }

    fn add(&mut self, piece: Piece) {
        let file = self.files.last_mut().expect("a program has a file");
        file.push(piece);
    }

    /// The files as C.
    pub fn texts(&self) -> Vec<String> {
        let text = |file: &Vec<Piece>| {
            let lines = file.iter().map(|piece| piece.text().to_owned() + "\n");
            lines.collect::<String>()
        };
        self.files.iter().map(text).collect()
    }

    /// The smallest program reached by leaving out what may be left out that still fails.
    pub fn shrink(&self, still_fails: &mut dyn FnMut(&Source) -> bool) -> Source {
        let mut best = self.clone();
        for file in 0..best.files.len() {
            for at in (0..best.files[file].len()).rev() {
                if matches!(best.files[file][at], Piece::Needed(_)) {
                    continue;
                }
                let mut smaller = best.clone();
                smaller.files[file].remove(at);
                if still_fails(&smaller) {
                    best = smaller;
                }
            }
        }
        best
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_spare_lines_are_left_out() {
        let mut source = Source::starting("int x;");
        source.spare("int y;");
        source.spare("int z;");
        source.line("int main(void) { return 0; }");
        let small = source.shrink(&mut |source| source.texts()[0].contains("int z;"));
        let expected = "int x;\nint z;\nint main(void) { return 0; }\n";
        assert_eq!(small.texts(), [expected]);
    }
}
