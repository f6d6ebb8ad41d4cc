/* There may be no argument: what is at its place is a null pointer. */
#include <assert.h>
#include <stdlib.h>

int main(int argc, char **argv) {
    assert(argc >= 1);
    assert(argv[argc] == 0);
    int number = atoi(argv[1]);
    return number != 0;
}
