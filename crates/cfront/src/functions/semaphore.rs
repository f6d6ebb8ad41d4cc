//! `<semaphore.h>`.

use super::{Row, in_c};

const SEMAPHORE: &str = "lib/semaphore.c";

pub(super) const ROWS: &[Row] = &[
    in_c(
        SEMAPHORE,
        "sem_init sem_destroy sem_wait sem_timedwait sem_clockwait sem_trywait sem_post \
         sem_getvalue",
    ),
    in_c("lib/named_semaphores.c", "sem_open sem_close sem_unlink"),
];
