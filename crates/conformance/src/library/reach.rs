//! Is the code behind a call reached? A model that ends the run, or waits for ever, makes whatever
//! comes after it safe.

use super::judge::preprocessed;
use super::native::PRELUDE;
use crate::judge::{TIMEOUT, TOGETHER, explored};
use cfront::hir::{Function, Type};
use std::collections::BTreeMap;
use verdict::{Environment, Reason, Verdict};
use xcfa::{DataModel, SourceFile};

/// Further headers with functions of the table.
const HEADERS: &str = "
#include <dirent.h>
#include <dlfcn.h>
#include <err.h>
#include <error.h>
#include <fcntl.h>
#include <locale.h>
#include <sys/eventfd.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/sysinfo.h>
#include <sys/times.h>
#include <sys/utsname.h>
#include <syslog.h>
#include <wctype.h>
void reach_error(void);
";

/// Is what comes behind calls reached?
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reached {
    /// The code after the call is reached.
    Yes,
    /// A call with these arguments is refused.
    Refused,
}

/// The functions that headers declare.
pub struct Declared {
    text: String,
    functions: BTreeMap<String, Function>,
}

impl Declared {
    /// By the headers of this system.
    pub fn here() -> Result<Declared, String> {
        let text = preprocessed(&format!("{PRELUDE}{HEADERS}"))?;
        let file = SourceFile::new("headers.i", text.clone());
        let program = cfront::parse_program(vec![file], DataModel::Lp64);
        let program = program.map_err(|failure| failure.error.what)?;
        let functions = program.functions.into_iter();
        let open = functions.filter(|function| function.body.is_none() && function.system);
        let functions = open.map(|function| (function.name.clone(), function));
        Ok(Declared {
            text,
            functions: functions.collect(),
        })
    }

    /// Is there a declaration that says how to call it?
    pub fn knows(&self, name: &str) -> bool {
        let function = self.functions.get(name);
        function.is_some_and(|function| call(function, 0).is_some())
    }

    /// Calls functions one after the other with zeros: strings that are empty, locks that are free. Is
    /// what comes then reached, or is a call refused, which hides nothing? The error is what is said
    /// instead.
    pub fn reaches(&self, names: &[&str]) -> Result<Reached, String> {
        let functions = names.iter().filter_map(|&name| self.functions.get(name));
        let functions = functions.enumerate();
        let memory: String = functions.clone().map(|(at, f)| memory(f, at)).collect();
        let calls: Vec<String> = functions.filter_map(|(at, f)| call(f, at)).collect();
        let calls = calls.join("\n    ");
        let text = format!(
            "{}\n{memory}int main(void)\n{{\n    {calls}\n    reach_error();\n    return 0;\n}}\n",
            self.text
        );
        let limit = if names.len() > 1 { TOGETHER } else { TIMEOUT };
        let Ok(explored) = explored(text, DataModel::Lp64, true, Environment::Typical, limit)
        else {
            return Ok(Reached::Refused);
        };
        match &explored.answer.verdict {
            Verdict::Unsafe(_) => Ok(Reached::Yes),
            _ if explored.needs_more => Ok(Reached::Yes),
            Verdict::Unknown(Reason::Unsupported { .. }) => Ok(Reached::Refused),
            Verdict::Unknown(reason) => Err(reason.to_string()),
            Verdict::Safe(_) => Err("safe".into()),
        }
    }
}

/// The memory that the arguments of a call point to, and no more: every state holds all of it.
fn memory(function: &Function, number: usize) -> String {
    let params = function.ty.params.iter().enumerate();
    let pointers = params.filter(|(_, ty)| matches!(ty.unqualified(), Type::Pointer(_)));
    let arrays = pointers.map(|(at, _)| {
        format!("static char memory_{number}_{at}[512] __attribute__((aligned(16)));\n")
    });
    arrays.collect()
}

/// A call with memory of its own.
fn call(function: &Function, number: usize) -> Option<String> {
    let params = function.ty.params.iter().enumerate();
    let args = params.map(|(at, ty)| argument(number, at, ty));
    let args: Option<Vec<String>> = args.collect();
    let call = format!("{}({});", function.name, args?.join(", "));
    Some(call)
}

fn argument(number: usize, at: usize, ty: &Type) -> Option<String> {
    match ty.unqualified() {
        Type::Int(_) | Type::Float(_) => Some("0".into()),
        Type::Pointer(to) if matches!(to.unqualified(), Type::Function(_)) => Some("0".into()),
        Type::Pointer(_) => Some(format!("(void *)memory_{number}_{at}")),
        _ => None,
    }
}
