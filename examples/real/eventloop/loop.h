/* An event loop: one thread runs callbacks that timers, signals and other threads ask for.
 *
 *     struct loop *loop = loop_new();
 *     loop_on_signal(loop, SIGTERM, stop_gently, NULL);
 *     loop_after(loop, 1000, every_second, NULL);
 *     loop_run(loop);                        until somebody calls loop_stop
 *     loop_free(loop);
 *
 * loop_post and loop_stop may be called by any thread, the others only by the one that runs the
 * loop. There is one loop in a process, because signals belong to the process.
 */
#ifndef LOOP_H
#define LOOP_H

#include <stdbool.h>
#include <stddef.h>

struct loop;

typedef void loop_fn(struct loop *loop, void *arg);

struct loop *loop_new(void);
void loop_free(struct loop *loop);

/* Runs callbacks until the loop is stopped. False if the system refuses something (see errno). */
bool loop_run(struct loop *loop);
void loop_stop(struct loop *loop);

/* Runs the callback soon. False if there is no memory, or the loop has ended. */
bool loop_post(struct loop *loop, loop_fn *run, void *arg);

/* Runs the callback once, in so many milliseconds. */
bool loop_after(struct loop *loop, long milliseconds, loop_fn *run, void *arg);

/* Runs the callback each time the signal comes. */
bool loop_on_signal(struct loop *loop, int number, loop_fn *run, void *arg);

#endif
