//! `--junit`: an answer as a test result, for pages that show those.
//!
//! *Safe* is a test that passes, *unsafe* one that fails, *unknown* an error: it must not look
//! like success.

use super::Report;
use crate::args::Steps;
use crate::failure::{Exit, Failure};
use std::path::Path;
use verdict::Verdict;

/// What is before and after the suites.
const BEGINNING: &str = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites>\n";
const END: &str = "</testsuites>\n";

impl Report<'_> {
    /// Writes the answer as JUnit's XML: a suite of its own, after those that are there.
    pub fn write_junit(
        &self,
        path: &Path,
        program: &[std::path::PathBuf],
        append: bool,
    ) -> Result<(), Failure> {
        let names: Vec<String> = program
            .iter()
            .map(|file| file.display().to_string())
            .collect();
        let before = match append {
            true => std::fs::read_to_string(path).unwrap_or_default(),
            false => String::new(),
        };
        let before = before.strip_suffix(END).unwrap_or(BEGINNING);
        let text = format!("{before}{}{END}", self.junit(&names.join(" ")));
        std::fs::write(path, text)
            .map_err(|error| Failure::refused(format!("cannot write {}: {error}", path.display())))
    }

    /// The schedule as on a terminal, without its colours.
    fn plain_story(&self) -> String {
        anstream::adapter::strip_str(&self.story(Steps::All)).to_string()
    }

    fn junit(&self, program: &str) -> String {
        let (failures, errors, inside) = match self.verdict() {
            Verdict::Safe(proof) => {
                let mut why = super::why_safe(proof);
                for assumption in &self.task.xcfa.assumptions {
                    why += &format!("\nassuming: {assumption}");
                }
                (0, 0, element("system-out", "", &why))
            }
            // What is known does not fail.
            Verdict::Unsafe(_) if self.exit() != Exit::Unsafe => {
                let story = self.plain_story();
                (0, 0, element("system-out", "", &story))
            }
            Verdict::Unsafe(_) => {
                let first = match &self.findings {
                    Some(findings) if findings.found.len() > 1 => {
                        format!("{} findings", findings.found.len())
                    }
                    _ => self
                        .failure()
                        .map(semantics::Failure::headline)
                        .unwrap_or_default(),
                };
                let attributes = format!(
                    " message=\"{}\" type=\"{}\"",
                    escape(&first),
                    self.task.property
                );
                let story = self.plain_story();
                (1, 0, element("failure", &attributes, &story))
            }
            Verdict::Unknown(reason) => {
                let attributes = format!(
                    " message=\"{}\" type=\"unknown\"",
                    escape(&reason.to_string())
                );
                (0, 1, element("error", &attributes, ""))
            }
        };
        let name = escape(program);
        let property = match &self.check {
            Some(check) => format!("{}: {}", escape(check), self.task.property),
            None => self.task.property.to_string(),
        };
        let seconds = self.wall.as_secs_f64();
        format!(
            "  <testsuite name=\"mazurka\" tests=\"1\" failures=\"{failures}\" errors=\"{errors}\" time=\"{seconds:.3}\">\n    \
             <testcase classname=\"{name}\" name=\"{property}\" time=\"{seconds:.3}\">\n      {inside}\n    </testcase>\n  \
             </testsuite>\n"
        )
    }
}

fn element(name: &str, attributes: &str, text: &str) -> String {
    format!("<{name}{attributes}>{}</{name}>", escape(text))
}

/// Text for XML; control characters, which XML cannot hold, become spaces.
fn escape(text: &str) -> String {
    let mut out = String::new();
    for character in text.chars() {
        match character {
            '&' => out += "&amp;",
            '<' => out += "&lt;",
            '>' => out += "&gt;",
            '"' => out += "&quot;",
            '\n' | '\t' => out.push(character),
            control if control.is_control() => out.push(' '),
            other => out.push(other),
        }
    }
    out
}
