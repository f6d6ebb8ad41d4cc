//! A table or figure of a paper, ready to be shown.

/// What one table or figure of a paper has become.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Part {
    /// Short, for the names of files: `table-1`.
    pub name: &'static str,
    /// Markdown: headings, tables, sentences, links to the pictures.
    pub text: String,
    /// The pictures, by the names of their files.
    pub pictures: Vec<(String, String)>,
}

impl Part {
    /// Begins with a heading.
    pub fn new(name: &'static str, title: &str) -> Part {
        Part {
            name,
            text: format!("### {title}\n"),
            pictures: Vec::new(),
        }
    }

    /// Has it nothing but its heading?
    pub fn is_empty(&self) -> bool {
        self.text.lines().count() <= 1
    }

    /// Adds a paragraph or a table.
    pub fn add(&mut self, block: impl std::fmt::Display) {
        let block = block.to_string();
        self.text += &format!("\n{}\n", block.trim_end());
    }

    /// Adds a picture.
    pub fn picture(&mut self, file: &str, what: &str, svg: String) {
        self.text += &format!("\n![{what}]({file})\n");
        self.pictures.push((file.to_owned(), svg));
    }
}
