//! The command line as people expect it: options of compilers, standard input, files of checks, the exit status.

mod common;

use assert_cmd::Command;
use common::{ENDLESS, Folder, LOST_UPDATE};

/// Runs `mazurka check`: what it prints, what it complains about, and its exit status.
fn check(folder: &Folder, args: &[&str], input: &str) -> (String, String, i32) {
    let mut command = Command::cargo_bin("mazurka").expect("the program under test");
    command.current_dir(folder.path()).arg("check").args(args);
    let output = command.write_stdin(input).output().expect("it ran");
    let text = |bytes| String::from_utf8(bytes).expect("text");
    let code = output.status.code().expect("an exit status");
    (text(output.stdout), text(output.stderr), code)
}

/// Each macro that is not as it should be fails an assertion of its own.
const MACROS: &str = "#include <assert.h>\n#include <limit.h>\nint main(int argc, char **argv)\n{\n\
    #ifdef X\n    assert(X == 1);\n#else\n    assert(!\"X\");\n#endif\n\
    #ifdef __linux__\n    assert(!\"linux\");\n#endif\n\
    #ifndef __STRICT_ANSI__\n    assert(!\"gnu\");\n#endif\n\
    assert(LIMIT == 3);\n    assert(FIRST == 4);\n    return 0;\n}\n";

#[test]
fn options_of_compilers() {
    let folder = Folder::new();
    folder.write("a.c", MACROS);
    folder.write("system/limit.h", "#define LIMIT 3\n");
    folder.write("first.h", "#define FIRST 4\n");
    let all = "-DX -U__linux__ -std=c11 -isystem system -include first.h a.c";
    let without = |option: &str| {
        let args: Vec<String> = all
            .replace(option, "")
            .split(' ')
            .map(str::to_owned)
            .collect();
        let args: Vec<&str> = args
            .iter()
            .map(String::as_str)
            .filter(|it| !it.is_empty())
            .collect();
        check(&folder, &args, "")
    };
    assert_eq!(without("nothing").2, 0);
    for (option, failing) in [
        ("-DX", "\"X\""),
        ("-U__linux__", "linux"),
        ("-std=c11", "gnu"),
    ] {
        let (text, _, exit) = without(option);
        assert_eq!(exit, 1, "{option}");
        assert!(text.contains(failing), "{option}: {text}");
    }
    // A header that is not there is the preprocessor's refusal, one that is not included ours.
    for option in ["-isystem system", "-include first.h"] {
        assert_eq!(without(option).2, 65, "{option}");
    }
    for bad in ["-std=c90", "-std=c23", "-UX -DX"] {
        let args: Vec<&str> = bad.split(' ').chain(["a.c"]).collect();
        assert_eq!(check(&folder, &args, "").2, 64, "{bad}");
    }
}

#[test]
fn standard_input() {
    let folder = Folder::new();
    let (text, _, exit) = check(&folder, &["-"], LOST_UPDATE);
    assert_eq!(exit, 1);
    assert!(text.contains("fails at <stdin>:17 (counter = 1)"), "{text}");
    assert!(text.contains("counter = seen + 1;"), "{text}");
    let (_, error, exit) = check(&folder, &["--trace", "t.json", "-"], LOST_UPDATE);
    assert_eq!(exit, 64);
    assert!(error.contains("--trace"), "{error}");
    assert_eq!(check(&folder, &["-", "-"], LOST_UPDATE).2, 64);
    assert_eq!(check(&folder, &["-"], "int main(void) {").2, 65);
}

#[test]
fn quoted_arguments_stay_together() {
    let folder = Folder::new();
    let text = "#include <assert.h>\nint main(int argc, char **argv)\n{\n    assert(argc == 3);\n\
        assert(argv[1][1] == ' ');\n    assert(argv[2][0] == 'x');\n    return 0;\n}\n";
    folder.write("a.c", text);
    assert_eq!(check(&folder, &["--args", "'5 6' \"x y\"", "a.c"], "").2, 0);
    assert_eq!(check(&folder, &["--args", "5 6 x", "a.c"], "").2, 1);
    assert_eq!(check(&folder, &["--args", "'5 6", "a.c"], "").2, 64);
}

#[test]
fn the_exit_status_and_one_line() {
    let folder = Folder::new();
    folder.write("lost.c", LOST_UPDATE);
    folder.write("endless.c", ENDLESS);
    folder.write("empty.c", "int main(void) { return 0; }\n");
    for (args, expected) in [
        ("empty.c", 0),
        ("lost.c", 1),
        ("--fail-on unsafe lost.c", 1),
        ("--engine explore --timeout 0.3 endless.c", 2),
        (
            "--engine explore --timeout 0.3 --fail-on unknown endless.c",
            2,
        ),
        (
            "--engine explore --timeout 0.3 --fail-on unsafe endless.c",
            0,
        ),
        ("--property reach,race --fail-on unsafe lost.c", 1),
        ("missing.c", 65),
        ("--nonsense", 64),
        ("--quiet --format json empty.c", 64),
        ("--quiet --explain empty.c", 64),
    ] {
        let args: Vec<&str> = args.split(' ').collect();
        let (text, _, exit) = check(&folder, &args, "");
        assert_eq!(exit, expected, "{args:?}: {text}");
    }
    let (text, _, _) = check(&folder, &["-q", "--property", "reach,race", "lost.c"], "");
    let lines: Vec<&str> = text.lines().collect();
    assert_eq!(lines.len(), 2, "{text}");
    assert!(lines[0].starts_with("UNSAFE  reach: assertion `counter == 2` fails"));
    assert!(lines[1].starts_with("UNSAFE  race: data race on `counter`"));
}

#[test]
fn colours_on_demand() {
    let folder = Folder::new();
    folder.write("empty.c", "int main(void) { return 0; }\n");
    let is_coloured = |args: &[&str]| check(&folder, args, "").0.contains('\u{1b}');
    assert!(!is_coloured(&["empty.c"]));
    assert!(is_coloured(&["--color", "always", "empty.c"]));
    assert!(!is_coloured(&["--color", "never", "empty.c"]));
}

#[test]
fn files_that_cannot_be_written_are_refused_before_the_work() {
    let folder = Folder::new();
    folder.write("endless.c", ENDLESS);
    folder.write("kept.html", "kept");
    for option in ["--trace", "--html", "--sarif", "--junit", "--coverage"] {
        let (_, error, exit) = check(&folder, &[option, "no/where", "endless.c"], "");
        assert_eq!(exit, 65, "{option}");
        assert!(error.contains("cannot write no/where"), "{error}");
    }
    let witness = ["--witness", "no/where.yml", "endless.c"];
    assert_eq!(check(&folder, &witness, "").2, 65);
    check(
        &folder,
        &["--trace", "new.json", "--html", "kept.html", "missing.c"],
        "",
    );
    assert!(!folder.path().join("new.json").exists());
    assert_eq!(folder.read("kept.html"), "kept");
}

const PROJECT: &str = "timeout = '20s'\n\n[check.counter]\nfiles = ['lost.c']\nproperty = ['reach', 'race']\n\n\
    [check.nothing]\nfiles = ['empty.c']\nflags = ['-DN=1', '-std=c99']\n";

#[test]
fn a_file_of_checks() {
    let folder = Folder::new();
    assert_eq!(check(&folder, &[], "").2, 64);
    folder.write("p/lost.c", LOST_UPDATE);
    folder.write("p/empty.c", "int main(void) { return 0; }\n");
    folder.write("p/mazurka.toml", PROJECT);
    let run = |args: &[&str]| {
        check(
            &folder,
            &[&["--config", "p/mazurka.toml"], args].concat(),
            "",
        )
    };
    let (text, _, exit) = run(&["-q"]);
    assert_eq!(exit, 1, "{text}");
    let firsts: Vec<&str> = text
        .lines()
        .filter_map(|line| line.split("  ").next())
        .collect();
    assert_eq!(
        firsts,
        ["counter: UNSAFE", "counter: UNSAFE", "nothing: SAFE"],
        "{text}"
    );
    let (text, _, exit) = run(&["--only", "nothing", "--format=json", "--timeout", "5"]);
    assert_eq!(exit, 0, "{text}");
    let object: serde_json::Value = serde_json::from_str(&text).expect("one object");
    assert_eq!(object["check"], "nothing");
    let (_, error, exit) = run(&["--only", "other"]);
    assert_eq!(exit, 64);
    assert!(error.contains("counter, nothing"), "{error}");
    // A file for several answers would hold the last one only.
    assert_eq!(run(&["--html", "x.html"]).2, 64);
    assert_eq!(
        check(&folder, &["--only", "nothing", "p/empty.c"], "").2,
        64
    );
}

#[test]
fn engines_have_a_help_of_their_own() {
    let folder = Folder::new();
    let everyday = folder.mazurka(&["check", "--help"]).exits(0).stdout;
    assert!(everyday.contains("mazurka engines"), "{everyday}");
    // What most people need comes first, and nothing of one engine.
    let at = |text: &str| {
        everyday
            .find(text)
            .unwrap_or_else(|| panic!("{text}: {everyday}"))
    };
    assert!(at("--property <PROPERTY>") < at("Reading the program:"));
    assert!(at("--timeout <TIME>") < at("Reading the program:"));
    assert!(at("Reading the program:") < at("--data-model <MODEL>"));
    assert!(!everyday.contains("--dpor"), "{everyday}");
    let list = folder.mazurka(&["engines"]).exits(0);
    list.prints(&["\n  explore ", "\n  fusion ", "mazurka engines NAME"]);
    let one = folder.mazurka(&["engines", "fusion"]).exits(0);
    let one = one.prints(&["--engine fusion: ", "checks reach, ", "--dpor <"]);
    assert!(!one.stdout.contains("--refinement"), "{one:?}");
    let none = folder.mazurka(&["engines", "lockset"]).exits(0);
    none.prints(&["It has no options."]);
    let unknown = folder.mazurka(&["engines", "luck"]).exits(64);
    unknown.complains(&["no engine is called `luck`"]);
    // They work as ever.
    folder.write("lost.c", LOST_UPDATE);
    let args = ["check", "--engine", "fusion", "--prune", "off", "lost.c"];
    folder.mazurka(&args).exits(1);
}

/// Two threads write `x`, and the assertion holds.
const HARMLESS: &str = "#include <assert.h>\n#include <pthread.h>\nint x;\n\
    void *set(void *arg) { x = 1; return 0; }\n\
    int main(void) { pthread_t a, b; pthread_create(&a, 0, set, 0); pthread_create(&b, 0, set, 0);\n\
    pthread_join(a, 0); pthread_join(b, 0); assert(x == 1); return 0; }\n";

#[test]
fn what_nobody_named_is_looked_at() {
    let folder = Folder::new();
    folder.write("a.c", HARMLESS);
    let (text, _, exit) = check(&folder, &["a.c"], "");
    assert_eq!(exit, 1, "{text}");
    let (answer, look) = text.split_once("\n\nat a first look").expect("a look");
    assert!(answer.starts_with("SAFE  reach: "), "{text}");
    assert!(
        look.contains("\n  UNSAFE  race: data race on `x`"),
        "{text}"
    );
    assert!(look.contains("\n  SAFE    deadlock, "), "{text}");
    let (text, _, exit) = check(&folder, &["--quiet", "a.c"], "");
    assert_eq!(
        (
            exit,
            text.lines()
                .next()
                .is_some_and(|it| it.starts_with("SAFE  reach"))
        ),
        (1, true)
    );
    assert!(!text.contains("first look"), "{text}");
    // Whoever says what to check, or has a program read the answer, is told that alone.
    for args in [
        &["--property", "reach"][..],
        &["--engine", "explore"],
        &["--format", "json"],
        &["--html", "out.html"],
    ] {
        let (text, _, exit) = check(&folder, &[args, &["a.c"]].concat(), "");
        assert_eq!(
            (exit, text.contains("race: ")),
            (0, false),
            "{args:?}: {text}"
        );
    }
}

#[test]
fn several_properties_share_a_process_and_agree_with_each_alone() {
    let folder = Folder::new();
    folder.write("a.c", HARMLESS);
    folder.write("b.c", LOST_UPDATE);
    for file in ["a.c", "b.c"] {
        let (all, ..) = check(&folder, &["--property", "all", "--quiet", file], "");
        for line in all.lines() {
            let (answer, _) = line.split_once(": ").expect("an answer");
            let (_, property) = answer.split_once("  ").expect("a verdict");
            let (alone, ..) = check(&folder, &["--property", property, "--quiet", file], "");
            assert!(alone.starts_with(answer), "{alone}{line}");
        }
        assert_eq!(all.lines().count(), 7, "{all}");
    }
}
