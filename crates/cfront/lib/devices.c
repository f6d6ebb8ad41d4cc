/* Requests to devices. Those that are not here are refused where they are used. */

_Bool __mazurka_any_bool(void);
int __mazurka_any_int(void);
void __mazurka_assume(int condition);
void __mazurka_any_errno(void);

enum { GET_SIZE = 0x5413, SET_SIZE = 0x5414, COUNT_READY = 0x541B, SET_WAITING = 0x5421, SIZES = 4 };

int ioctl(int file, unsigned long request, ...) {
    (void)file;
    if (__mazurka_any_bool()) {
        __mazurka_any_errno();
        return -1;
    }
    _Bool has_memory = request == GET_SIZE || request == SET_SIZE || request == COUNT_READY || request == SET_WAITING;
    if (!has_memory) {
        return 0;
    }
    __builtin_va_list list;
    __builtin_va_start(list, request);
    void *memory = __builtin_va_arg(list, void *);
    __builtin_va_end(list);
    unsigned short *sizes = memory;
    for (int at = 0; request == GET_SIZE && at < SIZES; at++) {
        sizes[at] = (unsigned short)__mazurka_any_int();
    }
    for (int at = 0; request == SET_SIZE && at < SIZES; at++) {
        unsigned short size = sizes[at];
        (void)size;
    }
    if (request == COUNT_READY) {
        int count = __mazurka_any_int();
        __mazurka_assume(count >= 0);
        *(int *)memory = count;
    }
    if (request == SET_WAITING) {
        int waits = *(int *)memory;
        (void)waits;
    }
    return 0;
}
