//! Do two files mean the same by a name?
//!
//! Files of one program may write a type differently, and each has its own structs. What has to agree is what
//! memory and calls look like: sizes, offsets, and whether a scalar is a number, a floating value or a pointer.

use crate::hir::{FuncType, Function, Global, Record, Type};
use xcfa::DataModel;

/// The types of all files.
pub(super) struct Compatible<'a> {
    pub model: DataModel,
    pub records: &'a [Record],
}

/// Structs may contain arrays of structs and so on, to this depth.
const MAX_DEPTH: u32 = 50;

impl Compatible<'_> {
    /// May calls that `user` declares go to `definition`?
    pub fn functions(&self, user: &Function, definition: &Function) -> bool {
        if user.link.library || definition.link.library {
            return true;
        }
        self.signatures(&user.ty, &definition.ty)
    }

    fn signatures(&self, user: &FuncType, definition: &FuncType) -> bool {
        let result = *user.result == Type::Void
            || *definition.result == Type::Void
            || self.values(&user.result, &definition.result, 0);
        let unknown = |ty: &FuncType| ty.params.is_empty() && ty.variadic;
        if unknown(user) || unknown(definition) {
            return result;
        }
        let mut params = user.params.iter().zip(&definition.params);
        result
            && user.params.len() == definition.params.len()
            && user.variadic == definition.variadic
            && params.all(|(a, b)| self.values(a, b, 0))
    }

    /// May uses that `user` declares go to `definition`?
    pub fn objects(&self, user: &Global, definition: &Global) -> bool {
        user.thread_local == definition.thread_local && self.values(&user.ty, &definition.ty, 0)
    }

    /// Do values of two types look the same in memory?
    fn values(&self, user: &Type, definition: &Type, depth: u32) -> bool {
        if depth > MAX_DEPTH {
            return false;
        }
        match (user, definition) {
            (Type::Atomic(a), Type::Atomic(b)) => self.values(a, b, depth + 1),
            (Type::Int(a), Type::Int(b)) => a.size(self.model) == b.size(self.model),
            (Type::Float(a), Type::Float(b)) => a == b,
            (Type::Pointer(_), Type::Pointer(_)) => true,
            (Type::Function(_), Type::Function(_)) => true,
            (Type::Array(a, _), Type::Array(b, None)) => self.values(a, b, depth + 1),
            (Type::Array(a, n), Type::Array(b, Some(m))) => {
                n.is_none_or(|n| n <= *m) && self.values(a, b, depth + 1)
            }
            (Type::Record(a), Type::Record(b)) if a == b => true,
            (Type::Record(a), Type::Record(b)) => {
                let (a, b) = (&self.records[a.0 as usize], &self.records[b.0 as usize]);
                self.same_layout(a, b, depth)
            }
            (Type::Void, Type::Void) => true,
            _ => false,
        }
    }

    fn same_layout(&self, a: &Record, b: &Record, depth: u32) -> bool {
        let (Some(x), Some(y)) = (&a.members, &b.members) else {
            // A file that does not know the members cannot use them.
            return a.is_union == b.is_union;
        };
        a.size == b.size
            && a.is_union == b.is_union
            && x.len() == y.len()
            && x.iter().zip(y).all(|(x, y)| {
                x.offset == y.offset && x.bits == y.bits && self.values(&x.ty, &y.ty, depth + 1)
            })
    }
}
