/* `memcpy`, `memset`, `strlen` and `strcmp` work byte by byte. */
#include <assert.h>
#include <string.h>

int main(void)
{
    char text[8] = "abc", copy[8];
    memset(copy, 'x', sizeof copy);
    memcpy(copy, text, 4);
    assert(strlen(copy) == 3 && copy[4] == 'x');
    assert(strcmp(text, copy) == 0 && memcmp(text, copy, 4) == 0);
    return 0;
}
