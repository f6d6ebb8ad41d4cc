/* Comparisons say which is first by a sign, and predicates say yes by any number. */
#include <assert.h>
#include <ctype.h>
#include <string.h>

int main(void) {
    assert(strcmp("a", "c") < 0);
    assert(memcmp("b", "a", 1) > 0);
    assert(!strncmp("ab", "ac", 1));
    assert((isdigit)('5') && !(isdigit)('x'));
    return 0;
}
