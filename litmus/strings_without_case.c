/* What is behind a comparison without regard to case is reached. */
#include <assert.h>
#include <strings.h>

char a[4] = "B", b[4] = "a";

int main(void) {
    int result = strcasecmp(a, b);
    assert(result <= 0);
    return 0;
}
