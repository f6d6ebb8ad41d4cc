//! Calls on the machine itself.

use super::Call;
use super::values::with_values;
use generator::Rng;
use std::process::{Command, Stdio};

/// What calls may use, natively and in the model.
pub(super) const PRELUDE: &str = r#"
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <getopt.h>
#include <inttypes.h>
#include <math.h>
#include <netdb.h>
#include <poll.h>
#include <pthread.h>
#include <sched.h>
#include <semaphore.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <linux/futex.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/random.h>
#include <sys/select.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/sysinfo.h>
#include <sys/time.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <threads.h>
#include <time.h>
#include <unistd.h>
#include <wchar.h>
static long long digest(const void *from, unsigned long size)
{
    unsigned long long sum = 7;
    for (unsigned long at = 0; at < size; at++) sum = sum * 31 + ((const unsigned char *)from)[at];
    return (long long)sum;
}
static int format_into(char *to, unsigned long size, const char *format, ...)
{
    va_list list;
    va_start(list, format);
    int length = vsnprintf(to, size, format, list);
    va_end(list);
    return length;
}
static int format_text(char *to, const char *format, ...)
{
    va_list list, again;
    va_start(list, format);
    va_copy(again, list);
    int length = vsprintf(to, format, again);
    va_end(again);
    va_end(list);
    return length;
}
static int by_number(const void *a, const void *b)
{
    int x = *(const int *)a, y = *(const int *)b;
    return (x > y) - (x < y);
}
static void at_end(void) {}
static volatile int signals;
static void count_signal(int number) { signals = signals * 10 + (number == SIGUSR1 ? 1 : 2); }
static void raise_again(int number)
{
    signals = signals + 1;
    if (signals < 3) raise(number);
    signals = signals * 10;
}
static int by_data(const void *a, const void *b, void *data)
{
    return *(int *)data * by_number(a, b);
}
static long long bits(double number)
{
    union { double number; long long bits; } both = { .number = number };
    return both.bits;
}
"#;

/// A call with its arguments and what it gave.
#[derive(Clone, Debug)]
pub struct Case {
    /// The code.
    pub code: String,
    /// What is examined.
    pub sees: Vec<String>,
    /// The values, natively.
    pub values: Vec<i64>,
}

/// Runs each call this often; the error is about the compiler.
pub fn run(calls: &[Call], times: usize, seed: u64) -> Result<Vec<Vec<Case>>, String> {
    let mut rng = Rng::new(seed);
    let mut cases = Vec::new();
    for call in calls {
        let mut list: Vec<Case> = Vec::new();
        for _ in 0..times {
            let whole = [&[call.code], call.sees].concat().join("\u{1}");
            let whole = with_values(&whole, &mut rng);
            let mut parts = whole.split('\u{1}').map(str::to_owned);
            let code = parts.next().unwrap_or_default();
            let values = Vec::new();
            let case = Case {
                code,
                sees: parts.collect(),
                values,
            };
            if list.iter().all(|known| known.code != case.code) {
                list.push(case);
            }
        }
        cases.push(list);
    }
    let text = native_text(&cases);
    let mut values = values(&text)?.into_iter();
    for case in cases.iter_mut().flatten() {
        case.values = values.by_ref().take(case.sees.len()).collect();
    }
    Ok(cases)
}

fn native_text(cases: &[Vec<Case>]) -> String {
    let count: usize = cases.iter().flatten().map(|case| case.sees.len()).sum();
    let mut text = format!("{PRELUDE}\nstatic long long results[{count}];\n");
    let mut at = 0;
    let mut calls = String::new();
    for (number, case) in cases.iter().flatten().enumerate() {
        text += &format!("static void case{number}(void)\n{{\n    {}\n", case.code);
        for see in &case.sees {
            text += &format!("    results[{at}] = (long long)({see});\n");
            at += 1;
        }
        text += "}\n";
        calls += &format!("    case{number}();\n");
    }
    text + "int main(int argc, char **argv)\n{\n"
        + &calls
        + "    FILE *file = fopen(argv[1], \"w\");\n    fwrite(results, 1, sizeof results, file);\n    fclose(file);\n    return 0;\n}\n"
}

fn values(text: &str) -> Result<Vec<i64>, String> {
    let folder = tempfile::tempdir().map_err(|error| error.to_string())?;
    let [source, binary, results] =
        ["calls.c", "calls", "results"].map(|name| folder.path().join(name));
    std::fs::write(&source, text).map_err(|error| error.to_string())?;
    let mut gcc = Command::new("gcc");
    gcc.args(["-std=gnu11", "-w", "-O0", "-fno-builtin", "-pthread", "-o"]);
    let output = gcc.arg(&binary).arg(&source).arg("-lm").output();
    let output = output.map_err(|error| format!("cannot run gcc: {error}"))?;
    if !output.status.success() {
        return Err(String::from_utf8_lossy(&output.stderr).into_owned());
    }
    let mut native = Command::new(&binary);
    native
        .arg(&results)
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null());
    let status = native.status().map_err(|error| error.to_string())?;
    if !status.success() {
        return Err(format!("the calls end with {status}"));
    }
    let bytes = std::fs::read(&results).map_err(|error| error.to_string())?;
    let (values, _) = bytes.as_chunks::<8>();
    Ok(values
        .iter()
        .map(|bytes| i64::from_le_bytes(*bytes))
        .collect())
}
