//! `mazurka bench` with several configurations, repetitions and other verifiers, and what it writes.

mod common;

use common::browser::Browser;
use common::processes::children;
use common::{ENDLESS, Folder, LOST_UPDATE};
use std::os::unix::fs::PermissionsExt;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

const REACH: &str = "CHECK( init(main()), LTL(G ! call(reach_error())) )\n";

fn task(input: &str, expected: bool) -> String {
    format!(
        "format_version: '2.0'\ninput_files: '{input}'\nproperties:\n  \
         - property_file: ../unreach-call.prp\n    expected_verdict: {expected}\n\
         options:\n  language: C\n  data_model: LP64\n"
    )
}

/// A bug, and the same program without it.
fn suite() -> Folder {
    let folder = Folder::new();
    folder.write("unreach-call.prp", REACH);
    folder.write("fam/bug.c", LOST_UPDATE);
    folder.write("fam/bug.yml", &task("bug.c", false));
    let fixed = LOST_UPDATE.replace("counter == 2", "counter >= 1");
    folder.write("fam/fine.c", &fixed);
    folder.write("fam/fine.yml", &task("fine.c", true));
    folder
}

#[test]
fn configurations_side_by_side() {
    let folder = suite();
    folder.write("some.set", "# both\nfam/*.yml\n");
    let config = "plain: --engine fusion --prune off";
    let args = [
        "bench", "some.set", "--engine", "explore", "--config", config,
    ];
    let more = ["--repeat", "2", "--json", "a.json", "--html", "a.html"];
    let ran = folder.mazurka(&[&args[..], &more[..]].concat()).exits(0);
    ran.prints(&["configuration", "explore", "plain", "8 correct, 0 wrong"]);
    let rows = folder.read("results.csv");
    assert_eq!(rows.lines().count(), 9);
    for key in [",explore,1,", ",explore,2,", ",plain,1,", ",plain,2,"] {
        assert_eq!(rows.matches(key).count(), 2, "{rows}");
    }
    assert!(
        rows.contains("states=") && rows.contains("executions="),
        "{rows}"
    );

    let json: serde_json::Value = serde_json::from_str(&folder.read("a.json")).unwrap();
    assert_eq!(json["rows"].as_array().unwrap().len(), 8);
    let command = "mazurka check --engine fusion --prune off";
    assert_eq!(json["configurations"][1]["command"], command);
    let page = folder.read("a.html");
    assert!(page.contains("<b>3</b> of 3") && page.contains("fam/fine"));
}

#[test]
fn results_are_shown_again_without_running() {
    let folder = suite();
    let engines = ["--engine", "explore", "--engine", "bmc"];
    let args = [&["bench", "fam", "--out", "a.csv"][..], &engines].concat();
    folder.mazurka(&args).exits(0);
    let args = ["bench", "fam", "--out", "b.csv", "--engine", "bmc"];
    folder.mazurka(&args).exits(0);
    let args = [
        "bench", "--from", "a.csv", "b.csv", "--xml", "r.xml", "--html", "r.html", "--svg", "r.svg",
    ];
    let ran = folder.mazurka(&args).exits(0);
    ran.prints(&["explore  ", "b: bmc  ", "6 correct, 0 wrong, 0 unknown"]);
    for name in ["r.explore.xml", "r.bmc.xml", "r.b__bmc.xml"] {
        let text = folder.read(name);
        assert!(text.contains("value=\"false(unreach-call)\""), "{text}");
        assert_eq!(text.matches("<run ").count(), 2);
    }
    for name in ["r.html", "r.svg"] {
        assert!(folder.read(name).contains("b: bmc"), "{name}");
    }
    assert!(!folder.path().join("results.csv").exists());
}

#[test]
fn what_is_wrong_is_told_before_anything_runs() {
    let folder = suite();
    let complains = |args: &[&str], status: i32, parts: &[&str]| {
        let ran = folder.mazurka(&[&["bench", "fam"], args].concat());
        ran.exits(status).complains(parts);
        assert!(!folder.path().join("results.csv").exists());
    };
    let config = |text: &'static str| vec!["--config", text];
    complains(
        &config("x: --engin bmc"),
        64,
        &["configuration x", "--engin"],
    );
    complains(&config("x: --property race"), 64, &["--property"]);
    complains(&config("x: --prune full"), 64, &["--engine cegar"]);
    complains(&config("x: other.c"), 64, &["options only"]);
    complains(&config("--engine bmc"), 64, &["NAME: OPTIONS"]);
    let twice = ["--engine", "bmc", "--config", "bmc: --engine bmc"];
    complains(&twice, 64, &["two configurations are called bmc"]);
    complains(
        &["--with", "spin"],
        64,
        &["no verifier called spin", "cbmc"],
    );
    folder.write("p.toml", "[cbmc]\ncommand = [\"/nowhere/cbmc\"]\n");
    let nowhere = ["--with", "cbmc", "--peers", "p.toml"];
    complains(&nowhere, 65, &["cannot run cbmc", "/nowhere/cbmc"]);
    folder.write("p.toml", "[cbmc]\ncomand = []\n");
    complains(&nowhere, 65, &["p.toml", "comand"]);
    let evidence = ["--evidence", "e", "--repeat", "2"];
    complains(&evidence, 64, &["--evidence"]);
    folder.write("bad.set", "nothing/*.yml\n");
    let ran = folder.mazurka(&["bench", "bad.set"]).exits(65);
    ran.complains(&["bad.set:1: no file matches nothing/*.yml"]);
}

/// A tool that finds every bug, and one in the program that has none.
#[test]
fn other_verifiers_go_before_the_same_judge() {
    let folder = suite();
    folder.write(
        "tool.sh",
        "echo tool 1.0 >&2\necho VERIFICATION FAILED\nexit 10\n",
    );
    let table = "[deagle]\ncommand = [\"/bin/sh\", \"TOOL\", \"{property}\", \"{files}\"]\n";
    let tool = folder.path().join("tool.sh");
    folder.write(
        "p.toml",
        &table.replace("TOOL", &tool.display().to_string()),
    );
    let args = ["bench", "fam", "--with", "deagle", "--peers", "p.toml"];
    let ran = folder.mazurka(&args).exits(1);
    assert!(
        ran.stderr
            .contains("wrong: fam/fine (unreach-call), deagle"),
        "{ran:#?}"
    );
    ran.prints(&["WRONG VERDICTS\n  fam/fine", "1 correct, 1 wrong", "-15"]);
    let rows = folder.read("results.csv");
    assert!(
        rows.contains("fam,bug,unreach-call,false,unsafe,correct,"),
        "{rows}"
    );
    assert!(rows.contains(",VERIFICATION FAILED,deagle,1,"), "{rows}");
}

#[test]
fn verdicts_that_change_are_pointed_out() {
    let folder = suite();
    // It answers the first time, and has no idea the second.
    folder.write(
        "tool.sh",
        "if [ -e MARK ]; then echo hm; else touch MARK; echo SAFE; fi\n",
    );
    let mark = folder.path().join("mark").display().to_string();
    let script = folder.read("tool.sh").replace("MARK", &mark);
    let tool = folder.write("tool.sh", &script);
    let table = format!(
        "[fickle]\ncommand = [\"/bin/sh\", \"{}\"]\noptions = {{ reach = [] }}\n\
         answers = [{{ line = \"SAFE\", means = \"true\" }}]\n",
        tool.display()
    );
    folder.write("p.toml", &table);
    let args = [
        "bench",
        "fam/fine.yml",
        "--with",
        "fickle",
        "--peers",
        "p.toml",
    ];
    let ran = folder.mazurka(&[&args[..], &["--repeat", "2"]].concat());
    ran.exits(0).prints(&[
        "VERDICTS THAT DIFFER BETWEEN REPETITIONS\n  fam/fine (unreach-call), fickle: 1 safe, 1 unknown",
    ]);
}

#[test]
fn processor_time_is_limited() {
    let folder = suite();
    folder.write("slow/endless.c", ENDLESS);
    folder.write("slow/endless.yml", &task("endless.c", true));
    let args = ["bench", "slow", "--engine", "explore", "--cpu", "0.5"];
    let started = Instant::now();
    folder.mazurka(&args).exits(0).prints(&["1 unknown"]);
    assert!(started.elapsed() < Duration::from_secs(40));
    assert!(folder.read("results.csv").contains(",out of time,"));
}

/// A cluster that loses the first job of the first array; the real one is in `scripts/test_slurm.sh`.
const SBATCH: &str = r#"#!/bin/sh
echo "$@" >> asked
for word; do case $word in --array=0-*) last=${word#--array=0-};; esac; done
number=0
while [ $number -le ${last%\%*} ]; do
    if [ -e lost ]; then SLURM_ARRAY_TASK_ID=$number sh "$word" > /dev/null 2>&1; else touch lost; fi
    number=$((number + 1))
done
echo 7
"#;

#[test]
fn what_a_cluster_loses_is_submitted_again() {
    let folder = suite();
    for (name, text) in [("sbatch", SBATCH), ("squeue", "#!/bin/sh\n")] {
        let script = folder.write(&format!("bin/{name}"), text);
        std::fs::set_permissions(script, PermissionsExt::from_mode(0o755)).unwrap();
    }
    let path = std::env::var("PATH").unwrap();
    let ran = Command::new(assert_cmd::cargo::cargo_bin("mazurka"))
        .args(["bench", "fam", "--engine", "explore", "--memory", "500"])
        .args([
            "--on",
            "slurm",
            "--sbatch",
            "--partition='my own'",
            "--jobs",
            "3",
        ])
        .env("PATH", format!("{}/bin:{path}", folder.path().display()))
        .current_dir(folder.path())
        .output()
        .unwrap();
    assert_eq!(ran.status.code(), Some(0), "{ran:?}");
    let asked = folder.read("asked");
    let asked: Vec<&str> = asked.lines().collect();
    assert_eq!(asked.len(), 2, "{asked:?}");
    assert!(asked[0].contains("--array=0-1%3") && asked[0].contains("--mem=600M"));
    assert!(asked[0].contains("--partition=my own"), "{asked:?}");
    // Only the lost one.
    assert!(asked[1].contains("--array=0-0%3"), "{asked:?}");
    let rows = folder.read("results.csv");
    assert!(
        rows.contains("fam,bug,unreach-call,false,unsafe,correct,"),
        "{rows}"
    );
    assert!(
        rows.contains("fam,fine,unreach-call,true,safe,correct,"),
        "{rows}"
    );
    assert_eq!(rows.lines().count(), 3);
    let args = ["bench", "fam", "--sbatch", "-p x"];
    folder.mazurka(&args).exits(64).complains(&["--on slurm"]);
}

/// Menus choose plots, the filter chooses tasks, and nothing comes from the network.
#[test]
fn the_page_works_in_a_browser() {
    let Some(browser) = Browser::open(1400, 900) else {
        return;
    };
    let folder = suite();
    let engines = ["--engine", "explore", "--engine", "fusion"];
    let args = [&["bench", "fam", "--html", "r.html"][..], &engines].concat();
    folder.mazurka(&args).exits(0);
    let page = folder.path().join("r.html");
    browser.open_file(&page);
    let shown = "[...document.querySelectorAll('#plots figure')].filter(it => !it.hidden)";
    let titles = || {
        browser.eval(&format!(
            "{shown}.map(it => it.querySelector('text').textContent.trim())"
        ))
    };
    let both = ["Solved tasks by CPU time (s)", "CPU time (s), task by task"];
    assert_eq!(titles(), serde_json::json!(both));
    let choose = |id: &str, label: &str| {
        browser.eval(&format!(
            "(() => {{ const menu = document.getElementById({id:?});
                menu.selectedIndex = [...menu.options].findIndex(it => it.text === {label:?});
                menu.dispatchEvent(new Event('change')); return true; }})()"
        ));
    };
    choose("figure", "transitions");
    let both = ["Solved tasks by transitions", "transitions, task by task"];
    assert_eq!(titles(), serde_json::json!(both));
    choose("which", "with an unknown");
    assert_eq!(browser.text("#shown"), "0 of 2");
    choose("which", "all");
    browser.click("#filter");
    browser.press(&["f", "i", "n"]);
    assert_eq!(browser.text("#shown"), "1 of 2");
    assert_eq!(browser.complaints(), [""; 0]);
    let local = |url: &String| url.starts_with("file:") || url.starts_with("data:");
    let requests = browser.requests();
    assert!(requests.iter().all(local), "{requests:?}");
}

/// What a killed run has lost is made again, and nothing twice.
#[test]
fn a_killed_run_is_taken_up_where_it_was() {
    let folder = suite();
    for number in 0..4 {
        folder.write(&format!("fam/a{number}.yml"), &task("bug.c", false));
        folder.write(&format!("fam/z{number}.yml"), &task("fine.c", true));
    }
    folder.write("fam/m.c", ENDLESS);
    folder.write("fam/m.yml", &task("m.c", true));
    let args = [
        "bench",
        "fam",
        "--engine",
        "explore",
        "--timeout",
        "4",
        "--out",
    ];
    folder
        .mazurka(&[&args[..], &["whole.csv"]].concat())
        .exits(0);

    let mut bench = Command::new(assert_cmd::cargo::cargo_bin("mazurka"))
        .args(args)
        .arg("killed.csv")
        .current_dir(folder.path())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    // The endless one comes after four, the bug and the fine one.
    let rows = || std::fs::read_to_string(folder.path().join("killed.csv")).unwrap_or_default();
    wait_until(|| rows().lines().count() >= 7);
    wait_until(|| !children(bench.id()).is_empty());
    let orphans = children(bench.id());
    bench.kill().unwrap();
    bench.wait().unwrap();
    let gone = |pid: &u32| !std::path::Path::new(&format!("/proc/{pid}")).exists();
    wait_until(|| orphans.iter().all(gone));
    // As if the last row had been cut by the crash, too.
    let before = rows();
    folder.write("killed.csv", &(before.clone() + "fam,m,unreach-ca"));

    folder
        .mazurka(&[&args[..], &["killed.csv", "--resume"]].concat())
        .exits(0);
    assert!(rows().starts_with(&before));
    let told = |name: &str| -> Vec<String> {
        let text = folder.read(name);
        let head = |line: &str| line.splitn(7, ',').take(6).collect::<Vec<_>>().join(",");
        text.lines().map(head).collect()
    };
    assert_eq!(told("killed.csv"), told("whole.csv"));
    assert_eq!(told("whole.csv").len(), 12);
}

fn wait_until(mut done: impl FnMut() -> bool) {
    let started = Instant::now();
    while !done() {
        let waited = started.elapsed();
        assert!(waited < Duration::from_secs(60), "waited in vain");
        std::thread::sleep(Duration::from_millis(20));
    }
}
