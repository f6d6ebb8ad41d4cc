//! Options of the commands that go on until they are interrupted: `watch` and `serve`.

use super::{CheckArgs, bytes, seconds};
use clap::Args;
use std::net::SocketAddr;
use std::time::Duration;

/// `mazurka watch`.
#[derive(Args, Clone, Debug)]
pub struct WatchArgs {
    #[command(flatten)]
    pub check: CheckArgs,
}

/// `mazurka serve`.
#[derive(Args, Clone, Debug)]
pub struct ServeArgs {
    /// Where to listen; by default only this machine can connect
    #[arg(long, value_name = "ADDRESS:PORT", default_value = "127.0.0.1:8017")]
    pub listen: SocketAddr,
    /// Also answer if the page is opened under this name (may be repeated)
    #[arg(long, value_name = "NAME")]
    pub host: Vec<String>,
    /// Time limit for each check
    #[arg(long, value_name = "TIME", default_value = "60", value_parser = seconds)]
    pub timeout: Duration,
    /// Memory limit for each check
    #[arg(long, value_name = "SIZE", default_value = "2G", value_parser = bytes)]
    pub memory: u64,
    /// The largest program
    #[arg(long, value_name = "KIB", default_value_t = 256, value_parser = clap::value_parser!(u64).range(1..=65536))]
    pub size: u64,
    /// How many checks at a time
    #[arg(long, value_name = "N", default_value_t = 2, value_parser = clap::value_parser!(u16).range(1..=64))]
    pub checks: u16,
}
