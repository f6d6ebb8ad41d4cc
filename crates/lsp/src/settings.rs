//! What the user has set in the editor.

use serde::Deserialize;
use serde_json::Value;

/// The settings, under the name `mazurka`.
#[derive(Clone, Debug, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct Settings {
    /// What is checked: names of properties, separated by commas, or `all`.
    pub property: String,
    /// How long a check may take.
    pub timeout: String,
    /// More arguments of `mazurka check`: folders, macros, other files of the program.
    pub arguments: Vec<String>,
    /// Is a program checked when it is opened and saved?
    pub check_on_save: bool,
}

impl Default for Settings {
    fn default() -> Settings {
        Settings {
            property: "reach,race,deadlock".into(),
            timeout: "10s".into(),
            arguments: Vec::new(),
            check_on_save: true,
        }
    }
}

impl Settings {
    /// Reads them; what an editor sends that is no setting of ours changes nothing.
    pub fn read(given: &Value) -> Option<Settings> {
        let own = given.get("mazurka").unwrap_or(given);
        serde_json::from_value(own.clone()).ok()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn settings_that_are_not_given_stay_as_they_are() {
        let settings = Settings::read(&json!({"mazurka": {"property": "race"}})).expect("settings");
        assert_eq!(
            (settings.property.as_str(), settings.timeout.as_str()),
            ("race", "10s")
        );
        assert!(Settings::read(&json!({"checkOnSave": false})).is_some_and(|it| !it.check_on_save));
        assert!(Settings::read(&json!({"arguments": 1})).is_none());
    }
}
