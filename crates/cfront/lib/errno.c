/* The error number of each thread. */

int __mazurka_any_int(void);
void __mazurka_assume(int condition);
int __mazurka_looks_at_errno(void);

enum { ENOMEM = 12 };

static _Thread_local int error_number;

int *__errno_location(void) {
    return &error_number;
}

/* There is no memory left. */
void __mazurka_no_memory(void) {
    error_number = ENOMEM;
}

/* A call that may fail leaves the number or sets it to another; no function sets it to zero. In a program that never
   looks at the number it stays. */
void __mazurka_any_errno(void) {
    if (!__mazurka_looks_at_errno()) {
        return;
    }
    int before = error_number;
    int after = __mazurka_any_int();
    __mazurka_assume(after > 0 || after == before);
    error_number = after;
}
