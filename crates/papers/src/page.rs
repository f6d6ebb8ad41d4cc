//! A page of the manual whose measured parts are written by the command.
//!
//! A part is between two comments, `<!-- begin NAME -->` and `<!-- end NAME -->`. Everything
//! else on the page belongs to its authors and is left as it is.

use crate::Part;

/// The page with its parts as they are now; parts that it has no place for come at its end.
pub fn filled(page: &str, parts: &[Part]) -> String {
    let mut page = page.to_owned();
    for part in parts {
        let (begin, end) = (marker("begin", part.name), marker("end", part.name));
        // What an earlier run has left there would belong to other circumstances.
        let none = if part.is_empty() {
            "\n\nNot measured."
        } else {
            ""
        };
        let new = format!("{begin}\n{}{none}\n{end}", part.text.trim_end());
        let from = page.find(&begin);
        let to = from.and_then(|from| Some(from + page[from..].find(&end)? + end.len()));
        match from.zip(to) {
            Some((from, to)) => page.replace_range(from..to, &new),
            None => page = format!("{}\n\n{new}\n", page.trim_end()),
        }
    }
    page
}

fn marker(side: &str, name: &str) -> String {
    format!("<!-- {side} {name} -->")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn part(name: &'static str, text: &str) -> Part {
        let mut part = Part::new(name, "T");
        part.text = format!("### T\n\n{text}");
        part
    }

    #[test]
    fn words_stay_and_parts_are_replaced() {
        let page = "# A\n\n<!-- begin one -->\nold\n<!-- end one -->\n\nwords\n";
        let once = filled(page, &[part("one", "new\n"), part("two", "2")]);
        let expected = "# A\n\n<!-- begin one -->\n### T\n\nnew\n<!-- end one -->\n\nwords\n\n\
                        <!-- begin two -->\n### T\n\n2\n<!-- end two -->\n";
        assert_eq!(once, expected);
        let again = filled(&once, &[part("one", "new\n"), part("two", "2")]);
        assert_eq!(again, expected);
        let empty = filled(&again, &[Part::new("two", "T")]);
        assert!(empty.ends_with("### T\n\nNot measured.\n<!-- end two -->\n"));
    }
}
