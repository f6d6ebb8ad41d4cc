//! Is a witness well-formed? The rules of the formats, apart from what they mean.
//!
//! Every complaint is one sentence. A witness about which nothing is said here can still be wrong:
//! whether it describes a violation is for the validator to decide.

mod graphml;
mod yaml;

/// A file of the program that a witness should be about.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LintFile {
    /// Its SHA-256 hash.
    pub sha256: String,
    /// How many lines it has.
    pub lines: u32,
}

impl LintFile {
    /// What the rules need to know about a file with these bytes.
    pub fn new(bytes: &[u8]) -> LintFile {
        let ends = bytes.iter().filter(|byte| **byte == b'\n').count();
        LintFile {
            sha256: crate::sha256(bytes),
            lines: ends as u32 + 1,
        }
    }
}

/// Is this text GraphML rather than YAML?
pub fn is_graphml(text: &str) -> bool {
    text.trim_start_matches('\u{feff}')
        .trim_start()
        .starts_with('<')
}

/// All complaints about a witness in either format; with `files`, also about hashes and lines.
pub fn lint(text: &str, files: &[LintFile]) -> Vec<String> {
    match is_graphml(text) {
        true => graphml::lint(text, files),
        false => yaml::lint(text, files),
    }
}

/// Sixty-four hexadecimal digits?
fn is_hash(text: &str) -> bool {
    text.len() == 64 && text.bytes().all(|byte| byte.is_ascii_hexdigit())
}

/// ISO 8601 with a zone: `2026-01-31T08:05:00Z` or `2026-01-31T08:05:00+01:00`.
fn is_time(text: &str) -> bool {
    let fits = |text: &str, pattern: &str| {
        let fit = |(found, wanted): (char, char)| match wanted {
            '0' => found.is_ascii_digit(),
            wanted => found == wanted,
        };
        text.len() == pattern.len() && text.chars().zip(pattern.chars()).all(fit)
    };
    let Some((moment, zone)) = text.split_at_checked(19) else {
        return false;
    };
    fits(moment, "0000-00-00T00:00:00")
        && (zone == "Z" || fits(zone, "+00:00") || fits(zone, "-00:00"))
}

#[cfg(test)]
mod tests;
