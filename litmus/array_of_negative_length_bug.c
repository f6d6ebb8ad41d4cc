/* The last element of an array that may have none. */
extern int __VERIFIER_nondet_int(void);

int main(void)
{
    int count = __VERIFIER_nondet_int();
    if (count < -1 || count > 1)
        return 0;
    int cells[count];
    cells[0] = 1;
    return 0;
}
