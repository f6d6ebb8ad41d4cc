//! `<string.h>` and `<strings.h>`.

use super::Effect::Text;
use super::Meaning::Steps;
use super::{
    NO_MODEL, POINTS, Row, WRITES, arbitrary, in_c, is, refused, steps, text, text_or_null,
};

const COMPARE: &str = "lib/compare.c";
const MEMORY: &str = "lib/memory.c";
const STRING: &str = "lib/string.c";
const TOKENS: &str = "lib/tokens.c";

pub(super) const ROWS: &[Row] = &[
    is(
        Steps(Some(MEMORY)),
        "memcpy memmove memset __mempcpy mempcpy bcopy bzero explicit_bzero",
    ),
    in_c(MEMORY, "memccpy memchr rawmemchr memrchr memmem memfrob"),
    in_c(
        COMPARE,
        "memcmp __memcmpeq strcmp strncmp strcoll strcasestr bcmp strcasecmp strncasecmp",
    ),
    in_c(
        STRING,
        "strcpy strncpy strcat strncat strdup strndup strchr strrchr strchrnul strstr strlen \
         strnlen index rindex __stpcpy stpcpy __stpncpy stpncpy basename strlcpy strlcat strxfrm",
    ),
    refused(WRITES, "strxfrm_l strfry"),
    in_c("lib/error_texts.c", "strerror_r __xpg_strerror_r"),
    refused(NO_MODEL, "strcoll_l strcasecmp_l strncasecmp_l"),
    in_c(
        TOKENS,
        "strcspn strspn strpbrk strtok __strtok_r strtok_r strsep",
    ),
    text(&[], "strerror strsignal"),
    text_or_null(
        &[],
        "strerrordesc_np strerrorname_np sigabbrev_np sigdescr_np",
    ),
    refused(POINTS, "strerror_l"),
    steps("ffs ffsl ffsll"),
    arbitrary(&[Text(0), Text(1)], "strverscmp"),
];
