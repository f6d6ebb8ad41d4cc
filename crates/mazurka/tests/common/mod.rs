//! What the tests of the command line share: a folder of their own and the program under test.
#![allow(dead_code)]

pub mod browser;
pub mod processes;
pub mod schema;

use assert_cmd::Command;
use std::path::{Path, PathBuf};
use tempfile::TempDir;

/// Two threads increment a counter without a lock.
pub const LOST_UPDATE: &str = r#"#include <assert.h>
#include <pthread.h>
int counter;
void *worker(void *arg)
{
    int seen = counter;
    counter = seen + 1;
    return 0;
}
int main(void)
{
    pthread_t a, b;
    pthread_create(&a, 0, worker, 0);
    pthread_create(&b, 0, worker, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    assert(counter == 2);
    return 0;
}
"#;

/// A program that takes for ever to explore: three 64-bit counters, all their combinations.
pub const ENDLESS: &str = r#"#include <pthread.h>
unsigned long x, y, z;
void *count_x(void *arg) { for (;;) x++; }
void *count_y(void *arg) { for (;;) y++; }
int main(void)
{
    pthread_t a, b;
    pthread_create(&a, 0, count_x, 0);
    pthread_create(&b, 0, count_y, 0);
    for (;;) z++;
}
"#;

/// A folder that is removed at the end of the test.
pub struct Folder(TempDir);

impl Folder {
    /// An empty one.
    pub fn new() -> Folder {
        Folder(tempfile::tempdir().expect("a temporary folder"))
    }

    /// Where it is.
    pub fn path(&self) -> &Path {
        self.0.path()
    }

    /// Writes a file, and the folders that it is in.
    pub fn write(&self, name: &str, text: &str) -> PathBuf {
        let path = self.path().join(name);
        std::fs::create_dir_all(path.parent().expect("it is below the folder")).unwrap();
        std::fs::write(&path, text).unwrap();
        path
    }

    /// Reads a file.
    pub fn read(&self, name: &str) -> String {
        std::fs::read_to_string(self.path().join(name)).unwrap()
    }

    /// Runs `mazurka` in this folder.
    pub fn mazurka(&self, args: &[&str]) -> Ran {
        let mut command = Command::cargo_bin("mazurka").expect("the program under test");
        let output = command
            .current_dir(self.path())
            .args(args)
            .output()
            .unwrap();
        Ran {
            status: output.status.code(),
            stdout: String::from_utf8(output.stdout).unwrap(),
            stderr: String::from_utf8(output.stderr).unwrap(),
        }
    }
}

/// How a run of `mazurka` ended.
#[derive(Debug)]
pub struct Ran {
    pub status: Option<i32>,
    pub stdout: String,
    pub stderr: String,
}

impl Ran {
    /// Checks the exit status.
    #[track_caller]
    pub fn exits(self, status: i32) -> Ran {
        assert_eq!(self.status, Some(status), "{self:#?}");
        self
    }

    /// Checks that standard error has all of these, and that no verdict is printed.
    #[track_caller]
    pub fn complains(self, parts: &[&str]) {
        for part in parts {
            assert!(
                self.stderr.contains(part),
                "`{part}` is missing in {self:#?}"
            );
        }
        assert_eq!(self.stdout, "");
        assert!(!self.stderr.contains("panicked"), "{self:#?}");
    }

    /// Checks that standard output has all of these.
    #[track_caller]
    pub fn prints(self, parts: &[&str]) -> Ran {
        for part in parts {
            assert!(
                self.stdout.contains(part),
                "`{part}` is missing in {self:#?}"
            );
        }
        self
    }
}
