/* What the system says of a process stays the same. */
#include <assert.h>
#include <unistd.h>

int main(void) {
    long pages = sysconf(_SC_PAGESIZE);
    assert(pages == sysconf(_SC_PAGESIZE));
    assert(getuid() == getuid());
    return 0;
}
