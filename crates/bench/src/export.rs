//! Results for other programs: one JSON object.

use crate::{Config, Limits, Record};
use serde_json::{Value, json};

/// How results came about.
#[derive(Clone, Debug, Default)]
pub struct About {
    /// The version of this verifier.
    pub version: String,
    /// What each run could use; nothing is known of rows that were read from files.
    pub limits: Option<Limits>,
    /// What limited and measured the runs.
    pub measured_by: String,
    /// The configurations, each with what was run.
    pub configs: Vec<Config>,
}

impl About {
    /// What was run under this name, as a command.
    pub fn command(&self, name: &str) -> Option<String> {
        let config = self.configs.iter().find(|config| config.name == name)?;
        Some(config.description())
    }
}

/// All rows, with how they came about.
pub fn json(records: &[Record], about: &About) -> String {
    let configs = about.configs.iter();
    let configs = configs.map(|config| {
        let command = config.description();
        json!({"name": config.name, "command": command})
    });
    let limits = about.limits.as_ref().map(|limits| {
        let cpu = limits.cpu.map(|cpu| cpu.as_secs_f64());
        json!({"wall_s": limits.wall.as_secs_f64(), "cpu_s": cpu, "memory_bytes": limits.memory})
    });
    let object = json!({
        "mazurka": about.version,
        "limits": limits,
        "measured_by": about.measured_by,
        "configurations": configs.collect::<Vec<Value>>(),
        "rows": records,
    });
    format!("{object:#}\n")
}

/// Text that no reader of XML or HTML takes for a mark of its own.
pub fn escaped(text: &str) -> String {
    let plain = |c: &char| !c.is_control() || matches!(c, '\n' | '\t');
    let text: String = text.chars().filter(plain).collect();
    text.replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
        .replace('"', "&quot;")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Status;
    use crate::record::tests::record;
    use std::time::Duration;

    #[test]
    fn everything_is_there() {
        let about = About {
            version: "1.2".into(),
            limits: Some(Limits {
                wall: Duration::from_secs(60),
                cpu: None,
                memory: 1 << 30,
            }),
            measured_by: "process groups".into(),
            configs: vec![Config::own("auto", &["--engine", "auto"])],
        };
        let text = json(&[record("a", Status::Wrong)], &about);
        let read: Value = serde_json::from_str(&text).unwrap();
        assert_eq!(read["limits"]["wall_s"], 60.0);
        assert_eq!(
            read["configurations"][0]["command"],
            "mazurka check --engine auto"
        );
        let row = &read["rows"][0];
        assert_eq!((&row["status"], &row["run"]), (&json!("wrong"), &json!(1)));
        assert_eq!(row["stats"], json!({"solver calls": 3, "states": 12}));
    }

    #[test]
    fn marks_are_text() {
        assert_eq!(escaped("a<b & \"c\"\u{1}"), "a&lt;b &amp; &quot;c&quot;");
    }
}
