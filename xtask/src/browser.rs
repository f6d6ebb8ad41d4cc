//! The browser that the tests of pages run in: needed in continuous integration, welcome elsewhere.

use crate::{on_path, passes, root};
use std::process::Command;

/// Tests fail instead of being left out if this is set and there is no browser.
pub const REQUIRED: &str = "MAZURKA_REQUIRE_BROWSER";

/// Gets the browser if it is missing; says what to do where that is impossible.
pub fn install() -> bool {
    passes(&mut Command::new(root().join("scripts/install_browser.sh")))
}

/// Is it there?
pub fn is_there() -> bool {
    ["chromium", "chromedriver"].into_iter().all(on_path)
}
