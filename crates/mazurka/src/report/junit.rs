//! `--junit`: an answer as a test result, for pages that show those.
//!
//! *Safe* is a test that passes, *unsafe* one that fails, *unknown* an error: it must not look
//! like success.

use super::Report;
use crate::args::Steps;
use crate::failure::Failure;
use std::path::Path;
use verdict::Verdict;

impl Report<'_> {
    /// Writes the answer as JUnit's XML.
    pub fn write_junit(&self, path: &Path, program: &[std::path::PathBuf]) -> Result<(), Failure> {
        let names: Vec<String> = program
            .iter()
            .map(|file| file.display().to_string())
            .collect();
        let text = self.junit(&names.join(" "));
        std::fs::write(path, text)
            .map_err(|error| Failure::refused(format!("cannot write {}: {error}", path.display())))
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
            Verdict::Unsafe(_) => {
                let first = self.failure().map(semantics::Failure::headline);
                let first = first.unwrap_or_default();
                let attributes = format!(
                    " message=\"{}\" type=\"{}\"",
                    escape(&first),
                    self.task.property
                );
                // The schedule as on a terminal, without its colours.
                let story = anstream::adapter::strip_str(&self.story(Steps::All)).to_string();
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
        let (name, property) = (escape(program), self.task.property);
        let seconds = self.wall.as_secs_f64();
        format!(
            "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n\
             <testsuites>\n  <testsuite name=\"mazurka\" tests=\"1\" failures=\"{failures}\" errors=\"{errors}\" time=\"{seconds:.3}\">\n    \
             <testcase classname=\"{name}\" name=\"{property}\" time=\"{seconds:.3}\">\n      {inside}\n    </testcase>\n  \
             </testsuite>\n</testsuites>\n"
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
