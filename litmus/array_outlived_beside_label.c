/* A block of `alloca` ends with its function, also where the function has labels. */
#include <alloca.h>

char *outlived(void) {
    char *block = alloca(8);
    block[0] = 1;
    char *volatile kept = block;
    if (kept)
        goto end;
    block[1] = 2;
end:
    return kept;
}

int main(void) { return *outlived(); }
