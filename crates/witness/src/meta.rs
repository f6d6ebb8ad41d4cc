//! What a witness says about its task.

use semantics::Property;
use sha2::{Digest, Sha256};
use std::fmt::Write;
use xcfa::DataModel;

/// A file of the program, as it was given to the verifier.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct InputFile {
    /// Its name.
    pub name: String,
    /// The SHA-256 hash of its bytes, in hexadecimal digits.
    pub sha256: String,
}

/// The task, its producer and the date.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Meta {
    /// The name of the tool.
    pub producer: String,
    /// Its version.
    pub version: String,
    /// The property, as its property file has it.
    pub specification: String,
    /// The program.
    pub files: Vec<InputFile>,
    /// Sizes of C's types.
    pub model: DataModel,
    /// When, in ISO 8601.
    pub created: String,
}

impl Meta {
    /// A UUID that depends on everything said here and on `what`, so that one run of the tool gives
    /// the same text twice only for the same task at the same time.
    pub fn uuid(&self, what: &str) -> String {
        let mut bytes = Sha256::digest(format!("{self:?} {what}"));
        // Version 8 (content of our own), variant 1.
        bytes[6] = bytes[6] & 0x0f | 0x80;
        bytes[8] = bytes[8] & 0x3f | 0x80;
        let hex = hexadecimal(&bytes[..16]);
        let parts = [
            &hex[..8],
            &hex[8..12],
            &hex[12..16],
            &hex[16..20],
            &hex[20..],
        ];
        parts.join("-")
    }
}

/// The SHA-256 hash of some bytes.
pub fn sha256(bytes: &[u8]) -> String {
    hexadecimal(&Sha256::digest(bytes))
}

fn hexadecimal(bytes: &[u8]) -> String {
    bytes.iter().fold(String::new(), |mut text, byte| {
        let _ = write!(text, "{byte:02x}");
        text
    })
}

/// The text of the property file for a property.
pub fn specification(property: Property) -> String {
    let check = |formula: &&str| format!("CHECK( init(main()), LTL({formula}) )");
    property
        .formulas()
        .iter()
        .map(check)
        .collect::<Vec<_>>()
        .join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hashes_and_identities() {
        let empty = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";
        assert_eq!(sha256(b""), empty);
        let meta = Meta {
            producer: "mazurka".into(),
            version: "1".into(),
            specification: specification(Property::Reach),
            files: Vec::new(),
            model: DataModel::Lp64,
            created: "2026-01-01T00:00:00Z".into(),
        };
        let uuid = meta.uuid("a");
        assert_eq!(uuid.len(), 36);
        assert_eq!(&uuid[14..15], "8");
        assert_ne!(uuid, meta.uuid("b"));
    }

    #[test]
    fn every_specification_reads_back() {
        for property in Property::ALL {
            assert_eq!(Property::from_prp(&specification(property)), Ok(property));
        }
    }
}
