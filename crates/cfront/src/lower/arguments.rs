//! The arguments that `main` is given, where they are known.

use super::function::FunctionLowering;
use super::types::Lowered;
use crate::Unsupported;
use crate::hir::{Function, Type};
use expr::{Sort, Term};
use xcfa::{Object, ObjectKind, Shape};

/// An argument as a shell reads it.
fn quoted(text: &str) -> String {
    let is_plain = |c: char| c.is_alphanumeric() || "-_=+,./:@%".contains(c);
    match !text.is_empty() && text.chars().all(is_plain) {
        true => text.to_owned(),
        false => format!("'{}'", text.replace('\'', "'\\''")),
    }
}

impl FunctionLowering<'_, '_> {
    /// The values of `argc` and `argv`, if it is known what the program is run with.
    pub fn known_arguments(&mut self, function: &Function) -> Lowered<Option<[Term; 2]>> {
        let Some(arguments) = self.ctx.options.arguments.clone() else {
            return Ok(None);
        };
        let params = &function.ty.params;
        let is_main = function.params >= 2;
        let is_usual = matches!(params.as_slice(), [Type::Int(_), Type::Pointer(_), ..]);
        if function.name != "main" {
            let what = "arguments for an entry other than `main`";
            return Err(Unsupported::at(function.span, what));
        }
        if !is_main || !is_usual {
            return Ok(None);
        }
        let words: Vec<String> = arguments.iter().map(|it| quoted(it)).collect();
        let line = words.join(" ");
        self.ctx
            .assume_about(format!("the program is run as `{line}`"));
        let word = u64::from(self.ctx.xcfa.pointer_bits() / 8);
        let mut addresses: Vec<(u64, Term)> = Vec::new();
        for (at, text) in arguments.iter().enumerate() {
            let bytes = text.bytes().chain([0]).enumerate();
            let terms = self.terms();
            let init = bytes.map(|(at, byte)| (at as u64, terms.bv(8, u64::from(byte))));
            let init: Vec<(u64, Term)> = init.collect();
            let text = self.argument_memory(function, format!("*argv[{at}]"), 1, init);
            addresses.push((word * at as u64, text));
        }
        let null = self.ctx.word(0);
        addresses.push((word * arguments.len() as u64, null));
        let array = self.argument_memory(function, "*argv".to_owned(), word, addresses);
        let sort = self.types().sort(&params[0], function.span)?;
        let count = self.terms().constant(sort, arguments.len() as u64);
        Ok(Some([count, array]))
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
