/* Waiting for a signal from outside, which may come at any time. */

int __mazurka_any_int(void);
void __mazurka_assume(int condition);
void __mazurka_await(int condition);

enum { LAST = 64, HALF = 32 };

int sigwait(const unsigned *set, int *number) {
    unsigned first = set[0], second = set[1];
    __mazurka_await((first | second) != 0);
    int any = __mazurka_any_int();
    __mazurka_assume(any >= 1 && any <= LAST);
    unsigned half = any <= HALF ? first : second;
    __mazurka_assume((half >> (any - 1) % HALF & 1) != 0);
    *number = any;
    return 0;
}
