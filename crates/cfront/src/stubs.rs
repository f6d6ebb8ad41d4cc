//! Stubs: definitions, to be edited, of functions that a program calls and nobody defines.
//!
//! A stub returns any value of its type and writes any value through its pointers, where the declaration
//! allows it and says how much there is. That is a start and not the truth: the user says what the function
//! does.

use crate::hir::{FloatType, FuncType, Function, IntKind, IntType, Program, Record, Type};
use crate::lower::undefined_functions;
use crate::{LowerOptions, ParseFailure, compile, parse_program};
use std::collections::BTreeMap;
use std::fmt::Write;
use xcfa::{DataModel, SourceFile};

const HEAD: &str = "\
/* Stubs: each returns any value of its type, and writes any value through its pointers as far as its
   declaration says what is there. Edit them to say what the functions do, then check this file together
   with yours. */
";

/// The text of a C file with a stub for each function that is refused or assumed to change nothing; `None`
/// if there is no such function.
pub fn stubs(
    files: Vec<SourceFile>,
    model: DataModel,
    options: &LowerOptions,
) -> Result<Option<String>, ParseFailure> {
    let program = parse_program(files.clone(), model)?;
    let mut wanted: BTreeMap<String, String> = BTreeMap::new();
    for name in undefined_functions(&program, options) {
        let why = format!("`{name}` is not defined");
        wanted.insert(name, why);
    }
    if let Err(failure) = compile(files, model, options) {
        for error in failure.all() {
            if let Some(name) = &error.function {
                wanted.insert(name.clone(), error.what.clone());
            }
        }
    }
    let mut text = String::new();
    for (name, why) in &wanted {
        let declared = program.functions.iter().find(|f| f.name == *name);
        if let Some(function) = declared.filter(|f| f.body.is_none()) {
            let _ = writeln!(text, "\n/* {why} */");
            text += &stub(&program, function);
        }
    }
    Ok((!text.is_empty()).then(|| format!("{HEAD}{text}")))
}

/// One definition, or a remark if its types have no names.
fn stub(program: &Program, function: &Function) -> String {
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
        if !constant.get(at).copied().unwrap_or(true) {
            write_through(program, param, &named(at), name, &mut inputs, &mut body);
        }
    }
    if !matches!(*ty.result, Type::Void) {
        let input = format!("__VERIFIER_nondet_{name}(void)");
        let _ = writeln!(inputs, "extern {};", declared(program, &ty.result, input));
        let _ = writeln!(body, "    return __VERIFIER_nondet_{name}();");
    }
    format!("{inputs}{head} {{\n{body}}}\n")
}

/// Any value where a parameter points to.
fn write_through(
    program: &Program,
    param: &Type,
    name: &str,
    function: &str,
    inputs: &mut String,
    body: &mut String,
) {
    let Type::Pointer(to) = param.unqualified() else {
        return;
    };
    let size = to.size(program.data_model, &program.records);
    match (to.unqualified(), size) {
        (Type::Int(_) | Type::Float(_), _) => {
            let input = format!("__VERIFIER_nondet_{function}_{name}");
            let head = declared(program, to.unqualified(), format!("{input}(void)"));
            let _ = writeln!(inputs, "extern {head};");
            let _ = writeln!(
                body,
                "    if ({name}) {{\n        *{name} = {input}();\n    }}"
            );
        }
        (Type::Record(_), Some(size)) if size > 0 => {
            let input = format!("__VERIFIER_nondet_{function}_{name}");
            let _ = writeln!(inputs, "extern char {input}(void);");
            let _ = writeln!(
                body,
                "    for (unsigned at = 0; {name} && at < {size}; at++) {{\n        \
                 ((char *){name})[at] = {input}();\n    }}"
            );
        }
        _ => {
            let _ = writeln!(body, "    /* What `{name}` points to stays as it is. */");
        }
    }
}

/// Which parameters point to what the declaration calls constant? The types do not say it: the text does.
fn constant_pointees(program: &Program, function: &Function) -> Vec<bool> {
    let file = &program.sources.files()[function.span.file.0 as usize];
    let text = &file.text[function.span.lo as usize..];
    let Some(params) = text.find('(').and_then(|from| inside(&text[from..])) else {
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

/// A declaration of `inner`, which is a name or a declarator.
fn declared(program: &Program, ty: &Type, inner: String) -> String {
    match ty {
        Type::Void => format!("void {inner}"),
        Type::Int(int) => format!("{} {inner}", integer(*int)),
        Type::Float(FloatType::Float) => format!("float {inner}"),
        Type::Float(FloatType::Double) => format!("double {inner}"),
        Type::Float(FloatType::LongDouble) => format!("long double {inner}"),
        Type::Atomic(of) => declared(program, of, inner),
        Type::Record(id) => format!("{} {inner}", record(&program.records[id.0 as usize])),
        Type::Pointer(to) => match &**to {
            Type::Array(..) | Type::Function(_) => declared(program, to, format!("(*{inner})")),
            _ => declared(program, to, format!("*{inner}")),
        },
        Type::Array(element, Some(length)) => {
            declared(program, element, format!("{inner}[{length}]"))
        }
        Type::Array(element, None) => declared(program, element, format!("{inner}[]")),
        Type::Function(ty) => {
            let list = parameters(program, ty);
            declared(program, &ty.result, format!("{inner}({list})"))
        }
    }
}

fn parameters(program: &Program, ty: &FuncType) -> String {
    let params = ty.params.iter();
    let mut list: Vec<String> = params
        .map(|param| {
            declared(program, param, String::new())
                .trim_end()
                .to_owned()
        })
        .collect();
    match (list.is_empty(), ty.variadic) {
        (true, false) => list.push("void".into()),
        (false, true) => list.push("...".into()),
        _ => {}
    }
    list.join(", ")
}

/// A struct by its tag; one without a tag is only known to be there.
fn record(record: &Record) -> String {
    match (&record.tag, record.is_union) {
        (Some(tag), false) => format!("struct {tag}"),
        (Some(tag), true) => format!("union {tag}"),
        (None, _) => "void".into(),
    }
}

fn integer(int: IntType) -> &'static str {
    match (int.kind, int.signed) {
        (IntKind::Bool, _) => "_Bool",
        (IntKind::Char, true) => "char",
        (IntKind::Char, false) => "unsigned char",
        (IntKind::Short, true) => "short",
        (IntKind::Short, false) => "unsigned short",
        (IntKind::Int, true) => "int",
        (IntKind::Int, false) => "unsigned",
        (IntKind::Long, true) => "long",
        (IntKind::Long, false) => "unsigned long",
        (IntKind::LongLong, true) => "long long",
        (IntKind::LongLong, false) => "unsigned long long",
        (IntKind::Int128, true) => "__int128",
        (IntKind::Int128, false) => "unsigned __int128",
    }
}

#[cfg(test)]
mod tests {
    use super::stubs;
    use crate::{LowerOptions, compile};
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
        let made = stubs(vec![file.clone()], DataModel::Lp64, &options);
        let made = made.expect("C").expect("three functions");
        expect![[r#"

            /* `ftw`: calls functions of the program, which is not modelled; define it to say what it does */
            extern int __VERIFIER_nondet_ftw(void);
            int ftw(char *p1, int (*p2)(char *), int p3) {
                return __VERIFIER_nondet_ftw();
            }

            /* `other` is not defined */
            void other(void) {
            }

            /* `own` is not defined */
            extern int __VERIFIER_nondet_own_p1(void);
            extern char __VERIFIER_nondet_own_p3(void);
            extern int __VERIFIER_nondet_own(void);
            int own(int *p1, int *p2, struct timer *p3, char **p4) {
                if (p1) {
                    *p1 = __VERIFIER_nondet_own_p1();
                }
                for (unsigned at = 0; p3 && at < 8; at++) {
                    ((char *)p3)[at] = __VERIFIER_nondet_own_p3();
                }
                /* What `p4` points to stays as it is. */
                return __VERIFIER_nondet_own();
            }
        "#]].assert_eq(made.split_once("*/\n").expect("a remark").1);
        let stubs = SourceFile::new("stubs.c", made);
        compile(vec![file, stubs], DataModel::Lp64, &options).expect("nothing is in the way");
    }

    #[test]
    fn no_stubs_for_what_is_known() {
        let text = "int puts(const char *); int main(void) { return puts(\"\"); }";
        let file = SourceFile::new("test.c", text);
        let made = stubs(vec![file], DataModel::Lp64, &LowerOptions::default());
        assert_eq!(made.expect("C"), None);
    }
}
