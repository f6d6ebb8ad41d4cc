/* How far apart strings are is not what `strcmp` says. */
#include <assert.h>
#include <string.h>

int main(void) {
    int difference = strcmp("a", "c");
    assert(difference == -2);
    return 0;
}
