//! `<semaphore.h>`.

use super::{NO_MODEL, Row, in_c, refused};

const SEMAPHORE: &str = "lib/semaphore.c";

pub(super) const ROWS: &[Row] = &[
    in_c(
        SEMAPHORE,
        "sem_init sem_destroy sem_wait sem_timedwait sem_clockwait sem_trywait sem_post \
         sem_getvalue",
    ),
    refused(NO_MODEL, "sem_open sem_close sem_unlink"),
];
