//! The arguments that `main` is given: those that are named, or a few of any text.

use super::Environment;
use super::function::FunctionLowering;
use super::reach::{any_expr_in, peel_casts};
use super::types::Lowered;
use crate::Unsupported;
use crate::hir::{BinaryOp, Expr, ExprKind, Function, LocalId, Type};
use expr::{Sort, Term, VarId};
use xcfa::{HavocOrigin, Label, Object, ObjectKind, Shape, Span};

/// At most this many characters has an argument of any text; with the zero behind them they are one number.
const MOST_CHARACTERS: usize = 7;

/// At least and at most this many arguments of any text are given, beside the name of the program.
const ARGUMENTS: std::ops::RangeInclusive<u64> = 2..=6;

/// What a compiler calls a program that nobody names.
const UNNAMED: &str = "a.out";

/// An argument as a shell reads it.
fn quoted(text: &str) -> String {
    let is_plain = |c: char| c.is_alphanumeric() || "-_=+,./:@%".contains(c);
    match !text.is_empty() && text.chars().all(is_plain) {
        true => text.to_owned(),
        false => format!("'{}'", text.replace('\'', "'\\''")),
    }
}

/// Has `main` the parameters `argc` and `argv`?
fn has_usual_parameters(function: &Function) -> bool {
    let params = function.ty.params.as_slice();
    function.params >= 2 && matches!(params, [Type::Int(_), Type::Pointer(_), ..])
}

/// Does the function mention a local?
fn uses_local(function: &Function, local: LocalId) -> bool {
    let mentions = |expr: &Expr| matches!(expr.kind, ExprKind::Local(id) if id == local);
    function
        .body
        .as_ref()
        .is_some_and(|body| any_expr_in(body, mentions))
}

/// How many arguments make a comparison of `argc` with a number go both ways.
fn needed(expr: &Expr) -> Option<u64> {
    let ExprKind::Binary(op, a, b) = &expr.kind else {
        return None;
    };
    let is_count = |side: &Expr| match &peel_casts(side).kind {
        ExprKind::Load(place) => matches!(place.kind, ExprKind::Local(LocalId(0))),
        _ => false,
    };
    let ExprKind::Int(number) = peel_casts(b).kind else {
        return None;
    };
    match op {
        _ if !is_count(a) => None,
        BinaryOp::Eq | BinaryOp::Ne | BinaryOp::Lt | BinaryOp::Ge => number.checked_sub(1),
        BinaryOp::Gt | BinaryOp::Le => Some(number),
        _ => None,
    }
}

impl FunctionLowering<'_, '_> {
    /// The values of `argc` and `argv`, if it is known what the program is run with.
    pub fn known_arguments(&mut self, function: &Function) -> Lowered<Option<[Term; 2]>> {
        let Some(arguments) = self.ctx.options.arguments.clone() else {
            return Ok(None);
        };
        let params = &function.ty.params;
        if function.name != "main" {
            let what = "arguments for an entry other than `main`";
            return Err(Unsupported::at(function.span, what));
        }
        if !has_usual_parameters(function) {
            return Ok(None);
        }
        let words: Vec<String> = arguments.iter().map(|it| quoted(it)).collect();
        let line = words.join(" ");
        self.ctx
            .assume_about(format!("the program is run as `{line}`"));
        let word = u64::from(self.ctx.xcfa.pointer_bits() / 8);
        let mut addresses: Vec<(u64, Term)> = Vec::new();
        for (at, text) in arguments.iter().enumerate() {
            let text = self.argument_text(function, at as u64, text.as_bytes());
            addresses.push((word * at as u64, text));
        }
        let null = self.ctx.word(0);
        addresses.push((word * arguments.len() as u64, null));
        let array = self.argument_memory(function, "*argv".to_owned(), word, addresses);
        let sort = self.types().sort(&params[0], function.span)?;
        let count = self.terms().constant(sort, arguments.len() as u64);
        Ok(Some([count, array]))
    }

    /// The values of `argc` and `argv` in a typical environment, if `main` looks at the arguments: there are a few
    /// of them, and each is any short text.
    pub fn any_arguments(&mut self, function: &Function) -> Lowered<Option<[Term; 2]>> {
        let is_typical = self.ctx.options.environment == Environment::Typical;
        let looks = is_typical && function.name == "main" && has_usual_parameters(function);
        if !looks || !uses_local(function, LocalId(1)) {
            return Ok(None);
        }
        let most = self.most_arguments(function);
        self.ctx.assume_about(format!(
            "the program is run as `{UNNAMED}` with at most {most} arguments of at most {MOST_CHARACTERS} characters"
        ));
        let span = function.span;
        let texts: Vec<Term> = (0..=most)
            .map(|at| self.argument_place(function, at))
            .collect();
        let lists: Vec<Term> = (0..=most)
            .map(|given| self.argument_list(function, &texts[..=given as usize]))
            .collect();
        let sort = self.types().sort(&function.ty.params[0], span)?;
        let word = self.ctx.word_sort();
        let (count, list) = (self.temp(sort), self.temp(word));
        self.ctx.xcfa[list].pointer = true;
        let end = self.new_loc();
        for given in 0..=most {
            let next = self.new_loc();
            if given < most {
                self.branch_to_more(next, span);
            }
            let number = self.terms().constant(sort, given + 1);
            self.assign(count, number, span);
            self.assign(list, lists[given as usize], span);
            self.goto(end, span);
            self.at = next;
            if given < most {
                self.set_text(texts[given as usize + 1], given + 1, span);
            }
        }
        self.at = end;
        Ok(Some([self.read_var(count), self.read_var(list)]))
    }

    /// Goes to `more`, or stays here.
    fn branch_to_more(&mut self, more: xcfa::LocId, span: Span) {
        let choice = self.temp(Sort::Bool);
        let origin = HavocOrigin::External("argc".to_owned(), span);
        self.emit(
            Label::Havoc {
                var: choice,
                origin,
            },
            span,
        );
        let is_more = self.read_var(choice);
        let is_over = self.terms().not(is_more);
        self.goto_if(is_more, more, span);
        let here = self.new_loc();
        self.goto_if(is_over, here, span);
        self.at = here;
    }

    /// Room for the text of an argument; the name of the program is there already.
    fn argument_place(&mut self, function: &Function, at: u64) -> Term {
        match at {
            0 => self.argument_text(function, at, UNNAMED.as_bytes()),
            _ => self.argument_text(function, at, &[0; MOST_CHARACTERS]),
        }
    }

    /// The array of these texts, with a null pointer behind them.
    fn argument_list(&mut self, function: &Function, texts: &[Term]) -> Term {
        let word = u64::from(self.ctx.xcfa.pointer_bits() / 8);
        let null = self.ctx.word(0);
        let addresses = texts.iter().copied().chain([null]).enumerate();
        let addresses = addresses.map(|(at, text)| (word * at as u64, text));
        self.argument_memory(function, "*argv".to_owned(), word, addresses.collect())
    }

    /// Makes the text at `address` any.
    fn set_text(&mut self, address: Term, at: u64, span: Span) {
        let text = self.any_text(at, span);
        for byte in 0..MOST_CHARACTERS {
            let addr = self.offset(address, byte as u64);
            let low = 8 * byte as u32;
            let text = self.read_var(text);
            let value = self.terms().extract(text, low + 7, low);
            self.emit(Label::Store { addr, value }, span);
        }
    }

    /// All characters of an argument as one number, so that whoever tries values tries whole texts.
    fn any_text(&mut self, at: u64, span: Span) -> VarId {
        let text = self.temp(Sort::Bv(64));
        let origin = HavocOrigin::External(xcfa::argument(at), span);
        self.emit(Label::Havoc { var: text, origin }, span);
        text
    }

    /// How many arguments are given at most: enough for what `main` compares their number with, and for two options
    /// with a value each if it looks for options.
    fn most_arguments(&self, function: &Function) -> u64 {
        let mut most = match self.ctx.uses("getopt") || self.ctx.uses("getopt_long") {
            true => 4,
            false => *ARGUMENTS.start(),
        };
        if let Some(body) = &function.body {
            any_expr_in(body, |expr| {
                most = most.max(needed(expr).unwrap_or(0));
                false
            });
        }
        most.min(*ARGUMENTS.end())
    }

    /// A text that is there before the program starts; its address.
    fn argument_text(&mut self, function: &Function, at: u64, text: &[u8]) -> Term {
        let bytes = text.iter().copied().chain([0]).enumerate();
        let terms = self.terms();
        let init = bytes.map(|(at, byte)| (at as u64, terms.bv(8, u64::from(byte))));
        let init: Vec<(u64, Term)> = init.collect();
        self.argument_memory(function, format!("*argv[{at}]"), 1, init)
    }

    /// An array that is there before the program starts; its address.
    fn argument_memory(
        &mut self,
        function: &Function,
        name: String,
        each: u64,
        init: Vec<(u64, Term)>,
    ) -> Term {
        let count = init.len() as u64;
        let size = Some(each * count);
        let kind = ObjectKind::Static { init };
        let element = Box::new(Shape::Scalar {
            sort: Sort::Bv(8 * each as u32),
            signed: each == 1,
        });
        let object = self.ctx.xcfa.add_object(Object {
            align: each,
            shape: Shape::Array {
                element,
                count,
                stride: each,
            },
            ..Object::new(name, kind, size, function.span)
        });
        self.ctx.base(object)
    }
}
