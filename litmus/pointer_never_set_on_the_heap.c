/* A pointer in memory that nothing sets: what it points to is not known. */
#include <assert.h>
#include <stdlib.h>

int main(void) {
    const char **names = malloc(8 * sizeof *names);
    if (names[2]) {
        assert(names[2][0] != 'a');
    }
    return 0;
}
