//! What was called when with which results, and whether an order of the calls explains it.
//!
//! The search for an order is a tower of functions, one for each place in the order: a call can come next if every call
//! that ended before it began has come, and if the specification gives the results that were seen. Each has its own
//! copy of the specification's state, so that the search goes on with another call where one does not fit.

use super::{Callee, Count, Driver};
use crate::declaration::declared;
use crate::hir::Type;
use std::fmt::Write;

/// Which calls have ended when one begins: nothing else about the order of calls can be seen, and what is not kept
/// does not make executions different.
const CLOCK: &str = "
extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);

static void mz_begin(struct mz_record *call)
{
    unsigned after = 0;
    __VERIFIER_atomic_begin();
    for (int at = 0; at < COUNT; at++)
        after |= (unsigned)mz_done[at] << at;
    __VERIFIER_atomic_end();
    call->after = after;
}

static void mz_end(struct mz_record *call)
{
    __VERIFIER_atomic_begin();
    mz_done[call - mz_history] = 1;
    __VERIFIER_atomic_end();
}
";

/// More calls than these have too many orders.
const MOST_CALLS: u32 = 8;

impl Driver<'_> {
    fn call_count(&self) -> u32 {
        match (self.wanted.threads, self.wanted.calls) {
            (Count::Exactly(threads), Count::Exactly(calls)) => threads.saturating_mul(calls),
            _ => unreachable!("a specification needs a bounded number of calls"),
        }
    }

    /// What is kept of each call.
    pub(super) fn records(&self) -> String {
        let mut text =
            String::from("\nstatic struct mz_record {\n    int function;\n    unsigned after;\n");
        for callee in &self.callees {
            let mut members = String::new();
            for argument in &callee.arguments {
                if let Some(number) = argument.number() {
                    let name = argument.name();
                    let _ = write!(
                        members,
                        "{}; ",
                        declared(self.program, number, name.clone())
                    );
                    if argument.is_own() {
                        let before = declared(self.program, number, format!("{name}_before"));
                        let _ = write!(members, "{before}; ");
                    }
                }
            }
            if let Some(result) = result(callee) {
                let _ = write!(
                    members,
                    "{}; ",
                    declared(self.program, result, "result".into())
                );
            }
            if !members.is_empty() {
                let _ = writeln!(text, "    struct {{ {members}}} {};", callee.function.name);
            }
        }
        let count = self.call_count();
        text + &format!("}} mz_history[{count}];\nstatic _Bool mz_done[{count}];\n")
            + &CLOCK.replace("COUNT", &count.to_string())
    }

    /// A call that is kept.
    pub(super) fn recorded_call(&self, callee: &Callee) -> String {
        let name = &callee.function.name;
        let of = format!("call->{name}.");
        let mut text = format!("\nstatic void mz_{name}(struct mz_record *call)\n{{\n");
        let at = self.callees.iter().position(|it| it.function.name == *name);
        let _ = writeln!(text, "    call->function = {};", at.unwrap_or(0));
        for argument in callee.arguments.iter().filter(|it| it.number().is_some()) {
            let place = format!("{of}{}", argument.name());
            text += &self.choose(name, argument, &place);
            if argument.is_own() {
                let _ = writeln!(text, "    {place}_before = {place};");
            }
        }
        let args: Vec<String> = callee.arguments.iter().map(|it| it.value(&of)).collect();
        let result = result(callee).map_or(String::new(), |_| format!("{of}result = "));
        let _ = write!(
            text,
            "    mz_begin(call);\n    {result}{name}({});\n    mz_end(call);\n}}\n",
            args.join(", ")
        );
        text
    }

    /// The search for an order.
    pub(super) fn explanation(&self) -> Result<String, String> {
        let count = self.call_count();
        if count == 0 || count > MOST_CALLS {
            return Err(format!(
                "{count} calls cannot be compared with a specification: 1 to {MOST_CALLS} can"
            ));
        }
        let mut text = String::new();
        for callee in &self.callees {
            text += &self.comparison(callee);
        }
        text += "\nstatic int mz_fits(const struct mz_record *call, struct spec *state)\n{\n    switch (call->function) {\n";
        for (at, callee) in self.callees.iter().enumerate() {
            let case = match at + 1 == self.callees.len() {
                true => "default".to_owned(),
                false => format!("case {at}"),
            };
            let name = &callee.function.name;
            let _ = writeln!(
                text,
                "    {case}:\n        return mz_fits_{name}(call, state);"
            );
        }
        let _ = write!(
            text,
            "    }}\n}}\n\nstatic int mz_may_be_next(int at, unsigned taken)\n{{\n    \
             return !(taken >> at & 1) && !(mz_history[at].after & ~taken);\n}}\n"
        );
        let _ = write!(
            text,
            "\nstatic int mz_explained_{count}(unsigned taken, const struct spec *before)\n{{\n    (void)taken;\n    \
             (void)before;\n    return 1;\n}}\n"
        );
        for level in (0..count).rev() {
            let _ = write!(
                text,
                "\nstatic int mz_explained_{level}(unsigned taken, const struct spec *before)\n{{\n    \
                 for (int at = 0; at < {count}; at++) {{\n        struct spec state = *before;\n        \
                 if (mz_may_be_next(at, taken) && mz_fits(&mz_history[at], &state)\n                \
                 && mz_explained_{}(taken | 1u << at, &state))\n            return 1;\n    }}\n    return 0;\n}}\n",
                level + 1
            );
        }
        Ok(text)
    }

    /// Does the specification give what a call of this function gave?
    fn comparison(&self, callee: &Callee) -> String {
        let name = &callee.function.name;
        let mut text = format!(
            "\nstatic int mz_fits_{name}(const struct mz_record *call, struct spec *state)\n{{\n"
        );
        let mut args = vec!["state".to_owned()];
        let mut same: Vec<String> = Vec::new();
        for argument in &callee.arguments {
            let Some(number) = argument.number() else {
                continue;
            };
            let local = argument.name();
            let kept = format!("call->{name}.{local}");
            match argument.is_own() {
                true => {
                    let head = declared(self.program, number, local.clone());
                    let _ = writeln!(text, "    {head} = {kept}_before;");
                    args.push(format!("&{local}"));
                    same.push(format!("{local} == {kept}"));
                }
                false => args.push(kept),
            }
        }
        let call = format!("spec_{name}({})", args.join(", "));
        match result(callee) {
            Some(ty) => {
                let head = declared(self.program, ty, "result".into());
                let _ = writeln!(text, "    {head} = {call};");
                same.insert(0, format!("result == call->{name}.result"));
            }
            None => {
                let _ = writeln!(text, "    {call};");
            }
        }
        if same.is_empty() {
            text += "    (void)call;\n";
            same.push("1".to_owned());
        }
        text + &format!("    return {};\n}}\n", same.join(" && "))
    }
}

/// What a call gives back, if anything.
fn result<'c>(callee: &'c Callee) -> Option<&'c Type> {
    let ty = &*callee.function.ty.result;
    (!matches!(ty, Type::Void)).then_some(ty)
}
