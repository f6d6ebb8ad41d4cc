/* Memory may stay where it is when its size changes, or not. */
#include <assert.h>
#include <stdlib.h>

int main(void) {
    char *old = malloc(4);
    char *now = realloc(old, 8);
    assert(now != old);
    free(now);
    return 0;
}
