/* A number of rounds from the command line. */
#include <assert.h>
#include <stdlib.h>

int main(int argc, char **argv) {
    int rounds = argc > 1 ? atoi(argv[1]) : 1;
    if (rounds < 0 || rounds > 3) {
        return 1;
    }
    int sum = 0;
    for (int round = 0; round < rounds; round++) {
        sum += 2;
    }
    assert(sum == 2 * rounds && sum <= 6);
    return 0;
}
