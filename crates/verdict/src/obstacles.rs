//! Everything that is in the way of a program, grouped, in lines below the first message.

use cfront::{ParseFailure, Unsupported};
use std::fmt::Write;

/// The most places that are named for one obstacle.
const MOST_PLACES: usize = 4;

/// Places with the same obstacle.
struct Group<'f> {
    first: &'f Unsupported,
    places: Vec<String>,
}

/// The obstacles by what they are, if there are several; and a way round functions that are not modelled.
pub(crate) fn details(failure: &ParseFailure) -> String {
    let groups = groups(failure);
    let functions = groups.iter().any(|group| group.first.function.is_some());
    let mut text = String::new();
    if !failure.others.is_empty() {
        let count = failure.others.len() + 1;
        let _ = writeln!(text, "\nIn the way of this program, in {count} places:");
        for group in &groups {
            let _ = writeln!(text, "  {}", line(group));
        }
    }
    if functions {
        text += "\n`mazurka stubs FILE... -o stubs.c` writes a stub for each function, for you to edit; \
                 check it together with your files.\n";
    }
    text
}

fn groups(failure: &ParseFailure) -> Vec<Group<'_>> {
    let mut groups: Vec<Group> = Vec::new();
    for error in failure.all() {
        let place = failure.sources.place(error.span);
        let place = format!("{}:{}", place.file, place.line);
        match groups
            .iter_mut()
            .find(|group| group.first.what == error.what)
        {
            Some(group) => group.places.push(place),
            None => groups.push(Group {
                first: error,
                places: vec![place],
            }),
        }
    }
    groups
}

/// How often, what, and where.
fn line(group: &Group) -> String {
    let count = group.places.len();
    let mut places = group.places.clone();
    places.dedup();
    let more = places.len().saturating_sub(MOST_PLACES);
    places.truncate(MOST_PLACES);
    if more > 0 {
        places.push(format!("and {more} more"));
    }
    format!("{count} x {} ({})", group.first.what, places.join(", "))
}

#[cfg(test)]
mod tests {
    use crate::{Program, Property};
    use expect_test::expect;
    use xcfa::SourceFile;

    #[test]
    fn all_obstacles_at_once() {
        let text = "int swapcontext(unsigned long);\n\
                    int helper(void) { int p = __real__ 1; return swapcontext(p); }\n\
                    int main(void) {\n\
                    swapcontext(1);\n\
                    swapcontext(2);\n\
                    __asm__(\"foo\" ::: \"memory\");\n\
                    return helper(); }";
        let program = Program::new(vec![SourceFile::new("test.c", text)]);
        let refused = program.translate(Property::Reach).expect_err("obstacles");
        expect![[r#"
            test.c:2:28: complex numbers

            In the way of this program, in 5 places:
              1 x complex numbers (test.c:2)
              3 x `swapcontext`: there is no model of this function; define it to say what it does (test.c:2, test.c:4, test.c:5)
              1 x `asm` that changes memory (test.c:6)

            `mazurka stubs FILE... -o stubs.c` writes a stub for each function, for you to edit; check it together with your files.
        "#]].assert_eq(&format!("{refused}\n{}", refused.details));
    }
}
