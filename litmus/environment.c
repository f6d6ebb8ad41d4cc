/* What the environment holds after the program has changed it is not worked out. */
#include <assert.h>
#include <stdlib.h>

int main(void) {
    setenv("key", "value", 1);
    char *value = getenv("key");
    assert(value);
    return 0;
}
