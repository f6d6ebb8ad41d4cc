//! Settings of campaigns, which come from environment variables.

/// The number in an environment variable, `u64::MAX` for `all`, or the default if it is not set.
pub fn from_environment(name: &str, default: u64) -> u64 {
    match std::env::var(name).as_deref() {
        Err(_) => default,
        Ok("all") => u64::MAX,
        Ok(text) => text
            .parse()
            .unwrap_or_else(|_| panic!("{name} is not a number: {text}")),
    }
}
