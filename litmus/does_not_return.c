/* Nothing runs behind a function that is declared never to return. */
extern void reach_error(void);
_Noreturn void stop(void);
extern void halt(int) __attribute__((noreturn));
extern int __VERIFIER_nondet_int(void);

int main(void)
{
    if (__VERIFIER_nondet_int()) {
        stop();
        reach_error();
    }
    halt(1);
    reach_error();
}
