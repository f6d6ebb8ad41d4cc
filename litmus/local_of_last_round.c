/* A local of a loop is used in the next round. */
int main(void)
{
    int *last = 0;
    for (int i = 0; i < 3; i++) {
        int here = i;
        if (last && i == 2)
            *last = 1;
        if (i == 0)
            last = &here;
    }
    return 0;
}
