//! From what a child said to a record: was it right?

use crate::{Record, Run, Status};
use process::{Ended, Finished, Usage};
use serde::Deserialize;

/// The part of `mazurka check --format json` that a judge looks at.
#[derive(Deserialize)]
struct Said {
    verdict: String,
    reason: Option<String>,
    trace: Option<SaidTrace>,
}

#[derive(Deserialize)]
struct SaidTrace {
    violation: String,
}

/// The record of a run that has ended.
pub fn judge(run: &Run, finished: &Finished) -> Record {
    let unknown = |why: String| record(run, "unknown", Status::Unknown, why, finished.usage);
    match finished.ended {
        Ended::OutOfTime => unknown("out of time".into()),
        Ended::OutOfMemory => unknown("out of memory".into()),
        Ended::Stopped => unknown("interrupted".into()),
        Ended::Signal(signal) => unknown(format!("crashed: signal {signal}")),
        Ended::Exit(64 | 65) => unknown(format!("refused: {}", complaint(&finished.stderr))),
        Ended::Exit(status) => match serde_json::from_str::<Said>(&finished.stdout) {
            Ok(said) if exit_status(&said.verdict) == Some(status) => {
                let (status, reason) = rate(run, &said);
                record(run, &said.verdict, status, reason, finished.usage)
            }
            // Without a clear and consistent answer there is no verdict.
            _ => unknown(format!(
                "crashed: status {status}: {}",
                complaint(&finished.stderr)
            )),
        },
    }
}

/// The record of a run that never began.
pub fn not_run(run: &Run, reason: String) -> Record {
    record(run, "unknown", Status::Unknown, reason, Usage::default())
}

fn record(run: &Run, verdict: &str, status: Status, reason: String, usage: Usage) -> Record {
    let expected = match (run.holds, &run.subproperty) {
        (Some(false), Some(part)) => format!("false({part})"),
        (Some(holds), _) => holds.to_string(),
        (None, _) => String::new(),
    };
    Record {
        family: run.family.clone(),
        task: run.task.clone(),
        property: run.property_name.clone(),
        expected,
        verdict: verdict.to_owned(),
        status,
        wall_s: usage.wall_s,
        cpu_s: usage.cpu_s,
        rss_kb: usage.rss_kb,
        reason,
    }
}

fn exit_status(verdict: &str) -> Option<i32> {
    ["safe", "unsafe", "unknown"]
        .iter()
        .position(|name| *name == verdict)
        .map(|at| at as i32)
}

fn rate(run: &Run, said: &Said) -> (Status, String) {
    let reason = said.reason.clone().unwrap_or_default();
    let holds = match said.verdict.as_str() {
        "safe" => true,
        "unsafe" => false,
        _ => return (Status::Unknown, reason),
    };
    let status = match run.holds {
        None => Status::Unrated,
        Some(expected) if expected == holds => Status::Correct,
        Some(_) => Status::Wrong,
    };
    if let (Status::Correct, false, Some(part)) = (status, holds, &run.subproperty) {
        let violation = said.trace.as_ref().map_or("", |trace| &trace.violation);
        let violated = violation.strip_prefix("in").unwrap_or(violation);
        if violated != part {
            return (Status::Wrong, format!("blames {violated}: {reason}"));
        }
    }
    (status, reason)
}

/// The first line of an error message, with the place that it names below.
fn complaint(stderr: &str) -> String {
    let is_title = |line: &&str| line.starts_with("error") || line.contains("panicked at");
    let title = stderr
        .lines()
        .find(is_title)
        .or_else(|| stderr.lines().next())
        .unwrap_or("");
    let title = title.strip_prefix("error: ").unwrap_or(title).trim();
    match stderr
        .lines()
        .find_map(|line| line.trim_start().strip_prefix("--> "))
    {
        Some(place) => format!("{title} at {place}"),
        None => title.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use verdict::Property;
    use xcfa::DataModel;

    fn run(holds: Option<bool>, subproperty: Option<&str>) -> Run {
        Run {
            family: "f".into(),
            task: "t".into(),
            property_name: "p".into(),
            property: Ok(Property::MemSafety),
            input_files: Vec::new(),
            data_model: DataModel::Ilp32,
            holds,
            subproperty: subproperty.map(Into::into),
        }
    }

    fn judged(run: &Run, ended: Ended, stdout: &str, stderr: &str) -> (Status, String, String) {
        let (stdout, stderr) = (stdout.to_owned(), stderr.to_owned());
        let record = judge(
            run,
            &Finished {
                ended,
                usage: Usage::default(),
                stdout,
                stderr,
            },
        );
        (record.status, record.verdict, record.reason)
    }

    #[test]
    fn verdicts_are_rated() {
        let safe = r#"{"verdict": "safe", "reason": null}"#;
        let rated = |holds| judged(&run(holds, None), Ended::Exit(0), safe, "").0;
        assert_eq!(rated(Some(true)), Status::Correct);
        assert_eq!(rated(Some(false)), Status::Wrong);
        assert_eq!(rated(None), Status::Unrated);
    }

    #[test]
    fn the_blamed_part_must_be_the_right_one() {
        let text =
            r#"{"verdict": "unsafe", "reason": "x", "trace": {"violation": "invalid-free"}}"#;
        let rated = |part| judged(&run(Some(false), Some(part)), Ended::Exit(1), text, "");
        assert_eq!(rated("valid-free").0, Status::Correct);
        let (status, _, reason) = rated("valid-deref");
        assert_eq!(
            (status, reason.as_str()),
            (Status::Wrong, "blames valid-free: x")
        );
    }

    #[test]
    fn no_answer_is_no_verdict() {
        let run = run(Some(true), None);
        let reason = |ended, stdout, stderr| {
            let (status, verdict, reason) = judged(&run, ended, stdout, stderr);
            assert_eq!((status, verdict.as_str()), (Status::Unknown, "unknown"));
            reason
        };
        assert_eq!(reason(Ended::OutOfTime, "", ""), "out of time");
        assert_eq!(reason(Ended::Signal(11), "", ""), "crashed: signal 11");
        let snippet = "note: x\nerror: no `goto` here\n --> a.c:3:4\n  |\n";
        assert_eq!(
            reason(Ended::Exit(65), "", snippet),
            "refused: no `goto` here at a.c:3:4"
        );
        // A verdict with the exit status of another one is believed by nobody.
        let safe = r#"{"verdict": "safe"}"#;
        assert!(reason(Ended::Exit(1), safe, "").starts_with("crashed: status 1"));
    }
}
