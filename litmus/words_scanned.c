/* Words that are read have an end, and are no longer than the format says. */
#include <assert.h>
#include <stdio.h>
#include <string.h>

int main(void) {
    char name[6];
    int number;
    if (scanf("%5s %d", name, &number) == 2) {
        assert(strlen(name) >= 1 && strlen(name) <= 5);
        assert(name[0] != ' ');
    }
    return 0;
}
