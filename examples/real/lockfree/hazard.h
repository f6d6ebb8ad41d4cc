/* Hazard pointers: how lock-free structures free memory that others may still read (M. Michael,
 * "Hazard Pointers: Safe Memory Reclamation for Lock-Free Objects", 2004).
 *
 * A thread takes a record, publishes in it which objects it is about to use, and checks that they
 * can still be reached. Who removes an object retires it; it is freed once no record names it.
 */
#ifndef HAZARD_H
#define HAZARD_H

#include <stdatomic.h>
#include <stddef.h>

#define HAZARD_SLOTS 2 /* objects that one thread uses at a time */

struct hazard_record {
    _Atomic(void *) slot[HAZARD_SLOTS];
    atomic_bool in_use;
    struct hazard_record *next; /* never changes once the record is in the list */
    void **retired;             /* these three belong to the thread that uses the record */
    size_t retired_count;
    size_t retired_room;
};

struct hazard_domain {
    _Atomic(struct hazard_record *) records;
    atomic_size_t record_count;
    size_t threshold; /* so many retired objects before a scan */
    void (*reclaim)(void *object);
    atomic_ulong scans;
    atomic_ulong reclaimed;
};

void hazard_domain_init(struct hazard_domain *domain, size_t threshold, void (*reclaim)(void *));

/* Frees all that is left. Nobody uses the domain any more. */
void hazard_domain_destroy(struct hazard_domain *domain);

struct hazard_record *hazard_acquire(struct hazard_domain *domain);
void hazard_release(struct hazard_domain *domain, struct hazard_record *record);

/* Reads a pointer such that its object is not freed before the slot is cleared. */
void *hazard_protect(struct hazard_record *record, size_t slot, _Atomic(void *) *from);
void hazard_clear(struct hazard_record *record, size_t slot);

void hazard_retire(struct hazard_domain *domain, struct hazard_record *record, void *object);

#endif
