//! Types as declarations in C.

use crate::hir::{FloatType, FuncType, Program, Record, Type};

/// A declaration of `inner`, which is a name or a declarator.
pub(crate) fn declared(program: &Program, ty: &Type, inner: String) -> String {
    match ty {
        Type::Void => format!("void {inner}"),
        Type::Int(int) => format!("{} {inner}", int.spelt()),
        Type::Float(FloatType::Float) => format!("float {inner}"),
        Type::Float(FloatType::Double) => format!("double {inner}"),
        Type::Float(FloatType::LongDouble) => format!("long double {inner}"),
        Type::Atomic(of) => {
            let of = declared(program, of, String::new());
            format!("_Atomic({}) {inner}", of.trim_end())
        }
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
pub(crate) fn record(record: &Record) -> String {
    match (&record.tag, record.is_union) {
        (Some(tag), false) => format!("struct {tag}"),
        (Some(tag), true) => format!("union {tag}"),
        (None, _) => "void".into(),
    }
}
