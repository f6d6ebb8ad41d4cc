//! Where to listen and how much a check may use.

use serde::Serialize;
use std::net::SocketAddr;
use std::path::PathBuf;
use std::time::Duration;

/// Something that can be chosen.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct Choice {
    /// Its name.
    pub name: &'static str,
    /// What it means, in a sentence.
    pub text: &'static str,
}

/// How to serve.
#[derive(Clone, Debug)]
pub struct Config {
    /// Where to listen.
    pub listen: SocketAddr,
    /// Names, besides numbers and `localhost`, under which this machine may be addressed.
    pub names: Vec<String>,
    /// The program that checks: `mazurka` itself.
    pub checker: PathBuf,
    /// The largest program, in bytes.
    pub most_bytes: usize,
    /// The longest check.
    pub timeout: Duration,
    /// Memory for a check, in MiB.
    pub memory: u64,
    /// How many checks at a time.
    pub most_checks: usize,
    /// What can be checked; the first is what the page begins with.
    pub properties: Vec<Choice>,
    /// The engines that can be chosen.
    pub engines: Vec<&'static str>,
}
