/* One file that is fetched by HTTP/1.0. */
#ifndef TRANSFER_H
#define TRANSFER_H

#include "url.h"

#include <stdatomic.h>
#include <stddef.h>

enum transfer_state {
    TRANSFER_WAITING,
    TRANSFER_RUNNING,
    TRANSFER_DONE,
    TRANSFER_FAILED,
};

struct transfer {
    struct url url;
    enum transfer_state state; /* guarded by the lock of the queue */
    const char *error;         /* what failed, if it did */
#ifdef BUG_PLAIN_PROGRESS
    unsigned long long received;
#else
    atomic_ullong received; /* bytes until now: shown by another thread */
#endif
    int status; /* what the server said: 200 and the like */
};

struct transfer_options {
    const char *folder; /* NULL: the bytes are counted and thrown away */
    int timeout;        /* seconds without a byte */
};

/* Fetches the file. Returns false and sets the error if that fails. Stops soon after *stop. */
bool transfer_run(struct transfer *transfer, const struct transfer_options *options,
                  const atomic_bool *stop);

#endif
