#include "loop.h"
#include "timers.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <unistd.h>

#define SIGNALS 65

struct posted {
    loop_fn *run;
    void *arg;
    struct posted *next;
};

struct watched {
    loop_fn *run; /* NULL: nobody asked for this signal */
    void *arg;
    struct sigaction before;
};

struct loop {
    pthread_mutex_t lock; /* guards the next three */
    struct posted *first;
    struct posted **end;
    bool stopping;
    int wake[2]; /* a pipe: who writes to it wakes the loop */
    struct timers timers;
    struct watched watched[SIGNALS];
};

/* What the handler of signals may use: nothing of it moves while a handler is installed. */
static volatile sig_atomic_t came[SIGNALS];
static int wake_descriptor = -1;
#ifdef BUG_HANDLER_POSTS
static struct loop *the_loop;
#endif

static bool set_flags(int descriptor)
{
    int flags = fcntl(descriptor, F_GETFL);
    return flags >= 0 && fcntl(descriptor, F_SETFL, flags | O_NONBLOCK) == 0
           && fcntl(descriptor, F_SETFD, FD_CLOEXEC) == 0;
}

struct loop *loop_new(void)
{
    struct loop *loop = calloc(1, sizeof *loop);
    if (loop == NULL)
        return NULL;
    if (pipe(loop->wake) != 0) {
        free(loop);
        return NULL;
    }
    if (!set_flags(loop->wake[0]) || !set_flags(loop->wake[1])) {
        close(loop->wake[0]);
        close(loop->wake[1]);
        free(loop);
        return NULL;
    }
    pthread_mutex_init(&loop->lock, NULL);
    loop->end = &loop->first;
    wake_descriptor = loop->wake[1];
#ifdef BUG_HANDLER_POSTS
    the_loop = loop;
#endif
    return loop;
}

void loop_free(struct loop *loop)
{
    for (int number = 1; number < SIGNALS; number++)
        if (loop->watched[number].run != NULL)
            sigaction(number, &loop->watched[number].before, NULL);
#ifndef BUG_LEAK_POSTED
    while (loop->first != NULL) {
        struct posted *posted = loop->first;
        loop->first = posted->next;
        free(posted);
    }
#endif
    close(loop->wake[0]);
    close(loop->wake[1]);
    pthread_mutex_destroy(&loop->lock);
    free(loop->timers.heap);
    free(loop);
}

/* Makes poll return. If the pipe is full, the loop is going to wake up anyway. */
static void wake(int descriptor)
{
    ssize_t written;
    do
        written = write(descriptor, "!", 1);
    while (written < 0 && errno == EINTR);
}

bool loop_post(struct loop *loop, loop_fn *run, void *arg)
{
    struct posted *posted = malloc(sizeof *posted);
    if (posted == NULL)
        return false;
    posted->run = run;
    posted->arg = arg;
    posted->next = NULL;
#ifndef BUG_UNLOCKED_POST
    pthread_mutex_lock(&loop->lock);
#endif
    bool accepted = !loop->stopping;
    if (accepted) {
        *loop->end = posted;
        loop->end = &posted->next;
    }
#ifndef BUG_UNLOCKED_POST
    pthread_mutex_unlock(&loop->lock);
#endif
    if (!accepted)
        free(posted);
    else
        wake(loop->wake[1]);
    return accepted;
}

void loop_stop(struct loop *loop)
{
    pthread_mutex_lock(&loop->lock);
    loop->stopping = true;
    pthread_mutex_unlock(&loop->lock);
    wake(loop->wake[1]);
}

bool loop_after(struct loop *loop, long milliseconds, loop_fn *run, void *arg)
{
    struct timer timer = { now_milliseconds() + milliseconds, run, arg };
    return timers_add(&loop->timers, timer);
}

#ifdef BUG_HANDLER_POSTS
static void run_signals(struct loop *loop, void *arg);
#endif

/* Only what a handler may do: it sets a flag and writes to the pipe, and leaves errno alone. */
static void on_signal(int number)
{
#ifdef BUG_HANDLER_POSTS
    /* malloc and a lock in a handler: the thread may hold the lock already. */
    came[number] = 1;
    loop_post(the_loop, run_signals, NULL);
#else
#ifndef BUG_HANDLER_ERRNO
    int saved = errno;
#endif
    came[number] = 1;
    wake(wake_descriptor);
#ifndef BUG_HANDLER_ERRNO
    errno = saved;
#endif
#endif
}

bool loop_on_signal(struct loop *loop, int number, loop_fn *run, void *arg)
{
    struct sigaction action = { .sa_handler = on_signal, .sa_flags = SA_RESTART };

    assert(number > 0 && number < SIGNALS);
    sigfillset(&action.sa_mask);
    loop->watched[number].run = run;
    loop->watched[number].arg = arg;
    if (sigaction(number, &action, &loop->watched[number].before) != 0) {
        loop->watched[number].run = NULL;
        return false;
    }
    return true;
}

static void run_signals(struct loop *loop, void *arg)
{
    (void)arg;
    for (int number = 1; number < SIGNALS; number++)
        if (came[number]) {
            came[number] = 0; /* before the callback: the signal may come again */
            loop->watched[number].run(loop, loop->watched[number].arg);
        }
}

static void run_timers(struct loop *loop)
{
    int64_t now = now_milliseconds();
    const struct timer *first;
    while ((first = timers_first(&loop->timers)) != NULL && first->when <= now) {
#ifdef BUG_TIMER_MOVES
        /* The callback may add a timer, and the heap then moves to another place. */
        first->run(loop, first->arg);
        if (first->when <= now)
            timers_drop_first(&loop->timers);
#else
        struct timer due = *first;
        timers_drop_first(&loop->timers);
        due.run(loop, due.arg);
#endif
    }
}

static void run_posted(struct loop *loop)
{
    pthread_mutex_lock(&loop->lock);
    struct posted *posted = loop->first;
    loop->first = NULL;
    loop->end = &loop->first;
#ifdef BUG_CALLBACK_UNDER_LOCK
    /* A callback that posts another one waits for its own thread. */
#else
    pthread_mutex_unlock(&loop->lock);
#endif
    while (posted != NULL) {
        struct posted *next = posted->next;
        posted->run(loop, posted->arg);
        free(posted);
        posted = next;
    }
#ifdef BUG_CALLBACK_UNDER_LOCK
    pthread_mutex_unlock(&loop->lock);
#endif
}

static void drain(int descriptor)
{
    char bytes[64];
    while (read(descriptor, bytes, sizeof bytes) == (ssize_t)sizeof bytes)
        ;
}

static bool over(struct loop *loop)
{
#ifdef BUG_UNLOCKED_STOP
    return loop->stopping && loop->first == NULL;
#else
    pthread_mutex_lock(&loop->lock);
    bool over = loop->stopping && loop->first == NULL;
    pthread_mutex_unlock(&loop->lock);
    return over;
#endif
}

bool loop_run(struct loop *loop)
{
    struct pollfd ready = { .fd = loop->wake[0], .events = POLLIN };

    while (!over(loop)) {
        int count = poll(&ready, 1, timers_wait(&loop->timers));
        if (count < 0 && errno != EINTR)
            return false;
        if (count > 0)
            drain(loop->wake[0]);
        run_signals(loop, NULL);
        run_timers(loop);
        run_posted(loop);
    }
    return true;
}
