//! `mazurka watch`: every save is checked, whatever way it is saved and whatever is in it.

mod common;

use common::processes::{children, interrupt, is_alive};
use common::{ENDLESS, Folder, LOST_UPDATE};
use std::io::{BufRead, BufReader, Read};
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::time::{Duration, Instant};

/// A watch under way, with everything that it prints.
struct Watch {
    child: Child,
    lines: Receiver<String>,
}

impl Watch {
    fn start(folder: &Folder, args: &[&str]) -> Watch {
        let mut child = Command::new(env!("CARGO_BIN_EXE_mazurka"))
            .current_dir(folder.path())
            .arg("watch")
            .args(args)
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let (sender, lines) = channel();
        let streams: [Box<dyn std::io::Read + Send>; 2] = [
            Box::new(child.stdout.take().unwrap()),
            Box::new(child.stderr.take().unwrap()),
        ];
        for stream in streams {
            let sender = sender.clone();
            std::thread::spawn(move || {
                let lines = BufReader::new(stream).lines().map_while(Result::ok);
                lines.for_each(|line| drop(sender.send(line)));
            });
        }
        Watch { child, lines }
    }

    /// Waits for a line that starts with a text, and for the check to be over.
    #[track_caller]
    fn expect(&self, start: &str) {
        self.read_to(start);
        self.read_to("watching ");
    }

    #[track_caller]
    fn read_to(&self, start: &str) {
        let mut seen = Vec::new();
        let begun = Instant::now();
        while begun.elapsed() < Duration::from_secs(60) {
            let Ok(line) = self.lines.recv_timeout(Duration::from_secs(60)) else {
                break;
            };
            if line.starts_with(start) {
                return;
            }
            seen.push(line);
        }
        panic!("no `{start}` in {seen:#?}");
    }

    fn wait_for_a_child(&self) -> u32 {
        for _ in 0..500 {
            if let Some(child) = children(self.child.id()).pop() {
                return child;
            }
            std::thread::sleep(Duration::from_millis(10));
        }
        panic!("no check is running");
    }

    /// Presses Ctrl-C.
    fn interrupt(mut self) {
        interrupt(&mut self.child);
    }
}

impl Drop for Watch {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

#[test]
fn every_save_is_checked() {
    let folder = Folder::new();
    folder.write("a.c", LOST_UPDATE);
    folder.write("unrelated.c", "");
    let watch = Watch::start(&folder, &["--engine", "explore", "a.c"]);
    watch.expect("UNSAFE  reach: ");
    let fixed = LOST_UPDATE.replace("counter == 2", "counter >= 1");
    folder.write("a.c", &fixed);
    watch.expect("SAFE  reach: ");
    // What cannot be read is no reason to stop watching.
    folder.write("a.c", "int main(void) { return }\n");
    watch.expect("error");
    // Many editors put another file in the place of the old one.
    let other = folder.write("a.c.new", LOST_UPDATE);
    std::fs::rename(other, folder.path().join("a.c")).unwrap();
    watch.expect("UNSAFE  reach: ");
    std::fs::remove_file(folder.path().join("a.c")).unwrap();
    watch.expect("error: cannot read a.c");
    folder.write("a.c", &fixed);
    watch.expect("SAFE  reach: ");
    // Reading is not writing, and other files are not this one.
    folder.write("unrelated.c", "int x;\n");
    folder.read("a.c");
    std::thread::sleep(Duration::from_millis(600));
    assert_eq!(
        watch.lines.try_iter().collect::<Vec<_>>(),
        Vec::<String>::new()
    );
    watch.interrupt();
}

#[test]
fn headers_count_too() {
    let folder = Folder::new();
    folder.write("limit.h", "#define LIMIT 2\n");
    let program = LOST_UPDATE.replace("counter == 2", "counter == LIMIT");
    folder.write("a.c", &format!("#include \"limit.h\"\n{program}"));
    let watch = Watch::start(&folder, &["--engine", "explore", "--format", "json", "a.c"]);
    watch.expect("{\"verdict\":\"unsafe\"");
    folder.write("limit.h", "#define LIMIT counter\n");
    watch.expect("{\"verdict\":\"safe\"");
    watch.interrupt();
}

#[test]
fn a_change_ends_the_check_that_runs() {
    let folder = Folder::new();
    folder.write("a.c", ENDLESS);
    let watch = Watch::start(&folder, &["--engine", "explore", "a.c"]);
    let first = watch.wait_for_a_child();
    std::thread::sleep(Duration::from_millis(300));
    folder.write("a.c", LOST_UPDATE);
    watch.expect("UNSAFE  reach: ");
    assert!(!is_alive(first));
    // Nothing is left when the watch itself ends.
    folder.write("a.c", ENDLESS);
    let second = watch.wait_for_a_child();
    watch.interrupt();
    assert!(!is_alive(second));
}

#[test]
fn a_terminal_is_cleared_before_each_answer() {
    let folder = Folder::new();
    folder.write("a.c", LOST_UPDATE);
    let command = format!(
        "{} watch --engine explore a.c",
        env!("CARGO_BIN_EXE_mazurka")
    );
    // `script` gives its child a terminal.
    let mut child = Command::new("script")
        .args(["-qec", &command, "/dev/null"])
        .current_dir(folder.path())
        .env("TERM", "xterm-256color")
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut stdout = child.stdout.take().unwrap();
    let mut read_to = |end: &str| {
        let mut text = String::new();
        while !text.contains(end) {
            let mut bytes = [0; 4096];
            let count = stdout.read(&mut bytes).unwrap();
            assert!(count > 0, "no {end:?} in {text:?}");
            text += &String::from_utf8_lossy(&bytes[..count]);
        }
        text
    };
    let first = read_to("Ctrl-C ends");
    assert!(
        first.contains("UNSAFE") && !first.contains("\x1b[2J"),
        "{first:?}"
    );
    folder.write("a.c", &LOST_UPDATE.replace("counter == 2", "counter >= 1"));
    let second = read_to("Ctrl-C ends");
    let (_, answer) = second.split_once("\x1b[2J").unwrap();
    assert!(
        answer.contains("SAFE") && !answer.contains("UNSAFE"),
        "{second:?}"
    );
    // Without its terminal the watch ends too.
    child.kill().unwrap();
    child.wait().unwrap();
}

#[test]
fn what_cannot_be_watched_is_refused() {
    let folder = Folder::new();
    let ran = folder.mazurka(&["watch", "missing/a.c"]).exits(65);
    ran.complains(&["cannot watch missing/a.c"]);
    folder.mazurka(&["watch"]).exits(64);
}
