//! What entries say: segments, invariants, ghost variables.

use super::Lint;
use crate::condition::Condition;
use serde_json::Value;

/// The index of version 2.1 and of version 2.2.
const GHOSTS: usize = 1;
const THREADS: usize = 2;

impl Lint<'_> {
    pub(super) fn segments(&mut self, content: &Value) {
        let segments = content.as_array().map_or(&[][..], Vec::as_slice);
        self.need(!segments.is_empty(), "there are no segments");
        for (at, segment) in segments.iter().enumerate() {
            self.map(segment, "a segment", &["segment"], &[]);
            self.segment(&segment["segment"], at + 1 == segments.len());
        }
    }

    fn segment(&mut self, segment: &Value, last: bool) {
        let waypoints = segment.as_array().map_or(&[][..], Vec::as_slice);
        self.need(
            !waypoints.is_empty(),
            "a segment is not a list of waypoints",
        );
        let mut followed = 0;
        let mut targets = 0;
        for waypoint in waypoints {
            self.map(waypoint, "an element of a segment", &["waypoint"], &[]);
            let waypoint = &waypoint["waypoint"];
            self.waypoint(waypoint);
            let follow = waypoint["action"] == "follow";
            self.need(
                follow || followed == 0,
                "a waypoint to avoid stands behind one to follow",
            );
            followed += usize::from(follow);
            targets += usize::from(waypoint["type"] == "target");
        }
        let pair = self.version >= THREADS && followed == 2 && targets == 2;
        self.need(
            followed == 1 || pair,
            "a segment does not end with one waypoint to follow",
        );
        match last {
            true => self.need(targets > 0, "the last segment has no target"),
            false => self.need(targets == 0, "a target stands before the last segment"),
        }
    }

    fn waypoint(&mut self, waypoint: &Value) {
        let more = ["constraint", "thread_id"];
        self.map(
            waypoint,
            "a waypoint",
            &["type", "action", "location"],
            &more,
        );
        let action = waypoint["action"].as_str().unwrap_or("");
        self.need(
            ["follow", "avoid"].contains(&action),
            "`action` is neither follow nor avoid",
        );
        let threads = waypoint.get("thread_id");
        let fine = threads.is_none() || self.version >= THREADS;
        self.need(fine, "`thread_id` came with version 2.2");
        self.need(
            threads.is_none_or(Value::is_u64),
            "`thread_id` is not a number",
        );
        self.location(&waypoint["location"]);
        let constraint = waypoint.get("constraint");
        match waypoint["type"].as_str().unwrap_or("") {
            "target" => {
                self.need(action == "follow", "a target is avoided");
                self.need(constraint.is_none(), "a target has a constraint");
            }
            "function_enter" => {
                self.need(constraint.is_none(), "`function_enter` has a constraint")
            }
            "assumption" => self.constraint(constraint, &["c_expression"]),
            "function_return" => self.returned(constraint),
            "branching" => self.branching(constraint),
            other => self.need(false, format!("`{other}` is not a type of waypoints")),
        }
    }

    fn constraint(&mut self, constraint: Option<&Value>, formats: &[&str]) {
        let Some(constraint) = constraint else {
            self.need(false, "a waypoint has no constraint");
            return;
        };
        self.map(constraint, "`constraint`", &["value"], &["format"]);
        let format = constraint["format"].as_str().unwrap_or("");
        self.need(
            formats.contains(&format),
            format!("`{format}` is not the format of such constraints"),
        );
        self.text(&constraint["value"], "value");
    }

    fn returned(&mut self, constraint: Option<&Value>) {
        let formats: &[&str] = match self.version {
            0 => &["acsl_expression"],
            _ => &["acsl_expression", "ext_c_expression"],
        };
        self.constraint(constraint, formats);
        let value = constraint.map_or("", |c| c["value"].as_str().unwrap_or(""));
        let fine = match Condition::parse(value) {
            Ok(Condition::Binary("==" | "!=" | "<" | "<=" | ">" | ">=", a, _)) => {
                *a == Condition::Result
            }
            _ => false,
        };
        self.need(
            fine,
            "the constraint on a result is not `\\result`, a comparison and a constant",
        );
    }

    fn branching(&mut self, constraint: Option<&Value>) {
        let Some(constraint) = constraint else {
            self.need(false, "a branching has no constraint");
            return;
        };
        self.map(constraint, "`constraint`", &["value"], &["format"]);
        let value = constraint["value"].as_str().unwrap_or("");
        let fine = ["true", "false", "default"].contains(&value) || value.parse::<i64>().is_ok();
        self.need(
            fine,
            "the value of a branching is neither true, false, a number nor default",
        );
    }

    pub(super) fn invariants(&mut self, content: &Value) {
        self.need(content.is_array(), "`content` is not a list of invariants");
        for item in content.as_array().map_or(&[][..], Vec::as_slice) {
            self.map(item, "an invariant", &["invariant"], &[]);
            let invariant = &item["invariant"];
            let needed = ["type", "location", "value", "format"];
            self.map(invariant, "`invariant`", &needed, &["labels"]);
            let kind = invariant["type"].as_str().unwrap_or("");
            let fine = ["loop_invariant", "location_invariant"].contains(&kind);
            self.need(fine, format!("`{kind}` is not a type of invariants"));
            self.location(&invariant["location"]);
            self.text(&invariant["value"], "value");
            let fine = invariant["format"] == "c_expression";
            self.need(fine, "the format of an invariant is not `c_expression`");
        }
    }

    pub(super) fn ghosts(&mut self, content: &Value) {
        self.need(
            self.version >= GHOSTS,
            "ghost variables came with version 2.1",
        );
        self.map(
            content,
            "`content`",
            &["ghost_variables", "ghost_updates"],
            &[],
        );
        let mut names: Vec<&str> = Vec::new();
        for variable in content["ghost_variables"]
            .as_array()
            .map_or(&[][..], Vec::as_slice)
        {
            let needed = ["name", "type", "scope", "initial"];
            self.map(variable, "a ghost variable", &needed, &[]);
            let name = self.text(&variable["name"], "name");
            self.need(is_identifier(name), format!("`{name}` is not a name"));
            self.need(
                !names.contains(&name),
                format!("`{name}` is declared twice"),
            );
            names.push(name);
            self.text(&variable["type"], "type");
            self.need(
                variable["scope"] == "global",
                "the scope of a ghost variable is not `global`",
            );
            self.expression(&variable["initial"]);
        }
        for update in content["ghost_updates"]
            .as_array()
            .map_or(&[][..], Vec::as_slice)
        {
            self.map(update, "a ghost update", &["location", "updates"], &[]);
            self.location(&update["location"]);
            let updates = update["updates"].as_array().map_or(&[][..], Vec::as_slice);
            self.need(!updates.is_empty(), "`updates` is not a list of updates");
            for update in updates {
                self.map(update, "an update", &["variable", "value", "format"], &[]);
                let name = update["variable"].as_str().unwrap_or("");
                self.need(
                    names.contains(&name),
                    format!("`{name}` is not a ghost variable"),
                );
                self.text(&update["value"], "value");
            }
        }
    }

    fn expression(&mut self, expression: &Value) {
        self.map(expression, "`initial`", &["value", "format"], &[]);
        self.text(&expression["value"], "value");
        self.need(
            expression["format"] == "c_expression",
            "the format is not `c_expression`",
        );
    }
}

fn is_identifier(name: &str) -> bool {
    let first = name.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_');
    first
        && name
            .bytes()
            .all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
}
