//! One token.

use super::{Keyword, Symbol};

/// A token and its place in the text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Token {
    /// What it is.
    pub kind: TokenKind,
    /// First byte.
    pub lo: u32,
    /// One past the last byte.
    pub hi: u32,
}

/// What a token is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TokenKind {
    /// A name that is no keyword; typedef names too.
    Ident(Symbol),
    /// A keyword in any of its spellings.
    Keyword(Keyword),
    /// A number, integer or floating.
    Number,
    /// A character constant with its prefix.
    Char,
    /// A string literal with its prefix.
    Str,
    /// An operator or bracket.
    Punct(Punct),
    /// The end of the file.
    End,
}

macro_rules! puncts {
    ($($name:ident $text:literal)*) => {
        /// Operators and brackets.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        #[allow(missing_docs, reason = "each is described by its text")]
        pub enum Punct {
            $($name,)*
        }

        impl Punct {
            /// Every one, the longer before those that start them.
            pub(super) const ALL: &[(Punct, &str)] = &[$((Punct::$name, $text),)*];

            /// Its text.
            pub fn text(self) -> &'static str {
                match self {
                    $(Punct::$name => $text,)*
                }
            }
        }
    };
}

puncts! {
    Ellipsis "..." ShlAssign "<<=" ShrAssign ">>="
    Arrow "->" PlusPlus "++" MinusMinus "--" Shl "<<" Shr ">>" Le "<=" Ge ">=" EqEq "==" Ne "!="
    AndAnd "&&" OrOr "||" StarAssign "*=" SlashAssign "/=" PercentAssign "%=" PlusAssign "+="
    MinusAssign "-=" AndAssign "&=" XorAssign "^=" OrAssign "|=" ColonColon "::"
    LParen "(" RParen ")" LBracket "[" RBracket "]" LBrace "{" RBrace "}"
    Dot "." And "&" Star "*" Plus "+" Minus "-" Tilde "~" Not "!" Slash "/" Percent "%"
    Lt "<" Gt ">" Caret "^" Or "|" Question "?" Colon ":" Semi ";" Assign "=" Comma ","
}

/// Other spellings of brackets, from the days of poor keyboards.
pub(super) const DIGRAPHS: &[(Punct, &str)] = &[
    (Punct::LBracket, "<:"),
    (Punct::RBracket, ":>"),
    (Punct::LBrace, "<%"),
    (Punct::RBrace, "%>"),
];
