#include "hazard.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

void hazard_domain_init(struct hazard_domain *domain, size_t threshold, void (*reclaim)(void *))
{
    atomic_init(&domain->records, NULL);
    atomic_init(&domain->record_count, 0);
    domain->threshold = threshold;
    domain->reclaim = reclaim;
    atomic_init(&domain->scans, 0);
    atomic_init(&domain->reclaimed, 0);
}

void hazard_domain_destroy(struct hazard_domain *domain)
{
    struct hazard_record *record = atomic_load(&domain->records);
    while (record != NULL) {
        struct hazard_record *next = record->next;
#ifndef BUG_LEAK_RETIRED
        for (size_t i = 0; i < record->retired_count; i++)
            domain->reclaim(record->retired[i]);
#endif
        free(record->retired);
        free(record);
        record = next;
    }
}

static struct hazard_record *new_record(struct hazard_domain *domain)
{
    struct hazard_record *record = calloc(1, sizeof *record);
    if (record == NULL) {
        perror("hazard");
        abort();
    }
    for (size_t i = 0; i < HAZARD_SLOTS; i++)
        atomic_init(&record->slot[i], NULL);
    atomic_init(&record->in_use, true);
    atomic_fetch_add(&domain->record_count, 1);
    struct hazard_record *first = atomic_load(&domain->records);
    do
        record->next = first;
    while (!atomic_compare_exchange_weak(&domain->records, &first, record));
    return record;
}

struct hazard_record *hazard_acquire(struct hazard_domain *domain)
{
    struct hazard_record *record = atomic_load(&domain->records);
    for (; record != NULL; record = record->next) {
        bool in_use = false;
#ifdef BUG_ACQUIRE_IN_TWO_STEPS
        if (!atomic_load(&record->in_use)) {
            atomic_store(&record->in_use, true);
            return record;
        }
        (void)in_use;
#else
        if (atomic_compare_exchange_strong(&record->in_use, &in_use, true))
            return record;
#endif
    }
    return new_record(domain);
}

void *hazard_protect(struct hazard_record *record, size_t slot, _Atomic(void *) *from)
{
    void *object = atomic_load(from);
#ifdef BUG_NO_RECHECK
    /* Between the load and the store, the object may have been retired and freed. */
    atomic_store(&record->slot[slot], object);
    return object;
#else
    for (;;) {
        atomic_store(&record->slot[slot], object);
        void *again = atomic_load(from);
        if (again == object)
            return object;
        object = again;
    }
#endif
}

void hazard_clear(struct hazard_record *record, size_t slot)
{
    atomic_store_explicit(&record->slot[slot], NULL, memory_order_release);
}

static int compare_addresses(const void *left, const void *right)
{
    uintptr_t a = (uintptr_t)*(void *const *)left, b = (uintptr_t)*(void *const *)right;
    return (a > b) - (a < b);
}

/* Frees what this thread has retired and no other thread uses. */
static void scan(struct hazard_domain *domain, struct hazard_record *own)
{
    size_t room = atomic_load(&domain->record_count) * HAZARD_SLOTS, count = 0, kept = 0;
    void **used = malloc(room * sizeof *used);
    if (used == NULL)
        return; /* later */
    struct hazard_record *record = atomic_load(&domain->records);
    for (; record != NULL; record = record->next)
        for (size_t i = 0; i < HAZARD_SLOTS; i++) {
            void *object = atomic_load(&record->slot[i]);
#ifdef BUG_SCAN_OVERFLOW
            if (object != NULL)
                used[count++] = object; /* a record may be newer than the count above */
#else
            if (object == NULL)
                continue;
            if (count == room) {
                void **more = realloc(used, 2 * room * sizeof *used);
                if (more == NULL) {
                    free(used);
                    return;
                }
                used = more;
                room *= 2;
            }
            used[count++] = object;
#endif
        }
    qsort(used, count, sizeof *used, compare_addresses);
    for (size_t i = 0; i < own->retired_count; i++) {
        void *object = own->retired[i];
        if (bsearch(&object, used, count, sizeof *used, compare_addresses) != NULL) {
            own->retired[kept++] = object;
        } else {
            domain->reclaim(object);
            atomic_fetch_add_explicit(&domain->reclaimed, 1, memory_order_relaxed);
        }
    }
    own->retired_count = kept;
    free(used);
    atomic_fetch_add_explicit(&domain->scans, 1, memory_order_relaxed);
}

void hazard_release(struct hazard_domain *domain, struct hazard_record *record)
{
    for (size_t i = 0; i < HAZARD_SLOTS; i++)
        hazard_clear(record, i);
    if (record->retired_count > 0)
        scan(domain, record);
    /* What is still in use stays in the record, for the next thread that takes it. */
    atomic_store(&record->in_use, false);
}

void hazard_retire(struct hazard_domain *domain, struct hazard_record *record, void *object)
{
#ifdef BUG_FREE_AT_ONCE
    (void)record;
    domain->reclaim(object);
#else
    if (record->retired_count == record->retired_room) {
        size_t room = record->retired_room == 0 ? 2 * domain->threshold : 2 * record->retired_room;
        void **retired = realloc(record->retired, room * sizeof *retired);
        if (retired == NULL) {
            perror("hazard");
            abort();
        }
        record->retired = retired;
        record->retired_room = room;
    }
    record->retired[record->retired_count++] = object;
    if (record->retired_count >= domain->threshold)
        scan(domain, record);
#endif
}
