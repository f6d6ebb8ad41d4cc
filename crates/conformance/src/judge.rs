//! Both sides on one unit.

use crate::{Compiler, Unit, Values};
use std::time::Duration;
use verdict::{Answer, Budget, Property, Task, Verdict};
use xcfa::{ErrorKind, SourceFile};

const TIMEOUT: Duration = Duration::from_secs(20);

/// An item on which the two sides differ.
#[derive(Clone, Debug)]
pub struct Disagreement {
    /// Its text.
    pub item: String,
    /// What the compiler says.
    pub value: i64,
    /// What we say of the assertion that it is this value.
    pub verdict: String,
    /// The whole program that shows it.
    pub program: String,
}

/// What came of a unit.
#[derive(Clone, Debug)]
pub enum Outcome {
    /// All items have the same value on both sides.
    Agreed,
    /// The front end refuses the program, or the exploration does not end; with the reason.
    Refused(String),
    /// One item has not.
    Differs(Box<Disagreement>),
}

/// Compares a unit; the error is about the compiler.
pub fn compare(unit: &Unit, compiler: Compiler, optimise: bool) -> Result<Outcome, String> {
    let values = compiler.values(unit)?;
    let judge = Judge {
        unit,
        values: &values,
        compiler,
        optimise,
    };
    let all: Vec<usize> = (0..values.len()).collect();
    Ok(match judge.verdict(&all, None) {
        Ok(name) if name == "safe" => judge.with_one_denied(),
        Ok(_) => judge.blame(),
        Err(reason) => Outcome::Refused(reason),
    })
}

struct Judge<'a> {
    unit: &'a Unit,
    values: &'a Values,
    compiler: Compiler,
    optimise: bool,
}

impl Judge<'_> {
    /// An assertion that is wrong must be seen: otherwise nothing was looked at.
    fn with_one_denied(&self) -> Outcome {
        let last = self.values.len() - 1;
        match self.verdict(&[last], Some(last)) {
            Ok(name) if name == "unsafe" => Outcome::Agreed,
            Ok(name) => self.differs(last, &name, Some(last)),
            Err(reason) => Outcome::Refused(reason),
        }
    }

    /// The first item that is not what the compiler says.
    fn blame(&self) -> Outcome {
        for at in 0..self.values.len() {
            match self.verdict(&[at], None) {
                Ok(name) if name == "safe" => {}
                Ok(name) => return self.differs(at, &name, None),
                Err(reason) => return Outcome::Refused(reason),
            }
        }
        Outcome::Refused("no single item is to blame".to_owned())
    }

    fn differs(&self, at: usize, verdict: &str, denied: Option<usize>) -> Outcome {
        Outcome::Differs(Box::new(Disagreement {
            item: self.unit.items[at].text.clone(),
            value: self.values[at],
            verdict: verdict.to_owned(),
            program: self.program(&[at], denied),
        }))
    }

    /// The program with assertions about some items, one of them denied perhaps. The others are
    /// evaluated all the same: they may change variables.
    fn program(&self, asserted: &[usize], denied: Option<usize>) -> String {
        let mut text = String::from("void reach_error(void);\n");
        text += &self.unit.declarations;
        text += "int main(void)\n{\n    long long value;\n";
        for (at, item) in self.unit.items.iter().enumerate() {
            text += &format!("    value = (long long)({});\n", item.text);
            let op = if denied == Some(at) { "==" } else { "!=" };
            if asserted.contains(&at) {
                let bits = self.values[at] as u64;
                text += &format!("    if (value {op} (long long)0x{bits:x}ull) reach_error();\n");
            }
        }
        text + "    return 0;\n}\n"
    }

    /// `safe` or `unsafe`; everything else is an error.
    fn verdict(&self, asserted: &[usize], denied: Option<usize>) -> Result<String, String> {
        let answer = self.answer(self.program(asserted, denied))?;
        match answer.verdict {
            Verdict::Unknown(reason) => Err(reason.to_string()),
            verdict => Ok(verdict.name().to_owned()),
        }
    }

    fn answer(&self, text: String) -> Result<Answer, String> {
        let file = SourceFile::new("unit.i", text);
        let options = cfront::LowerOptions::default();
        let xcfa = cfront::compile(vec![file], self.compiler.model(), &options);
        let xcfa = xcfa.map_err(|failure| {
            let place = failure.sources.place(failure.error.span);
            let line = failure.sources.line_text(failure.error.span).to_owned();
            format!("{place}: {}: {line}", failure.error.what)
        })?;
        let options = passes::Options {
            optimise: self.optimise,
            large_blocks: self.optimise,
            checked: Some(ErrorKind::Reached),
            ..passes::Options::default()
        };
        let xcfa = passes::prepare(xcfa, &options).map_err(|error| error.what)?;
        let property = Property::Reach;
        let task = Task { xcfa, property };
        let budget = Budget::unlimited().with_timeout(TIMEOUT);
        let config = explore::Config::default();
        Ok(explore::check(&task, &config, &budget, &mut |_| {}))
    }
}
