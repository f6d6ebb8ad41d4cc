/* What a large table that is defined elsewhere points to is not known. */
#include <assert.h>

extern const char *names[100];

int main(void) {
    if (names[2]) {
        assert(names[2][0] != 'a');
    }
    return 0;
}
