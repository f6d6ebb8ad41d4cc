/* An index leaves an array inside a struct, but not the struct. */
struct pair { int both[2]; int next; };

static struct pair pair;

int main(void)
{
    int index = 2;
    pair.both[index] = 1;
    return 0;
}
