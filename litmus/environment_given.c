/* The environment that a process is given is any. */
#include <assert.h>
#include <stdlib.h>

int main(void) {
    char *value = getenv("key");
    assert(value);
    return 0;
}
