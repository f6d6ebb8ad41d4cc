//! Messages on the wire: a header with the length, then JSON.

use serde_json::Value;
use std::io::{self, BufRead, Write};

/// A longer message is no message.
const MOST_BYTES: usize = 64 << 20;

/// The next message; `None` at the end.
pub fn read(input: &mut impl BufRead) -> io::Result<Option<Value>> {
    let mut length = None;
    loop {
        let mut line = String::new();
        if input.read_line(&mut line)? == 0 {
            return Ok(None);
        }
        let line = line.trim_end();
        if line.is_empty() {
            break;
        }
        if let Some((name, value)) = line.split_once(':')
            && name.eq_ignore_ascii_case("content-length")
        {
            length = value.trim().parse().ok();
        }
    }
    let wrong = |what: &str| io::Error::new(io::ErrorKind::InvalidData, what.to_owned());
    let length: usize = length.ok_or_else(|| wrong("a message without its length"))?;
    if length > MOST_BYTES {
        return Err(wrong("a message that is too long"));
    }
    let mut bytes = vec![0; length];
    input.read_exact(&mut bytes)?;
    let message = serde_json::from_slice(&bytes);
    message.map(Some).map_err(|error| wrong(&error.to_string()))
}

/// Sends a message.
pub fn write(output: &mut impl Write, message: &Value) -> io::Result<()> {
    let text = message.to_string();
    write!(output, "Content-Length: {}\r\n\r\n{text}", text.len())?;
    output.flush()
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn what_is_written_is_read() {
        let (first, second) = (json!({"a": "é"}), json!([1]));
        let mut bytes = Vec::new();
        write(&mut bytes, &first).expect("room");
        write(&mut bytes, &second).expect("room");
        let mut input = bytes.as_slice();
        assert_eq!(read(&mut input).expect("a message"), Some(first));
        assert_eq!(read(&mut input).expect("a message"), Some(second));
        assert_eq!(read(&mut input).expect("the end"), None);
    }

    #[test]
    fn what_is_no_message_is_an_error() {
        for bad in [
            "\r\n",
            "Content-Length: x\r\n\r\n",
            "Content-Length: 99\r\n\r\n{}",
            "Content-Length: 1\r\n\r\n{",
        ] {
            assert!(read(&mut bad.as_bytes()).is_err(), "{bad:?}");
        }
    }
}
