/* Handlers that a thread runs when it ends itself: those that it has pushed and not popped, the last one first. Each is
   kept in memory that the macro of the header sets aside. */

struct handler { void (*routine)(void *); void *argument; struct handler *next; };

static _Thread_local struct handler *last;

void __mazurka_push_cleanup(struct handler *handler, void (*routine)(void *), void *argument) {
    handler->routine = routine;
    handler->argument = argument;
    handler->next = last;
    last = handler;
}

void __mazurka_pop_cleanup(struct handler *handler) {
    last = handler->next;
}

void __mazurka_run_cleanup(void) {
    while (last) {
        struct handler *now = last;
        last = now->next;
        now->routine(now->argument);
    }
}
