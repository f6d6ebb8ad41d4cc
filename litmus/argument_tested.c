/* An argument may be any short text. */
#include <assert.h>
#include <stdlib.h>
#include <string.h>

int main(int argc, char **argv) {
    if (argc == 2 && strcmp(argv[1], "-x") == 0) {
        assert(atoi(argv[1]) == 0);
        assert(0);
    }
    return 0;
}
