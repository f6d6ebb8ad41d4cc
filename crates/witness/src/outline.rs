//! The outline of a program's text: functions, statements, calls and branchings, by their spans.
//!
//! Witnesses refer to the text, engines to automata. Both have spans, and this says what the
//! text at a span is.

mod walk;

use cfront::hir::walk::walk_stmt;
use cfront::hir::{Program, Type};
use cfront::{ParseFailure, parse_program};
use xcfa::{DataModel, SourceFile, Span};

/// A function with a body.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FunctionText {
    /// Its name.
    pub name: String,
    /// Its body.
    pub body: Span,
}

/// What a function without a body returns.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct InputFunction {
    /// Its name.
    pub name: String,
    /// Does it return a signed integer (true), an unsigned one (false), or something else?
    pub signed: Option<bool>,
}

/// A statement, or an expression that is evaluated as a whole.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct StatementText {
    /// Its text.
    pub span: Span,
    /// Is it a declaration? Then the span is that of the declarator alone.
    pub declaration: bool,
}

/// A call.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CallText {
    /// The function that is called, unless it is called through a pointer.
    pub name: Option<String>,
    /// Its text, to the closing parenthesis.
    pub span: Span,
}

/// A statement with a condition.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BranchText {
    /// Where its keyword is.
    pub keyword: Span,
    /// The condition.
    pub cond: Span,
    /// What is done if it holds.
    pub body: Span,
    /// Is it a loop?
    pub repeats: bool,
    /// All of its text, where that is known.
    pub whole: Option<Span>,
}

/// The outline of a program.
#[derive(Clone, Debug, Default)]
pub struct Outline {
    /// Functions.
    pub functions: Vec<FunctionText>,
    /// Functions without a body.
    pub inputs: Vec<InputFunction>,
    /// Statements and full expressions.
    pub statements: Vec<StatementText>,
    /// Calls.
    pub calls: Vec<CallText>,
    /// `if`, `while`, `do` and `for`.
    pub branches: Vec<BranchText>,
    /// Loops without a condition: `for (;;)`.
    pub endless: Vec<Span>,
}

impl Outline {
    /// The outline of the files of a program.
    pub fn new(files: Vec<SourceFile>, model: DataModel) -> Result<Outline, ParseFailure> {
        Ok(Outline::of(&parse_program(files, model)?))
    }

    fn of(program: &Program) -> Outline {
        let mut outline = Outline::default();
        for function in &program.functions {
            let name = function.name.clone();
            match &function.body {
                Some(body) => {
                    let body = (body, body.span);
                    outline.functions.push(FunctionText { name, body: body.1 });
                    walk_stmt(body.0, &mut walk::Walk::new(program, &mut outline));
                }
                None => {
                    let signed = match &*function.ty.result {
                        Type::Int(int) => Some(int.signed),
                        _ => None,
                    };
                    outline.inputs.push(InputFunction { name, signed });
                }
            }
        }
        outline
    }

    /// The function whose body a span is in.
    pub fn function_at(&self, span: Span) -> Option<&str> {
        let inside = self.functions.iter().find(|f| contains(f.body, span));
        inside.map(|f| f.name.as_str())
    }

    /// The innermost statement or full expression that a span is in.
    pub fn statement_at(&self, span: Span) -> Option<StatementText> {
        let around = self.statements.iter().filter(|s| contains(s.span, span));
        around.min_by_key(|s| s.span.hi - s.span.lo).copied()
    }
}

/// Is the second span inside the first one?
pub fn contains(outer: Span, inner: Span) -> bool {
    outer.file == inner.file && outer.lo <= inner.lo && inner.hi <= outer.hi
}

#[cfg(test)]
mod tests {
    use super::*;

    fn outline(text: &str) -> Outline {
        Outline::new(vec![SourceFile::new("a.i", text)], DataModel::Lp64).unwrap()
    }

    #[test]
    fn calls_statements_and_branches() {
        let text = "int in(void); int x; int f(int a) { return a; }\n\
                    int main(void) { int y = in(); if (x == f(y)) { x = 1; } while (x) x--; }";
        let outline = outline(text);
        let text_of = |span: Span| &text[span.lo as usize..span.hi as usize];
        let calls: Vec<_> = outline
            .calls
            .iter()
            .map(|call| text_of(call.span))
            .collect();
        assert_eq!(calls, ["in()", "f(y)"]);
        let conds: Vec<_> = outline.branches.iter().map(|b| text_of(b.cond)).collect();
        assert_eq!(conds, ["x == f(y)", "x"]);
        assert_eq!(text_of(outline.branches[1].keyword), "while");
        let at = text.find("x = 1").unwrap() as u32;
        let span = Span {
            lo: at,
            hi: at + 1,
            ..Span::default()
        };
        let statement = outline.statement_at(span).unwrap();
        assert_eq!(text_of(statement.span).trim_end_matches(';'), "x = 1");
        assert_eq!(outline.function_at(span), Some("main"));
        assert_eq!(outline.inputs[0].signed, Some(true));
    }
}
