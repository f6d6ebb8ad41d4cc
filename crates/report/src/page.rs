//! The page: one template, the style and the script in it, and the report as data.

use crate::PageContent;
use base64::Engine;
use serde::Serialize;
use sha2::{Digest, Sha256};

const TEMPLATE: &str = include_str!("page/page.html");
const STYLE: &str = include_str!("page/page.css");
const SCRIPT: &str = concat!(
    include_str!("page/view.js"),
    include_str!("page/diagram.js"),
    include_str!("page/folds.js"),
    include_str!("page/panels.js"),
    include_str!("page/proof.js"),
    include_str!("page/main.js"),
);

/// The whole page.
pub fn page(report: &PageContent) -> String {
    let policy = format!(
        "default-src 'none'; img-src data:; script-src '{}'; style-src '{}'",
        policy_hash(SCRIPT),
        policy_hash(STYLE)
    );
    let title = format!("{}: {}", report.verdict, report.title);
    // The data is put in last: nothing in it is taken for a mark of the template.
    TEMPLATE
        .replace("{{policy}}", &policy)
        .replace("{{title}}", &escaped(&title))
        .replace("{{style}}", STYLE)
        .replace("{{script}}", SCRIPT)
        .replacen("{{data}}", &embedded(report), 1)
}

/// How a security policy names an inline script or style.
pub fn policy_hash(text: &str) -> String {
    let hash = base64::engine::general_purpose::STANDARD.encode(Sha256::digest(text));
    format!("sha256-{hash}")
}

/// Data as JSON for a script element that nothing in it can end: no `<` is left that could close
/// the element, and no character that old scripts take for the end of a line.
pub fn embedded(data: &impl Serialize) -> String {
    // Numbers, names and lists: nothing of this can fail to become text.
    let json = serde_json::to_string(data).unwrap_or_else(|_| "null".into());
    let mut out = String::with_capacity(json.len());
    for c in json.chars() {
        match c {
            '<' | '>' | '&' | '\u{2028}' | '\u{2029}' => out += &format!("\\u{:04x}", c as u32),
            c => out.push(c),
        }
    }
    out
}

fn escaped(text: &str) -> String {
    let text = text.replace('&', "&amp;").replace('<', "&lt;");
    text.replace('"', "&quot;").replace("{{", "{ {")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn evil() -> PageContent {
        PageContent {
            title: "</title><script>alert(1)</script>{{data}}{{script}}".into(),
            headline: "</script><script>alert(2)</script><!-- {{data}} \u{2028}".into(),
            ..PageContent::default()
        }
    }

    #[test]
    fn text_of_programs_cannot_leave_the_data() {
        let page = page(&evil());
        assert_eq!(page.matches("</script>").count(), 2, "{page}");
        assert!(!page.contains("alert(1)</script>"));
        assert!(!page.contains("<!-- "));
        let data = page.split("type=\"application/json\">").nth(1).unwrap();
        let data = data.split("</script>").next().unwrap();
        let read: serde_json::Value = serde_json::from_str(data).unwrap();
        assert_eq!(read["headline"], evil().headline);
        assert_eq!(read["title"], evil().title);
    }

    #[test]
    fn the_policy_names_what_is_there() {
        let page = page(&PageContent::default());
        let between = |open: &str, close: &str| {
            let rest = page.split_once(open).unwrap().1;
            rest.split_once(close).unwrap().0.to_owned()
        };
        assert!(page.contains(&policy_hash(&between("<script>", "</script>"))));
        assert!(page.contains(&policy_hash(&between("<style>", "</style>"))));
        assert!(!page.contains("{{"));
    }
}
