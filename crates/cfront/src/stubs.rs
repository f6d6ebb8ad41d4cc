//! Stubs: definitions, to be edited, of functions that a program calls and nobody defines.
//!
//! A stub returns any value of its type and may write any value through its pointers, where the declaration
//! allows it and says how much there is. It need not write: what a pointer points to may be constant, or may not
//! be there. That is a start and not the truth: the user says what the function
//! does.

use crate::declaration::{declared, record};
use crate::hir::{Function, IntKind, IntType, Program, Type};
use crate::lower::undefined_functions;
use crate::{LowerOptions, ParseFailure, Text, compile};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;

const HEAD: &str = "\
/* Stubs: each returns any value of its type, and may write any value through its pointers as far as its
   declaration says what is there. Edit them to say what the functions do, then check this file together
   with yours. */
";

/// The text of a C file with a stub for each function that is refused or assumed to change nothing; `None`
/// if there is no such function.
pub fn stubs(text: &Text, options: &LowerOptions) -> Result<Option<String>, ParseFailure> {
    let program = text.program()?;
    let mut wanted: BTreeMap<String, String> = BTreeMap::new();
    for name in undefined_functions(&program, options) {
        let why = format!("`{name}` is not defined");
        wanted.insert(name, why);
    }
    if let Err(failure) = compile(text, options) {
        for error in failure.all() {
            if let Some(name) = &error.function {
                wanted.insert(name.clone(), error.what.clone());
            }
        }
    }
    let mut text = String::new();
    let mut inputs = Inputs {
        taken: program.functions.iter().map(|f| f.name.clone()).collect(),
    };
    let mut tags = BTreeSet::new();
    for (name, why) in &wanted {
        let declared = program.functions.iter().find(|f| f.name == *name);
        if let Some(function) = declared.filter(|f| f.body.is_none()) {
            let _ = writeln!(text, "\n/* {why} */");
            text += &stub(&program, function, &mut inputs);
            add_tags(
                &program,
                &Type::Function(function.ty.clone().into()),
                &mut tags,
            );
        }
    }
    let mut head = HEAD.to_owned();
    for (at, tag) in tags.iter().enumerate() {
        let _ = writeln!(head, "{}{tag};", if at == 0 { "\n" } else { "" });
    }
    Ok((!text.is_empty()).then(|| format!("{head}{text}")))
}

/// Names of inputs, each of its own.
struct Inputs {
    taken: BTreeSet<String>,
}

impl Inputs {
    fn name(&mut self, of: &str) -> String {
        let mut name = format!("__VERIFIER_nondet_{of}");
        while !self.taken.insert(name.clone()) {
            name.push('_');
        }
        name
    }
}

/// The structs and unions that a type mentions: they are declared first, so that they are the same everywhere.
fn add_tags(program: &Program, ty: &Type, tags: &mut BTreeSet<String>) {
    match ty {
        Type::Record(id) => {
            let found = &program.records[id.0 as usize];
            if found.tag.is_some() {
                tags.insert(record(found));
            }
        }
        Type::Pointer(of) | Type::Array(of, _) | Type::Atomic(of) => add_tags(program, of, tags),
        Type::Function(ty) => {
            add_tags(program, &ty.result, tags);
            ty.params.iter().for_each(|ty| add_tags(program, ty, tags));
        }
        Type::Void | Type::Int(_) | Type::Float(_) => {}
    }
}

/// One definition, or a remark if its types have no names.
fn stub(program: &Program, function: &Function, names: &mut Inputs) -> String {
    let ty = &function.ty;
    let name = &function.name;
    let by_value = |ty: &Type| matches!(ty.unqualified(), Type::Record(_));
    if by_value(&ty.result) || ty.params.iter().any(by_value) {
        return format!("/* `{name}` takes or returns a struct: define it in your own file. */\n");
    }
    let named = |at: usize| format!("p{}", at + 1);
    let params = ty.params.iter().enumerate();
    let mut params: Vec<String> = params
        .map(|(at, ty)| declared(program, ty, named(at)))
        .collect();
    match (params.is_empty(), ty.variadic) {
        (true, false) => params.push("void".into()),
        (false, true) => params.push("...".into()),
        _ => {}
    }
    let head = declared(
        program,
        &ty.result,
        format!("{name}({})", params.join(", ")),
    );
    let mut inputs = String::new();
    let mut body = String::new();
    let constant = constant_pointees(program, function);
    for (at, param) in ty.params.iter().enumerate() {
        if !constant.get(at).copied().unwrap_or(false) {
            body += &write_through(program, param, &named(at), |ty, of| {
                let input = names.name(&format!("{name}_{of}"));
                let head = declared(program, ty, format!("{input}(void)"));
                let _ = writeln!(inputs, "extern {head};");
                input
            });
        }
    }
    if !matches!(*ty.result, Type::Void) {
        let input = names.name(name);
        let head = declared(program, &ty.result, format!("{input}(void)"));
        let _ = writeln!(inputs, "extern {head};");
        let _ = writeln!(body, "    return {input}();");
    }
    format!("{inputs}{head} {{\n{body}}}\n")
}

/// Any value where a parameter points to, or nothing. `input` declares a function that gives any value of a type.
fn write_through(
    program: &Program,
    param: &Type,
    name: &str,
    mut input: impl FnMut(&Type, &str) -> String,
) -> String {
    const TRUTH: Type = Type::Int(IntType::new(IntKind::Bool, false));
    const CHAR: Type = Type::Int(IntType::new(IntKind::Char, true));
    let Type::Pointer(to) = param.unqualified() else {
        return String::new();
    };
    let size = to.size(program.data_model, &program.records);
    match (to.unqualified(), size) {
        (Type::Int(_) | Type::Float(_), _) => {
            let writes = input(&TRUTH, &format!("{name}_set"));
            let value = input(to.unqualified(), name);
            format!("    if ({name} && {writes}()) {{\n        *{name} = {value}();\n    }}\n")
        }
        (Type::Record(_), Some(size)) if size > 0 => {
            let writes = input(&TRUTH, &format!("{name}_set"));
            let value = input(&CHAR, name);
            format!(
                "    for (unsigned at = 0; {name} && at < {size}; at++) {{\n        \
                 if ({writes}()) {{\n            ((char *){name})[at] = {value}();\n        }}\n    }}\n"
            )
        }
        _ => format!("    /* What `{name}` points to stays as it is. */\n"),
    }
}

/// Which parameters point to what the declaration calls constant? The types do not say it: the text does.
fn constant_pointees(program: &Program, function: &Function) -> Vec<bool> {
    let file = &program.sources.files()[function.span.file.0 as usize];
    let text = &file.text[function.span.lo as usize..];
    // Where a typedef declares the function, its parameters are not here.
    let behind = text.strip_prefix(function.name.as_str());
    let list = behind.map(|text| text.trim_start().trim_start_matches(')').trim_start());
    let Some(params) = list.filter(|it| it.starts_with('(')).and_then(inside) else {
        return Vec::new();
    };
    let is_constant = |param: &str| match param.rfind('*') {
        Some(star) => param[..star]
            .split(|c: char| !c.is_alphanumeric())
            .any(|word| word == "const"),
        None => false,
    };
    split(params).into_iter().map(is_constant).collect()
}

/// What is between the parenthesis at the start and the one that closes it.
fn inside(text: &str) -> Option<&str> {
    let mut depth = 0;
    for (at, c) in text.char_indices() {
        match c {
            '(' => depth += 1,
            ')' => depth -= 1,
            _ => {}
        }
        if depth == 0 {
            return text.get(1..at);
        }
    }
    None
}

/// The parts between commas that are in no parentheses.
fn split(text: &str) -> Vec<&str> {
    let mut depth = 0;
    text.split(|c| {
        match c {
            '(' => depth += 1,
            ')' => depth -= 1,
            _ => {}
        }
        c == ',' && depth == 0
    })
    .collect()
}

#[cfg(test)]
mod tests {
    use super::stubs;
    use crate::{LowerOptions, Text, compile};
    use expect_test::expect;
    use xcfa::{DataModel, SourceFile};

    #[test]
    fn a_stub_for_each_function() {
        let text = "struct timer { int a, b; };\n\
                    int ftw(const char *, int (*)(const char *), int);\n\
                    int own(int *result, const int *given, struct timer *t, char **list);\n\
                    void other(void);\n\
                    static int each(const char *p) { return 0; }\n\
                    int main(void) { int x; struct timer t; other(); return ftw(\"\", each, 1) + own(&x, &x, &t, 0); }";
        let file = SourceFile::new("test.c", text);
        let options = LowerOptions::default();
        let made = stubs(&Text::new(vec![file.clone()], DataModel::Lp64), &options);
        let made = made.expect("C").expect("three functions");
        expect![[r#"

            struct timer;

            /* `ftw`: calls functions of the program, which is not modelled; define it to say what it does */
            extern int __VERIFIER_nondet_ftw(void);
            int ftw(char *p1, int (*p2)(char *), int p3) {
                return __VERIFIER_nondet_ftw();
            }

            /* `other` is not defined */
            void other(void) {
            }

            /* `own` is not defined */
            extern _Bool __VERIFIER_nondet_own_p1_set(void);
            extern int __VERIFIER_nondet_own_p1(void);
            extern _Bool __VERIFIER_nondet_own_p3_set(void);
            extern char __VERIFIER_nondet_own_p3(void);
            extern int __VERIFIER_nondet_own(void);
            int own(int *p1, int *p2, struct timer *p3, char **p4) {
                if (p1 && __VERIFIER_nondet_own_p1_set()) {
                    *p1 = __VERIFIER_nondet_own_p1();
                }
                for (unsigned at = 0; p3 && at < 8; at++) {
                    if (__VERIFIER_nondet_own_p3_set()) {
                        ((char *)p3)[at] = __VERIFIER_nondet_own_p3();
                    }
                }
                /* What `p4` points to stays as it is. */
                return __VERIFIER_nondet_own();
            }
        "#]].assert_eq(made.split_once("*/\n").expect("a remark").1);
        let stubs = SourceFile::new("stubs.c", made);
        compile(&Text::new(vec![file, stubs], DataModel::Lp64), &options)
            .expect("nothing is in the way");
    }

    #[test]
    fn no_stubs_for_what_is_known() {
        let text = "int puts(const char *); int main(void) { return puts(\"\"); }";
        let file = SourceFile::new("test.c", text);
        let made = stubs(
            &Text::new(vec![file], DataModel::Lp64),
            &LowerOptions::default(),
        );
        assert_eq!(made.expect("C"), None);
    }
}
