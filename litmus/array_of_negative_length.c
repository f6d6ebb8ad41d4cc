/* An array of negative length is undefined. For memory safety it has no elements: what is reported is
   the access. */
extern int __VERIFIER_nondet_int(void);

int main(void)
{
    int count = __VERIFIER_nondet_int();
    if (count < -1 || count > 1)
        return 0;
    int cells[count];
    for (int i = 0; i < count; i++)
        cells[i] = i;
    return 0;
}
