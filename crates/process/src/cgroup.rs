//! Control groups of the kernel (version 2): limits and figures of a child with everything that it
//! starts, also of what leaves its process group or outlives it.
//!
//! They need a group that this process may divide, with the memory controller: the root of a
//! container, or what `systemd-run --user --scope -p Delegate=yes` gives. Where there is none,
//! [`Cgroups::find`] says why.

use crate::sys;
use std::fs::{self, File, OpenOptions};
use std::io;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

/// The group of this process, below which every run gets one of its own.
#[derive(Debug)]
pub struct Cgroups {
    base: PathBuf,
    /// Where this process has moved to: a group with processes cannot limit the groups below it.
    refuge: Option<PathBuf>,
    next: AtomicU64,
}

impl Cgroups {
    /// Makes the group of this process ready, or says why it cannot be used.
    pub fn find() -> Result<Cgroups, String> {
        let mount = Path::new("/sys/fs/cgroup");
        if !mount.join("cgroup.controllers").exists() {
            return Err("there is no cgroup v2 at /sys/fs/cgroup".into());
        }
        let own = fs::read_to_string("/proc/self/cgroup").unwrap_or_default();
        let own = own.lines().find_map(|line| line.strip_prefix("0::/"));
        let own = own.ok_or("this process has no cgroup v2")?;
        Cgroups::below(&mount.join(own))
    }

    fn below(base: &Path) -> Result<Cgroups, String> {
        let has_memory = |file: &str| {
            let text = fs::read_to_string(base.join(file)).unwrap_or_default();
            text.split_whitespace().any(|name| name == "memory")
        };
        if !has_memory("cgroup.controllers") {
            return Err(format!("{} has no memory controller", base.display()));
        }
        let mut groups = Cgroups {
            base: base.to_owned(),
            refuge: None,
            next: AtomicU64::new(0),
        };
        if !has_memory("cgroup.subtree_control") {
            let share = |error| format!("cannot divide {}: {error}", base.display());
            groups.divide().map_err(share)?;
        }
        let first = groups.group(u64::MAX);
        first.map_err(|error| format!("cannot add to {}: {error}", base.display()))?;
        Ok(groups)
    }

    /// Moves this process out of the way and hands the memory controller down.
    fn divide(&mut self) -> io::Result<()> {
        let pid = std::process::id().to_string();
        let refuge = self.base.join(format!("mazurka-{pid}"));
        fs::create_dir(&refuge)?;
        self.refuge = Some(refuge.clone());
        fs::write(refuge.join("cgroup.procs"), &pid)?;
        fs::write(self.base.join("cgroup.subtree_control"), "+memory")
    }

    /// A new group whose memory is limited to this many bytes.
    pub fn group(&self, memory: u64) -> io::Result<Cgroup> {
        let number = self.next.fetch_add(1, Ordering::Relaxed);
        let name = format!("mazurka-{}-{number}", std::process::id());
        let group = Cgroup::create(self.base.join(name))?;
        let limit = match memory {
            u64::MAX => "max".to_owned(),
            bytes => bytes.to_string(),
        };
        group.write("memory.max", &limit)?;
        // Not every kernel has these two: without them a run may swap, or lose one process only.
        let _ = group.write("memory.swap.max", "0");
        let _ = group.write("memory.oom.group", "1");
        Ok(group)
    }
}

impl Drop for Cgroups {
    fn drop(&mut self) {
        if let Some(refuge) = &self.refuge {
            // Back to where we came from; a group that cannot be tidied up is no error of a run.
            let _ = fs::write(self.base.join("cgroup.subtree_control"), "-memory");
            let pid = std::process::id().to_string();
            let _ = fs::write(self.base.join("cgroup.procs"), pid);
            let _ = fs::remove_dir(refuge);
        }
    }
}

/// The group of one run; its processes die with it.
#[derive(Debug)]
pub struct Cgroup {
    folder: PathBuf,
}

impl Cgroup {
    fn create(folder: PathBuf) -> io::Result<Cgroup> {
        fs::create_dir(&folder)?;
        Ok(Cgroup { folder })
    }

    fn write(&self, file: &str, text: &str) -> io::Result<()> {
        fs::write(self.folder.join(file), text)
    }

    fn read(&self, file: &str) -> String {
        fs::read_to_string(self.folder.join(file)).unwrap_or_default()
    }

    /// The number behind a name, in files with one of each on a line.
    fn entry(&self, file: &str, name: &str) -> Option<u64> {
        let text = self.read(file);
        let of = |line: &str| line.strip_prefix(name)?.trim().parse().ok();
        text.lines().find_map(of)
    }

    /// Makes the command begin its life in this group.
    pub(crate) fn hold(&self, command: &mut Command) -> io::Result<()> {
        let path = self.folder.join("cgroup.procs");
        let file: File = OpenOptions::new().write(true).open(path)?;
        sys::write_before_exec(command, file, b"0");
        Ok(())
    }

    /// Seconds of processor time of all that ever ran here.
    pub(crate) fn cpu_s(&self) -> f64 {
        self.entry("cpu.stat", "usage_usec ").unwrap_or(0) as f64 / 1e6
    }

    /// Bytes of memory in use now.
    pub(crate) fn memory(&self) -> u64 {
        self.read("memory.current").trim().parse().unwrap_or(0)
    }

    /// The most bytes that were in use, if the kernel has kept count.
    pub(crate) fn peak(&self) -> Option<u64> {
        self.read("memory.peak").trim().parse().ok()
    }

    /// Has the kernel killed a process that ran out of memory?
    pub(crate) fn out_of_memory(&self) -> bool {
        self.entry("memory.events", "oom_kill ").unwrap_or(0) > 0
    }

    pub(crate) fn kill(&self) {
        // Before Linux 5.14 there is no such file, and they are killed one by one.
        let at_once = OpenOptions::new()
            .write(true)
            .open(self.folder.join("cgroup.kill"));
        if at_once
            .and_then(|mut file| io::Write::write_all(&mut file, b"1"))
            .is_err()
        {
            let pids = self.read("cgroup.procs");
            pids.lines()
                .filter_map(|pid| pid.parse().ok())
                .for_each(sys::kill);
        }
    }
}

impl Drop for Cgroup {
    fn drop(&mut self) {
        // The kernel lets a group go only when its last process is gone.
        for _ in 0..200 {
            self.kill();
            if fs::remove_dir(&self.folder).is_ok() || !self.folder.join("cgroup.kill").exists() {
                return;
            }
            std::thread::sleep(Duration::from_millis(5));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Ended, Limits, run_in};
    use std::sync::atomic::AtomicBool;

    /// A folder that looks like a group; the kernel is not behind it.
    fn fake(control: &str) -> tempfile::TempDir {
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join("cgroup.controllers"), "cpu memory\n").unwrap();
        fs::write(folder.path().join("cgroup.subtree_control"), control).unwrap();
        folder
    }

    #[test]
    fn groups_get_their_limit() {
        let folder = fake("memory\n");
        let groups = Cgroups::below(folder.path()).unwrap();
        assert!(groups.refuge.is_none());
        let group = groups.group(1 << 20).unwrap();
        assert_eq!(group.read("memory.max"), "1048576");
        assert_eq!(group.read("memory.swap.max"), "0");
    }

    #[test]
    fn this_process_makes_room() {
        let folder = fake("");
        let groups = Cgroups::below(folder.path()).unwrap();
        let refuge = groups.refuge.clone().unwrap();
        let pid = std::process::id().to_string();
        assert_eq!(
            fs::read_to_string(refuge.join("cgroup.procs")).unwrap(),
            pid
        );
        let control = folder.path().join("cgroup.subtree_control");
        assert_eq!(fs::read_to_string(&control).unwrap(), "+memory");
        drop(groups);
        assert_eq!(fs::read_to_string(&control).unwrap(), "-memory");
        let back = fs::read_to_string(folder.path().join("cgroup.procs")).unwrap();
        assert_eq!(back, pid);
    }

    #[test]
    fn a_group_without_memory_is_refused() {
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join("cgroup.controllers"), "cpu\n").unwrap();
        let why = Cgroups::below(folder.path()).unwrap_err();
        assert!(why.contains("no memory controller"), "{why}");
    }

    #[test]
    fn figures_are_read() {
        let folder = tempfile::tempdir().unwrap();
        let group = Cgroup::create(folder.path().join("g")).unwrap();
        let stat = "usage_usec 1500000\nuser_usec 1400000\n";
        group.write("cpu.stat", stat).unwrap();
        group.write("memory.current", "4096\n").unwrap();
        let events = "low 0\noom 3\noom_kill 0\n";
        group.write("memory.events", events).unwrap();
        assert_eq!((group.cpu_s(), group.memory()), (1.5, 4096));
        assert_eq!(group.peak(), None);
        assert!(!group.out_of_memory());
        group.write("memory.peak", "8192\n").unwrap();
        let events = "low 0\noom 3\noom_kill 1\n";
        group.write("memory.events", events).unwrap();
        assert_eq!(group.peak(), Some(8192));
        assert!(group.out_of_memory());
    }

    /// With a real kernel, where one lets us add a group: nothing escapes it, everything counts.
    #[test]
    fn what_leaves_the_process_group_is_caught() {
        let mounts = ["/sys/fs/cgroup", "/sys/fs/cgroup/unified"];
        let name = format!("mazurka-test-{}", std::process::id());
        let mut mounts = mounts.iter().map(Path::new);
        let mount = mounts.find(|mount| mount.join("cgroup.controllers").exists());
        let Some(group) = mount.and_then(|mount| Cgroup::create(mount.join(&name)).ok()) else {
            println!("left out: no cgroup v2 that may be written");
            return;
        };
        // The child ends soon: there is nothing to read. What it has started works on elsewhere.
        let busy = "i=0; while [ $i -lt 200000 ]; do i=$((i+1)); done";
        let script = format!("setsid sh -c '{busy}; exec sleep 60' & sleep 0.1; read x");
        let limits = Limits {
            wall: Duration::from_secs(2),
            cpu: None,
            memory: 1 << 30,
        };
        let mut command = Command::new("sh");
        command.args(["-c", &script]);
        let stop = AtomicBool::new(false);
        let finished = run_in(&mut command, &limits, &stop, Some(&group)).unwrap();
        assert_eq!(finished.ended, Ended::Exit(1));
        assert!(finished.usage.cpu_s > 0.02, "{:?}", finished.usage);
        // What is killed is gone a moment later.
        let gone = (0..400).any(|_| {
            std::thread::sleep(Duration::from_millis(5));
            group.read("cgroup.procs").is_empty()
        });
        assert!(gone, "{}", group.read("cgroup.procs"));
    }
}
