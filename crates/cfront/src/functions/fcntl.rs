//! `<fcntl.h>`, `<dirent.h>`, `<poll.h>` and similar headers: access to files.

use super::Effect::TextOrNull;
use super::{CALLS, POINTS, Row, code, in_c, outside, refused, status, text_or_null};

pub(super) const ROWS: &[Row] = &[
    in_c("lib/files.c", "open open64 creat creat64 openat openat64"),
    in_c("lib/paths.c", "__xpg_basename dirname"),
    code(&[], "posix_fadvise posix_fallocate"),
    in_c(
        "lib/folders.c",
        "opendir fdopendir readdir rewinddir closedir",
    ),
    status(&[], "dlclose"),
    refused(POINTS, "readdir64 localeconv"),
    refused(CALLS, "scandir ftw nftw glob"),
    in_c("lib/ready.c", "poll ppoll select pselect"),
    in_c("lib/control.c", "fcntl"),
    in_c("lib/getopt.c", "getopt_long getopt_long_only"),
    text_or_null(&[TextOrNull(1)], "setlocale"),
    outside(&[TextOrNull(0)], "dlopen openlog"),
    refused("finds functions by name, which is not modelled", "dlsym"),
    text_or_null(&[], "dlerror"),
    outside(&[], "closelog"),
];
