//! Reading programs: files, and what the preprocessor makes of them.

mod compile_commands;
mod original;
mod preprocess;
mod region;
mod screen;
mod shrink;
mod words;

pub use original::line_or_read;
pub use region::{Region, region, shown};
pub use screen::{Screened, screen};
pub use shrink::{Constant, Smaller};
pub use words::split as split_words;

use crate::Reading;
use compile_commands::CompileCommands;
use preprocess::Flags;
use shrink::Shrinker;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use verdict::{Preparation, Program, Refused};
use xcfa::SourceFile;

/// Reads a program: `.c` files through the system's preprocessor, `.i` files as they are. With a list
/// of compile commands and no files, all C files of the list. The file `-` is standard input.
pub fn read(files: &[PathBuf], reading: &Reading) -> Result<Program, Refused> {
    let wanted = wanted(files, reading)?;
    let mut shrinker = Shrinker::new(&reading.shrink);
    let files = wanted
        .iter()
        .map(|(path, flags)| read_file(path, reading, flags, &mut shrinker));
    let files = files.collect::<Result<_, _>>()?;
    let assumptions = shrinker.assumptions().map_err(Refused::new)?;
    let name = wanted.first().and_then(|(path, _)| path.file_stem());
    let name = name.map_or_else(String::new, |name| name.to_string_lossy().into_owned());
    let program = Program::new(files)
        .with_assumptions(assumptions)
        .with_model(reading.data_model)
        .with_entry(reading.entry.as_str())
        .with_environment(reading.environment);
    let program = match &reading.arguments {
        Some(given) => {
            let all = [name].into_iter().chain(given.iter().cloned());
            program.with_arguments(all.collect())
        }
        None => program,
    };
    Ok(match reading.large_blocks {
        true => program,
        false => program.with_preparation(Preparation::Passes),
    })
}

/// The numbers to which a program's own files give a name: macros and enumerators.
pub fn constants(files: &[PathBuf], reading: &Reading) -> Result<Vec<Constant>, Refused> {
    let wanted = wanted(files, reading)?;
    let mut lister = Shrinker::lister();
    for (path, flags) in &wanted {
        read_file(path, reading, flags, &mut lister)?;
    }
    Ok(lister.listed())
}

/// The files with what the preprocessor is told about each.
fn wanted(files: &[PathBuf], reading: &Reading) -> Result<Vec<(PathBuf, Flags)>, Refused> {
    match &reading.compile_commands {
        Some(list) => CompileCommands::read(list)?.wanted(files),
        None => {
            let files = files.iter();
            Ok(files.map(|file| (file.clone(), Flags::default())).collect())
        }
    }
}

/// Standard input as a file of a program.
const STDIN: &str = "-";
/// What compilers call it.
const STDIN_NAME: &str = "<stdin>";

fn read_file(
    path: &Path,
    reading: &Reading,
    flags: &Flags,
    shrinker: &mut Shrinker,
) -> Result<SourceFile, Refused> {
    let is_stdin = path.as_os_str() == STDIN;
    let name = match is_stdin {
        true => STDIN_NAME.to_owned(),
        false => path.display().to_string(),
    };
    let ending = path.extension().and_then(|ending| ending.to_str());
    let is_c = is_stdin || ending == Some("c");
    if !is_c && ending != Some("i") {
        let what = format!("{name}: expected a C file (.c) or preprocessed C (.i)");
        return Err(Refused::new(what));
    }
    // Read even what `cc` will read again: our message about a missing file is the clearer one.
    let bytes = match is_stdin {
        true => read_stdin(),
        false => std::fs::read(path),
    };
    let bytes = bytes.map_err(|error| Refused::new(format!("cannot read {name}: {error}")))?;
    if reading.untrusted && is_c {
        screen(&String::from_utf8_lossy(&bytes))
            .map_err(|Screened { line, what }| Refused::new(format!("{name}:{line}: {what}")))?;
    }
    let (bytes, originals) = if is_c {
        let text = is_stdin.then_some(&bytes[..]);
        let made = preprocess::run(path, text, reading, flags, shrinker)?;
        let folder = flags.folder.as_deref();
        let originals = original::originals(&made.name, &bytes, &made.headers, folder);
        (made.text, originals)
    } else {
        (bytes, BTreeMap::new())
    };
    if u32::try_from(bytes.len()).is_err() {
        return Err(Refused::new(format!("{name}: larger than 4 GiB")));
    }
    // Guessing an encoding could change the value of a string, so this is refused.
    let text = String::from_utf8(bytes).map_err(|error| {
        let at = error.utf8_error().valid_up_to();
        let before = error.as_bytes()[..at].iter();
        let line = before.filter(|&&byte| byte == b'\n').count() + 1;
        let what = format!("{name}: not UTF-8 text (line {line} after preprocessing)");
        Refused::new(what)
    })?;
    let text = match is_c {
        true => text,
        false => shrinker.rewrite(&text).map_err(Refused::new)?,
    };
    Ok(SourceFile::new(name, text).with_originals(originals))
}

fn read_stdin() -> std::io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    std::io::Read::read_to_end(&mut std::io::stdin().lock(), &mut bytes)?;
    Ok(bytes)
}
