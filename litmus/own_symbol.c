// A name for the linker that ends in 64 is a name like any other.
extern void reach_error(void);

int seen;
int set(void) __asm__("set64");
int set64(void)
{
    return seen = 1;
}

int main(void)
{
    set();
    if (seen)
        reach_error();
    return 0;
}
