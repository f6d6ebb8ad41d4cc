/* What `malloc` gives is not for `munmap`. */
#include <stdlib.h>
#include <sys/mman.h>

int main(void)
{
    char *memory = malloc(4096);
    if (memory)
        munmap(memory, 4096);
    return 0;
}
