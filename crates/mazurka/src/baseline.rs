//! `--baseline`: what is known already does not fail.
//!
//! The file is an earlier answer, as SARIF (`--sarif`) or as JSON (`--format json`). Findings are compared by their
//! fingerprints.

use crate::failure::Failure;
use crate::fingerprint::NAME;
use serde_json::Value;
use std::collections::BTreeSet;
use std::path::Path;

/// The findings that are known.
#[derive(Clone, Debug, Default)]
pub struct Baseline {
    known: BTreeSet<String>,
}

impl Baseline {
    /// Reads a file.
    pub fn read(path: &Path) -> Result<Baseline, Failure> {
        let shown = path.display();
        let text = std::fs::read_to_string(path)
            .map_err(|error| Failure::refused(format!("cannot read {shown}: {error}")))?;
        Baseline::of(&text).map_err(|what| Failure::refused(format!("{shown}: {what}")))
    }

    /// Reads the text of a file.
    fn of(text: &str) -> Result<Baseline, String> {
        let mut known = BTreeSet::new();
        // SARIF is one object over many lines; JSON answers are one on each line.
        for object in serde_json::Deserializer::from_str(text).into_iter::<Value>() {
            let object = object.map_err(|error| format!("this is not JSON: {error}"))?;
            let found = match object["runs"].as_array() {
                Some(runs) => of_sarif(runs),
                None => of_answer(&object)?,
            };
            known.extend(found);
        }
        Ok(Baseline { known })
    }

    /// Is this finding known?
    pub fn knows(&self, fingerprint: &str) -> bool {
        self.known.contains(fingerprint)
    }
}

fn of_sarif(runs: &[Value]) -> Vec<String> {
    let results = runs.iter().filter_map(|run| run["results"].as_array());
    let prints = results
        .flatten()
        .filter_map(|result| result["partialFingerprints"][NAME].as_str());
    prints.map(str::to_owned).collect()
}

fn of_answer(answer: &Value) -> Result<Vec<String>, String> {
    if !matches!(
        answer["verdict"].as_str(),
        Some("safe" | "unsafe" | "unknown")
    ) {
        return Err("this is neither SARIF nor an answer of `--format json`".into());
    }
    let own = [&answer["fingerprint"]];
    let list = answer["findings"]["list"].as_array().into_iter().flatten();
    let list = list.map(|finding| &finding["fingerprint"]);
    let all = own.into_iter().chain(list).filter_map(Value::as_str);
    Ok(all.map(str::to_owned).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_formats_are_read() {
        let sarif = r#"{"runs": [{"results": [
            {"partialFingerprints": {"mazurkaFinding/v1": "a"}}, {"kind": "pass"}]}]}"#;
        let json = "{\"verdict\": \"safe\"}\n{\"verdict\": \"unsafe\", \"fingerprint\": \"b\", \
                    \"findings\": {\"list\": [{\"fingerprint\": \"b\"}, {\"fingerprint\": \"c\"}]}}\n";
        let known = Baseline::of(sarif).expect("SARIF").known;
        assert_eq!(known.into_iter().collect::<Vec<_>>(), ["a"]);
        let known = Baseline::of(json).expect("JSON").known;
        assert_eq!(known.into_iter().collect::<Vec<_>>(), ["b", "c"]);
        assert!(Baseline::of("").expect("nothing is known").known.is_empty());
        for bad in ["{", "[]", "{\"x\": 1}", "text"] {
            assert!(Baseline::of(bad).is_err(), "{bad}");
        }
    }
}
