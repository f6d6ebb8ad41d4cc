//! `<ctype.h>`.

use super::{NO_MODEL, Row, in_c, refused};

const CTYPE: &str = "lib/ctype.c";
const LOCALE: &str = "depends on a locale, which is not modelled";

pub(super) const ROWS: &[Row] = &[
    in_c(
        CTYPE,
        "__ctype_b_loc __ctype_tolower_loc __ctype_toupper_loc isdigit isupper islower isalpha \
         isalnum isxdigit isspace isblank isprint isgraph ispunct iscntrl isascii toascii \
         tolower toupper _tolower _toupper",
    ),
    refused(NO_MODEL, "isctype"),
    refused(
        LOCALE,
        "__tolower_l __toupper_l isalnum_l isalpha_l isblank_l iscntrl_l isdigit_l isgraph_l \
         islower_l isprint_l ispunct_l isspace_l isupper_l isxdigit_l tolower_l toupper_l",
    ),
];
