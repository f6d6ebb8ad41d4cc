//! What is known about the machine that measures.

use std::fs::read_to_string;

/// Its processor, how many of its cores may be used, and how busy it is at this moment.
pub fn machine() -> String {
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let info = read_to_string("/proc/cpuinfo").unwrap_or_default();
    let model = info.lines().find_map(|line| {
        let (name, value) = line.split_once(':')?;
        (name.trim() == "model name").then(|| value.trim().to_owned())
    });
    let model = model.unwrap_or_else(|| std::env::consts::ARCH.to_owned());
    let load = read_to_string("/proc/loadavg").unwrap_or_default();
    let load = load.split(' ').next().filter(|load| !load.is_empty());
    let load = load.map_or(String::new(), |load| format!(", load {load} at the start"));
    format!("{cores} cores of {model}{load}")
}
