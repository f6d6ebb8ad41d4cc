//! A validator for the part of JSON Schema that `docs/answer.schema.json` uses. A keyword that it does not know
//! is an error: nothing is skipped.

use serde_json::{Map, Value};
use std::path::Path;

/// A schema.
pub struct Schema {
    root: Value,
}

impl Schema {
    /// The schema of answers, from the manual.
    pub fn of_answers() -> Schema {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/answer.schema.json");
        let text = std::fs::read_to_string(path).expect("the schema");
        let root = serde_json::from_str(&text).expect("JSON");
        Schema { root }
    }

    /// What does not fit, with the path to it.
    pub fn check(&self, value: &Value) -> Result<(), String> {
        self.fits(value, &self.root, "answer")
    }

    fn fits(&self, value: &Value, schema: &Value, at: &str) -> Result<(), String> {
        let keywords = schema.as_object().expect("a schema is an object");
        for (keyword, rule) in keywords {
            let wrong = |what: String| Err(format!("{at}: {what}"));
            match keyword.as_str() {
                "description" | "title" | "$schema" | "$id" | "$defs" | "additionalProperties" => {}
                "$ref" => self.fits(value, self.definition(rule), at)?,
                "const" if value != rule => return wrong(format!("{value} is not {rule}")),
                "enum" if !list(rule).contains(value) => {
                    return wrong(format!("{value} is not among {rule}"));
                }
                "const" | "enum" => {}
                "type" => {
                    is_of_type(value, rule).or_else(|()| wrong(format!("{value} is no {rule}")))?
                }
                "required" => {
                    let missing = list(rule)
                        .iter()
                        .find(|name| value.get(text(name)).is_none());
                    missing.map_or(Ok(()), |name| wrong(format!("{name} is missing")))?;
                }
                "properties" => self.properties(value, keywords, at)?,
                "items" => {
                    for (index, item) in value.as_array().into_iter().flatten().enumerate() {
                        self.fits(item, rule, &format!("{at}[{index}]"))?;
                    }
                }
                "minItems" | "maxItems" => {
                    let (count, bound) =
                        (list(value).len() as u64, rule.as_u64().expect("a number"));
                    let fits = if keyword == "minItems" {
                        count >= bound
                    } else {
                        count <= bound
                    };
                    fits.then_some(())
                        .map_or_else(|| wrong(format!("{count} items")), Ok)?;
                }
                "oneOf" => {
                    let tried = list(rule).iter().map(|rule| self.fits(value, rule, at));
                    let tried: Vec<_> = tried.collect();
                    if tried.iter().filter(|it| it.is_ok()).count() != 1 {
                        let why: Vec<String> = tried.into_iter().filter_map(Result::err).collect();
                        return wrong(format!("not one of several forms: {}", why.join("; ")));
                    }
                }
                other => panic!("the validator does not know `{other}`"),
            }
        }
        if !keywords.contains_key("properties") && keywords.contains_key("additionalProperties") {
            self.properties(value, keywords, at)?;
        }
        Ok(())
    }

    fn properties(
        &self,
        value: &Value,
        keywords: &Map<String, Value>,
        at: &str,
    ) -> Result<(), String> {
        let known = keywords.get("properties").and_then(Value::as_object);
        for (name, member) in value.as_object().into_iter().flatten() {
            let at = format!("{at}.{name}");
            match (
                known.and_then(|known| known.get(name)),
                keywords.get("additionalProperties"),
            ) {
                (Some(rule), _) => self.fits(member, rule, &at)?,
                (None, Some(Value::Bool(false))) => {
                    return Err(format!("{at} is not in the schema"));
                }
                (None, Some(rule @ Value::Object(_))) => self.fits(member, rule, &at)?,
                (None, _) => {}
            }
        }
        Ok(())
    }

    fn definition(&self, reference: &Value) -> &Value {
        let path = text(reference)
            .strip_prefix('#')
            .expect("a reference into this schema");
        self.root.pointer(path).expect("what it refers to")
    }
}

fn list(value: &Value) -> &[Value] {
    value.as_array().map_or(&[], Vec::as_slice)
}

fn text(value: &Value) -> &str {
    value.as_str().expect("a text")
}

fn is_of_type(value: &Value, rule: &Value) -> Result<(), ()> {
    let is = |name: &str| match name {
        "object" => value.is_object(),
        "array" => value.is_array(),
        "string" => value.is_string(),
        "integer" => value.is_u64() || value.is_i64(),
        "number" => value.is_number(),
        "boolean" => value.is_boolean(),
        "null" => value.is_null(),
        other => panic!("no type is called `{other}`"),
    };
    let fits = match rule {
        Value::Array(names) => names.iter().any(|name| is(text(name))),
        name => is(text(name)),
    };
    if fits { Ok(()) } else { Err(()) }
}
