//! How much memory the process uses.

/// Bytes of memory that the process holds; 0 where the system does not tell.
///
/// The solver's share cannot be counted from outside, so the whole process is looked at.
pub fn resident_bytes() -> u64 {
    let Ok(text) = std::fs::read_to_string("/proc/self/statm") else {
        return 0;
    };
    let pages = text
        .split(' ')
        .nth(1)
        .and_then(|word| word.parse::<u64>().ok());
    pages.unwrap_or(0) * 4096
}
