// Another name of a function does not run before `main`.
#include <assert.h>

int runs;
void run(void)
{
    runs++;
}
void also(void) __attribute__((alias("run"), constructor));

int main(void)
{
    assert(runs == 0);
    return 0;
}
