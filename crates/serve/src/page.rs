//! The page with the editor.

use crate::config::Config;
use crate::examples::EXAMPLES;
use report::{embedded, policy_hash};
use serde_json::json;

const TEMPLATE: &str = include_str!("page/page.html");
const STYLE: &str = include_str!("page/page.css");
const SCRIPT: &str = include_str!("page/page.js");

/// The page and the policy that goes with it.
pub fn front(config: &Config) -> (String, String) {
    let data = json!({
        "examples": EXAMPLES,
        "properties": config.properties,
        "engines": config.engines,
        "most_bytes": config.most_bytes,
        "timeout_s": config.timeout.as_secs_f64(),
    });
    let page = TEMPLATE
        .replace("{{style}}", STYLE)
        .replace("{{script}}", SCRIPT)
        .replacen("{{data}}", &embedded(&data), 1);
    let policy = format!(
        "default-src 'none'; script-src '{}'; style-src '{}'; connect-src 'self'; frame-src 'self'; \
         img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
        policy_hash(SCRIPT),
        policy_hash(STYLE)
    );
    (page, policy)
}
