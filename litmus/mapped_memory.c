/* Memory that is mapped is not for `free`; a part of it can be given back. */
#include <assert.h>
#include <stdlib.h>
#include <sys/mman.h>

int main(void)
{
    char *memory = mmap(0, 8192, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED)
        return 0;
    munmap(memory + 4096, 4096);
    memory[0] = 1;
    assert(memory[1] == 0);
    free(memory);
    return 0;
}
