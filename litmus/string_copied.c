/* An array that a string literal initialises may be written. */
#include <assert.h>

static const int fixed = 1;

int main(void)
{
    char name[] = "mazurka";
    const char *read = "mazurka";
    name[0] = 'M';
    assert(name[1] == read[fixed]);
    return 0;
}
