/* A large object that is defined elsewhere cannot be freed. */
#include <stdlib.h>

extern int large[100];

int main(void) {
    free(large);
    return 0;
}
