//! From what a child said to a record: was it right?

use crate::{Job, Peer, Record, Run, Status, Tool};
use process::{Ended, Finished, Usage};
use serde::Deserialize;
use verdict::Stats;

/// The part of `mazurka check --format json` that a judge reads.
#[derive(Deserialize)]
struct Said {
    verdict: String,
    reason: Option<String>,
    trace: Option<SaidTrace>,
    #[serde(default)]
    stats: Stats,
}

#[derive(Deserialize)]
struct SaidTrace {
    violation: String,
}

struct Answer {
    /// `safe`, `unsafe` or `unknown`.
    verdict: String,
    reason: String,
    /// The part of the property that it blames, if it says so.
    blames: Option<String>,
    stats: Stats,
}

impl Answer {
    fn unknown(reason: String) -> Answer {
        Answer {
            verdict: "unknown".into(),
            reason,
            blames: None,
            stats: Stats::default(),
        }
    }
}

/// The record of a run that has ended.
pub fn judge(job: &Job<'_>, finished: &Finished) -> Record {
    let answer = match finished.ended {
        Ended::OutOfTime => Answer::unknown("out of time".into()),
        Ended::OutOfMemory => Answer::unknown("out of memory".into()),
        Ended::Stopped => Answer::unknown("interrupted".into()),
        Ended::Signal(signal) => Answer::unknown(format!("crashed: signal {signal}")),
        Ended::Exit(status) => match &job.config.tool {
            Tool::Own(_) => own(status, finished),
            Tool::Peer(peer) => theirs(peer, status, finished),
        },
    };
    record(job, answer, finished.usage)
}

/// The record of a run that never began.
pub fn not_run(job: &Job<'_>, reason: String) -> Record {
    record(job, Answer::unknown(reason), Usage::default())
}

fn own(status: i32, finished: &Finished) -> Answer {
    if let 64 | 65 = status {
        return Answer::unknown(format!("refused: {}", complaint(&finished.stderr)));
    }
    match serde_json::from_str::<Said>(&finished.stdout) {
        Ok(said) if exit_status(&said.verdict) == Some(status) => {
            let violation = said.trace.map_or_else(String::new, |trace| trace.violation);
            let part = violation.strip_prefix("in").unwrap_or(&violation);
            Answer {
                verdict: said.verdict,
                reason: said.reason.unwrap_or_default(),
                blames: Some(part.to_owned()),
                stats: said.stats,
            }
        }
        // Without a clear and consistent answer there is no verdict.
        _ => Answer::unknown(format!(
            "crashed: status {status}: {}",
            complaint(&finished.stderr)
        )),
    }
}

fn theirs(peer: &Peer, status: i32, finished: &Finished) -> Answer {
    let output = format!("{}\n{}", finished.stdout, finished.stderr);
    match peer.answer(&output) {
        Some((verdict, blames, line)) => Answer {
            verdict: verdict.to_owned(),
            reason: line.to_owned(),
            blames: blames.map(str::to_owned),
            stats: Stats::default(),
        },
        None => {
            let mut lines = output.lines().rev().map(str::trim);
            let last = lines.find(|line| !line.is_empty()).unwrap_or("");
            Answer::unknown(format!("no answer: status {status}: {last}"))
        }
    }
}

fn record(job: &Job<'_>, answer: Answer, usage: Usage) -> Record {
    let run = job.run;
    let expected = match (run.holds, &run.subproperty) {
        (Some(false), Some(part)) => format!("false({part})"),
        (Some(holds), _) => holds.to_string(),
        (None, _) => String::new(),
    };
    let (status, reason) = rate(run, &answer);
    let figures = answer.stats.iter();
    Record {
        family: run.family.clone(),
        task: run.task.clone(),
        property: run.property_name.clone(),
        expected,
        verdict: answer.verdict,
        status,
        wall_s: usage.wall_s,
        cpu_s: usage.cpu_s,
        rss_kb: usage.rss_kb,
        reason,
        config: job.config.name.clone(),
        run: job.number,
        stats: figures
            .map(|(name, value)| (name.to_owned(), value))
            .collect(),
    }
}

fn exit_status(verdict: &str) -> Option<i32> {
    ["safe", "unsafe", "unknown"]
        .iter()
        .position(|name| *name == verdict)
        .map(|at| at as i32)
}

fn rate(run: &Run, answer: &Answer) -> (Status, String) {
    let reason = answer.reason.clone();
    let holds = match answer.verdict.as_str() {
        "safe" => true,
        "unsafe" => false,
        _ => return (Status::Unknown, reason),
    };
    let status = match run.holds {
        None => Status::Unrated,
        Some(expected) if expected == holds => Status::Correct,
        Some(_) => Status::Wrong,
    };
    if let (Status::Correct, false, Some(part)) = (status, holds, &run.subproperty)
        && let Some(blames) = &answer.blames
        && blames != part
    {
        return (Status::Wrong, format!("blames {blames}: {reason}"));
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
    use crate::{Config, Peers};
    use verdict::Property;
    use xcfa::DataModel;

    fn run(holds: Option<bool>, subproperty: Option<&str>) -> Run {
        Run {
            family: "f".into(),
            task: "t".into(),
            property_name: "p".into(),
            property_file: "p.prp".into(),
            property: Ok(Property::MEMSAFETY),
            input_files: Vec::new(),
            data_model: DataModel::Ilp32,
            holds,
            subproperty: subproperty.map(Into::into),
        }
    }

    fn judged(config: &Config, run: &Run, ended: Ended, stdout: &str, stderr: &str) -> Record {
        let job = Job {
            run,
            config,
            number: 1,
        };
        let finished = Finished {
            ended,
            usage: Usage::default(),
            stdout: stdout.to_owned(),
            stderr: stderr.to_owned(),
        };
        judge(&job, &finished)
    }

    fn auto() -> Config {
        Config::own("auto", &[])
    }

    #[test]
    fn verdicts_are_rated_and_figures_kept() {
        let safe = r#"{"verdict": "safe", "reason": null, "stats": {"states": 7}}"#;
        let rated = |holds| judged(&auto(), &run(holds, None), Ended::Exit(0), safe, "");
        assert_eq!(rated(Some(true)).status, Status::Correct);
        assert_eq!(rated(Some(false)).status, Status::Wrong);
        assert_eq!(rated(None).status, Status::Unrated);
        assert_eq!(rated(None).stats, [("states".to_owned(), 7)]);
    }

    #[test]
    fn the_blamed_part_must_be_the_right_one() {
        let text =
            r#"{"verdict": "unsafe", "reason": "x", "trace": {"violation": "invalid-free"}}"#;
        let run = |part| run(Some(false), Some(part));
        let rated = |part| judged(&auto(), &run(part), Ended::Exit(1), text, "");
        assert_eq!(rated("valid-free").status, Status::Correct);
        let record = rated("valid-deref");
        assert_eq!(record.status, Status::Wrong);
        assert_eq!(record.reason, "blames valid-free: x");
    }

    #[test]
    fn no_answer_is_no_verdict() {
        let run = run(Some(true), None);
        let reason = |ended, stdout, stderr| {
            let record = judged(&auto(), &run, ended, stdout, stderr);
            assert_eq!(record.status, Status::Unknown);
            assert_eq!(record.verdict, "unknown");
            record.reason
        };
        assert_eq!(reason(Ended::OutOfTime, "", ""), "out of time");
        assert_eq!(reason(Ended::Signal(11), "", ""), "crashed: signal 11");
        let snippet = "note: x\nerror: no `goto` here\n --> a.c:3:4\n  |\n";
        assert_eq!(
            reason(Ended::Exit(65), "", snippet),
            "refused: no `goto` here at a.c:3:4"
        );
        // A verdict with the exit status of another one is not accepted.
        let safe = r#"{"verdict": "safe"}"#;
        assert!(reason(Ended::Exit(1), safe, "").starts_with("crashed: status 1"));
    }

    #[test]
    fn peers_are_judged_by_the_same_rules() {
        let peer = Peers::built_in().get("deagle").unwrap();
        let config = Config {
            name: "deagle".into(),
            tool: Tool::Peer(peer),
        };
        let run = run(Some(true), None);
        let rated = |stdout| judged(&config, &run, Ended::Exit(10), stdout, "");
        assert_eq!(rated("VERIFICATION SUCCESSFUL\n").status, Status::Correct);
        assert_eq!(rated("VERIFICATION FAILED\n").status, Status::Wrong);
        let silent = rated("parsing\nCONVERSION ERROR\n\n");
        assert_eq!(silent.status, Status::Unknown);
        assert_eq!(silent.reason, "no answer: status 10: CONVERSION ERROR");
    }
}
