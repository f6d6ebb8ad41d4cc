/* Nothing says that the second address is another one, nor that it is the same. */
#include <assert.h>
#include <stdlib.h>

int main(void)
{
    char *old = malloc(3);
    free(old);
    char *new = malloc(20);
    assert(old != new);
    free(new);
    return 0;
}
