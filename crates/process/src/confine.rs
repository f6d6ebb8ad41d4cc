//! A child that can open only few files (Landlock, `landlock(7)`).
//!
//! Not every system has it: then there is no [`Confinement`], and the caller has to be stricter about
//! what it passes to the child.

use crate::sys;
use std::io;
use std::path::Path;
use std::process::Command;

/// What a child may open; everything else is denied, and so is the network.
#[derive(Debug)]
pub struct Confinement {
    #[cfg(target_os = "linux")]
    ruleset: std::os::fd::OwnedFd,
}

impl Confinement {
    /// Lets a child read and execute what is beneath some paths, and also write beneath others. Paths
    /// that do not exist do not count. Nothing if this system cannot do it.
    #[cfg(target_os = "linux")]
    pub fn new(
        readable: &[impl AsRef<Path>],
        writable: &[impl AsRef<Path>],
    ) -> Option<Confinement> {
        use landlock::{
            ABI, Access, AccessFs, AccessNet, CompatLevel, Compatible, Ruleset, RulesetAttr,
            RulesetCreatedAttr, path_beneath_rules,
        };
        // The first version denies reading; whatever later ones can deny is denied where they are.
        let all = AccessFs::from_all(ABI::V5);
        let ruleset = Ruleset::default()
            .set_compatibility(CompatLevel::HardRequirement)
            .handle_access(AccessFs::from_all(ABI::V1))
            .ok()?
            .set_compatibility(CompatLevel::BestEffort)
            .handle_access(all)
            .ok()?
            .handle_access(AccessNet::from_all(ABI::V5))
            .ok()?
            .create()
            .ok()?
            .add_rules(path_beneath_rules(readable, AccessFs::from_read(ABI::V5)))
            .ok()?
            .add_rules(path_beneath_rules(writable, all))
            .ok()?;
        let ruleset: Option<std::os::fd::OwnedFd> = ruleset.into();
        ruleset.map(|ruleset| Confinement { ruleset })
    }

    #[cfg(not(target_os = "linux"))]
    pub fn new(_: &[impl AsRef<Path>], _: &[impl AsRef<Path>]) -> Option<Confinement> {
        None
    }

    /// Confines the child that the command starts, and all that it starts itself.
    #[cfg(target_os = "linux")]
    pub fn apply(self, command: &mut Command) {
        sys::enter_domain(command, self.ruleset);
    }

    #[cfg(not(target_os = "linux"))]
    pub fn apply(self, _: &mut Command) {}
}

/// Runs a command that may use no more than this by itself, and gives its status with what it has
/// written to both outputs; nothing if it writes more than `output` bytes.
pub fn most(
    command: &mut Command,
    cpu_s: u64,
    memory: u64,
    output: u64,
) -> io::Result<Option<std::process::Output>> {
    use std::io::Read;
    use std::process::Stdio;
    sys::limit(command, cpu_s, memory, output);
    sys::own_group(command);
    let mut child = command
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()?;
    let read = move |pipe: Option<Box<dyn Read + Send>>| {
        let mut bytes = Vec::new();
        let pipe = pipe.map(|pipe| pipe.take(output + 1));
        pipe.map_or(Ok(0), |mut pipe| pipe.read_to_end(&mut bytes))?;
        Ok::<_, io::Error>(bytes)
    };
    let stderr = child.stderr.take().map(|pipe| Box::new(pipe) as _);
    let stdout = child.stdout.take().map(|pipe| Box::new(pipe) as _);
    let said = std::thread::spawn(move || read(stderr));
    // A pipe that is closed before its end is reached ends the child.
    let stdout = read(stdout);
    let stderr = said.join().unwrap_or_else(|_| Ok(Vec::new()));
    let fits = |bytes: &io::Result<Vec<u8>>| {
        let bytes = bytes.as_ref();
        bytes.is_ok_and(|bytes| bytes.len() as u64 <= output)
    };
    let fits = fits(&stdout) && fits(&stderr);
    if !fits {
        sys::kill_group(child.id());
    }
    let status = child.wait()?;
    let output = std::process::Output {
        status,
        stdout: stdout?,
        stderr: stderr?,
    };
    Ok(fits.then_some(output))
}

#[cfg(test)]
mod tests {
    use super::*;

    const SYSTEM: [&str; 5] = ["/usr", "/bin", "/lib", "/lib64", "/etc/ld.so.cache"];

    fn shell(script: &str, confinement: Option<Confinement>) -> (bool, String) {
        let mut command = Command::new("sh");
        command.args(["-c", script]);
        if let Some(confinement) = confinement {
            confinement.apply(&mut command);
        }
        let output = most(&mut command, 10, 1 << 30, 1000).unwrap().unwrap();
        let text = String::from_utf8_lossy(&output.stdout).into_owned();
        (output.status.success(), text)
    }

    #[test]
    fn a_confined_child_reads_and_writes_what_it_may() {
        let folder = tempfile::tempdir().unwrap();
        let (open, closed) = (folder.path().join("open"), folder.path().join("closed"));
        for folder in [&open, &closed] {
            std::fs::create_dir(folder).unwrap();
            std::fs::write(folder.join("file"), "text").unwrap();
        }
        let Some(confinement) = Confinement::new(&SYSTEM, &[&open]) else {
            eprintln!("this system has no Landlock");
            return;
        };
        let (open, closed) = (open.display(), closed.display());
        let script = format!(
            "cat {open}/file; cat {closed}/file; echo x > {closed}/new; echo -n y > {open}/new; \
             cat {open}/new {closed}/new {open}/../closed/file"
        );
        assert_eq!(shell(&script, None).1, "texttextyx\ntext");
        std::fs::remove_file(folder.path().join("closed/new")).unwrap();
        assert_eq!(
            shell(&script, Some(confinement)),
            (false, "texty".to_owned())
        );
    }

    #[test]
    fn output_is_limited() {
        let mut command = Command::new("yes");
        assert!(most(&mut command, 10, 1 << 30, 1000).unwrap().is_none());
        let mut command = Command::new("sh");
        command.args(["-c", "while :; do :; done"]);
        let output = most(&mut command, 1, 1 << 30, 1000).unwrap().unwrap();
        assert!(!output.status.success());
    }
}
