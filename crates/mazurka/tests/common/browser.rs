//! A headless Chromium that tests drive through chromedriver, over plain HTTP.

use base64::Engine;
use serde_json::{Value, json};
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};
use tempfile::TempDir;

/// Set where a missing browser is an error: in continuous integration.
const REQUIRED: &str = "MAZURKA_REQUIRE_BROWSER";

/// A window of a browser that has nothing open yet.
pub struct Browser {
    driver: Child,
    port: u16,
    session: String,
    _profile: TempDir,
}

/// The names of keys that are no letters, as WebDriver wants them.
pub mod key {
    pub const ESCAPE: &str = "\u{e00c}";
    pub const END: &str = "\u{e010}";
    pub const HOME: &str = "\u{e011}";
    pub const UP: &str = "\u{e013}";
    pub const DOWN: &str = "\u{e015}";
}

impl Browser {
    /// Opens a window, or says that there is no browser here and the test is left out.
    pub fn open(width: u32, height: u32) -> Option<Browser> {
        let Some((chromium, chromedriver)) = find() else {
            let missing =
                "there is no Chromium with its driver; scripts/install_browser.sh gets them";
            assert!(std::env::var_os(REQUIRED).is_none(), "{missing}");
            println!("left out: {missing}");
            return None;
        };
        let profile = tempfile::tempdir().unwrap();
        let mut driver = Command::new(chromedriver)
            .arg("--port=0")
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let port = port_of(&mut driver);
        let folder = format!("--user-data-dir={}", profile.path().display());
        let size = format!("--window-size={width},{height}");
        let args = [
            "--headless",
            "--no-sandbox",
            "--disable-gpu",
            "--disable-quic",
            "--no-first-run",
            "--disable-background-networking",
            "--disable-component-update",
            "--disable-sync",
            &folder,
            &size,
        ];
        let wanted = json!({"capabilities": {"alwaysMatch": {
            "goog:chromeOptions": {"binary": chromium, "args": args},
            "goog:loggingPrefs": {"browser": "ALL", "performance": "ALL"},
        }}});
        let mut browser = Browser {
            driver,
            port,
            session: String::new(),
            _profile: profile,
        };
        let opened = browser.call("/session", &wanted);
        browser.session = opened["sessionId"].as_str().unwrap().to_owned();
        Some(browser)
    }

    /// Opens a file.
    pub fn open_file(&self, path: &Path) {
        self.go(&format!("file://{}", path.display()));
    }

    /// Opens an address.
    pub fn go(&self, url: &str) {
        self.ask("/url", &json!({"url": url}));
    }

    /// The value of an expression of JavaScript.
    pub fn eval(&self, expression: &str) -> Value {
        let script = format!("return ({expression});");
        self.ask("/execute/sync", &json!({"script": script, "args": []}))
    }

    /// The text of the first element that a selector finds.
    pub fn text(&self, selector: &str) -> String {
        let text = self.eval(&format!(
            "document.querySelector({selector:?})?.textContent"
        ));
        text.as_str()
            .unwrap_or_else(|| panic!("no {selector}"))
            .to_owned()
    }

    /// Clicks on the first element that a selector finds, as a person would.
    pub fn click(&self, selector: &str) {
        let by = json!({"using": "css selector", "value": selector});
        let element = self.ask("/element", &by);
        let id = element
            .as_object()
            .and_then(|found| found.values().next()?.as_str());
        let id = id.unwrap_or_else(|| panic!("no {selector}: {element}"));
        self.ask(&format!("/element/{id}/click"), &json!({}));
    }

    /// Presses keys, one after the other.
    pub fn press(&self, keys: &[&str]) {
        let each = keys.iter().flat_map(|key| {
            [
                json!({"type": "keyDown", "value": key}),
                json!({"type": "keyUp", "value": key}),
            ]
        });
        let actions: Vec<Value> = each.collect();
        let actions = json!({"actions": [{"type": "key", "id": "keyboard", "actions": actions}]});
        self.ask("/actions", &actions);
    }

    /// Waits until an expression holds.
    #[track_caller]
    pub fn wait_for(&self, expression: &str) {
        let start = Instant::now();
        while self.eval(expression) != json!(true) {
            let page = || self.eval("document.body.innerText");
            assert!(
                start.elapsed() < Duration::from_secs(60),
                "never: {expression}\n{}",
                page()
            );
            std::thread::sleep(Duration::from_millis(50));
        }
    }

    /// What the page complained about.
    pub fn complaints(&self) -> Vec<String> {
        let log = self.ask("/se/log", &json!({"type": "browser"}));
        let entries = log.as_array().unwrap().iter();
        entries.map(|entry| entry["message"].to_string()).collect()
    }

    /// The addresses that were asked for, whatever for, but not by pages of the browser itself.
    pub fn requests(&self) -> Vec<String> {
        let log = self.ask("/se/log", &json!({"type": "performance"}));
        let entries = log.as_array().unwrap().iter();
        let messages = entries.filter_map(|entry| {
            let message: Value = serde_json::from_str(entry["message"].as_str()?).ok()?;
            let sent = message["message"]["method"] == "Network.requestWillBeSent";
            let url = message["message"]["params"]["request"]["url"].as_str()?;
            (sent && !url.starts_with("chrome")).then(|| url.to_owned())
        });
        messages.collect()
    }

    /// Makes what is inside the window this large.
    pub fn fit(&self, width: u64, height: u64) {
        let size = |name: &str| self.eval(name).as_u64().expect("a number of pixels");
        let wider = size("outerWidth") - size("innerWidth");
        let higher = size("outerHeight") - size("innerHeight");
        let rect = json!({"width": width + wider, "height": height + higher});
        self.ask("/window/rect", &rect);
    }

    /// What the window shows, as PNG.
    pub fn screenshot(&self) -> Vec<u8> {
        let path = format!("/session/{}/screenshot", self.session);
        let image = self.request("GET", &path, "");
        let text = image.as_str().expect("an image");
        let bytes = base64::engine::general_purpose::STANDARD.decode(text);
        bytes.expect("base64")
    }

    fn ask(&self, path: &str, body: &Value) -> Value {
        self.call(&format!("/session/{}{path}", self.session), body)
    }

    fn call(&self, path: &str, body: &Value) -> Value {
        self.request("POST", path, &body.to_string())
    }

    fn request(&self, method: &str, path: &str, body: &str) -> Value {
        let mut stream = TcpStream::connect(("127.0.0.1", self.port)).unwrap();
        stream
            .set_read_timeout(Some(Duration::from_secs(60)))
            .unwrap();
        let length = body.len();
        let head = format!(
            "{method} {path} HTTP/1.1\r\nHost: 127.0.0.1:{}\r\n",
            self.port
        );
        let rest = format!("Content-Length: {length}\r\nConnection: close\r\n\r\n{body}");
        stream.write_all((head + &rest).as_bytes()).unwrap();
        let body = body_of(stream);
        let answer: Value = serde_json::from_str(&body).unwrap_or_else(|e| panic!("{e}: {body}"));
        let value = answer["value"].clone();
        assert!(value["error"].is_null(), "{path}: {value:#}");
        value
    }
}

impl Drop for Browser {
    fn drop(&mut self) {
        // Asked to shut down, the driver ends its browser too.
        if let Ok(mut stream) = TcpStream::connect(("127.0.0.1", self.port)) {
            let _ = stream.write_all(b"GET /shutdown HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n");
            let _ = stream.read(&mut [0; 64]);
        }
        let start = Instant::now();
        while matches!(self.driver.try_wait(), Ok(None)) && start.elapsed().as_secs() < 5 {
            std::thread::sleep(Duration::from_millis(20));
        }
        let _ = self.driver.kill();
        let _ = self.driver.wait();
    }
}

/// The body of an answer. The driver keeps connections open, so its length counts, not its end.
fn body_of(stream: TcpStream) -> String {
    let mut reader = BufReader::new(stream);
    let mut length = 0;
    loop {
        let mut line = String::new();
        reader.read_line(&mut line).unwrap();
        let (name, value) = line.split_once(':').unwrap_or_default();
        if name.eq_ignore_ascii_case("content-length") {
            length = value.trim().parse().unwrap();
        }
        if line.trim().is_empty() {
            break;
        }
    }
    let mut body = vec![0; length];
    reader.read_exact(&mut body).unwrap();
    String::from_utf8(body).unwrap()
}

fn find() -> Option<(PathBuf, PathBuf)> {
    let in_path = |name: &str| {
        let path = std::env::var_os("PATH")?;
        let mut folders = std::env::split_paths(&path);
        folders.find_map(|folder| Some(folder.join(name)).filter(|file| file.is_file()))
    };
    Some((in_path("chromium")?, in_path("chromedriver")?))
}

/// The port that the driver chose; it says so when it listens.
fn port_of(driver: &mut Child) -> u16 {
    let stdout = driver.stdout.take().unwrap();
    let mut lines = BufReader::new(stdout).lines().map_while(Result::ok);
    let line = lines
        .find(|line| line.contains("started successfully on port"))
        .unwrap();
    // The output must be read on, or the driver could block.
    std::thread::spawn(move || lines.for_each(drop));
    let digits: String = line.chars().filter(char::is_ascii_digit).collect();
    digits.parse().unwrap()
}
