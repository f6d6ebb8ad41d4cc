//! Both sides on one unit.

use crate::{Compiler, Unit, Values};
use std::time::Duration;
use verdict::{Answer, Budget, Environment, Preparation, Program, Property, Task, Verdict};
use xcfa::{DataModel, SourceFile};

/// How long a question about one thing may take.
pub(crate) const TIMEOUT: Duration = Duration::from_secs(20);

/// How long a question about several may take: they are asked one by one if that is too short.
pub(crate) const TOGETHER: Duration = Duration::from_secs(1);

/// How long exploration has before a solver is asked, which knows values from outside better.
const FIRST: Duration = Duration::from_millis(300);

/// The memory of the process, in which other questions may be asked at the same time.
const MEMORY: u64 = 8 << 30;

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
pub enum Comparison {
    /// All items have the same value on both sides.
    Agreed,
    /// The front end refuses the program, or the exploration does not end; with the reason.
    Refused(String),
    /// One item has not.
    Differs(Box<Disagreement>),
}

/// Compares a unit; the error is about the compiler.
pub fn compare(unit: &Unit, compiler: Compiler, optimise: bool) -> Result<Comparison, String> {
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
        Err(reason) => Comparison::Refused(reason),
    })
}

struct Judge<'a> {
    unit: &'a Unit,
    values: &'a Values,
    compiler: Compiler,
    optimise: bool,
}

impl Judge<'_> {
    /// A wrong assertion must fail: otherwise nothing was checked.
    fn with_one_denied(&self) -> Comparison {
        let last = self.values.len() - 1;
        match self.verdict(&[last], Some(last)) {
            Ok(name) if name == "unsafe" => Comparison::Agreed,
            Ok(name) => self.differs(last, &name, Some(last)),
            Err(reason) => Comparison::Refused(reason),
        }
    }

    /// The first item that is not what the compiler says.
    fn blame(&self) -> Comparison {
        for at in 0..self.values.len() {
            match self.verdict(&[at], None) {
                Ok(name) if name == "safe" => {}
                Ok(name) => return self.differs(at, &name, None),
                Err(reason) => return Comparison::Refused(reason),
            }
        }
        Comparison::Refused("no single item is to blame".to_owned())
    }

    fn differs(&self, at: usize, verdict: &str, denied: Option<usize>) -> Comparison {
        Comparison::Differs(Box::new(Disagreement {
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
        let explored = explored(
            text,
            self.compiler.model(),
            self.optimise,
            Environment::Typical,
            TIMEOUT,
        )?;
        Ok(explored.answer)
    }
}

/// What is said of a text.
pub(crate) struct Explored {
    pub answer: Answer,
    /// Is there a violation, though one that needs a result which the library might not give?
    pub needs_more: bool,
}

/// What exhaustive exploration says of a text.
pub(crate) fn explored(
    text: String,
    model: DataModel,
    optimise: bool,
    environment: Environment,
    limit: Duration,
) -> Result<Explored, String> {
    let file = SourceFile::new("unit.i", text);
    let program = Program::new(vec![file]).with_model(model);
    let program = program.with_environment(environment);
    let program = program.with_preparation(match optimise {
        true => Preparation::Full,
        false => Preparation::Plain,
    });
    let task =
        Task::prepare(&program, Property::Reach).map_err(|refused| match &refused.place {
            Some((sources, span)) => format!("{refused}: {}", sources.line_text(*span)),
            None => refused.to_string(),
        })?;
    let budget = |limit| {
        let timed = Budget::unlimited().with_timeout(limit);
        timed.with_memory(MEMORY)
    };
    let confirmed = |answer: Answer| Explored {
        needs_more: matches!(&answer.verdict, Verdict::Unsafe(trace)
            if verdict::not_exact(&task, trace).is_some()),
        answer: answer.confirm(&task).into_answer(),
    };
    let explore = |limit| {
        let config = explore::Config::default();
        confirmed(explore::check(&task, &config, &budget(limit)))
    };
    let solve = || {
        let config = bmc::Config::default();
        confirmed(bmc::check(&task, &config, &budget(limit)))
    };
    let is_open = |explored: &Explored| {
        let is_unknown = explored.answer.verdict.name() == "unknown";
        is_unknown && !explored.needs_more
    };
    let mut explored = explore(limit.min(FIRST));
    if is_open(&explored) {
        explored = solve();
    }
    if is_open(&explored) {
        explored = explore(limit);
    }
    Ok(explored)
}
