//! The loop of the server: messages in, checks, messages out.

use crate::check::{Outcome, Request};
use crate::diagnostics::Told;
use crate::document::Document;
use crate::lens;
use crate::settings::Settings;
use crate::wire;
use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet};
use std::io::{self, BufRead, Write};
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Sender, channel};

/// How the server works.
#[derive(Clone, Debug)]
pub struct Config {
    /// The program that checks: `mazurka` itself.
    pub checker: PathBuf,
    /// Its version.
    pub version: String,
}

/// The protocol's numbers of errors.
const UNKNOWN_METHOD: i32 = -32601;
const FAILED: i32 = -32803;

/// What the loop waits for.
enum Event {
    /// The editor has sent this.
    Message(Value),
    /// The editor has gone.
    Closed,
    /// A check has ended.
    Checked(Box<Request>, u64, Outcome),
    /// This is to be sent.
    Answer(Value),
}

/// Serves an editor until it says `exit` or goes away.
pub fn run(
    config: Config,
    mut input: impl BufRead + Send + 'static,
    output: &mut impl Write,
) -> io::Result<()> {
    let (sender, events) = channel();
    let reader = sender.clone();
    std::thread::spawn(move || {
        while let Ok(Some(message)) = wire::read(&mut input) {
            if reader.send(Event::Message(message)).is_err() {
                return;
            }
        }
        let _ = reader.send(Event::Closed);
    });
    let mut server = Server {
        config,
        sender,
        output,
        documents: BTreeMap::new(),
        running: BTreeMap::new(),
        shown: BTreeMap::new(),
        settings: Settings::default(),
        last: 0,
    };
    for event in events {
        match event {
            Event::Closed => break,
            Event::Message(message) if message["method"] == "exit" => break,
            Event::Message(message) => server.handle(&message)?,
            Event::Checked(request, number, outcome) => server.tell(&request, number, &outcome)?,
            Event::Answer(message) => wire::write(server.output, &message)?,
        }
    }
    server.stop_all();
    Ok(())
}

/// A check that runs.
struct Running {
    number: u64,
    stop: Arc<AtomicBool>,
}

struct Server<'o, W> {
    config: Config,
    sender: Sender<Event>,
    output: &'o mut W,
    documents: BTreeMap<String, Document>,
    /// By file: the check of it that is under way.
    running: BTreeMap<String, Running>,
    /// By file that was checked: the files that show diagnostics of it.
    shown: BTreeMap<String, BTreeSet<String>>,
    settings: Settings,
    /// The number of the last check.
    last: u64,
}

impl<W: Write> Server<'_, W> {
    fn handle(&mut self, message: &Value) -> io::Result<()> {
        let (method, params) = (message["method"].as_str(), &message["params"]);
        let Some(method) = method else {
            // The answer to a request of ours: there are none.
            return Ok(());
        };
        match message.get("id") {
            Some(id) => self.request(id, method, params),
            None => self.notification(method, params),
        }
    }

    fn request(&mut self, id: &Value, method: &str, params: &Value) -> io::Result<()> {
        let result = match method {
            "initialize" => {
                self.configure(&params["initializationOptions"]);
                self.capabilities()
            }
            "shutdown" => {
                self.stop_all();
                Value::Null
            }
            "textDocument/codeLens" => {
                let document = self.documents.get(uri(params));
                document.map_or(Value::Null, |document| json!(lens::lenses(document)))
            }
            "workspace/executeCommand" => return self.command(id, params),
            _ => {
                let what = format!("`{method}` is not supported");
                return self.refuse(id, UNKNOWN_METHOD, &what);
            }
        };
        self.answer(id, &result)
    }

    fn capabilities(&self) -> Value {
        json!({
            "capabilities": {
                "textDocumentSync": { "openClose": true, "change": 1, "save": true },
                "codeLensProvider": { "resolveProvider": false },
                "executeCommandProvider": { "commands": ["mazurka.check", "mazurka.schedule"] },
            },
            "serverInfo": { "name": "mazurka", "version": self.config.version },
        })
    }

    fn notification(&mut self, method: &str, params: &Value) -> io::Result<()> {
        let text_of = |value: &Value| value["text"].as_str().map(str::to_owned);
        let uri = uri(params).to_owned();
        match method {
            "textDocument/didOpen" => {
                let text = text_of(&params["textDocument"]).unwrap_or_default();
                self.documents.insert(
                    uri.clone(),
                    Document {
                        uri: uri.clone(),
                        text,
                    },
                );
                self.check_program(&uri)
            }
            "textDocument/didChange" => {
                self.stop(&uri);
                let changes = params["contentChanges"].as_array();
                let last = changes.and_then(|changes| changes.last());
                if let (Some(document), Some(text)) =
                    (self.documents.get_mut(&uri), last.and_then(text_of))
                {
                    document.text = text;
                }
                Ok(())
            }
            "textDocument/didSave" => self.check_program(&uri),
            "textDocument/didClose" => {
                self.stop(&uri);
                self.documents.remove(&uri);
                self.show(&uri, BTreeMap::new())
            }
            "workspace/didChangeConfiguration" => {
                self.configure(&params["settings"]);
                Ok(())
            }
            _ => Ok(()),
        }
    }

    fn configure(&mut self, given: &Value) {
        if let Some(settings) = Settings::read(given) {
            self.settings = settings;
        }
    }

    /// Checks a file by itself, if it is a program.
    fn check_program(&mut self, uri: &str) -> io::Result<()> {
        let document = self.documents.get(uri);
        let is_program = document.is_some_and(|document| {
            let functions = lens::functions(&document.text);
            functions.iter().any(|function| function.name == "main")
        });
        match is_program && self.settings.check_on_save {
            true => self.start(uri, "main"),
            false => Ok(()),
        }
    }

    fn start(&mut self, uri: &str, entry: &str) -> io::Result<()> {
        self.stop(uri);
        let Some(request) = self.request_for(uri, entry) else {
            return Ok(());
        };
        self.last += 1;
        let (number, stop) = (self.last, Arc::new(AtomicBool::new(false)));
        let running = Running {
            number,
            stop: stop.clone(),
        };
        self.running.insert(uri.to_owned(), running);
        let (checker, sender) = (self.config.checker.clone(), self.sender.clone());
        std::thread::spawn(move || {
            let outcome = request.run(&checker, &stop);
            let _ = sender.send(Event::Checked(Box::new(request), number, outcome));
        });
        Ok(())
    }

    fn request_for(&self, uri: &str, entry: &str) -> Option<Request> {
        let document = self.documents.get(uri)?.clone();
        Some(Request {
            document,
            entry: entry.to_owned(),
            settings: self.settings.clone(),
        })
    }

    fn stop(&mut self, uri: &str) {
        if let Some(running) = self.running.remove(uri) {
            running.stop.store(true, Ordering::Relaxed);
        }
    }

    fn stop_all(&mut self) {
        for running in std::mem::take(&mut self.running).into_values() {
            running.stop.store(true, Ordering::Relaxed);
        }
    }

    /// Shows what a check has found, unless it is about a text that has changed.
    fn tell(&mut self, request: &Request, number: u64, outcome: &Outcome) -> io::Result<()> {
        let uri = &request.document.uri;
        if self
            .running
            .get(uri)
            .is_none_or(|running| running.number != number)
        {
            return Ok(());
        }
        self.running.remove(uri);
        let functions = lens::functions(&request.document.text);
        let entry = functions.into_iter().find(|it| it.name == request.entry);
        let told = Told {
            document: &request.document,
            entry: &request.entry,
            entry_range: entry.map_or_else(
                || request.document.range(1, None),
                |it| request.document.range_of(it.at, it.at + it.name.len()),
            ),
            outcome,
        };
        let (by_file, summary) = (told.diagnostics(), told.summary());
        self.show(uri, by_file)?;
        let message = json!({ "type": 3, "message": summary });
        self.notify("window/logMessage", &message)
    }

    /// Publishes the diagnostics of one check, and withdraws those of the one before it.
    fn show(&mut self, uri: &str, by_file: BTreeMap<String, Vec<Value>>) -> io::Result<()> {
        let now: BTreeSet<String> = by_file.keys().cloned().collect();
        let before = self.shown.insert(uri.to_owned(), now.clone());
        for gone in before.unwrap_or_default().difference(&now) {
            self.publish(gone, &[])?;
        }
        by_file
            .iter()
            .try_for_each(|(file, list)| self.publish(file, list))
    }

    fn publish(&mut self, uri: &str, list: &[Value]) -> io::Result<()> {
        let params = json!({ "uri": uri, "diagnostics": list });
        self.notify("textDocument/publishDiagnostics", &params)
    }

    fn command(&mut self, id: &Value, params: &Value) -> io::Result<()> {
        let arguments = &params["arguments"];
        let text = |at: usize| arguments[at].as_str().unwrap_or_default().to_owned();
        let (uri, entry) = (text(0), text(1));
        match params["command"].as_str() {
            Some("mazurka.check") if self.documents.contains_key(&uri) => {
                self.start(&uri, &entry)?;
                self.answer(id, &Value::Null)
            }
            Some("mazurka.schedule") if self.documents.contains_key(&uri) => {
                let (property, number) = (text(2), arguments[3].as_u64().unwrap_or(1) as usize);
                self.send_page(id, &uri, &entry, property, number);
                Ok(())
            }
            Some("mazurka.check" | "mazurka.schedule") => {
                self.refuse(id, FAILED, "the file is not open")
            }
            _ => self.refuse(id, FAILED, "there is no such command"),
        }
    }

    /// Answers with the page of a schedule, when it is made.
    fn send_page(&self, id: &Value, uri: &str, entry: &str, property: String, number: usize) {
        let Some(request) = self.request_for(uri, entry) else {
            return;
        };
        let (checker, sender, id) = (self.config.checker.clone(), self.sender.clone(), id.clone());
        std::thread::spawn(move || {
            let answer = match request.page(&checker, &property, number) {
                Ok(page) => answer(&id, &json!({ "html": page })),
                Err(what) => refusal(&id, FAILED, &what),
            };
            let _ = sender.send(Event::Answer(answer));
        });
    }

    fn answer(&mut self, id: &Value, result: &Value) -> io::Result<()> {
        wire::write(self.output, &answer(id, result))
    }

    fn refuse(&mut self, id: &Value, code: i32, what: &str) -> io::Result<()> {
        wire::write(self.output, &refusal(id, code, what))
    }

    fn notify(&mut self, method: &str, params: &Value) -> io::Result<()> {
        let message = json!({ "jsonrpc": "2.0", "method": method, "params": params });
        wire::write(self.output, &message)
    }
}

fn uri(params: &Value) -> &str {
    params["textDocument"]["uri"].as_str().unwrap_or_default()
}

fn answer(id: &Value, result: &Value) -> Value {
    json!({ "jsonrpc": "2.0", "id": id, "result": result })
}

fn refusal(id: &Value, code: i32, what: &str) -> Value {
    json!({ "jsonrpc": "2.0", "id": id, "error": { "code": code, "message": what } })
}
