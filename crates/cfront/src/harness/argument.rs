//! What a call is given, by the type of the parameter.

use super::object::Objects;
use crate::declaration::declared;
use crate::hir::{Program, Type};

/// An argument.
pub(super) struct Argument {
    at: usize,
    kind: Kind,
}

enum Kind {
    /// Any number.
    Number(Type),
    /// A pointer to any number, which the call has for itself.
    Own(Type),
    /// A pointer to an object that all threads share: an expression.
    Shared(String),
}

impl Argument {
    /// The argument for a parameter, or why there is none.
    pub fn of(ty: &Type, at: usize, objects: &mut Objects) -> Result<Argument, String> {
        let kind = match ty.unqualified() {
            Type::Int(_) | Type::Float(_) => Kind::Number(ty.unqualified().clone()),
            Type::Pointer(to) => match to.unqualified() {
                Type::Int(_) | Type::Float(_) => Kind::Own(to.unqualified().clone()),
                Type::Record(id) => Kind::Shared(objects.pointer(*id)?),
                Type::Void => Kind::Shared(objects.anything()),
                Type::Function(_) => return Err("is a pointer to a function".into()),
                Type::Pointer(_) => return Err("is a pointer to a pointer".into()),
                _ => return Err("is a pointer to an array".into()),
            },
            _ => return Err("is a struct".into()),
        };
        Ok(Argument { at, kind })
    }

    /// Its name.
    pub fn name(&self) -> String {
        format!("p{}", self.at + 1)
    }

    /// The type of the number that it is or points to.
    pub fn number(&self) -> Option<&Type> {
        match &self.kind {
            Kind::Number(ty) | Kind::Own(ty) => Some(ty),
            Kind::Shared(_) => None,
        }
    }

    /// Does it point to a number of the call's own?
    pub fn is_own(&self) -> bool {
        matches!(self.kind, Kind::Own(_))
    }

    /// The function that gives its value.
    pub fn input(&self, function: &str) -> String {
        format!("__VERIFIER_nondet_mz_{function}_{}", self.name())
    }

    /// The parameter in the driver's declaration of the function.
    pub fn declared(&self, program: &Program, ty: &Type) -> String {
        declared(program, ty, String::new()).trim_end().to_owned()
    }

    /// The argument as an expression; its number is a member of `of`.
    pub fn value(&self, of: &str) -> String {
        let name = self.name();
        match &self.kind {
            Kind::Number(_) => format!("{of}{name}"),
            Kind::Own(_) => format!("&{of}{name}"),
            Kind::Shared(pointer) => pointer.clone(),
        }
    }
}
