//! Where programs come from.

use crate::mutate::mutant;
use generator::{Class, Extra, Hostile, Inputs, Profile, Program, Rng, generate, hostile};
use std::io;
use std::path::{Path, PathBuf};
use verdict::Property;

/// Longer files are skipped: no engine answers for them in time.
const LONGEST: usize = 60_000;

/// A program that can be changed.
#[derive(Clone, Debug)]
pub struct Original {
    path: PathBuf,
    text: String,
}

/// A program and what is known about its making.
pub struct Made {
    /// The files, which may still have to be preprocessed.
    pub files: Vec<String>,
    /// Where its own headers are.
    pub include: Option<PathBuf>,
    /// The tree, if it was made from one.
    pub tree: Option<Program>,
    /// The pieces, if it was made from some.
    pub hostile: Option<Hostile>,
    /// Can it be compiled and run?
    pub compiles: bool,
    /// The file that was changed, and how.
    pub origin: Option<(PathBuf, Vec<&'static str>)>,
}

/// All C programs among files and in folders, in the order of their names.
pub fn originals(paths: &[PathBuf]) -> io::Result<Vec<Original>> {
    let mut files = Vec::new();
    for path in paths {
        collect(path, true, &mut files)?;
    }
    files.sort();
    files.dedup();
    let mut found = Vec::new();
    for path in files {
        let text = String::from_utf8_lossy(&std::fs::read(&path)?).into_owned();
        if text.len() <= LONGEST {
            found.push(Original { path, text });
        }
    }
    Ok(found)
}

fn collect(path: &Path, named: bool, files: &mut Vec<PathBuf>) -> io::Result<()> {
    if path.is_dir() {
        for entry in std::fs::read_dir(path)? {
            collect(&entry?.path(), false, files)?;
        }
        return Ok(());
    }
    let is_c = path.extension().is_some_and(|end| end == "c" || end == "i");
    if named || is_c {
        files.push(path.to_owned());
    }
    Ok(())
}

/// One of the programs, changed; now and then as it is.
pub fn mutated(originals: &[Original], rng: &mut Rng) -> Made {
    let original = &originals[rng.below(originals.len())];
    let (text, changes) = match rng.chance(4) {
        true => (original.text.clone(), Vec::new()),
        false => mutant(&original.text, rng),
    };
    Made {
        files: vec![text],
        include: original.path.parent().map(Path::to_owned),
        tree: None,
        hostile: None,
        // What has been preprocessed may have been so for another machine.
        compiles: original.path.extension().is_some_and(|end| end == "c"),
        origin: Some((original.path.clone(), changes)),
    }
}

/// The random program of a seed, for a question about this property.
pub fn random(seed: u64, property: Property, rng: &mut Rng) -> Made {
    let tree = generate(seed, &profile(property, rng));
    Made {
        files: vec![tree.to_string()],
        include: None,
        tree: Some(tree),
        hostile: None,
        compiles: true,
        origin: None,
    }
}

/// The random program of a seed that is about something special.
pub fn special(class: Class, seed: u64) -> Made {
    let hostile = hostile(class, seed);
    Made {
        files: hostile.source.texts(),
        include: None,
        tree: None,
        compiles: hostile.oracle == generator::Oracle::Runs,
        hostile: Some(hostile),
        origin: None,
    }
}

/// Any kind of program, with few features at a time: a program that uses everything is too large
/// for any engine to have an answer.
fn profile(property: Property, rng: &mut Rng) -> Profile {
    let kind = match property {
        // Others hardly ever get stuck.
        Property::Deadlock | Property::Termination | Property::Usage if rng.chance(60) => 0,
        _ => rng.below(3),
    };
    let mut profile = match kind {
        0 => Profile::blocking(),
        1 => Profile::with_inputs(),
        _ => Profile::standard(),
    };
    if rng.below(8) == 0 {
        profile.inputs = Inputs::Any;
    }
    let features = [
        &mut profile.arrays,
        &mut profile.pointers,
        &mut profile.records,
        &mut profile.functions,
        &mut profile.heap,
        &mut profile.thread_locals,
        &mut profile.loops,
        &mut profile.sections,
        &mut profile.atomics,
    ];
    for feature in features {
        *feature &= rng.chance(60);
    }
    // Nothing else can overflow, or misuse memory.
    let fitting = match property {
        Property::Overflow => Some(Extra::SignedArithmetic),
        Property::MemSafety(_) => Some(Extra::List),
        _ => None,
    };
    profile.extras.extend(fitting.filter(|_| rng.chance(75)));
    // Only pointers can dangle.
    profile.pointers |= property.is_memsafety();
    for _ in 0..rng.between(1, 3) {
        // There are more atomic operations than anything else.
        let extra = match rng.chance(6) {
            true => Extra::Atomics,
            false => rng.pick(&Extra::ALL),
        };
        if !profile.has(extra) {
            profile.extras.push(extra);
        }
    }
    profile
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::constructs::constructs;
    use std::collections::BTreeMap;

    #[test]
    fn every_construct_occurs() {
        let properties = [Property::Reach, Property::MEMSAFETY, Property::Overflow];
        let mut counts: BTreeMap<&str, u32> = BTreeMap::new();
        for seed in 0..3000 {
            let property = properties[seed as usize % properties.len()];
            let made = random(seed, property, &mut Rng::new(seed));
            for (name, used) in constructs(&made.files[0]) {
                *counts.entry(name).or_default() += u32::from(used);
            }
        }
        let missing: Vec<_> = counts.iter().filter(|(_, count)| **count == 0).collect();
        assert!(missing.is_empty(), "{missing:?}");
    }

    #[test]
    fn originals_are_found_below_folders_only_if_they_are_c() {
        let folder = tempfile::tempdir().unwrap();
        let file = |name: &str| folder.path().join(name);
        std::fs::create_dir(file("deep")).unwrap();
        for name in ["a.c", "deep/b.i", "c.txt"] {
            std::fs::write(file(name), "int main(void) { return 0; }").unwrap();
        }
        let found = originals(&[folder.path().to_owned()]).unwrap();
        let found: Vec<_> = found.into_iter().map(|original| original.path).collect();
        assert_eq!(found, [file("a.c"), file("deep/b.i")]);
        assert_eq!(originals(&[file("c.txt")]).unwrap().len(), 1);
    }
}
