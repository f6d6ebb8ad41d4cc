/* A constant object on the stack is written: this is not told from its initialisation. */
int main(void)
{
    const int limit = 3;
    *(int *)&limit = 4;
    return 0;
}
