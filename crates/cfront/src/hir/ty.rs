//! Types.

use std::sync::Arc;
use xcfa::DataModel;

/// A struct or union, by number into `Program::records`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct RecordId(pub u32);

/// The integer types by rank; plain `char` is signed here, enumerations are `int` or `unsigned`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[allow(missing_docs, reason = "C's own names")]
pub enum IntKind {
    Bool,
    Char,
    Short,
    Int,
    Long,
    LongLong,
    /// `__int128`: can be declared, not computed with.
    Int128,
}

/// An integer type.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct IntType {
    /// Its rank.
    pub kind: IntKind,
    /// Its signedness.
    pub signed: bool,
}

impl IntType {
    /// With this rank and signedness.
    pub const fn new(kind: IntKind, signed: bool) -> IntType {
        IntType { kind, signed }
    }

    /// `int`.
    pub const INT: IntType = IntType::new(IntKind::Int, true);

    /// Size in bytes.
    pub fn size(self, model: DataModel) -> u64 {
        match self.kind {
            IntKind::Bool | IntKind::Char => 1,
            IntKind::Short => 2,
            IntKind::Int => 4,
            IntKind::Long => u64::from(model.pointer_bits() / 8),
            IntKind::LongLong => 8,
            IntKind::Int128 => 16,
        }
    }

    /// As people write it.
    pub fn spelt(self) -> &'static str {
        match (self.kind, self.signed) {
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
            (IntKind::Int128, _) => "__int128",
        }
    }
}

/// The real floating types; complex ones are refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[allow(missing_docs, reason = "C's own names")]
pub enum FloatType {
    Float,
    Double,
    /// Can be declared (headers do), not computed with.
    LongDouble,
}

/// A function's type.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct FuncType {
    /// What it returns.
    pub result: Arc<Type>,
    /// Its parameters, adjusted.
    pub params: Vec<Type>,
    /// Does it take more arguments (`...`, or an empty K&R list)?
    pub variadic: bool,
}

impl FuncType {
    /// With this result and these parameters, and perhaps more.
    pub fn new(result: Arc<Type>, params: Vec<Type>, variadic: bool) -> FuncType {
        FuncType {
            result,
            params,
            variadic,
        }
    }
}

/// A type, without `const`, `volatile` and `restrict`, which do not change what programs mean here.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Type {
    /// `void`.
    Void,
    /// An integer or enumeration.
    Int(IntType),
    /// A floating type.
    Float(FloatType),
    /// A pointer.
    Pointer(Arc<Type>),
    /// An array; `None` while its length is unknown.
    Array(Arc<Type>, Option<u64>),
    /// A function.
    Function(Arc<FuncType>),
    /// A struct or union.
    Record(RecordId),
    /// `_Atomic T`: every access is atomic. Only around scalars, structs and unions.
    Atomic(Arc<Type>),
}

/// A member of a struct or union.
#[derive(Clone, Debug)]
pub struct Member {
    /// Its name; `None` for an anonymous struct or union and for padding bit-fields.
    pub name: Option<String>,
    /// Its type; for a bit-field, the declared one.
    pub ty: Type,
    /// Offset in bytes; for a bit-field, of the storage unit (of the declared type's size).
    pub offset: u64,
    /// For a bit-field: first bit within the storage unit, and width.
    pub bits: Option<(u32, u32)>,
}

/// A struct or union, laid out as GCC does on x86.
#[derive(Clone, Debug)]
pub struct Record {
    /// Its tag, if it has one.
    pub tag: Option<String>,
    /// A union?
    pub is_union: bool,
    /// Members in order; `None` while incomplete.
    pub members: Option<Vec<Member>>,
    /// Size in bytes.
    pub size: u64,
    /// Alignment in bytes.
    pub align: u64,
}

impl Type {
    /// `int`.
    pub const INT: Type = Type::Int(IntType::INT);

    /// The type without `_Atomic`.
    pub fn unqualified(&self) -> &Type {
        match self {
            Type::Atomic(inner) => inner,
            other => other,
        }
    }

    /// The type as people write it, if it has a name.
    pub fn spelt(&self, records: &[Record]) -> Option<String> {
        match self.unqualified() {
            Type::Int(int) => Some(int.spelt().to_owned()),
            Type::Pointer(to) => match to.spelt(records)? {
                text if text.ends_with('*') => Some(text + "*"),
                text => Some(text + " *"),
            },
            Type::Record(id) => {
                let record = records.get(id.0 as usize)?;
                let word = if record.is_union { "union" } else { "struct" };
                Some(format!("{word} {}", record.tag.as_ref()?))
            }
            Type::Void => Some("void".to_owned()),
            Type::Float(_) | Type::Array(..) | Type::Function(_) | Type::Atomic(_) => None,
        }
    }

    /// Can it be held by one variable?
    pub fn is_scalar(&self) -> bool {
        matches!(
            self.unqualified(),
            Type::Int(_) | Type::Float(_) | Type::Pointer(_)
        )
    }

    /// Size in bytes; `None` for incomplete types and functions (`void` counts 1, as in GNU C).
    pub fn size(&self, model: DataModel, records: &[Record]) -> Option<u64> {
        match self {
            Type::Void => Some(1),
            Type::Int(int) => Some(int.size(model)),
            Type::Float(FloatType::Float) => Some(4),
            Type::Float(FloatType::Double) => Some(8),
            Type::Float(FloatType::LongDouble) => Some(match model {
                DataModel::Ilp32 => 12,
                DataModel::Lp64 => 16,
            }),
            Type::Pointer(_) => Some(u64::from(model.pointer_bits() / 8)),
            Type::Array(element, length) => element.size(model, records)?.checked_mul((*length)?),
            Type::Function(_) => None,
            Type::Record(id) => {
                let record = &records[id.0 as usize];
                record.members.as_ref().map(|_| record.size)
            }
            Type::Atomic(inner) => inner.size(model, records),
        }
    }

    /// Alignment in bytes (of a member on i386, where 8-byte scalars align to 4).
    pub fn align(&self, model: DataModel, records: &[Record]) -> u64 {
        match self {
            Type::Void | Type::Function(_) => 1,
            Type::Array(element, _) => element.align(model, records),
            Type::Record(id) => records[id.0 as usize].align,
            Type::Atomic(inner) if inner.is_scalar() => inner.size(model, records).unwrap_or(1),
            // As large as a number, it is aligned like one.
            Type::Atomic(inner) => match inner.size(model, records) {
                Some(size @ (1 | 2 | 4 | 8 | 16)) => size.max(inner.align(model, records)),
                _ => inner.align(model, records),
            },
            _ => {
                let size = self.size(model, records).unwrap_or(1);
                match model {
                    DataModel::Ilp32 => size.min(4),
                    DataModel::Lp64 => size,
                }
            }
        }
    }
}
