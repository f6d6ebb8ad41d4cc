//! `mazurka lsp`, driven as an editor drives it.

mod common;

use common::{Folder, LOST_UPDATE};
use serde_json::{Value, json};
use std::io::{BufRead, BufReader, Read, Write};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

/// The other end of the wire.
struct Editor {
    child: Child,
    input: ChildStdin,
    output: BufReader<ChildStdout>,
    /// The number of the last request.
    last: u64,
}

impl Editor {
    fn start(settings: Value) -> Editor {
        let mut child = Command::new(assert_cmd::cargo::cargo_bin("mazurka"))
            .arg("lsp")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .expect("the server");
        let input = child.stdin.take().expect("its input");
        let output = BufReader::new(child.stdout.take().expect("its output"));
        let mut editor = Editor {
            child,
            input,
            output,
            last: 0,
        };
        let initialize = json!({ "processId": null, "rootUri": null, "capabilities": {}, "initializationOptions": settings });
        let server = editor.ask("initialize", initialize);
        assert_eq!(server["serverInfo"]["name"], "mazurka");
        assert_eq!(
            server["capabilities"]["textDocumentSync"]["openClose"],
            true
        );
        editor.tell("initialized", json!({}));
        editor
    }

    fn send(&mut self, message: &Value) {
        let text = message.to_string();
        write!(self.input, "Content-Length: {}\r\n\r\n{text}", text.len()).expect("it listens");
        self.input.flush().expect("it listens");
    }

    fn tell(&mut self, method: &str, params: Value) {
        self.send(&json!({ "jsonrpc": "2.0", "method": method, "params": params }));
    }

    /// The answer to a request; what comes before it is skipped.
    fn ask_whole(&mut self, method: &str, params: Value) -> Value {
        self.last += 1;
        let id = self.last;
        self.send(&json!({ "jsonrpc": "2.0", "id": id, "method": method, "params": params }));
        loop {
            let message = self.receive();
            if message["id"] == id {
                return message;
            }
        }
    }

    fn ask(&mut self, method: &str, params: Value) -> Value {
        let answer = self.ask_whole(method, params);
        assert!(answer.get("error").is_none(), "{answer}");
        answer["result"].clone()
    }

    fn receive(&mut self) -> Value {
        let mut length = 0;
        loop {
            let mut line = String::new();
            assert!(
                self.output.read_line(&mut line).expect("text") > 0,
                "the server has gone"
            );
            match line.trim_end().split_once(": ") {
                Some((_, number)) => length = number.parse().expect("a length"),
                None => break,
            }
        }
        let mut bytes = vec![0; length];
        self.output.read_exact(&mut bytes).expect("the message");
        serde_json::from_slice(&bytes).expect("JSON")
    }

    /// The next diagnostics of a file.
    fn diagnostics(&mut self, uri: &str) -> Vec<Value> {
        loop {
            let message = self.receive();
            let params = &message["params"];
            if message["method"] == "textDocument/publishDiagnostics" && params["uri"] == uri {
                return params["diagnostics"].as_array().expect("a list").clone();
            }
        }
    }

    fn open(&mut self, uri: &str, text: &str) {
        let document = json!({ "uri": uri, "languageId": "c", "version": 1, "text": text });
        self.tell("textDocument/didOpen", json!({ "textDocument": document }));
    }

    fn change(&mut self, uri: &str, text: &str) {
        let document = json!({ "uri": uri, "version": 2 });
        let changes = json!([{ "text": text }]);
        self.tell(
            "textDocument/didChange",
            json!({ "textDocument": document, "contentChanges": changes }),
        );
    }

    fn save(&mut self, uri: &str) {
        self.tell(
            "textDocument/didSave",
            json!({ "textDocument": { "uri": uri } }),
        );
    }

    fn end(mut self) {
        assert_eq!(self.ask("shutdown", Value::Null), Value::Null);
        self.tell("exit", Value::Null);
        assert!(self.child.wait().expect("it ends").success());
    }
}

fn uri(folder: &Folder, name: &str) -> String {
    format!("file://{}", folder.path().join(name).display())
}

#[test]
fn a_program_is_checked_when_it_is_opened_and_saved() {
    let folder = Folder::new();
    let uri = uri(&folder, "lost.c");
    let mut editor = Editor::start(json!({ "property": "reach,race", "timeout": "20s" }));
    editor.open(&uri, LOST_UPDATE);
    let found = editor.diagnostics(&uri);
    let of = |property: &str| {
        let found = found.iter().find(|it| it["code"] == property);
        found
            .unwrap_or_else(|| panic!("{property}: {found:?}"))
            .clone()
    };
    let failing = of("reach");
    assert_eq!(
        failing["message"].as_str().expect("text").lines().next(),
        Some("assertion `counter == 2` fails at lost.c:17 (counter = 1)")
    );
    assert_eq!(failing["severity"], 1);
    assert_eq!(
        failing["range"]["start"],
        json!({ "line": 16, "character": 4 })
    );
    let steps = failing["relatedInformation"]
        .as_array()
        .expect("the schedule");
    let reads = |step: &Value| {
        step["message"]
            .as_str()
            .is_some_and(|it| it.contains("reads counter = 0"))
    };
    assert_eq!(
        steps.iter().filter(|step| reads(step)).count(),
        2,
        "{steps:#?}"
    );
    assert!(
        steps
            .iter()
            .all(|step| step["location"]["uri"] == uri.as_str())
    );
    let race = of("race");
    let accesses = &race["relatedInformation"].as_array().expect("the accesses")[..2];
    for access in accesses {
        let line = access["location"]["range"]["start"]["line"].as_u64();
        assert!(line.is_some_and(|line| (5..=6).contains(&line)), "{access}");
    }

    // The page of the schedule, on demand.
    let data = &failing["data"];
    let arguments = json!([uri, data["entry"], data["property"], data["number"]]);
    let page = editor.ask(
        "workspace/executeCommand",
        json!({ "command": "mazurka.schedule", "arguments": arguments }),
    );
    assert!(
        page["html"]
            .as_str()
            .is_some_and(|page| page.contains("counter"))
    );

    // A text that is mended has no findings, though it is not on the disk.
    let mended = LOST_UPDATE.replace(
        "int seen = counter;\n    counter = seen + 1;",
        "__sync_fetch_and_add(&counter, 1);",
    );
    editor.change(&uri, &mended);
    editor.save(&uri);
    assert_eq!(editor.diagnostics(&uri), Vec::<Value>::new());
    // A text that does not compile says where.
    editor.change(&uri, &mended.replace("return 0;", "return 0 +;"));
    editor.save(&uri);
    let wrong = editor.diagnostics(&uri);
    assert_eq!(wrong[0]["range"]["start"]["line"], 6, "{wrong:?}");
    editor.tell(
        "textDocument/didClose",
        json!({ "textDocument": { "uri": uri } }),
    );
    assert_eq!(editor.diagnostics(&uri), Vec::<Value>::new());
    editor.end();
}

#[test]
fn a_function_is_checked_alone() {
    let folder = Folder::new();
    folder.write("limit.h", "#define LIMIT 100\n");
    let uri = uri(&folder, "clamp.c");
    let text = "#include <assert.h>\n#include \"limit.h\"\n\nint clamp(int value)\n{\n    if (value > LIMIT)\n        value = LIMIT;\n    \
                assert(value < LIMIT);\n    return value;\n}\n";
    let mut editor = Editor::start(json!({}));
    editor.open(&uri, text);
    let document = json!({ "textDocument": { "uri": uri } });
    let lenses = editor.ask("textDocument/codeLens", document.clone());
    let lens = &lenses[0];
    assert_eq!(lens["command"]["title"], "Check this function");
    assert_eq!(lens["range"]["start"], json!({ "line": 3, "character": 4 }));
    let command =
        json!({ "command": lens["command"]["command"], "arguments": lens["command"]["arguments"] });
    editor.ask("workspace/executeCommand", command.clone());
    let found = editor.diagnostics(&uri);
    assert_eq!(found.len(), 1, "{found:?}");
    assert_eq!(found[0]["range"]["start"]["line"], 7);

    let safe = text.replace("value < LIMIT", "value <= LIMIT");
    editor.change(&uri, &safe);
    editor.ask("workspace/executeCommand", command);
    assert_eq!(editor.diagnostics(&uri), Vec::<Value>::new());

    // What cannot be done is said.
    for command in [
        json!({ "command": "mazurka.check", "arguments": ["file:///other.c", "f"] }),
        json!({ "command": "rm" }),
    ] {
        let answer = editor.ask_whole("workspace/executeCommand", command);
        assert!(answer["error"]["message"].is_string(), "{answer}");
    }
    let answer = editor.ask_whole("textDocument/hover", document);
    assert_eq!(answer["error"]["code"], -32601);
    editor.end();
}
