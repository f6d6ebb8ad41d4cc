//! `mazurka serve`: checks over HTTP, limits, strangers, and an orderly end.

mod common;

use common::browser::Browser;
use common::processes::{assert_gone, children, interrupt};
use common::{ENDLESS, LOST_UPDATE};
use serde_json::{Value, json};
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

/// A server of our own.
struct Server {
    child: Child,
    address: String,
}

/// An answer.
struct Answer {
    status: u16,
    head: String,
    body: String,
}

impl Answer {
    fn json(&self) -> Value {
        serde_json::from_str(&self.body).unwrap_or_else(|error| panic!("{error}: {}", self.body))
    }
}

impl Server {
    fn start(args: &[&str]) -> Server {
        let mut child = Command::new(env!("CARGO_BIN_EXE_mazurka"))
            .args(["serve", "--listen", "127.0.0.1:0"])
            .args(args)
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let mut line = String::new();
        let stdout = child.stdout.take().unwrap();
        BufReader::new(stdout).read_line(&mut line).unwrap();
        let address = line.split("http://").nth(1).unwrap().split('/').next();
        let address = address.unwrap().to_owned();
        Server { child, address }
    }

    /// Sends a request with these header lines besides those that it needs.
    fn send(&self, method: &str, path: &str, headers: &[&str], body: &str) -> Answer {
        let mut lines = vec![
            format!("{method} {path} HTTP/1.1"),
            "Connection: close".into(),
        ];
        if !headers.iter().any(|line| line.starts_with("Host:")) {
            lines.push(format!("Host: {}", self.address));
        }
        lines.extend(headers.iter().map(|&line| line.to_owned()));
        lines.push(format!("Content-Length: {}", body.len()));
        let mut stream = TcpStream::connect(&self.address).unwrap();
        stream
            .set_read_timeout(Some(Duration::from_secs(60)))
            .unwrap();
        stream
            .write_all(format!("{}\r\n\r\n{body}", lines.join("\r\n")).as_bytes())
            .unwrap();
        let mut bytes = Vec::new();
        stream.read_to_end(&mut bytes).unwrap();
        let text = String::from_utf8(bytes).unwrap();
        let (head, body) = text.split_once("\r\n\r\n").unwrap();
        let status = head.split(' ').nth(1).unwrap().parse().unwrap();
        Answer {
            status,
            head: head.to_lowercase(),
            body: body.to_owned(),
        }
    }

    fn get(&self, path: &str) -> Answer {
        self.send("GET", path, &[], "")
    }

    fn post(&self, request: &Value) -> Answer {
        let json = "Content-Type: application/json";
        self.send("POST", "/checks", &[json], &request.to_string())
    }

    /// Starts a check and tells its number.
    fn check(&self, source: &str, property: &str, engine: &str) -> u64 {
        let request = json!({"source": source, "property": property, "engine": engine});
        let answer = self.post(&request);
        assert_eq!(answer.status, 201, "{}", answer.body);
        answer.json()["check"].as_u64().unwrap()
    }

    /// All events of a check up to its end: what was said on the way, and how it ended.
    fn events(&self, check: u64) -> (Vec<String>, Value) {
        let answer = self.get(&format!("/checks/{check}/events"));
        assert_eq!(answer.status, 200);
        let (mut said, mut done, mut name) = (Vec::new(), Value::Null, "");
        for line in answer.body.lines() {
            if let Some(event) = line.strip_prefix("event: ") {
                name = event;
            } else if let Some(data) = line.strip_prefix("data: ") {
                match name {
                    "progress" => said.push(data.to_owned()),
                    _ => done = serde_json::from_str(data).unwrap(),
                }
            }
        }
        (said, done)
    }

    fn interrupt(mut self) {
        interrupt(&mut self.child);
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

#[test]
fn a_check_from_request_to_report() {
    let server = Server::start(&[]);
    let front = server.get("/");
    assert_eq!(front.status, 200);
    assert!(
        front
            .head
            .contains("content-security-policy: default-src 'none'")
    );
    assert!(front.body.contains("Lost update"));
    let check = server.check(LOST_UPDATE, "race", "auto");
    let (_, done) = server.events(check);
    assert_eq!(
        (&done["verdict"], &done["has_report"]),
        (&"unsafe".into(), &true.into())
    );
    assert!(
        done["message"]
            .as_str()
            .unwrap()
            .starts_with("data race on `counter`: ")
    );
    let report = server.get(&format!("/checks/{check}/report/race"));
    assert!(report.head.contains("sandbox allow-scripts"));
    assert!(report.body.contains("\"verdict\":\"unsafe\""));
    assert!(report.body.contains("\"title\":\"program.c\""));
    // Those who come late are told at once.
    assert_eq!(server.events(check).1, done);
    assert_eq!(server.get("/checks/99/report/race").status, 404);
    assert_eq!(
        server.get(&format!("/checks/{check}/report/reach")).status,
        404
    );
    assert_eq!(server.get("/elsewhere").status, 404);
    server.interrupt();
}

#[test]
fn all_properties_in_one_check() {
    let server = Server::start(&[]);
    let check = server.check(LOST_UPDATE, "all", "auto");
    let (_, done) = server.events(check);
    let answers = done["answers"].as_array().unwrap();
    let said =
        |answer: &Value| format!("{} {}", answer["property"], answer["verdict"]).replace('"', "");
    let said: Vec<String> = answers.iter().map(said).collect();
    let expected = [
        "reach unsafe",
        "race unsafe",
        "deadlock safe",
        "overflow safe",
        "memsafety safe",
        "termination safe",
        "usage safe",
    ];
    assert_eq!(said, expected);
    // The worst of them stands for all.
    assert_eq!(
        (&done["verdict"], &done["line"]),
        (&"unsafe".into(), &17.into())
    );
    for answer in answers {
        let property = answer["property"].as_str().unwrap();
        let report = server.get(&format!("/checks/{check}/report/{property}"));
        let verdict = format!("\"verdict\":{}", answer["verdict"]);
        assert!(report.body.contains(&verdict), "{property}");
    }
}

#[test]
fn programs_that_are_refused() {
    let server = Server::start(&["--size", "4"]);
    let refused = |source: &str, property: &str, engine: &str, status: u16| {
        let answer =
            server.post(&json!({"source": source, "property": property, "engine": engine}));
        assert_eq!(answer.status, status, "{}", answer.body);
        answer.json()
    };
    let no = refused("int x;\n#include \"/etc/passwd\"\n", "reach", "auto", 422);
    assert_eq!(no["line"], 2);
    assert!(
        no["error"]
            .as_str()
            .unwrap()
            .contains("only headers of the C library")
    );
    refused("#line 1 \"/etc/passwd\"\nint x[y];", "reach", "auto", 422);
    refused("int main(void) { }", "luck", "auto", 422);
    refused("int main(void) { }", "reach", "--help", 422);
    let large = refused(&" ".repeat(5000), "reach", "auto", 413);
    assert_eq!(
        large["error"],
        "the program has 5000 bytes, at most 4096 are accepted"
    );
    refused(&" ".repeat(500_000), "reach", "auto", 413);
    assert_eq!(server.post(&json!({"source": ""})).status, 422);
    let plain = server.send("POST", "/checks", &["Content-Type: text/plain"], "{}");
    assert_eq!(plain.status, 415);

    // What only the compiler or the parser can see comes back with its line.
    let check = server.check("int main(void)\n{\n    return 1 +;\n}\n", "reach", "auto");
    let (_, done) = server.events(check);
    assert_eq!(
        (&done["verdict"], &done["line"]),
        (&Value::Null, &3.into()),
        "{done}"
    );
    let check = server.check("#error no\n", "reach", "auto");
    let (_, done) = server.events(check);
    assert_eq!(done["line"], 1, "{done}");
}

#[test]
fn strangers_are_turned_away() {
    let server = Server::start(&[]);
    let port = server.address.rsplit(':').next().unwrap();
    let status = |headers: &[&str]| server.send("GET", "/", headers, "").status;
    assert_eq!(status(&[]), 200);
    assert_eq!(status(&[&format!("Host: localhost:{port}")]), 200);
    assert_eq!(status(&[&format!("Host: rebound.example:{port}")]), 403);
    assert_eq!(status(&["Origin: https://evil.example"]), 403);
    assert_eq!(
        status(&[&format!("Origin: http://{}", server.address)]),
        200
    );
    assert_eq!(status(&["Sec-Fetch-Site: cross-site"]), 403);
    let json = "Content-Type: application/json";
    let evil = server.send(
        "POST",
        "/checks",
        &[json, "Origin: https://evil.example"],
        "{}",
    );
    assert_eq!(evil.status, 403);
}

#[test]
fn limits_and_cancelling() {
    let server = Server::start(&["--timeout", "2", "--checks", "1"]);
    let check = server.check(ENDLESS, "reach", "explore");
    let busy = server.post(&json!({"source": LOST_UPDATE, "property": "reach", "engine": "auto"}));
    assert_eq!(busy.status, 429, "{}", busy.body);
    let (said, done) = server.events(check);
    assert!(said.iter().any(|text| text.contains("states")), "{said:?}");
    assert_eq!(
        (&done["verdict"], &done["message"]),
        (&"unknown".into(), &"out of time".into())
    );
    // Now there is room again.
    let check = server.check(ENDLESS, "reach", "explore");
    let cancelled = server.send("DELETE", &format!("/checks/{check}"), &[], "");
    assert_eq!(cancelled.status, 204);
    let begun = Instant::now();
    let (_, done) = server.events(check);
    assert_eq!(
        (&done["verdict"], &done["message"]),
        (&Value::Null, &"cancelled".into())
    );
    assert!(begun.elapsed() < Duration::from_secs(2));
    assert_eq!(server.send("DELETE", "/checks/77", &[], "").status, 404);
}

#[test]
fn memory_is_limited() {
    let server = Server::start(&["--memory", "16", "--timeout", "50"]);
    let check = server.check(ENDLESS, "reach", "explore");
    let begun = Instant::now();
    let (_, done) = server.events(check);
    assert_eq!(
        (&done["verdict"], &done["message"]),
        (&"unknown".into(), &"out of memory".into())
    );
    assert!(begun.elapsed() < Duration::from_secs(30));
}

#[test]
fn nothing_is_left_behind() {
    let server = Server::start(&["--timeout", "50"]);
    let check = server.check(ENDLESS, "reach", "auto");
    std::thread::sleep(Duration::from_millis(500));
    let children = children(server.child.id());
    assert!(!children.is_empty());
    // A client still listens when the server is asked to end.
    let mut stream = TcpStream::connect(&server.address).unwrap();
    let host = &server.address;
    write!(
        stream,
        "GET /checks/{check}/events HTTP/1.1\r\nHost: {host}\r\n\r\n"
    )
    .unwrap();
    std::thread::sleep(Duration::from_millis(200));
    server.interrupt();
    let mut text = String::new();
    stream.read_to_string(&mut text).unwrap();
    assert!(text.contains("cancelled"), "{text}");
    assert_gone(&children);
}

#[test]
fn an_address_that_is_taken() {
    let server = Server::start(&[]);
    let folder = common::Folder::new();
    let ran = folder
        .mazurka(&["serve", "--listen", &server.address])
        .exits(65);
    ran.complains(&["cannot listen on"]);
}

#[test]
fn the_playground_in_a_browser() {
    let Some(browser) = Browser::open(1300, 800) else {
        return;
    };
    let server = Server::start(&["--timeout", "30"]);
    let home = format!("http://{}/", server.address);
    browser.go(&home);
    // It begins with all properties, says what they are, and what the example shows.
    browser.wait_for("document.getElementById('source').value.includes('counter++')");
    assert_eq!(
        browser.eval("document.getElementById('property').value"),
        "all"
    );
    assert!(browser.text("#about").starts_with("all: "));
    assert!(
        browser
            .text("#explanation")
            .contains("two threads increment a counter")
    );
    browser.click("#check");
    browser.wait_for("document.querySelectorAll('#tabs button').length === 7");
    let tab = "document.querySelector('#tabs [aria-selected=true]').textContent";
    assert_eq!(browser.eval(tab), "reach unsafe");
    // The editor follows the report: it opens at the step that fails.
    let marked = "document.querySelector('#numbers b')?.textContent";
    browser.wait_for(&format!("{marked} === '30'"));
    browser.eval("addEventListener('message', event => { window.heard = event.data.property; })");
    browser.eval("document.querySelectorAll('#tabs button')[1].click()");
    browser.wait_for("window.heard === 'race'");
    browser.wait_for(&format!("{marked} === '19'"));
    assert_eq!(browser.eval(tab), "race unsafe");
    browser.eval(
        "dispatchEvent(new MessageEvent('message', { data: { mazurka: 'step', property: 'race', line: 26 }, \
         source: document.getElementById('report').contentWindow }))",
    );
    assert_eq!(browser.eval(marked), "26");
    assert_eq!(
        browser.eval("document.getElementById('mark').className"),
        "step"
    );
    // Nobody else may say so.
    browser.eval("dispatchEvent(new MessageEvent('message', { data: { mazurka: 'step', property: 'race', line: 3 }, source: window }))");
    assert_eq!(browser.eval(marked), "26");
    browser.eval("document.querySelectorAll('#tabs button')[2].click()");
    browser.wait_for("document.querySelector('#status .safe')?.textContent === 'SAFE'");

    // The text is kept over a reload.
    let own = "int main(void) { return 0; } // \u{fc}ber <b>";
    let set = format!(
        "(() => {{ const source = document.getElementById('source'); source.value = {own:?}; \
         source.dispatchEvent(new Event('input')); }})()"
    );
    browser.eval(&set);
    browser.eval("document.getElementById('property').value = 'race'");
    browser.eval("document.getElementById('property').dispatchEvent(new Event('change'))");
    assert!(browser.text("#about").starts_with("race: no two threads"));
    browser.go(&home);
    let text = "document.getElementById('source').value";
    browser.wait_for(&format!("{text} === {own:?}"));
    assert_eq!(
        browser.eval("document.getElementById('property').value"),
        "race"
    );
    assert_eq!(browser.text("#explanation"), "");

    // A link holds it, and wins over what is kept.
    browser.click("#link");
    browser.wait_for("location.hash.startsWith('#program=')");
    let link = browser.eval("location.href").as_str().unwrap().to_owned();
    browser.eval("document.getElementById('example').value = 2");
    browser.eval("document.getElementById('example').dispatchEvent(new Event('change'))");
    browser.wait_for(&format!("{text}.includes('two_locks')"));
    browser.go("about:blank");
    browser.go(&link);
    browser.wait_for(&format!("{text} === {own:?}"));
    // One that is broken is none.
    browser.go("about:blank");
    browser.go(&format!("{home}#program=e30"));
    browser.wait_for(&format!("{text} === {own:?}"));
    assert_eq!(browser.complaints(), Vec::<String>::new());
    server.interrupt();
}

#[test]
fn the_page_in_a_browser() {
    let Some(browser) = Browser::open(1300, 800) else {
        return;
    };
    let server = Server::start(&["--timeout", "30"]);
    browser.go(&format!("http://{}/", server.address));
    browser.wait_for("document.getElementById('source').value.includes('counter++')");
    browser.eval("document.getElementById('property').value = 'race'");
    browser.click("#check");
    browser.wait_for("!!document.querySelector('#status .unsafe')");
    browser.wait_for("!document.getElementById('report').hidden");
    assert_eq!(browser.eval("document.getElementById('tabs').hidden"), true);
    // The line that is wrong is marked in the text.
    browser.wait_for("document.querySelector('#numbers b')?.textContent === '19'");

    browser.eval(
        "document.getElementById('source').value = 'int main(void)\\n{\\n  return 1 +;\\n}\\n'",
    );
    browser.click("#check");
    browser.wait_for("!document.getElementById('message').hidden");
    assert_eq!(browser.text("#numbers b"), "3");
    assert_eq!(
        browser.eval("document.getElementById('report').hidden"),
        true
    );
    assert_eq!(
        browser.eval("document.getElementById('mark').hidden"),
        false
    );

    let endless = serde_json::to_string(ENDLESS).unwrap();
    browser.eval(&format!(
        "document.getElementById('source').value = {endless}"
    ));
    browser.eval("document.getElementById('property').value = 'reach'");
    browser.click("#check");
    browser.wait_for("document.getElementById('status').textContent.includes(' s: ')");
    browser.click("#cancel");
    browser.wait_for("document.getElementById('status').textContent === 'cancelled'");
    assert_eq!(
        browser.eval("document.getElementById('check').disabled"),
        false
    );

    assert_eq!(browser.complaints(), Vec::<String>::new());
    let own = format!("http://{}/", server.address);
    let requests = browser.requests();
    let strange = requests
        .iter()
        .find(|url| !url.starts_with(&own) && !url.starts_with("data:"));
    assert_eq!(strange, None, "{requests:?}");
    server.interrupt();
}

/// Everything that the page says about a program.
fn all_that_is_said(server: &Server, source: &str, property: &str) -> String {
    let request = json!({"source": source, "property": property, "engine": "explore"});
    let answer = server.post(&request);
    let Some(check) = answer.json()["check"].as_u64() else {
        return answer.body;
    };
    let (said, done) = server.events(check);
    let report = server
        .get(&format!("/checks/{check}/report/{property}"))
        .body;
    format!("{said:?}{done}{report}")
}

/// Whatever a program names, no file of this machine is quoted.
#[test]
fn no_file_is_quoted() {
    let folder = common::Folder::new();
    let secret = "the words of the secret file\n".repeat(40);
    folder.write("secret", &secret);
    let path = folder.path().join("secret").display().to_string();
    let server = Server::start(&[]);
    // An error in the text, a violation in a function, and a race: each of them quotes lines.
    let wrong = "int x[0.5];\nint main(void) { return 1 +; }\n";
    let unsafe_ = "extern void reach_error(void);\nint main(void)\n{\n reach_error();\n}\n";
    let ways = [
        format!("#define F \"{path}\"\n# 2 F\n"),
        format!("#define F \"{path}\"\n#2 F\n"),
        format!("#define F \"{path}\"\n#line 2 F\n"),
        format!("# 2 \"{path}\"\n"),
        format!("#line 2 \"{path}\"\n"),
        format!("%:line 2 \"{path}\"\n"),
        // No directives: the preprocessor prints what looks like a line marker.
        format!("#define H #\nH 2 \"{path}\"\n"),
        format!("#define H(x) x\nH(#) 2 \"{path}\"\n"),
        format!("const char *s = R\"x(\n# 2 \"{path}\"\n)x\";\n"),
        format!("#include \"{path}\"\n"),
        format!("#include <{path}>\n"),
        format!("#include_next <{path}>\n"),
        format!("#define F <{path}>\n#include F\n"),
        format!("#embed \"{path}\"\n"),
        format!("__asm__(\".incbin \\\"{path}\\\"\");\n"),
        format!("_Pragma(\"GCC dependency \\\"{path}\\\" x\")\n"),
    ];
    for way in &ways {
        for program in [wrong, unsafe_] {
            let said = all_that_is_said(&server, &format!("{way}{program}"), "reach");
            assert!(!said.contains("words of the secret"), "{way}: {said}");
        }
    }
    // The control: the page does quote what was submitted.
    let said = all_that_is_said(&server, unsafe_, "reach");
    assert!(said.contains(" reach_error();"), "{said}");
    server.interrupt();
}

/// Whether a file exists is not told either.
#[test]
fn nobody_learns_which_files_exist() {
    let server = Server::start(&[]);
    for way in [
        "#if __has_include(\"FILE\")\n#error yes\n#endif\n",
        "#pragma GCC dependency \"FILE\"\n",
    ] {
        let said = |file: &str| {
            let text = way.replace("FILE", file) + "int main(void) { }\n";
            all_that_is_said(&server, &text, "reach")
        };
        assert_eq!(said("/etc/passwd"), said("/etc/nothing"), "{way}");
    }
}

/// Names in a program cannot leave the page that shows them.
#[test]
fn names_are_no_markup() {
    let server = Server::start(&[]);
    let evil = "</script><script>alert(1)</script><img src=x onerror=alert(2)>";
    let text = format!(
        "#define H #\nextern void reach_error(void);\nint main(void)\n{{\nH 7 \"{evil}\"\n reach_error();\n}}\n"
    );
    let check = server.check(&text, "reach", "explore");
    let (_, done) = server.events(check);
    let report = server.get(&format!("/checks/{check}/report/reach"));
    if done["has_report"] == true {
        assert_eq!(
            report.body.matches("</script>").count(),
            2,
            "{}",
            report.body
        );
        assert!(!report.body.contains("<img src=x"));
    }
    let plain =
        "int main(void) { int x[1]; \"</script><script>alert(1)</script>\"; __builtin_trap(1; }";
    let said = all_that_is_said(&server, plain, "reach");
    assert!(!said.contains("\n<script>alert(1)"), "{said}");
}

/// Text that becomes enormous, or takes for ever, ends at the limits.
#[test]
fn bombs_do_not_go_off() {
    let server = Server::start(&["--timeout", "3", "--memory", "256"]);
    let mut doubling = String::from("#define A0 1+1+1+1+1+1+1+1+1+1\n");
    for n in 1..=30 {
        doubling += &format!("#define A{n} A{} + A{}\n", n - 1, n - 1);
    }
    let mut sums = doubling.clone();
    doubling += "int main(void) { return A30; }\n";
    sums += "#if A30\n#endif\nint main(void) { return 0; }\n";
    let deep = format!(
        "int main(void) {{ return {}1{}; }}",
        "(".repeat(50_000),
        ")".repeat(50_000)
    );
    for text in [doubling, sums, deep] {
        let begun = Instant::now();
        let check = server.check(&text, "reach", "auto");
        let (_, done) = server.events(check);
        assert_ne!(done["verdict"], "unsafe", "{done}");
        assert!(begun.elapsed() < Duration::from_secs(40), "{done}");
    }
    server.interrupt();
}

/// A program is examined and never run, and a request can ask for nothing but a check.
#[test]
fn nothing_is_run_and_nothing_else_is_asked_for() {
    let folder = common::Folder::new();
    let trace = folder.path().join("it-was-run");
    let server = Server::start(&[]);
    let text = format!(
        "#include <stdio.h>\n#include <stdlib.h>\nextern void reach_error(void);\n\
         __attribute__((constructor)) static void before(void) {{ fclose(fopen(\"{0}\", \"w\")); }}\n\
         int main(void) {{ system(\"touch {0}\"); reach_error(); return 0; }}\n",
        trace.display()
    );
    all_that_is_said(&server, &text, "reach");
    assert!(!trace.exists());
    let fine = json!({"source": "int main(void) { }", "property": "reach", "engine": "auto"});
    for (name, value) in [
        ("entry", json!("other")),
        ("define", json!(["X"])),
        ("native", json!(true)),
        ("args", json!(["--evidence", "/tmp/x"])),
        ("files", json!(["/etc/passwd"])),
    ] {
        let mut request = fine.clone();
        request[name] = value;
        assert_eq!(server.post(&request).status, 422, "{name}");
    }
    for (property, engine) in [
        ("/etc/passwd", "auto"),
        ("--html=/tmp/x", "auto"),
        ("reach", "bmc --dump /tmp/x"),
        ("reach\n", "auto"),
    ] {
        let request =
            json!({"source": "int main(void) { }", "property": property, "engine": engine});
        assert_eq!(server.post(&request).status, 422, "{property} {engine}");
    }
    for path in [
        "/../../../../etc/passwd",
        "/checks/../../../etc/passwd",
        "/checks/%2e%2e%2f%2e%2e%2fetc%2fpasswd/report",
        "/checks/1/../../etc/passwd",
        "/checks/-1/report",
        "/checks/1/report/..%2f..%2fprogram.c",
        "//etc/passwd",
        "/checks/1/program.c",
    ] {
        let answer = server.get(path);
        assert!(
            matches!(answer.status, 400 | 404),
            "{path}: {}",
            answer.status
        );
        assert!(!answer.body.contains("root:"), "{path}");
    }
}

/// The same on the command line.
#[test]
fn a_strangers_program_on_the_command_line() {
    let folder = common::Folder::new();
    folder.write("secret.h", "int the_secret;\n");
    folder.write(
        "a.c",
        "#include \"secret.h\"\nint main(void) { return 0; }\n",
    );
    folder.mazurka(&["check", "a.c"]).exits(0);
    let ran = folder.mazurka(&["check", "--untrusted", "a.c"]).exits(65);
    ran.complains(&["a.c:1: #include \"secret.h\""]);
    folder.write("b.c", "#include <stdlib.h>\nint main(void) { return 0; }\n");
    folder.mazurka(&["check", "--untrusted", "b.c"]).exits(0);
    let model = ["check", "--untrusted", "--data-model", "ilp32", "b.c"];
    folder.mazurka(&model).exits(0);
}
