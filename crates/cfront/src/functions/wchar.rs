//! `<wchar.h>` and `<wctype.h>`, as far as no pointer is given; the rest has no rows and is refused by its pointers.

use super::{Row, arbitrary};

pub(super) const ROWS: &[Row] = &[arbitrary(
    &[],
    "btowc wctob wcwidth iswalnum iswalpha iswdigit iswspace iswupper iswlower towlower \
         towupper",
)];
