/* Functions that write where they are told to. */
#define _GNU_SOURCE
#include <assert.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

int main(void) {
    int x = 5, y = 6;
    bzero(&x, sizeof x);
    explicit_bzero(&y, sizeof y);
    assert(x == 0 && y == 0);
    char text[8] = "a,b";
    char *rest = text;
    assert(strsep(&rest, ",") == text && text[1] == 0 && rest == text + 2);
    assert(stpcpy(text, "xyz") == text + 3);
    assert(*(char *)mempcpy(text, "pq", 2) == 'z');
    char *end;
    assert(strtol("12x", &end, 10) == 12 && *end == 'x');
    return 0;
}
