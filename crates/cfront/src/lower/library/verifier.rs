//! Names that every verifier knows, and the ends of threads and processes.

use super::{Answer, Request};
use crate::lower::function::FunctionLowering;
use crate::lower::types::Lowered;
use expr::Op;
use xcfa::{ErrorKind, HavocOrigin, Inexact, Label, Leaving};

const RAND_MAX: u64 = 0x7fff_ffff;

impl FunctionLowering<'_, '_> {
    /// Errors, assumptions, inputs, atomic sections, and `exit`.
    pub(super) fn verifier_call(&mut self, request: &Request) -> Lowered<Answer> {
        let span = request.span;
        match request.name {
            "reach_error"
            | "__VERIFIER_error"
            | "__assert_fail"
            | "__assert_rtn"
            | "__assert_perror_fail" => {
                self.no_fusing(span)?;
                self.note_assertion(request);
                if matches!(request.name, "reach_error" | "__VERIFIER_error") {
                    self.name_error_call(request);
                }
                if request.name.starts_with("__assert") && !self.ctx.options.error_calls {
                    self.handle_abort(span)?;
                }
                let error = self.error_loc(ErrorKind::Reached);
                self.goto(error, span);
                self.unreachable();
                Ok(Answer::Done)
            }
            "assert" | "__VERIFIER_assert" => {
                let cond = self.truth_of(request.arg(0)?);
                let fails = self.terms().not(cond);
                self.note_assertion(request);
                self.fail_if(fails, ErrorKind::Reached, span)?;
                Ok(Answer::Done)
            }
            "__VERIFIER_assume" | "__builtin_assume" => {
                let cond = self.truth_of(request.arg(0)?);
                self.assume(cond, span);
                Ok(Answer::Done)
            }
            "__VERIFIER_atomic_begin" => {
                self.emit(Label::AtomicBegin, span);
                Ok(Answer::Done)
            }
            "__VERIFIER_atomic_end" => {
                self.emit(Label::AtomicEnd, span);
                Ok(Answer::Done)
            }
            "error" if request.args.len() >= 3 => self.error_message(request),
            "exit" | "__builtin_exit" => {
                self.exit(span)?;
                Ok(Answer::Done)
            }
            "__assert" | "__stack_chk_fail" | "__chk_fail" | "__fortify_fail" | "abort"
            | "__builtin_abort" => {
                self.handle_abort(span)?;
                self.finish(Label::Exit(Leaving::Call), span)?;
                Ok(Answer::Done)
            }
            "_exit" | "_Exit" | "quick_exit" | "__builtin_trap" => {
                self.finish(Label::Exit(Leaving::Call), span)?;
                Ok(Answer::Done)
            }
            "rand" | "random" => self.random(request),
            "__VERIFIER_nondet_memory" => Ok(Answer::NotMine),
            name if name.starts_with("__VERIFIER_nondet_") => self.answer_input(request),
            _ => Ok(Answer::NotMine),
        }
    }

    /// Where calls of an error are not asked about, one that has no body is taken to end the process.
    fn name_error_call(&mut self, request: &Request) {
        if !self.ctx.options.error_calls {
            let name = request.name;
            let line = format!("`{name}` is not defined: it is assumed to end the process at once");
            self.ctx.assume_about(line);
        }
    }

    /// Keeps the text of an assertion: what the macro of the C library tells, or the argument.
    fn note_assertion(&mut self, request: &Request) {
        let Some(first) = request.exprs.first() else {
            return;
        };
        let text = match request.name {
            "__assert_fail" => self.literal(first).map(|bytes| text_of(&bytes)),
            "assert" | "__VERIFIER_assert" => self.ctx.program.sources.text(first.span),
            _ => None,
        };
        if let Some(text) = text {
            self.ctx.xcfa.assertions.insert(request.span, text);
        }
    }

    /// Ends the process as `exit` does.
    pub(super) fn exit(&mut self, span: xcfa::Span) -> Lowered<()> {
        self.no_fusing(span)?;
        self.run_destructors(span);
        self.finish(Label::Exit(Leaving::Call), span)
    }

    /// `error(status, number, format, ...)`: prints, and ends the process unless the status is 0.
    fn error_message(&mut self, request: &Request) -> Lowered<Answer> {
        self.print(request, 2)?;
        let ends = self.truth_of(request.arg(0)?);
        let [end, on] = [self.new_loc(), self.new_loc()];
        self.branch_on(ends, end, on, request.span);
        self.at = end;
        self.exit(request.span)?;
        self.at = on;
        Ok(Answer::Done)
    }

    pub(super) fn truth_of(&mut self, value: expr::Term) -> expr::Term {
        self.terms().is_nonzero(value)
    }

    /// An arbitrary number that is not negative.
    fn random(&mut self, request: &Request) -> Lowered<Answer> {
        let answer = match self.ctx.seeds_with_constant() {
            true => {
                self.inexact(request, Inexact::Every);
                let origin = HavocOrigin::External(request.name.to_string(), request.span);
                Answer::Value(self.havoc(request.result, origin, request.span)?)
            }
            false => self.answer_input(request)?,
        };
        if let Answer::Value(value) = answer {
            let sort = self.terms().sort(value);
            let most = self.terms().constant(sort, RAND_MAX);
            let fine = self.terms().binary(Op::Ule, value, most);
            self.assume(fine, request.span);
        }
        Ok(answer)
    }
}

/// The text of a string up to its end.
fn text_of(bytes: &[u8]) -> String {
    let text = bytes.split(|&byte| byte == 0).next().unwrap_or_default();
    String::from_utf8_lossy(text).into_owned()
}
