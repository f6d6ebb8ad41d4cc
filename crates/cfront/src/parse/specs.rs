//! Declaration specifiers: storage classes, qualifiers and type specifiers in any order.

use super::{Parsed, Parser};
use crate::ast::{Attr, Specs, Storage, TypeSpec};
use crate::hir::{FloatType, IntKind, IntType};
use crate::lex::{Keyword, Punct, TokenKind};
use xcfa::Span;

/// The words of an arithmetic type, as far as they have been read.
#[derive(Default)]
struct Words {
    signed: bool,
    unsigned: bool,
    short: bool,
    longs: u8,
    complex: bool,
    base: Option<Keyword>,
}

impl Words {
    fn any(&self) -> bool {
        self.signed
            || self.unsigned
            || self.short
            || self.longs > 0
            || self.complex
            || self.base.is_some()
    }
}

/// What has been read so far.
struct Builder {
    storage: Storage,
    thread_local: bool,
    register: bool,
    inline: bool,
    atomic: bool,
    constant: bool,
    auto: bool,
    words: Words,
    ty: Option<TypeSpec>,
    attrs: Vec<Attr>,
}

impl Builder {
    fn has_type(&self) -> bool {
        self.ty.is_some() || self.words.any()
    }
}

impl Parser<'_> {
    /// Does a type name start at the token that is `ahead` of the next one?
    pub(super) fn starts_type(&self, ahead: usize) -> bool {
        match self.kind_after(ahead) {
            TokenKind::Ident(symbol) => self.typedefs.is_typedef(symbol),
            TokenKind::Keyword(Keyword::Extension) => self.starts_type_strictly(ahead + 1),
            _ => self.starts_type_strictly(ahead),
        }
    }

    fn starts_type_strictly(&self, ahead: usize) -> bool {
        use Keyword::*;
        let TokenKind::Keyword(keyword) = self.kind_after(ahead) else {
            return false;
        };
        matches!(
            keyword,
            Void | Char
                | Short
                | Int
                | Long
                | Float
                | Double
                | Signed
                | Unsigned
                | Bool
                | Complex
                | Struct
                | Union
                | Enum
                | Typeof
                | Atomic
                | Const
                | Volatile
                | Restrict
                | AutoType
                | VaList
                | Int128
                | UInt128
                | Float16
                | Float32
                | Float32x
                | Float64
                | Float64x
                | Float128
                | Decimal32
                | Decimal64
                | Decimal128
                | Attribute
        )
    }

    pub(super) fn starts_declaration(&self) -> bool {
        use Keyword::*;
        if self.starts_type(0) {
            return true;
        }
        matches!(
            self.kind(),
            TokenKind::Keyword(
                Typedef
                    | Extern
                    | Static
                    | Auto
                    | Register
                    | Thread
                    | Inline
                    | Noreturn
                    | Alignas
                    | StaticAssert
            )
        )
    }

    /// Reads specifiers; there must be a type among them.
    pub(super) fn specs(&mut self) -> Parsed<Specs> {
        let start = self.span();
        let mut builder = Builder {
            storage: Storage::None,
            thread_local: false,
            register: false,
            inline: false,
            atomic: false,
            constant: false,
            auto: false,
            words: Words::default(),
            ty: None,
            attrs: Vec::new(),
        };
        let first = self.at;
        while self.spec(&mut builder)? {}
        let span = start.to(if self.at > first {
            self.last_span()
        } else {
            start
        });
        let ty = match builder.ty.take() {
            Some(ty) if !builder.words.any() => ty,
            Some(_) => return Err(self.error(span, "two types in one declaration")),
            None if builder.words.any() => self.arithmetic_type(&builder.words, span)?,
            None if builder.auto => TypeSpec::Auto,
            None if self.may_be_implicit_int(self.at > first) => TypeSpec::Int(IntType::INT),
            None => return Err(self.missing_type()),
        };
        Ok(Specs {
            storage: builder.storage,
            thread_local: builder.thread_local,
            register: builder.register,
            inline: builder.inline,
            atomic: builder.atomic,
            constant: builder.constant,
            ty,
            attrs: builder.attrs,
            span,
        })
    }

    fn missing_type(&mut self) -> Box<crate::Unsupported> {
        match (self.kind(), self.kind_after(1)) {
            (
                TokenKind::Ident(_),
                TokenKind::Ident(_) | TokenKind::Punct(Punct::Star | Punct::RParen | Punct::Comma),
            ) => self.no_type(self.span()),
            _ => self.unexpected("a type"),
        }
    }

    /// Old programs leave out `int` in front of functions and behind storage classes.
    fn may_be_implicit_int(&self, some_specs: bool) -> bool {
        let TokenKind::Ident(_) = self.kind() else {
            return false;
        };
        match self.kind_after(1) {
            TokenKind::Punct(Punct::LParen) => true,
            TokenKind::Punct(Punct::Semi | Punct::Assign | Punct::Comma | Punct::LBracket) => {
                some_specs
            }
            _ => false,
        }
    }

    fn spec(&mut self, builder: &mut Builder) -> Parsed<bool> {
        let keyword = match self.kind() {
            TokenKind::Keyword(keyword) => keyword,
            TokenKind::Ident(symbol) => {
                if builder.has_type() || builder.auto || !self.typedefs.is_typedef(symbol) {
                    return Ok(false);
                }
                builder.ty = Some(TypeSpec::Named(symbol));
                self.advance();
                return Ok(true);
            }
            TokenKind::Punct(Punct::LBracket) if self.at_bracket_attribute() => {
                self.attributes(&mut builder.attrs)?;
                return Ok(true);
            }
            _ => return Ok(false),
        };
        if self.storage_spec(builder, keyword)? || self.arithmetic_word(builder, keyword)? {
            return Ok(true);
        }
        self.other_spec(builder, keyword)
    }

    fn storage_spec(&mut self, builder: &mut Builder, keyword: Keyword) -> Parsed<bool> {
        let storage = match keyword {
            Keyword::Typedef => Storage::Typedef,
            Keyword::Extern => Storage::Extern,
            Keyword::Static => Storage::Static,
            Keyword::Auto | Keyword::Register => Storage::None,
            Keyword::Thread => {
                builder.thread_local = true;
                self.advance();
                return Ok(true);
            }
            Keyword::Inline => {
                builder.inline = true;
                self.advance();
                return Ok(true);
            }
            Keyword::Noreturn => {
                builder.attrs.push(Attr::NoReturn);
                self.advance();
                return Ok(true);
            }
            Keyword::Const => {
                builder.constant = true;
                self.advance();
                return Ok(true);
            }
            Keyword::Volatile | Keyword::Restrict | Keyword::Extension => {
                self.advance();
                return Ok(true);
            }
            _ => return Ok(false),
        };
        if storage != Storage::None {
            if builder.storage != Storage::None && builder.storage != storage {
                return Err(self.error(self.span(), "two storage classes in one declaration"));
            }
            builder.storage = storage;
        }
        builder.auto |= keyword == Keyword::Auto;
        builder.register |= keyword == Keyword::Register;
        self.advance();
        Ok(true)
    }

    fn arithmetic_word(&mut self, builder: &mut Builder, keyword: Keyword) -> Parsed<bool> {
        use Keyword::*;
        let words = &mut builder.words;
        match keyword {
            Signed => words.signed = true,
            Unsigned => words.unsigned = true,
            Short => words.short = true,
            Long => words.longs = words.longs.saturating_add(1),
            Complex => words.complex = true,
            Void | Char | Int | Float | Double | Bool | Int128 | UInt128 | Float16 | Float32
            | Float32x | Float64 | Float64x | Float128 | Decimal32 | Decimal64 | Decimal128 => {
                // `long int` names one type, `char int` none.
                if words.base.is_some() {
                    return Err(self.error(self.span(), "two types in one declaration"));
                }
                words.base = Some(keyword);
            }
            _ => return Ok(false),
        }
        self.advance();
        Ok(true)
    }

    fn other_spec(&mut self, builder: &mut Builder, keyword: Keyword) -> Parsed<bool> {
        match keyword {
            Keyword::Attribute | Keyword::Alignas => {
                self.attributes(&mut builder.attrs)?;
                return Ok(true);
            }
            Keyword::Atomic if self.kind_after(1) != TokenKind::Punct(Punct::LParen) => {
                self.advance();
                builder.atomic = true;
                return Ok(true);
            }
            Keyword::Struct
            | Keyword::Union
            | Keyword::Enum
            | Keyword::Typeof
            | Keyword::Atomic
            | Keyword::AutoType
            | Keyword::VaList => {}
            _ => return Ok(false),
        }
        if builder.has_type() {
            return Err(self.error(self.span(), "two types in one declaration"));
        }
        builder.ty = Some(match keyword {
            Keyword::Struct | Keyword::Union => {
                TypeSpec::Record(Box::new(self.nested(Self::record_spec)?))
            }
            Keyword::Enum => TypeSpec::Enum(Box::new(self.enum_spec()?)),
            Keyword::Typeof => self.nested(Self::typeof_spec)?,
            Keyword::Atomic => {
                self.advance();
                self.expect(Punct::LParen, "after `_Atomic`")?;
                let ty = self.nested(Self::type_name)?;
                self.expect(Punct::RParen, "after the type")?;
                TypeSpec::AtomicType(Box::new(ty))
            }
            Keyword::AutoType => {
                self.advance();
                TypeSpec::Auto
            }
            _ => {
                self.advance();
                TypeSpec::VaList
            }
        });
        Ok(true)
    }

    fn typeof_spec(&mut self) -> Parsed<TypeSpec> {
        self.advance();
        self.expect(Punct::LParen, "after `typeof`")?;
        let ty = if self.starts_type(0) {
            TypeSpec::TypeofType(Box::new(self.type_name()?))
        } else {
            TypeSpec::TypeofExpr(Box::new(self.expr()?))
        };
        self.expect(Punct::RParen, "after the operand of `typeof`")?;
        Ok(ty)
    }

    fn arithmetic_type(&self, words: &Words, span: Span) -> Parsed<TypeSpec> {
        let nonsense = || Err(self.error(span, "these words together name no type"));
        if words.signed && words.unsigned || words.short && words.longs > 0 || words.longs > 2 {
            return nonsense();
        }
        let has_sign = words.signed || words.unsigned;
        let base = words.base.unwrap_or(if words.complex {
            Keyword::Double
        } else {
            Keyword::Int
        });
        let kind = match base {
            Keyword::Int if words.short => IntKind::Short,
            Keyword::Int if words.longs == 2 => IntKind::LongLong,
            Keyword::Int if words.longs == 1 => IntKind::Long,
            Keyword::Int => IntKind::Int,
            Keyword::Char if !words.short && words.longs == 0 => IntKind::Char,
            Keyword::Int128 | Keyword::UInt128 if !words.short && words.longs == 0 => {
                IntKind::Int128
            }
            _ if has_sign || words.short => return nonsense(),
            _ => return self.other_arithmetic_type(words, base, span),
        };
        if words.complex {
            return Err(self.error(span, "a complex integer type"));
        }
        let signed = !words.unsigned && base != Keyword::UInt128;
        Ok(TypeSpec::Int(IntType { kind, signed }))
    }

    /// `void`, `_Bool` and the floating types.
    fn other_arithmetic_type(&self, words: &Words, base: Keyword, span: Span) -> Parsed<TypeSpec> {
        if words.longs > 0 && (base != Keyword::Double || words.longs > 1) {
            return Err(self.error(span, "these words together name no type"));
        }
        let opaque = |name, size, align| TypeSpec::Opaque { name, size, align };
        let float = match base {
            Keyword::Float | Keyword::Float32 => FloatType::Float,
            Keyword::Double if words.longs == 1 => FloatType::LongDouble,
            Keyword::Double | Keyword::Float64 | Keyword::Float32x => FloatType::Double,
            Keyword::Float64x => FloatType::LongDouble,
            Keyword::Void if !words.complex => return Ok(TypeSpec::Void),
            Keyword::Bool if !words.complex => {
                return Ok(TypeSpec::Int(IntType::new(IntKind::Bool, false)));
            }
            Keyword::Float128 if words.complex => {
                return Ok(opaque("_Complex _Float128", [32, 32], [16, 16]));
            }
            Keyword::Float128 => return Ok(opaque("_Float128", [16, 16], [16, 16])),
            Keyword::Float16 => return Ok(opaque("_Float16", [2, 2], [2, 2])),
            Keyword::Decimal32 => return Ok(opaque("_Decimal32", [4, 4], [4, 4])),
            Keyword::Decimal64 => return Ok(opaque("_Decimal64", [8, 8], [8, 8])),
            Keyword::Decimal128 => return Ok(opaque("_Decimal128", [16, 16], [16, 16])),
            _ => return Err(self.error(span, "these words together name no type")),
        };
        Ok(match float {
            _ if !words.complex => TypeSpec::Float(float),
            FloatType::Float => opaque("_Complex float", [8, 8], [4, 4]),
            FloatType::Double => opaque("_Complex double", [16, 16], [4, 8]),
            FloatType::LongDouble => opaque("_Complex long double", [24, 32], [4, 16]),
        })
    }
}
