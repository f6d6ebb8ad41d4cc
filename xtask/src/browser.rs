//! The browser that the tests of pages run in: needed in continuous integration, welcome elsewhere.

use crate::{passes, root};
use std::env;
use std::process::Command;

/// Tests fail instead of being left out if this is set and there is no browser.
pub const REQUIRED: &str = "MAZURKA_REQUIRE_BROWSER";

/// Gets the browser if it is missing; says what to do where that is impossible.
pub fn install() -> bool {
    passes(&mut Command::new(root().join("scripts/install_browser.sh")))
}

/// Is it there?
pub fn is_there() -> bool {
    ["chromium", "chromedriver"].iter().all(|name| {
        let path = env::var_os("PATH").unwrap_or_default();
        env::split_paths(&path).any(|folder| folder.join(name).is_file())
    })
}
