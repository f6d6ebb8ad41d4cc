//! Results in the form of BenchExec, for its table generator and other readers.

use crate::export::{About, escaped};
use crate::{Record, Status};
use std::fmt::Write;

/// The rows of one configuration and one repetition.
pub fn xml(name: &str, records: &[&Record], about: &About) -> String {
    let mut attributes = vec![
        ("benchmarkname", "mazurka".to_owned()),
        ("name", name.to_owned()),
        ("displayName", name.to_owned()),
        ("tool", "Mazurka".to_owned()),
        ("version", about.version.clone()),
        ("generator", format!("mazurka bench {}", about.version)),
    ];
    if let Some(first) = records.first()
        && let Some(command) = about.command(&first.config)
    {
        attributes.push(("options", command));
    }
    if let Some(limits) = &about.limits {
        attributes.push(("walltimelimit", format!("{}s", limits.wall.as_secs_f64())));
        let cpu = limits.cpu.map(|cpu| format!("{}s", cpu.as_secs_f64()));
        attributes.extend(cpu.map(|cpu| ("timelimit", cpu)));
        attributes.push(("memlimit", format!("{}B", limits.memory)));
    }
    let mut text = String::from("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<result");
    for (name, value) in attributes {
        let _ = write!(text, " {name}=\"{}\"", escaped(&value));
    }
    text += ">\n  <columns>\n";
    for title in ["status", "cputime", "walltime", "memory"] {
        let _ = writeln!(text, "    <column title=\"{title}\"/>");
    }
    text += "  </columns>\n";
    records.iter().for_each(|record| run(&mut text, record));
    text + "</result>\n"
}

fn run(text: &mut String, record: &Record) {
    let (family, task, property) = record.about();
    let name = escaped(&format!("{family}/{task}.yml"));
    let property = escaped(property);
    let _ = write!(text, "  <run name=\"{name}\" properties=\"{property}\"");
    if !record.expected.is_empty() {
        let _ = write!(text, " expectedVerdict=\"{}\"", escaped(&record.expected));
    }
    *text += ">\n";
    let mut column = |title: &str, value: &str, hidden: bool| {
        let (title, value) = (escaped(title), escaped(value));
        let hidden = if hidden { " hidden=\"true\"" } else { "" };
        let _ = writeln!(
            text,
            "    <column title=\"{title}\" value=\"{value}\"{hidden}/>"
        );
    };
    let status = status(record);
    column("status", &status, false);
    column("category", category(record, &status), true);
    column("cputime", &format!("{:.3}s", record.cpu_s), false);
    column("walltime", &format!("{:.3}s", record.wall_s), false);
    column("memory", &format!("{}B", record.rss_kb * 1024), false);
    for (name, value) in &record.stats {
        column(name, &value.to_string(), true);
    }
    *text += "  </run>\n";
}

/// The words of BenchExec.
fn status(record: &Record) -> String {
    match record.verdict.as_str() {
        "safe" => "true".to_owned(),
        // Which part is blamed is known only if it is the one that the task names.
        "unsafe" if record.status == Status::Correct && record.expected != "false" => {
            record.expected.clone()
        }
        "unsafe" => format!("false({})", record.property),
        _ => match record.reason.as_str() {
            "out of time" => "TIMEOUT".to_owned(),
            "out of memory" => "OUT OF MEMORY".to_owned(),
            reason if reason.starts_with("crashed") => format!("ERROR ({reason})"),
            _ => "unknown".to_owned(),
        },
    }
}

fn category(record: &Record, status: &str) -> &'static str {
    match record.status {
        Status::Correct => "correct",
        Status::Wrong => "wrong",
        Status::Unrated => "missing",
        Status::Unknown if status == "unknown" => "unknown",
        Status::Unknown => "error",
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::tests::record;
    use expect_test::expect;

    #[test]
    fn rows_in_the_words_of_benchexec() {
        let late = Record {
            reason: "out of time".into(),
            stats: Vec::new(),
            ..record("b <2>", Status::Unknown)
        };
        let bug = Record {
            expected: "false(valid-free)".into(),
            verdict: "unsafe".into(),
            stats: Vec::new(),
            ..record("c", Status::Correct)
        };
        let rows = [record("a", Status::Wrong), late, bug];
        let about = About {
            version: "1.2".into(),
            ..About::default()
        };
        let rows: Vec<&Record> = rows.iter().collect();
        expect![[r#"
            <?xml version="1.0" encoding="UTF-8"?>
            <result benchmarkname="mazurka" name="auto" displayName="auto" tool="Mazurka" version="1.2" generator="mazurka bench 1.2">
              <columns>
                <column title="status"/>
                <column title="cputime"/>
                <column title="walltime"/>
                <column title="memory"/>
              </columns>
              <run name="litmus/a.yml" properties="unreach-call" expectedVerdict="true">
                <column title="status" value="false(unreach-call)"/>
                <column title="category" value="wrong" hidden="true"/>
                <column title="cputime" value="0.500s"/>
                <column title="walltime" value="0.250s"/>
                <column title="memory" value="4194304B"/>
                <column title="solver calls" value="3" hidden="true"/>
                <column title="states" value="12" hidden="true"/>
              </run>
              <run name="litmus/b &lt;2&gt;.yml" properties="unreach-call" expectedVerdict="true">
                <column title="status" value="TIMEOUT"/>
                <column title="category" value="error" hidden="true"/>
                <column title="cputime" value="0.500s"/>
                <column title="walltime" value="0.250s"/>
                <column title="memory" value="4194304B"/>
              </run>
              <run name="litmus/c.yml" properties="unreach-call" expectedVerdict="false(valid-free)">
                <column title="status" value="false(valid-free)"/>
                <column title="category" value="correct" hidden="true"/>
                <column title="cputime" value="0.500s"/>
                <column title="walltime" value="0.250s"/>
                <column title="memory" value="4194304B"/>
              </run>
            </result>
        "#]].assert_eq(&xml("auto", &rows, &about));
    }
}
