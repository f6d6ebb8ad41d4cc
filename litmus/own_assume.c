// A program that defines `__VERIFIER_assume` says what it does.
extern void reach_error(void);

void __VERIFIER_assume(int condition)
{
    (void)condition;
}

int main(void)
{
    __VERIFIER_assume(0);
    reach_error();
    return 0;
}
