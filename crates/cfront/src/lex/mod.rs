//! Text to tokens.
//!
//! The text is preprocessed already: line markers are skipped, `#pragma` lines are read by the table in
//! `pragma`, any other directive is refused. Numbers, characters and strings stay text here; `number` and
//! `text` decode them when the parser needs them.

mod intern;
mod keyword;
mod number;
mod packing;
mod pragma;
mod scan;
mod text;
mod token;

pub use intern::{Interner, Symbol};
pub use keyword::Keyword;
pub use number::{FloatLit, IntLit, Number, decode_number};
pub use packing::Packing;
pub use pragma::{Pragmas, keeps_meaning};
pub use scan::scan;
pub use text::{CharWidth, decode_char, decode_string_as, string_width};
pub use token::{Punct, Token, TokenKind};
