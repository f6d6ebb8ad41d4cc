//! Drivers: a `main` whose threads call functions of a library in any order and with any arguments.
//!
//! Integers and floating numbers are arbitrary (or small, if [`Harness::values`] says so). A pointer to a struct points to an
//! object that all threads share; a pointer to a number to one of the call's own. What is assumed besides is written
//! at the head of the driver. With a specification, the driver keeps when each call begins and ends and what it gives
//! back, and asserts at the end that some order of the calls explains all of it ([`history`]).
//! (Linearizability: Herlihy and Wing, doi:10.1145/78969.78972.)

mod argument;
mod history;
mod object;

#[cfg(test)]
mod tests;

use crate::declaration::declared;
use crate::hir::{Function, Program, Type};
use crate::{ParseFailure, Text};
use argument::Argument;
use object::Objects;
use std::fmt::Write;

/// Numbers below a bound are made of bits, so that engines that try values try all of them.
const CHOICE: &str = "
extern _Bool __VERIFIER_nondet_mz_bit(void);
extern void __VERIFIER_assume(int);

static unsigned mz_below(unsigned most)
{
    unsigned any = 0;
    for (unsigned rest = most - 1; rest != 0; rest >>= 1)
        any = 2 * any + __VERIFIER_nondet_mz_bit();
    __VERIFIER_assume(any < most);
    return any;
}
";

/// A number, or any number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Count {
    /// Exactly so many.
    Exactly(u32),
    /// However many.
    Any,
}

/// What a driver does.
#[derive(Clone, Debug)]
pub struct Harness {
    /// The functions that threads call.
    pub functions: Vec<String>,
    /// A function that the first thread calls before there are others.
    pub init: Option<String>,
    /// How many threads.
    pub threads: Count,
    /// How many calls each thread makes.
    pub calls: Count,
    /// How many objects there are of each struct.
    pub objects: u32,
    /// Integers are below this, if it is there.
    pub values: Option<u32>,
    /// The file with the sequential specification, as the driver includes it.
    pub specification: Option<String>,
}

/// Why there is no driver.
#[derive(Clone, Debug)]
pub enum HarnessError {
    /// The files are no C that we know.
    Parse(Box<ParseFailure>),
    /// A function, or what is asked for, does not fit.
    Refused(String),
}

/// The text of a driver for the files.
pub fn harness(text: &Text, wanted: &Harness) -> Result<String, HarnessError> {
    let files = text.files().iter();
    let names: Vec<String> = files.map(|file| file.name.clone()).collect();
    let program = text
        .program()
        .map_err(|failure| HarnessError::Parse(Box::new(failure)))?;
    Driver::new(&program, wanted)
        .and_then(|driver| driver.text(&names))
        .map_err(HarnessError::Refused)
}

/// A function that threads call, with its arguments.
struct Callee<'p> {
    function: &'p Function,
    arguments: Vec<Argument>,
}

/// A driver under construction.
struct Driver<'a> {
    program: &'a Program,
    wanted: &'a Harness,
    callees: Vec<Callee<'a>>,
    init: Option<Callee<'a>>,
    objects: Objects<'a>,
}

impl<'a> Driver<'a> {
    fn new(program: &'a Program, wanted: &'a Harness) -> Result<Driver<'a>, String> {
        let mut driver = Driver {
            program,
            wanted,
            callees: Vec::new(),
            init: None,
            objects: Objects::new(program, wanted.objects),
        };
        if wanted.specification.is_some()
            && (wanted.threads == Count::Any || wanted.calls == Count::Any)
        {
            return Err(
                "only a bounded number of calls can be compared with a specification".into(),
            );
        }
        if program.defined("main").is_some() {
            return Err("the files have a `main` already: leave out the file that it is in".into());
        }
        for name in &wanted.functions {
            let callee = driver.callee(name)?;
            driver.callees.push(callee);
        }
        driver.init = match &wanted.init {
            Some(name) => Some(driver.callee(name)?),
            None => None,
        };
        Ok(driver)
    }

    fn callee(&mut self, name: &str) -> Result<Callee<'a>, String> {
        let program = self.program;
        let Some(id) = program.defined(name) else {
            return Err(format!("no function `{name}` is defined"));
        };
        let function = &program.functions[id.0 as usize];
        if function.link.internal {
            return Err(format!("`{name}` is static: no other file can call it"));
        }
        if function.ty.variadic {
            return Err(format!("`{name}` takes a variable number of arguments"));
        }
        if matches!(function.ty.result.unqualified(), Type::Record(_)) {
            return Err(format!("`{name}` returns a struct"));
        }
        let mut arguments = Vec::new();
        for (at, ty) in function.ty.params.iter().enumerate() {
            let of = format!("parameter {} of `{name}`", at + 1);
            arguments.push(
                Argument::of(ty, at, &mut self.objects).map_err(|why| format!("{of} {why}"))?,
            );
        }
        Ok(Callee {
            function,
            arguments,
        })
    }

    fn text(&self, files: &[String]) -> Result<String, String> {
        let mut text = self.head(files);
        text += "#include <assert.h>\n#include <pthread.h>\n";
        if let Some(file) = &self.wanted.specification {
            let _ = writeln!(text, "#include \"{file}\"");
        }
        text += CHOICE;
        text += &self.objects.text();
        for callee in self.callees.iter().chain(&self.init) {
            text += &self.declaration(callee);
        }
        if self.wanted.specification.is_some() {
            text += &self.records();
        }
        for callee in &self.callees {
            text += &self.call(callee);
        }
        text += &self.choice();
        if self.wanted.specification.is_some() {
            text += &self.explanation()?;
        }
        text += &self.thread();
        if let Some(init) = &self.init {
            let call = self.plain_call(init);
            let _ = write!(text, "\nstatic void mz_start(void)\n{{\n{call}}}\n");
        }
        text += &self.main();
        Ok(text)
    }

    /// What the driver is, and what it takes for granted.
    fn head(&self, files: &[String]) -> String {
        let number = |count: Count, one: &str, many: &str| match count {
            Count::Exactly(1) => format!("1 {one}"),
            Count::Exactly(count) => format!("{count} {many}"),
            Count::Any => format!("any number of {many}"),
        };
        let names: Vec<&str> = self
            .callees
            .iter()
            .map(|it| it.function.name.as_str())
            .collect();
        let mut lines = vec![format!(
            "{}: each makes {} of {}, in any order.",
            number(self.wanted.threads, "thread", "threads"),
            number(self.wanted.calls, "call", "calls"),
            names.join(", ")
        )];
        lines.push(match self.wanted.values {
            Some(most) => format!(
                "Assumed: integers are from 0 to {}.",
                most.saturating_sub(1)
            ),
            None => "Numbers are arbitrary.".to_owned(),
        });
        lines.extend(self.objects.remarks());
        let pointed = |callee: &Callee| callee.arguments.iter().any(Argument::is_own);
        if self.callees.iter().chain(&self.init).any(pointed) {
            let line = "Assumed: a pointer to a number points to one number of the call's own, which is arbitrary before.";
            lines.push(line.to_owned());
        }
        lines.push(match &self.init {
            Some(init) => format!(
                "`{}` is called once, before the threads start.",
                init.function.name
            ),
            None => "Nothing is called before the threads start.".to_owned(),
        });
        if self.wanted.specification.is_some() {
            lines.push("Checked: some order of the calls, in which no call comes before one that ended before it began, gives the".to_owned());
            lines.push(
                "same results in the specification. Calls that never return are not looked at."
                    .to_owned(),
            );
        }
        lines.push(format!(
            "Check it with `mazurka check` and {}.",
            files.join(", ")
        ));
        format!("/* A driver. {} */\n", lines.join("\n   "))
    }

    fn declaration(&self, callee: &Callee) -> String {
        let function = callee.function;
        let params = callee.arguments.iter().enumerate();
        let mut params: Vec<String> = params
            .map(|(at, it)| it.declared(self.program, &function.ty.params[at]))
            .collect();
        if params.is_empty() {
            params.push("void".into());
        }
        let inner = format!("{}({})", function.name, params.join(", "));
        let mut text = format!(
            "\n{};\n",
            declared(self.program, &function.ty.result, inner)
        );
        for argument in &callee.arguments {
            let is_small = |ty: &Type| self.wanted.values.is_some() && matches!(ty, Type::Int(_));
            if let Some(number) = argument.number().filter(|ty| !is_small(ty)) {
                let input = format!("{}(void)", argument.input(&function.name));
                let _ = writeln!(text, "extern {};", declared(self.program, number, input));
            }
        }
        text
    }

    /// Gives a number of the call any value.
    fn choose(&self, function: &str, argument: &Argument, place: &str) -> String {
        match (self.wanted.values, argument.number().map(Type::unqualified)) {
            (Some(most), Some(Type::Int(_))) => format!("    {place} = mz_below({most});\n"),
            _ => format!("    {place} = {}();\n", argument.input(function)),
        }
    }

    /// A function that makes one call.
    fn call(&self, callee: &Callee) -> String {
        match self.wanted.specification {
            Some(_) => self.recorded_call(callee),
            None => {
                let name = &callee.function.name;
                format!(
                    "\nstatic void mz_{name}(void)\n{{\n{}}}\n",
                    self.plain_call(callee)
                )
            }
        }
    }

    fn plain_call(&self, callee: &Callee) -> String {
        let name = &callee.function.name;
        let mut text = String::new();
        for argument in &callee.arguments {
            if let Some(number) = argument.number() {
                let local = argument.name();
                let _ = writeln!(
                    text,
                    "    {};",
                    declared(self.program, number, local.clone())
                );
                text += &self.choose(name, argument, &local);
            }
        }
        let args: Vec<String> = callee.arguments.iter().map(|it| it.value("")).collect();
        text + &format!("    {name}({});\n", args.join(", "))
    }

    /// Any of the calls.
    fn choice(&self) -> String {
        let (param, arg) = match self.wanted.specification {
            Some(_) => ("struct mz_record *call", "call"),
            None => ("void", ""),
        };
        let mut text = format!("\nstatic void mz_call({param})\n{{\n");
        if let [only] = self.callees.as_slice() {
            let _ = writeln!(text, "    mz_{}({arg});\n}}", only.function.name);
            return text;
        }
        let _ = writeln!(text, "    switch (mz_below({})) {{", self.callees.len());
        for (at, callee) in self.callees.iter().enumerate() {
            let case = match at + 1 == self.callees.len() {
                true => "default".to_owned(),
                false => format!("case {at}"),
            };
            let name = &callee.function.name;
            let _ = writeln!(
                text,
                "    {case}:\n        mz_{name}({arg});\n        break;"
            );
        }
        text + "    }\n}\n"
    }

    fn thread(&self) -> String {
        let calls = match (self.wanted.calls, &self.wanted.specification) {
            (Count::Exactly(calls), Some(_)) => format!(
                "    struct mz_record *calls = arg;\n    for (int at = 0; at < {calls}; at++)\n        mz_call(&calls[at]);\n"
            ),
            (Count::Exactly(calls), None) => {
                format!("    for (int at = 0; at < {calls}; at++)\n        mz_call();\n")
            }
            (Count::Any, _) => {
                "    while (__VERIFIER_nondet_mz_bit())\n        mz_call();\n".to_owned()
            }
        };
        format!(
            "\nstatic void *mz_thread(void *arg)\n{{\n    (void)arg;\n{calls}    return 0;\n}}\n"
        )
    }

    fn main(&self) -> String {
        let mut text = "\nint main(void)\n{\n".to_owned();
        if self.init.is_some() {
            text += "    mz_start();\n";
        }
        match self.wanted.threads {
            Count::Exactly(threads) => {
                let arg = match (&self.wanted.specification, self.wanted.calls) {
                    (Some(_), Count::Exactly(calls)) => format!("&mz_history[{calls} * at]"),
                    _ => "0".to_owned(),
                };
                let _ = write!(
                    text,
                    "    pthread_t threads[{threads}];\n    for (int at = 0; at < {threads}; at++)\n        \
                     pthread_create(&threads[at], 0, mz_thread, {arg});\n    for (int at = 0; at < {threads}; at++)\n        \
                     pthread_join(threads[at], 0);\n"
                );
            }
            Count::Any => {
                text += "    pthread_t thread;\n    while (__VERIFIER_nondet_mz_bit())\n        \
                         pthread_create(&thread, 0, mz_thread, 0);\n";
            }
        }
        if self.wanted.specification.is_some() {
            text += "    struct spec start = {0};\n    int is_linearizable = mz_explained_0(0, &start);\n    assert(is_linearizable);\n";
        }
        text + "    return 0;\n}\n"
    }
}
