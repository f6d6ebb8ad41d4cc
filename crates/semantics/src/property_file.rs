//! Property files: `CHECK( init(main()), LTL(G ! call(reach_error())) )`.
//!
//! A file asks for one property, and for memory safety or any parts of it with one check for each.
//! Between checks there is nothing but white space and lines that are comments (`//` or `#`):
//! what cannot be read might ask for more, so it is refused.

use crate::{Property, PropertyError};

impl Property {
    /// Reads the text of a property file that starts in `main`; its name plays no part.
    pub fn from_prp(text: &str) -> Result<Property, PropertyError> {
        match Property::from_prp_with_entry(text)? {
            (property, entry) if entry == "main" => Ok(property),
            (_, entry) => Err(PropertyError::Entry(entry)),
        }
    }

    /// Reads the text of a property file, with the function that `init(...)` names.
    pub fn from_prp_with_entry(text: &str) -> Result<(Property, String), PropertyError> {
        let is_comment = |line: &&str| line.trim_start().starts_with(['#', '/']);
        let lines: Vec<&str> = text.lines().filter(|line| !is_comment(line)).collect();
        let text = lines.join("\n");
        let mut rest = text.trim();
        let mut found: Option<(Property, String)> = None;
        while !rest.is_empty() {
            let unreadable = || PropertyError::Text(rest.lines().next().unwrap_or(rest).into());
            let check = Check::read(rest).ok_or_else(unreadable)?;
            rest = check.rest;
            let property = asked_by(check.formula)?;
            found = Some(match found {
                Some((before, entry)) if entry == check.entry => (both(before, property)?, entry),
                Some((_, entry)) => {
                    return Err(PropertyError::Entries(entry, check.entry.to_owned()));
                }
                None => (property, check.entry.to_owned()),
            });
        }
        found.ok_or(PropertyError::Empty)
    }
}

/// The property, or part of one, that a formula asks for.
fn asked_by(formula: &str) -> Result<Property, PropertyError> {
    let compact = |text: &str| text.split_whitespace().collect::<String>();
    // The old name of the error function.
    let modern = compact(formula).replace("__VERIFIER_error", "reach_error");
    let parts = Property::ALL.into_iter().flat_map(Property::parts);
    let mut known = parts.flat_map(|part| part.formulas().iter().map(move |it| (part, it)));
    let asked = known.find(|(_, formula)| compact(formula) == modern);
    let unknown = || PropertyError::Formula(formula.to_owned());
    asked.map(|(part, _)| part).ok_or_else(unknown)
}

/// What two checks of one file ask for.
fn both(a: Property, b: Property) -> Result<Property, PropertyError> {
    match (a, b) {
        (Property::MemSafety(a), Property::MemSafety(b)) => Ok(Property::MemSafety(a.and(b))),
        (a, b) if a == b => Ok(a),
        (a, b) => Err(PropertyError::Several(a, b)),
    }
}

/// One `CHECK( init(entry()), LTL(formula) )`, and what follows it.
struct Check<'t> {
    entry: &'t str,
    formula: &'t str,
    rest: &'t str,
}

impl<'t> Check<'t> {
    fn read(text: &'t str) -> Option<Check<'t>> {
        let inside = after(text, &["CHECK", "(", "init", "("])?.trim_start();
        let letter = |c: char| c.is_alphanumeric() || c == '_' || c == '$';
        let end = inside.find(|c| !letter(c)).filter(|&end| end > 0)?;
        let (entry, rest) = inside.split_at(end);
        let inside = after(rest, &["(", ")", ")", ",", "LTL", "("])?;
        let (formula, rest) = inside.split_at(closing(inside)?);
        Some(Check {
            entry,
            formula: formula.trim(),
            rest: after(rest, &[")", ")"])?.trim_start(),
        })
    }
}

/// What follows these words, which white space may separate.
fn after<'t>(text: &'t str, words: &[&str]) -> Option<&'t str> {
    let strip = |text: &'t str, word: &&str| text.trim_start().strip_prefix(*word);
    words.iter().try_fold(text, strip)
}

/// Where the parenthesis closes that was opened before the text.
fn closing(text: &str) -> Option<usize> {
    let mut open = 0_usize;

    text.find(|c| {
        let closes = c == ')' && open == 0;
        open += usize::from(c == '(');
        open -= usize::from(c == ')' && !closes);
        closes
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::MemoryParts;

    fn check(formula: &str) -> Result<Property, PropertyError> {
        Property::from_prp(&format!("CHECK( init(main()), LTL({formula}) )\n"))
    }

    #[test]
    fn formulas() {
        assert_eq!(check("G ! call(reach_error())"), Ok(Property::Reach));
        assert_eq!(check("G ! call(__VERIFIER_error())"), Ok(Property::Reach));
        assert_eq!(check("G ! data-race"), Ok(Property::Race));
        assert_eq!(check("F end"), Ok(Property::Termination));
        assert_eq!(check("G ! overflow"), Ok(Property::Overflow));
        for other in ["G x", "G valid-memcleanup", "G ! overflow & F end", ""] {
            assert_eq!(check(other), Err(PropertyError::Formula(other.into())));
        }
    }

    #[test]
    fn parts_of_memory_safety() {
        let file = |parts: &[&str]| {
            let line = |part: &&str| format!("CHECK( init(main()), LTL(G valid-{part}) )\n");
            Property::from_prp(&parts.iter().map(line).collect::<String>())
        };
        let part = |part| Ok(Property::MemSafety(part));
        assert_eq!(file(&["deref"]), part(MemoryParts::DEREF));
        assert_eq!(file(&["free", "free"]), part(MemoryParts::FREE));
        let two = MemoryParts::FREE.and(MemoryParts::MEMTRACK);
        assert_eq!(file(&["memtrack", "free"]), part(two));
        let three = ["free", "deref", "memtrack"];
        assert_eq!(file(&three), Ok(Property::MEMSAFETY));
        let unknown = Err(PropertyError::Formula("G valid-memcleanup".into()));
        assert_eq!(file(&["free", "memcleanup"]), unknown);
    }

    #[test]
    fn every_property_has_a_name_and_formulas_that_read_back() {
        let parts = MemoryParts::sets().map(Property::MemSafety);
        for property in Property::ALL.into_iter().chain(parts) {
            assert_eq!(property.name().parse(), Ok(property));
            if let Some(name) = property.competition_name() {
                assert_eq!(name.parse(), Ok(property));
            }
            let line = |formula: &&str| format!("CHECK(init(main()),LTL({formula})) ");
            let text: String = property.formulas().iter().map(line).collect();
            assert_eq!(Property::from_prp(&text), Ok(property));
        }
    }

    #[test]
    fn everything_in_a_file_counts() {
        let line = "CHECK( init(main()), LTL(G ! overflow) )";
        let read = |text: &str| Property::from_prp(text);
        for good in [
            format!("// as in the rules\n\n{line}\n# {line}\n"),
            format!("{line} {line}"),
            "CHECK\n(init ( main ( ) ) , LTL ( G! overflow ) )\n".to_owned(),
        ] {
            assert_eq!(read(&good), Ok(Property::Overflow), "{good}");
        }
        assert_eq!(read(""), Err(PropertyError::Empty));
        assert_eq!(read("// nothing\n"), Err(PropertyError::Empty));
        for odd in [
            "CHECK( init(main()), FQL(COVER EDGES(@DECISIONEDGE)) )",
            "CHECK( init(main(int)), LTL(F end) )",
            "CHECK( init(()), LTL(F end) )",
            "CHECK( init(main()), LTL(F end)",
            "CHECK( init(main()), LTL(F (end) )",
            "check everything",
        ] {
            let expected = Err(PropertyError::Text(odd.into()));
            assert_eq!(read(odd), expected, "{odd}");
            assert_eq!(read(&format!("{line}\n{odd}")), expected, "{odd}");
        }
        let two = format!("{line}\nCHECK( init(main()), LTL(F end) )");
        let several = PropertyError::Several(Property::Overflow, Property::Termination);
        assert_eq!(read(&two), Err(several));
    }

    #[test]
    fn the_function_that_a_file_starts_in() {
        let line = |entry: &str| format!("CHECK( init({entry}()), LTL(G ! overflow) )\n");
        let read = |text: &str| Property::from_prp_with_entry(text);
        assert_eq!(read(&line("f")), Ok((Property::Overflow, "f".into())));
        let entry = Err(PropertyError::Entry("f".into()));
        assert_eq!(Property::from_prp(&line("f")), entry);
        let both = Err(PropertyError::Entries("f".into(), "main".into()));
        assert_eq!(read(&(line("f") + &line("main"))), both);
    }
}
