/* The part of this file that makes the threads keep to the schedule.
 *
 * mz_at(P) stands before an access and waits until it is its turn, mz_after() stands behind it and
 * lets the next one go. Nothing here is seen by ThreadSanitizer, so a race is still a race. The C
 * library's functions have names of their own here: no header is needed, and none of the program's
 * declarations can clash with these. */
#define MZ_HIDDEN __attribute__((noinline, unused, no_sanitize_thread))
extern int mz_c_usleep(unsigned) __asm__("usleep");
extern int mz_c_printf(int, const char *, ...) __asm__("dprintf");
extern void mz_c_exit(int) __asm__("_exit");
extern void *mz_c_malloc(__SIZE_TYPE__) __asm__("malloc");
extern int mz_c_create(void *, const void *, void *(*)(void *), void *) __asm__("pthread_create");
extern int mz_c_create11(void *, int (*)(void *), void *) __asm__("thrd_create");
extern int mz_c_lock(void *) __asm__("pthread_mutex_lock");
extern int mz_c_unlock(void *) __asm__("pthread_mutex_unlock");
extern int mz_c_wait(void *, void *) __asm__("pthread_cond_wait");
extern int mz_c_barrier_wait(void *) __asm__("pthread_barrier_wait");

enum { MZ_PATIENCE = 5000, MZ_GRACE = 3000 }; /* milliseconds */

static int mz_turn, mz_rounds;
static __thread int mz_self = -1, mz_position, mz_pending, mz_depth;

__attribute__((constructor)) static MZ_HIDDEN void mz_begin(void)
{
    mz_self = 0;
    mz_c_printf(2, "mazurka: following %d steps; then %s\n", MZ_STEPS, MZ_EXPECTED);
    if (MZ_STEPS == 0) {
        mz_c_printf(2, "mazurka: the schedule is done\n");
    }
}

static MZ_HIDDEN int mz_now(void) { return __atomic_load_n(&mz_turn, __ATOMIC_ACQUIRE); }

static MZ_HIDDEN int mz_over(void) { return mz_now() >= MZ_STEPS; }

/* The next step of this thread, or -1. */
static MZ_HIDDEN int mz_next(void)
{
    if (mz_self < 0) {
        return -1;
    }
    for (int at = mz_position; at < MZ_STEPS; at++) {
        if (mz_schedule[at].thread == mz_self) {
            return at;
        }
    }
    for (int at = MZ_LOOP; at >= 0 && at < MZ_STEPS; at++) {
        if (mz_schedule[at].thread == mz_self) {
            return at;
        }
    }
    return -1;
}

static MZ_HIDDEN void mz_give_up(const char *why)
{
    int at = mz_now();
    mz_c_printf(2, "mazurka: thread %d: %s: step %d of %d is thread %d at %s\n", mz_self, why, at + 1,
                MZ_STEPS, mz_schedule[at].thread, mz_schedule[at].place);
    mz_c_exit(3);
}

/* Waits a moment, and not for ever for others to move. */
static MZ_HIDDEN void mz_pause(int *waited, int *last)
{
    if (mz_now() != *last) {
        *last = mz_now();
        *waited = 0;
    }
    if (++*waited > MZ_PATIENCE) {
        mz_give_up("the schedule does not go on");
    }
    mz_c_usleep(*waited < 200 ? 20 : 1000);
}

/* A thread that has come to the end of what the schedule says about it waits for the others; if
 * one thread is going to fail, it must not be disturbed any more. */
static MZ_HIDDEN void mz_hold(void)
{
    for (int waited = 0, last = -1; !mz_over();) {
        mz_pause(&waited, &last);
    }
    if (MZ_FAILS >= 0 && mz_self != MZ_FAILS) {
        mz_c_usleep(MZ_GRACE * 1000);
        mz_give_up("nothing failed at the end of the schedule");
    }
}

static MZ_HIDDEN int mz_is_finishing(void)
{
    return mz_self >= 0 && mz_self < MZ_THREADS && mz_ends[mz_self];
}

/* The step that was taken is complete. */
static MZ_HIDDEN void mz_advance(void)
{
    if (!mz_pending) {
        return;
    }
    mz_pending = 0;
    int next = mz_now() + 1;
    if (next == MZ_STEPS && MZ_LOOP >= 0 && MZ_LOOP < MZ_STEPS) {
        if (!mz_rounds++) {
            mz_c_printf(2, "mazurka: the schedule begins again\n");
        }
        next = MZ_LOOP;
    }
    if (next == MZ_STEPS) {
        mz_c_printf(2, "mazurka: the schedule is done\n");
    }
    __atomic_store_n(&mz_turn, next, __ATOMIC_RELEASE);
}

/* Before an access: is it in the schedule here? Then its turn has come when this returns. */
MZ_HIDDEN int mz_at(int point)
{
    mz_advance();
    if (mz_over() && (MZ_FAILS < 0 || mz_self == MZ_FAILS)) {
        return 0;
    }
    int next = mz_next();
    if (next < 0) {
        if (!mz_is_finishing()) {
            mz_hold();
        }
        return 0;
    }
    if (mz_schedule[next].point != point) {
        return 0;
    }
    for (int waited = 0, last = -1; mz_now() != next;) {
        mz_pause(&waited, &last);
    }
    mz_position = next + 1;
    mz_pending = 1;
    return 1;
}

/* Behind an access. */
MZ_HIDDEN void mz_after(void)
{
    if (mz_depth == 0 && mz_pending) {
        mz_advance();
        if (mz_next() < 0 && !mz_is_finishing()) {
            mz_hold();
        }
    }
}

MZ_HIDDEN int mz_section_begin(void) { return mz_depth++; }

MZ_HIDDEN void mz_section_end(int *unused)
{
    (void)unused;
    mz_depth--;
    mz_after();
}

/* A thread that ends within a section leaves it. */
MZ_HIDDEN void mz_leave(void)
{
    mz_depth = 0;
    mz_after();
}

MZ_HIDDEN int mz_reached(void)
{
    return mz_c_printf(2, "mazurka: an error is reached\n");
}

MZ_HIDDEN unsigned long long mz_input(int point)
{
    for (int at = 0; at < MZ_INPUTS; at++) {
        if (mz_inputs[at].thread == mz_self && mz_inputs[at].point == point) {
            mz_inputs[at].thread = -2;
            return mz_inputs[at].value;
        }
    }
    return 0;
}

struct mz_thread {
    int number;
    void *(*start)(void *);
    int (*start11)(void *);
    void *argument;
};

static MZ_HIDDEN struct mz_thread *mz_new_thread(int point)
{
    struct mz_thread *made = mz_c_malloc(sizeof *made);
    made->number = mz_at(point) ? mz_schedule[mz_position - 1].starts : -1;
    return made;
}

static MZ_HIDDEN void mz_enter(struct mz_thread *made)
{
    mz_self = made->number;
    if (mz_next() < 0 && !mz_is_finishing()) {
        mz_hold();
    }
}

static void *mz_start(void *made)
{
    mz_enter(made);
    return ((struct mz_thread *)made)->start(((struct mz_thread *)made)->argument);
}

static int mz_start11(void *made)
{
    mz_enter(made);
    return ((struct mz_thread *)made)->start11(((struct mz_thread *)made)->argument);
}

MZ_HIDDEN int mz_create(int point, void *thread, const void *attributes, void *(*start)(void *),
                        void *argument)
{
    struct mz_thread *made = mz_new_thread(point);
    made->start = start;
    made->argument = argument;
    int result = mz_c_create(thread, attributes, mz_start, made);
    mz_after();
    return result;
}

MZ_HIDDEN int mz_create11(int point, void *thread, int (*start)(void *), void *argument)
{
    struct mz_thread *made = mz_new_thread(point);
    made->start11 = start;
    made->argument = argument;
    int result = mz_c_create11(thread, mz_start11, made);
    mz_after();
    return result;
}

/* Waiting for a signal: the schedule says who is woken, and when. A thread that is never woken in
 * the schedule waits for real. */
MZ_HIDDEN int mz_wait(int leaves, int wakes, int gives_up, int timed_out, void *condition, void *mutex)
{
    int waits = mz_at(leaves);
    int next = mz_next();
    if (!waits || next < 0) {
        mz_advance();
        do {
            mz_c_wait(condition, mutex);
        } while (waits);
        return 0;
    }
    mz_c_unlock(mutex);
    mz_advance();
    int result = mz_schedule[next].point == gives_up ? timed_out : 0;
    mz_at(result ? gives_up : wakes);
    mz_c_lock(mutex);
    mz_after();
    return result;
}

/* All threads of a round really meet; the schedule says in which order they come and go. */
MZ_HIDDEN int mz_barrier_wait(int comes, int goes, void *barrier)
{
    mz_at(comes);
    mz_advance();
    int result = mz_c_barrier_wait(barrier);
    if (goes) {
        mz_at(goes);
        mz_after();
    }
    return result;
}
